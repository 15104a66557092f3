"""Ask a folder of documents; every claim cites the exact lines that support it."""

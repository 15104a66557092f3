"""The folder of documents on disk: which files there are, their bytes, and whether they changed."""

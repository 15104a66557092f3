"""The index of one library: a SQLite catalog that is the truth, and a search index made from it."""

"""Source code: its functions and classes, by language."""

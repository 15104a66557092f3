"""Files that hold files: archives and what is inside them, within limits."""

NO_MEMORY = "there was not enough memory to read it"
"""The reason of a file; who limits the memory names the limit."""

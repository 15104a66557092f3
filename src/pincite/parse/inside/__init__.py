"""Files that hold files: archives and what is inside them, within limits."""

"""A folder brought into the catalog: what changed, each file read and cut, and the report."""

"""What stands behind a call of a library: its arguments, the first reading, the log, lines shown."""

"""What Office formats share: packages of parts, tables and lists of blocks, formulas, charts, numerals."""

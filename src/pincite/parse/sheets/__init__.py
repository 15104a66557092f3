"""Spreadsheets: cells as they are shown, to tables with caption and column names."""

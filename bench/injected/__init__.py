"""Faults put into a library one at a time, to see whether the localiser names them."""

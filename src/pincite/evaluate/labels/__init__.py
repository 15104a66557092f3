"""Labelled questions on disk: a file for each form they come in, what is wrong with them, adding to them."""

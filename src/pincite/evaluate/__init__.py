"""Labelled questions, measures of a ranking, and the stage that lost the evidence."""

"""Conformance suites, one for each protocol: what an implementation must keep, as plain assertions."""

from pincite.testing.embedder import check_embedder
from pincite.testing.search_index import DIMENSION, FIELDS, check_search_index

__all__ = ["DIMENSION", "FIELDS", "check_embedder", "check_search_index"]

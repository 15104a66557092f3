"""Filters: read and checked, what they keep of documents and their fields, and in words."""

from pincite.filter.describe import describe
from pincite.filter.match import matches, simplify
from pincite.filter.parse import check, float_bounds, parse_filter

__all__ = ["check", "describe", "float_bounds", "matches", "parse_filter", "simplify"]

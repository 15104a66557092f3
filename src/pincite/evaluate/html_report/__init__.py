"""A saved run, or two of them, as one HTML file: no network, and complete without a script."""

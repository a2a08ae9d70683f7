"""Releases as indexers offer them."""

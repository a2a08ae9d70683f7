"""Torznab indexers."""

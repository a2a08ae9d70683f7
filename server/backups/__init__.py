"""Copies of a home that can be put back."""

"""Policies: looked at, drafted with their consequences, published."""

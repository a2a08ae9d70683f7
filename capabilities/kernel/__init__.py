"""Spec, registry, the one `invoke`, outcomes."""

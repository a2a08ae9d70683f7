"""The composition root and all doors; the only package that knows everything."""

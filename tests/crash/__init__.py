"""Killing Matinee at bad moments, and looking at what is left."""

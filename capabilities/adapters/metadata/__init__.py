"""Sources of what is known about works."""

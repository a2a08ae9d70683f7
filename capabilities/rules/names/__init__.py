"""Release names into facts."""

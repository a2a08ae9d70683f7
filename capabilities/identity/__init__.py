"""Which work a release or file is."""

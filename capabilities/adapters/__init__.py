"""One folder per kind of outside system."""

"""The declared tables, a file per family."""

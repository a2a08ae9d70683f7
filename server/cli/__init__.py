"""The terminal: what `matinee` does when it is typed or started by a client."""

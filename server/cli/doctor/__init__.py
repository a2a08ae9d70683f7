"""What `matinee doctor` looks at; nothing here needs a running server."""

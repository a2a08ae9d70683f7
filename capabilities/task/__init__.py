"""Background work in sight."""

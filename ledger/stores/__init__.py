"""What can be read and written, a file per table family."""

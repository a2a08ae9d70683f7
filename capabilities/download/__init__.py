"""Planning, submitting and watching downloads."""

"""Works as metadata sources know them."""

"""What is known of works beyond their sources of metadata."""

"""What the house can do."""

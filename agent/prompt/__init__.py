"""What the model is told, a layer a file."""

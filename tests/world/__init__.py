"""The world is tested too: a neighbour that lies proves nothing."""

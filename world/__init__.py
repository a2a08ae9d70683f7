"""A loopback world to be tested and shown in."""

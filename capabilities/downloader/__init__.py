"""The download clients."""

"""Which words mean what: data only."""

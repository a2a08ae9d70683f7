"""How the loop speaks to models: one port, and the providers behind it."""

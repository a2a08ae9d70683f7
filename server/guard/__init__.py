"""Who is let in: the owner, sessions, keys, and what a request must not look like."""

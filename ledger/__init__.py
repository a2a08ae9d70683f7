"""The database: what happened, what is owed, and who allowed it. Imports nothing of ours."""

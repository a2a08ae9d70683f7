"""Secrets that the house needs and the ledger keeps sealed: names, keys, and what opens them."""

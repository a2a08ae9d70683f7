"""Runs of the agent, for clients."""

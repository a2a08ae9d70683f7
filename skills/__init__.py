"""What the agent knows how to do, a folder per skill."""

"""Who uses the capabilities on somebody's behalf."""

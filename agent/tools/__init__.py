"""The model's own tools: no door knows them, and they authorise nothing."""

"""Recognition words: the owner's cure for names that are read wrongly."""

"""`matinee demo`: the main job, on real input, in a world of its own."""

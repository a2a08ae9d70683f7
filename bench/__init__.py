"""What is measured: ours and its floor or peer in one run, as ratios."""

"""From a finished download to the shelf."""

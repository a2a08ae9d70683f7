"""Download clients behind one port, and torrents as they come from outside."""

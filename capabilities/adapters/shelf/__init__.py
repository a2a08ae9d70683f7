"""The file system as an outside system: folders by handle, files placed whole or not."""

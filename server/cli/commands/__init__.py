"""One command a file; `server.cli.menu` finds them by name."""

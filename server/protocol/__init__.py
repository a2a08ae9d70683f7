"""MCP: the catalogue, the calls and the transports."""

"""How a demo falls short."""


class DemoFailedError(Exception):
    """Something the demo promises is not so; the text says what."""

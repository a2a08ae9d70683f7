"""The TCP port that a server listens on, as the settings say."""

import errno
import socket
from collections.abc import Generator
from contextlib import contextmanager

from server.settings import Settings

_ABOUT_THE_PORT = frozenset({errno.EADDRINUSE, errno.EACCES})
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # what is told, not what is bound
"""An address that means everywhere is none to go to; this one reaches it from the machine."""


class NotListeningError(Exception):
    """The address cannot be listened on; the text says why, and which setting chooses another."""

    def __init__(self, settings: Settings, refused: OSError) -> None:
        """Name what was refused, and what sets it."""
        host, port = settings.server.host, settings.server.port
        taken = refused.errno in _ABOUT_THE_PORT
        name, end = ("port", ", or end whoever holds it.") if taken else ("host", ".")
        super().__init__(
            f"Port {port} on {host} cannot be listened on: {refused.strerror or refused}. Choose "
            f"another {name} with server.{name} in settings.toml "
            f"(MATINEE_SERVER_{name.upper()}) or with --{name}{end}"
        )


@contextmanager
def bound(settings: Settings) -> Generator[socket.socket]:
    """A listening TCP socket with its protocol named, so that asyncio sets TCP_NODELAY.

    Raises:
        NotListeningError: the port is taken, or the address is none of this computer.
    """
    host, port = settings.server.host, settings.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError as refused:
            raise NotListeningError(settings, refused) from refused
        yield listener


def address_of(settings: Settings, listener: socket.socket) -> str:
    """Where people of this computer reach it, without a final slash."""
    host = _ANYWHERE.get(settings.server.host, settings.server.host)
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"

"""The ports that the process of a home would listen on."""

import socket
from collections.abc import Iterator

from server.cli.doctor.finding import Finding, Severity, ok
from server.role import Role
from server.settings import Settings

ANY = 0


def ports(settings: Settings, role: Role, *, running: bool) -> Iterator[Finding]:
    """Whether the ports of a process of this role are free; one that runs holds its own."""
    if running:
        yield ok("ports", "The process that runs here holds its ports.")
        return
    server, embedded = settings.server, settings.downloader.embedded
    if role.has_doors:
        yield _port("ports.server", server.host, server.port, "server.port", socket.SOCK_STREAM)
    shut = embedded.loopback_world or not embedded.enabled
    if not role.works or settings.folders.downloads is None or shut:
        return
    for kind, word in ((socket.SOCK_STREAM, "tcp"), (socket.SOCK_DGRAM, "udp")):
        setting = "downloader.embedded.listen_port"
        yield _port(f"ports.peers.{word}", "", embedded.listen_port, setting, kind)


def _port(id_: str, host: str, port: int, setting: str, kind: socket.SocketKind) -> Finding:
    if port == ANY:
        return ok(id_, "A free one is taken at every start.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, kind) as probe:
        if kind is socket.SOCK_STREAM:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as refused:
            return Finding(
                id_,
                Severity.ERROR,
                f"Port {port} cannot be listened on: {refused.strerror}.",
                f"End whoever holds it, or set {setting} to another.",
            )
    return ok(id_, f"Port {port} is free.")

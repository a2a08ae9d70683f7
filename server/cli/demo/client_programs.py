"""Download clients of the demo's own: real programs, each in the demo's folder."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from server.cli.demo.clients import QBITTORRENT, TRANSMISSION
from server.cli.demo.faults import DemoFailedError
from world import qbittorrent_program, transmission_program
from world.local_program import LocalProgram, NotStartedError, ProgramMissingError


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """A download client that runs, and how it is entered.

    Attributes:
        to_dial: where seeds have to dial it, for it dials nobody on this machine; None for one
            that does.
    """

    kind: str
    address: str
    user: str
    password: str = field(repr=False)
    to_dial: tuple[str, int] | None = None


@asynccontextmanager
async def client_program(kind: str, folder: Path) -> AsyncGenerator[ClientProgram | None]:
    """The program of this kind for the time of the block; None for the embedded client.

    Args:
        kind: one of `clients.CLIENTS`.
        folder: where it keeps what it keeps.

    Raises:
        DemoFailedError: it is not installed, or does not start.
    """
    try:
        if kind == QBITTORRENT:
            profile = qbittorrent_program.Profile(folder / kind)
            async with qbittorrent_program.running(profile) as program:
                yield _entered(kind, program)
        elif kind == TRANSMISSION:
            profile = transmission_program.TransmissionProfile(folder / kind)
            async with transmission_program.running(profile) as program:
                yield _entered(kind, program, to_dial=("127.0.0.1", profile.peers_port))
        else:
            yield None
    except (ProgramMissingError, NotStartedError) as fault:
        raise DemoFailedError(str(fault)) from fault


def _entered(
    kind: str, program: LocalProgram, *, to_dial: tuple[str, int] | None = None
) -> ClientProgram:
    return ClientProgram(kind, program.address, program.user, program.password, to_dial)

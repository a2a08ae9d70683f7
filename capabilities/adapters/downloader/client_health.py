"""How a download client is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClientHealth:
    """How a client is.

    Attributes:
        version: of the client's software, as it names itself.
        free_bytes: where it saves by default, where it says.
        note: a sentence about something that works less well than it should.
    """

    version: str
    reachable: bool
    free_bytes: int | None = None
    note: str | None = None

"""What part of the work a process does where several share one ledger."""

from enum import StrEnum


class Role(StrEnum):
    """Doors, work, or both. A ledger in a file has one process, which does it all."""

    ALL = "all"
    API = "api"
    WORKER = "worker"

    @property
    def has_doors(self) -> bool:
        """Whether clients and the owner can knock at it."""
        return self is not Role.WORKER

    @property
    def works(self) -> bool:
        """Whether runs and background tasks go on in it."""
        return self is not Role.API

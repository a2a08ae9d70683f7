"""Who is calling."""

from dataclasses import dataclass
from typing import Literal

ActorKind = Literal["owner", "key", "run", "system"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody with a name and scopes.

    Attributes:
        kind: ``owner`` decides; ``key`` is a client; ``run`` is the agent; ``system`` is a job.
        id: the owner's name, the key's id, the run's id, the job's name.
        principal: on whose behalf: a run started by a key belongs to that key.
        scopes: what a key or run may call; the owner and the system are not limited by scopes.
    """

    kind: ActorKind
    id: str
    principal: str
    scopes: frozenset[str] = frozenset()

    def __str__(self) -> str:
        """The spelling used in tables: ``key:local``."""
        return f"{self.kind}:{self.id}"

    def may(self, scope: str) -> bool:
        """Whether this actor's scopes include ``scope``."""
        return self.kind in {"owner", "system"} or scope in self.scopes

    @property
    def decides(self) -> bool:
        """Only the owner does."""
        return self.kind == "owner"


def owner(name: str) -> Actor:
    """The signed-in owner calling by hand."""
    return Actor("owner", name, f"owner:{name}")


def system(job: str) -> Actor:
    """A background job; it has no authority of its own."""
    return Actor("system", job, f"system:{job}")


def client(key_id: str, scopes: frozenset[str]) -> Actor:
    """A client that came with a key."""
    return Actor("key", key_id, f"key:{key_id}", scopes)


def agent(run_id: str, principal: str, scopes: frozenset[str]) -> Actor:
    """The agent in one run, acting for ``principal``."""
    return Actor("run", run_id, principal, scopes)

"""The two switches that stop the house, looked up where authority is looked up."""

from pydantic import BaseModel

from capabilities.kernel.actors import Actor, owner, system
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Outcome, Refused, Succeeded
from capabilities.kernel.spec import Effect, Kind, Spec
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import audit, switches
from ledger.stores.switches import Switch, SwitchName
from ledger.writer import Transaction

ONLY_STOPS = frozenset({"runs.abort_run"})
"""What takes nothing but power away is heard in a read-only house too."""


class SwitchTurned(BaseModel):
    """How a switch stands now."""

    name: SwitchName
    on: bool
    reason: str


async def turn(
    ledger: Ledger, name: SwitchName, *, on: bool, by: Actor, reason: str
) -> Outcome[SwitchTurned]:
    """Turn a switch; only the owner does. It counts for every claim that is written afterwards."""
    if not by.decides:
        return Refused(Code.DENIED, "Only the signed-in owner turns a switch.", {"who": "owner"})
    words = reason.strip()
    if not words:
        return Refused(
            Code.INVALID_INPUT,
            "Turning a switch needs a reason; whoever is refused is told it.",
            {"reason": "text"},
        )

    def write(tx: Transaction) -> None:
        at = ledger.now()
        switches.turn(tx, name, on=on, by=str(by), reason=words, at=at)
        summary = {"switch": name, "on": on, "reason": words}
        audit.write(tx, audit.Entry(at, str(by), "switch turned", summary=summary))

    await ledger.write(write)
    word = "on" if on else "off"
    return Succeeded(SwitchTurned(name=name, on=on, reason=words), f"{name} is {word}.")


def barred(conn: Snapshot, spec: Spec, actor: Actor) -> Refused | None:
    """Why a switch keeps ``actor`` from this, or None."""
    if spec.effect is not Effect.NONE and spec.id not in ONLY_STOPS:
        refused = read_only(conn)
        if refused is not None:
            return refused
    if spec.kind not in {Kind.PROPOSE, Kind.EXECUTE} or actor.decides:
        return None
    master = switches.get(conn, SwitchName.MASTER)
    if master.on:
        return None
    return _refused(master, "Automatic acts are switched off", "on")


def hold_back(conn: Snapshot, spec: Spec, begun_by: str) -> bool:
    """Whether a switch keeps from being carried on what ``begun_by`` left in the middle."""
    kind, _, name = begun_by.partition(":")
    by_hand = kind == "owner"
    return barred(conn, spec, owner(name) if by_hand else system("reconcile")) is not None


def read_only(conn: Snapshot) -> Refused | None:
    """Why nothing may be changed at all, or None."""
    switch = switches.get(conn, SwitchName.READ_ONLY)
    return _refused(switch, "The house is read-only", "off") if switch.on else None


def _refused(switch: Switch, what: str, back: str) -> Refused:
    since = "" if switch.set_at is None else f" since {switch.set_at:%Y-%m-%d %H:%M} UTC"
    return Refused(
        Code.DENIED,
        f"{what}{since}, by {switch.set_by}: {switch.reason}. Nothing was done.",
        {
            "switch": switch.name,
            "who": "owner",
            "how": "The owner allows it again with "
            f"`matinee switch {back} {switch.name} --reason …`.",
        },
    )

"""Deciding what is stalled, and whether it is the downloads or their client."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from capabilities.download.candidates import others
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.next_candidates import Offer
from capabilities.rules.outside_text import cleaned
from capabilities.rules.patience import Patience
from capabilities.rules.stalling import (
    CLOCK,
    MINUTE_S,
    RUNNING,
    Clock,
    Pulse,
    clock_json,
    clock_of,
    is_clients_fault,
    limit_s,
    pulse,
)
from capabilities.rules.wording import counted
from ledger.database import Snapshot
from ledger.stores import decisions, downloads, policies
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction
from server.background.ways_on import give_up, wait_anew

BY: Final = "system:track"
NAMED: Final = 10
_PATIENCE: Final = TypeAdapter(Patience)


@dataclass(frozen=True, slots=True)
class _Running:
    """A download that runs, and how it goes."""

    row: DownloadRow
    clock: Clock
    others: tuple[Offer, ...]
    pulse: Pulse


def weigh(tx: Transaction, client: str, at: datetime) -> None:
    """Ask about what is stalled in a client, and close what was asked and is not so any more.

    Where everything in it gets nothing, that is one question about the client, and none of its
    downloads is blamed; once anything comes again, the clocks of the others begin anew.
    """
    running = list(_running(tx.conn, client, at))
    pulses = [one.pulse for one in running]
    key = f"client_stalled:{client}"
    if is_clients_fault(pulses):
        decisions.raise_(tx, _about_client(client, key, running), at)
        for one in running:
            close_stalled(tx, one.row.id, "its client gets nothing at all", at)
        return
    was_client = decisions.open_for(tx.conn, key) is not None
    decisions.close_for(tx, key, by=BY, resolution="it gets something again", at=at)
    for one in running:
        if one.pulse is Pulse.STALLED and was_client and Pulse.MOVING in pulses:
            facts = {**one.row.facts, CLOCK: clock_json(one.clock.anew())}
            downloads.change(tx, one.row.id, facts=facts)
        elif one.pulse is Pulse.STALLED:
            decisions.raise_(tx, _about(one), at)
        else:
            close_stalled(tx, one.row.id, "it goes on", at)


def patience_of(conn: Snapshot) -> Patience:
    """The owner's patience with downloads, as published."""
    published = policies.published(conn, "acquisition")
    if published is None or "patience" not in published.body:
        return Patience()
    try:
        return _PATIENCE.validate_python(published.body["patience"])
    except ValidationError:  # of another version; whoever plans by it is told so
        return Patience()


def _running(conn: Snapshot, client: str, at: datetime) -> Iterator[_Running]:
    patience = patience_of(conn)
    for row in downloads.listing(conn, states=RUNNING):
        if row.client != client or row.completed_at is not None:
            continue
        clock = clock_of(row.facts)
        # What else there is costs a look at the releases, so only where it makes a difference.
        late = clock.quiet_s >= limit_s(clock, patience, others=True)
        known = _others(conn, row, at) if late else ()
        limit = limit_s(clock, patience, others=bool(known) or not late)
        yield _Running(row, clock, known, pulse(clock, limit))


def _others(conn: Snapshot, row: DownloadRow, at: datetime) -> tuple[Offer, ...]:
    try:
        return tuple(others(conn, row, at))
    except HaltError:  # no policy says what could be taken
        return ()


def close_stalled(tx: Transaction, download: str, resolution: str, at: datetime) -> None:
    """Close what was asked about a stalled download, by what became of it."""
    key = f"{DecisionKind.DOWNLOAD_STALLED}:{download}"
    decisions.close_for(tx, key, by=BY, resolution=resolution, at=at)


def _about(one: _Running) -> NewDecision:
    row, name = one.row, cleaned(one.row.name)
    other = one.others[0].title if one.others else None
    since = _span(one.clock.quiet_s)
    what = "not a byte came" if one.clock.has_files else "nobody could say what is in it"
    evidence: dict[str, Any] = {
        "title": name,
        "client": row.client,
        "minutes": int(one.clock.quiet_s // MINUTE_S),
        "done": row.done,
        "size": row.size,
        "others": [cleaned(each.title) for each in one.others[:NAMED]],
    }
    return NewDecision(
        DecisionKind.DOWNLOAD_STALLED,
        f"{DecisionKind.DOWNLOAD_STALLED}:{row.id}",
        f"{name}: for {since} {what}. It is waited for; nothing else is tried without you.",
        Severity.HIGH,
        evidence=evidence,
        options=[give_up(row, other), wait_anew(), *offered(Option.DISMISS)],
        lasting=True,
        run=row.run,
        subject=row.id,
    )


def _about_client(client: str, key: str, running: list[_Running]) -> NewDecision:
    quiet = [one for one in running if one.pulse in {Pulse.STALLED, Pulse.SILENT}]
    longest = _span(max(one.clock.quiet_s for one in quiet))
    return NewDecision(
        DecisionKind.DOWNLOAD_STALLED,
        key,
        f"{client} gets nothing for any of its {counted(len(quiet), 'download')}, one of them for "
        f"{longest}. So it is the client, not them: look at its connection, its VPN and its DHT. "
        "None of them is given up for that.",
        Severity.HIGH,
        evidence={
            "client": client,
            "downloads": [cleaned(one.row.name) for one in quiet[:NAMED]],
            "in_all": len(quiet),
        },
        options=offered(Option.DISMISS),
        lasting=True,
    )


def _span(seconds: float) -> str:
    minutes = int(seconds // MINUTE_S)
    if minutes < 2 * MINUTE_S:
        return counted(minutes, "minute")
    return counted(minutes // MINUTE_S, "hour")

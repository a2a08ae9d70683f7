"""Writing down that a plan's files stand on the shelf, and beginning what is to verify them."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from capabilities.kernel.owing import VERIFY, owe
from capabilities.organize.closing import IMPORTING, VERIFYING, close
from capabilities.organize.filling import filling
from capabilities.organize.import_plan import OrganizePlan, organize_plan
from capabilities.organize.placing import VIDEO, OnShelf
from capabilities.organize.written import WrittenOnShelf
from capabilities.rules.lengths import expected_minutes, length_problem
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.stored import work_from
from capabilities.rules.verification import Check, CheckKind, Verification, verification_json
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, placed_files, plans, policies, shelf, tasks, works
from ledger.stores.plans import Plan, PlanState
from ledger.stores.shelf import AssetRow
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class Concluded:
    """An organise plan that was carried out.

    Attributes:
        plan: the stored plan.
        record: of that plan.
        standing: its files, each found whole at its place.
        written: what we wrote beside them, each found as it was planned.
    """

    plan: Plan
    record: str
    standing: Sequence[OnShelf]
    written: Sequence[WrittenOnShelf] = ()


def conclude(
    tx: Transaction, ledger: Ledger, done: Concluded, *, servers: Sequence[str] = ()
) -> None:
    """Assets and plan, and the record with its verification; the last of it, where all is true.

    Args:
        tx: the transaction that settles the placing.
        ledger: whose it is.
        done: what was carried out.
        servers: names of the media servers that are to see the files.
    """
    wanted = organize_plan(done.plan)
    verification = _verification(tx, wanted, done.standing, servers, ledger.now())
    _let_old_go(tx, wanted)
    shelf.change_record(
        tx,
        done.record,
        state=VERIFYING,
        placements=[
            *(_placement(one, wanted.folder) for one in done.standing),
            *(one.told(wanted.folder) for one in done.written),
        ],
        verification=verification_json(verification),
        last_error=verification.reason,
        ended_at=None,
    )
    filled = filling(wanted)
    for one in done.standing:
        if one.file in filled:
            _on_shelf(tx, ledger, wanted, done.record, one)
    plans.move(tx, done.plan.id, PlanState.DONE)
    _placing_is_over(tx, ledger, wanted.download)
    _owe_the_rest(tx, ledger, wanted, done.record, verification)


def _let_old_go(tx: Transaction, wanted: OrganizePlan) -> None:
    ids = [old.asset for old in wanted.old if old.asset is not None]
    files = filling(wanted)
    coming = [(file.season, episode) for file in files for episode in file.episodes or [0]]
    placed_files.let_go(tx, ids, coming, wanted.work)


def _owe_the_rest(
    tx: Transaction, ledger: Ledger, wanted: OrganizePlan, record: str, verification: Verification
) -> None:
    """Close the record where all is true already; otherwise somebody is to look again."""
    if verification.settled:
        close(tx, ledger, record)
        return
    downloads.change(
        tx,
        wanted.download,
        state=IMPORTING,
        last_error=verification.reason,
        updated_at=ledger.now(),
    )
    owe(tx, ledger, VERIFY, record)


def _verification(
    tx: Transaction,
    wanted: OrganizePlan,
    standing: Sequence[OnShelf],
    servers: Sequence[str],
    at: datetime,
) -> Verification:
    stored = policies.published(tx.conn, "organize")
    policy = OrganizePolicy() if stored is None else from_json(OrganizePolicy, stored.body)
    filled = filling(wanted)
    videos = [one for one in standing if one.file in filled]
    checks = [check for one in videos for check in _checks(tx, wanted, one, servers)]
    until = at + timedelta(minutes=policy.seen_within_minutes)
    return Verification(files=len(standing), at=at, until=until, checks=tuple(checks))


def _checks(
    tx: Transaction, wanted: OrganizePlan, one: OnShelf, servers: Sequence[str]
) -> Iterator[Check]:
    target = one.file.target
    yield Check(CheckKind.PLACED, target, passed=True)
    if one.file.role != VIDEO:
        return  # of a disc nobody knows which file plays for how long, and under which path
    yield Check(CheckKind.READABLE, target, passed=True)
    row = works.by_id(tx.conn, wanted.work)
    minutes = None
    if row is not None:
        minutes = expected_minutes(work_from(row.body), one.file.season, one.file.episodes)
    why = length_problem(None if one.streams is None else one.streams.duration_s, minutes)
    yield Check(CheckKind.LENGTH, target, passed=why is None, why=why)
    for server in servers:
        yield Check(CheckKind.SEEN, target, server=server)


def _placing_is_over(tx: Transaction, ledger: Ledger, download: str) -> None:
    """Whatever asked the owner about the placing is settled, and whoever waits for it is woken."""
    causes = [f"import:{download}"]
    for task in tasks.of_subject(tx.conn, download):
        causes.append(f"task:{task.id}")
        ledger.engine.wake(tx, "task", task.id)
    for cause in causes:
        decisions.close_for(tx, cause, by="system:import", resolution="imported", at=ledger.now())


def _placement(one: OnShelf, folder: str) -> dict[str, Any]:
    """As the record keeps it: with the episodes it holds, of which an asset names the first."""
    numbers = {"season": one.file.season, "episodes": one.file.episodes}
    return {**one.told(folder), **(numbers if one.file.role == VIDEO else {})}


def _on_shelf(
    tx: Transaction, ledger: Ledger, wanted: OrganizePlan, record: str, one: OnShelf
) -> None:
    streams, at = dict[str, Any](), ledger.now()
    if one.streams is not None:
        streams = {**asdict(one.streams), "dynamic_range": sorted(one.streams.dynamic_range)}
    shelf.put_asset(
        tx,
        AssetRow(
            id=new_id("asset"),
            path=f"{wanted.folder}/{one.file.target}",
            work=wanted.work,
            season=one.file.season if one.file.episodes else None,
            episode=one.file.episodes[0] if one.file.episodes else None,
            quality=wanted.quality,
            size=one.size,
            device=one.device,
            inode=one.inode,
            streams=streams,
            record=record,
            seen_at=at,
            mtime_ns=one.mtime_ns,
            probed_at=None if one.streams is None else at,
        ),
    )

"""Taking the next release in place of one that failed, within the owner's word only."""

from collections.abc import Mapping
from typing import Any, Final

from capabilities.download.acquisition import acquisition
from capabilities.download.candidates import (
    Cause,
    cause_of,
    others,
    taken_in_place,
    with_next,
)
from capabilities.kernel.actors import system
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Pending,
    Refused,
    Succeeded,
    Unknown,
    facts,
)
from capabilities.kernel.registry import Registry
from capabilities.rules.next_candidates import MOST_IN_PLACE, Offer
from capabilities.rules.outside_text import cleaned
from capabilities.rules.under_way import ACTIVE
from ledger.clock import new_id
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import decisions, downloads, plans, references, runs, shelf
from ledger.stores.copies import IN_FLIGHT, SATISFIED
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.stores.tasks import TaskRow
from ledger.writer import Transaction
from server.background.results import Done, Result, Wait
from server.background.ways_on import remove, take

JOB: Final = "replace"
LOOK_AGAIN_S: Final = 30.0
UNANSWERED_S: Final = 300.0
PASSING: Final = frozenset({Code.UNAVAILABLE, Code.TIMEOUT})
MOST_TRIED: Final = 5
"""Releases that are opened in one go, of which most turn out to be nothing."""
KINDS: Final = (DecisionKind.DANGEROUS_CONTENT, DecisionKind.DOWNLOAD_FAILED)
NOTHING_ELSE: Final = "No other release is known that the policy takes."
ENOUGH: Final = (
    f"{MOST_IN_PLACE} were taken in its place by themselves already, so it is up to you."
)
BY_HAND: Final = "You picked it yourself, so nothing is taken in its place without you."
NOT_GRANTED: Final = "No grant allows taking another one without you."


class Replacer:
    """Attends to tasks of the kind ``next``: what the next release is, and whether it is taken."""

    def __init__(self, ledger: Ledger, registry: Registry) -> None:
        """Take the registry, through which alone anything is planned and submitted."""
        self._ledger = ledger
        self._registry = registry

    async def attend(self, task: TaskRow) -> Result:
        """Plan the next release; submit it where a grant covers that, or offer it to the owner."""
        row = await self._ledger.read(lambda conn: downloads.by_id(conn, task.subject))
        if row is None or row.state in ACTIVE:
            return Done("nothing has to take its place")
        begun = await self._ledger.read(lambda conn: _begun(conn, row))
        if begun is not None:
            return await self._submitted(row, begun)
        if await self._ledger.read(lambda conn: _is_filled(conn, row)):
            return Done("what it was for is there, or on its way")
        cause = await self._ledger.read(lambda conn: cause_of(conn, row))
        planned = await self._planned(row)
        if isinstance(planned, Wait):
            return planned
        if planned is None:
            await self._ask(row, None, NOTHING_ELSE)
            return Done("there is no other release to take")
        plan, is_granted = planned
        why = _why_not(cause, is_granted=is_granted)
        if why is not None:
            await self._ask(row, plan, why)
            return Done("the next release is offered to the owner")
        await self._ledger.write(lambda tx: _take(tx, row, plan, taken=True))
        return await self._submitted(row, plan)

    async def _planned(self, row: DownloadRow) -> tuple[Plan, bool] | Wait | None:
        """The plan of the best release that can be planned, and whether a grant covers it.

        To wait, where none can be planned now and it is not known of each why: what did not
        answer may still have one.
        """
        unanswered: Wait | None = None
        try:
            known = await self._ledger.read(lambda conn: others(conn, row, self._ledger.now()))
        except HaltError:
            return None
        for offer in known[:MOST_TRIED]:
            answer = await self._opened(offer, row)
            if not isinstance(answer, Succeeded):
                unanswered = unanswered or _passing(answer)
                continue
            told = facts(answer)
            plan = await self._ledger.read(lambda conn, told=told: _plan(conn, told, row))
            if plan is not None:
                return plan, not told["requires_approval"]
        return unanswered

    async def _opened(self, offer: Offer, row: DownloadRow) -> AnyOutcome | None:
        """What planning a release came to; None where it is not what was wanted."""
        if not offer.known:
            told = await self._call("identity.resolve", {"release": offer.id}, row)
            if not isinstance(told, Succeeded):
                return told
            if facts(told)["accepted"] is not True:
                return None
        return await self._call("download.plan", {"release": offer.id}, row)

    async def _submitted(self, row: DownloadRow, plan: Plan) -> Result:
        answer = await self._call("download.submit", {"plan": plan.id}, row)
        match answer:
            case Succeeded():
                await self._ledger.write(lambda tx: self._told(tx, row, plan))
                return Done(f"in its place: {answer.sentence}")
            case Unknown(sentence=sentence) | Pending(sentence=sentence):
                return Wait(LOOK_AGAIN_S, sentence)
            case Refused(sentence=sentence) | Failed(sentence=sentence):
                await self._ask(row, plan, sentence)
                return Done("the next release was not taken")

    def _told(self, tx: Transaction, row: DownloadRow, plan: Plan) -> None:
        sentence = f"{cleaned(acquisition(plan).title)} is fetched in its place."
        self._amend(tx, row, None, sentence)

    async def _ask(self, row: DownloadRow, plan: Plan | None, sentence: str) -> None:
        await self._ledger.write(lambda tx: self._amend(tx, row, plan, sentence))

    def _amend(self, tx: Transaction, row: DownloadRow, plan: Plan | None, sentence: str) -> None:
        """Say what comes next in the decision about the failure, which is made where none is."""
        if plan is not None:
            _take(tx, row, plan, taken=False)
        about = next(
            (
                open_
                for kind in KINDS
                if (open_ := decisions.open_for(tx.conn, f"{kind}:{row.id}")) is not None
            ),
            None,
        )
        more = [] if plan is None else [_option(plan)]
        if about is None:
            decisions.raise_(tx, _decision(row, more, sentence), self._ledger.now())
            return
        kept = [one for one in about.options if one["id"] != "next"]
        evidence = {**about.evidence, "next": sentence}
        decisions.amend(tx, about.id, evidence=evidence, options=[*more, *kept])

    async def _call(
        self, capability: str, arguments: Mapping[str, object], row: DownloadRow
    ) -> AnyOutcome:
        request = f"{JOB}:{row.id}:{row.plan}"
        run = await self._ledger.read(lambda conn: _run_of(conn, row))
        return await self._registry.invoke(
            Call(capability, arguments, system(JOB), new_id("call"), request, run=run)
        )


def _run_of(conn: Snapshot, row: DownloadRow) -> str | None:
    """The run that waits for it, which waits for what takes its place then."""
    run = None if row.run is None else runs.by_id(conn, row.run)
    return None if run is None or run.state in runs.OVER else run.id


def _why_not(cause: Cause, *, is_granted: bool) -> str | None:
    """Why the next release is not taken without the owner, as a sentence."""
    if cause.by_hand:
        return BY_HAND
    if cause.replaced >= MOST_IN_PLACE:
        return ENOUGH
    return None if is_granted else NOT_GRANTED


def _passing(answer: AnyOutcome | None) -> Wait | None:
    """To try again, where somebody did not answer; None where the answer stays the same."""
    if isinstance(answer, Failed) and (answer.retry or answer.code in PASSING):
        return Wait(UNANSWERED_S, answer.sentence)
    return None


def _plan(conn: Snapshot, told: Mapping[str, Any], row: DownloadRow) -> Plan | None:
    """The plan behind an answer, if it is for something that the failed one was for."""
    prefix, _, number = str(told["plan"]).partition(":")
    run = _run_of(conn, row)
    scope = system(JOB).principal if run is None else f"run:{run}"
    id_ = references.target_of(conn, scope, prefix, int(number))
    plan = None if id_ is None else plans.by_id(conn, id_)
    if plan is None:
        return None
    missing = cause_of(conn, row).targets
    meant = {(slot.season, slot.episode) for slot in acquisition(plan).slots}
    return plan if not missing or missing & meant else None


def _begun(conn: Snapshot, row: DownloadRow) -> Plan | None:
    """The plan that was to take its place by itself when an earlier attempt was cut short."""
    id_ = taken_in_place(row)
    plan = None if id_ is None else plans.by_id(conn, id_)
    waits = plan is not None and plan.state in {PlanState.DRAFT, PlanState.RESERVED}
    return plan if waits else None


def _take(tx: Transaction, row: DownloadRow, plan: Plan, *, taken: bool) -> None:
    now = downloads.by_id(tx.conn, row.id) or row
    downloads.change(tx, row.id, facts=with_next(now, plan.id, taken=taken))


def _is_filled(conn: Snapshot, row: DownloadRow) -> bool:
    """Whether everything that it was for is on the shelf or on its way by another download."""
    targets = cause_of(conn, row).targets
    slots = {(one.season, one.episode): one.state for one in shelf.slots(conn, work=row.work)}
    return bool(targets) and all(slots.get(target) in {SATISFIED, IN_FLIGHT} for target in targets)


def _option(plan: Plan) -> dict[str, Any]:
    wanted = acquisition(plan)
    return take(wanted.title, wanted.size, plan.id)


def _decision(row: DownloadRow, more: list[dict[str, Any]], sentence: str) -> NewDecision:
    why = row.last_error or "It failed."
    name = cleaned(row.name)
    return NewDecision(
        DecisionKind.DOWNLOAD_FAILED,
        f"{DecisionKind.DOWNLOAD_FAILED}:{row.id}",
        f"{name}: {why} {sentence}",
        Severity.MEDIUM,
        evidence={"title": name, "client": row.client, "sentence": why, "next": sentence},
        options=[*more, remove(row), *offered(Option.DISMISS)],
        run=row.run,
        subject=row.id,
    )

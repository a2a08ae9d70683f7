"""Waiting for what a run set going: submitted is not yet in the library."""

from datetime import timedelta
from enum import Enum, auto

from agent.conversation import Conversation
from agent.facts import gather
from agent.limits import Limits
from agent.pen import Page, Pen
from agent.report import goal_report
from agent.usage import Used
from agent.verdict import verdict
from ledger.stores import runs
from ledger.stores.runs import Phase, RunState


class Next(Enum):
    """What a segment does next."""

    DRIVE = auto()
    SETTLE = auto()
    FINALIZE = auto()
    LEAVE = auto()


async def settle(pen: Pen, limits: Limits) -> Next:
    """Suspend until every download of the run has ended well or badly.

    Whoever settles one wakes the run; the timer is there for a wake-up that never comes. After
    ``limits.goal_wait_s`` the run reports what is still open, and goes on listening.
    """
    return await pen.write(lambda page: _look(page, limits))


def _look(page: Page, limits: Limits) -> Next:
    if page.run.abort_asked:
        return Next.FINALIZE
    if runs.unread(page.tx.conn, page.run.id):
        page.move(RunState.RUNNING, Phase.DRIVE)
        return Next.DRIVE
    facts = gather(page)
    if not facts.unsettled:
        page.change(phase=Phase.FINALIZE)
        return Next.FINALIZE
    rows = runs.messages(page.tx.conn, page.run.id)
    words = Conversation(rows).last_words
    judged = verdict(facts, None, answered=bool(words))
    left = rows[-1].at + timedelta(seconds=limits.goal_wait_s) - page.at
    if left <= timedelta():
        return _listen_on(page, limits, judged.conclusion)
    report = goal_report(facts, judged, None, Used.stored(page.run.usage), words)
    page.change(report=report)
    page.move(RunState.WAITING, Phase.SETTLE, judged.conclusion)
    page.suspend(min(limits.goal_poll_s, left.total_seconds()))
    return Next.LEAVE


def _listen_on(page: Page, limits: Limits, conclusion: str) -> Next:
    """The time is up: report once, then again only when there is something else to say."""
    if page.run.phase == Phase.DONE and page.run.reason == conclusion:
        page.suspend(limits.goal_wait_s)
        return Next.LEAVE
    page.change(phase=Phase.FINALIZE)
    return Next.FINALIZE

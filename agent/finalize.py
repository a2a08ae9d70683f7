"""The end of a run: open ends tied, the report built, the engine told, in one transaction."""

from agent.answers import worded
from agent.approval import forget, withdraw
from agent.calling import call_id
from agent.conversation import Conversation, Role
from agent.ending import Ending
from agent.events import EventType
from agent.facts import gather
from agent.limits import Limits
from agent.pen import Page, Pen
from agent.report import goal_report
from agent.settle import Next
from agent.usage import Used
from agent.verdict import verdict
from capabilities.kernel.answers import recorded
from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import AnyOutcome, Failed, word
from ledger.ledger import Ledger
from ledger.stores import claims, decisions, runs
from ledger.stores.decisions import DecisionKind
from ledger.stores.runs import Phase, RunState

REPORT = "goal_report"

CANCELLED = Ending(RunState.CANCELLED, "Stopped, as you asked.")

_NOT_MADE = Failed(Code.CANCELLED, "The run ended before this call was made; nothing was done.")


async def finalize(pen: Pen, limits: Limits, ending: Ending | None) -> Next:
    """End the run with its report; a message that arrived meanwhile takes it up again instead.

    A run that was asked to stop is cancelled, whatever else was to be its end.

    Args:
        pen: of the segment.
        limits: of the run.
        ending: why the run was cut; None when the model ended its turn and all is settled.
    """
    return await pen.write(lambda page: _finish(page, pen.ledger, limits, ending))


def reopen(page: Page) -> None:
    """Take a run up again: the owner has more to say, so there is a fresh budget."""
    page.change(
        report=None,
        ended_at=None,
        started_at=page.run.started_at or page.at,
        usage=Used.stored(page.run.usage).reopened().document(),
    )
    page.move(RunState.RUNNING, Phase.DRIVE)


def _finish(page: Page, ledger: Ledger, limits: Limits, ending: Ending | None) -> Next:
    conversation = Conversation(runs.messages(page.tx.conn, page.run.id))
    _close_open_calls(page, conversation)
    if page.run.abort_asked:
        ending = CANCELLED
    if ending is not CANCELLED and runs.unread(page.tx.conn, page.run.id):
        reopen(page)
        return Next.DRIVE
    if ending is CANCELLED:
        withdraw(page, ledger, "the run was stopped")
        _close_options(page)
    elif ending is not None and page.run.options.get("interactive"):
        withdraw(page, ledger, "the run ended")  # nobody would act under it but a stranger
    if ending is not None and ending.decision is not None:
        decisions.raise_(page.tx, ending.decision, page.at)
    _report(page, limits, conversation, ending)
    return Next.LEAVE


def _report(page: Page, limits: Limits, conversation: Conversation, ending: Ending | None) -> None:
    facts, words = gather(page), conversation.last_words
    judged = verdict(facts, ending, answered=bool(words))
    report = goal_report(facts, judged, ending, Used.stored(page.run.usage), words)
    artifact = runs.add_artifact(page.tx, REPORT, page.run.id, report, page.at)
    page.change(report=report)
    page.tell(EventType.REPORT, artifact=artifact, state=judged.state, lines=report["lines"])
    page.move(judged.state, Phase.DONE, judged.conclusion)
    if judged.state in runs.OVER:
        page.change(ended_at=page.at)
        page.end()
    else:
        page.suspend(limits.goal_wait_s)


def _close_open_calls(page: Page, conversation: Conversation) -> None:
    """Answer what was left open: every later request to a model needs the pairs complete."""
    for call in list(conversation.open_calls):
        outcome = _outcome(page, call.id)
        page.tell(
            EventType.TOOL_RESULT,
            call=call.id,
            tool=call.name,
            outcome=word(outcome),
            sentence=outcome.sentence,
        )
        row = page.keep(Role.TOOL, call=call.id, text=worded(outcome), print="")
        conversation.take(row)
    forget(page)


def _outcome(page: Page, call: str) -> AnyOutcome:
    claim = claims.by_call(page.tx.conn, page.run.principal, call_id(page.run.id, call))
    return _NOT_MADE if claim is None else recorded(claim)


def _close_options(page: Page) -> None:
    run, kind = page.run.id, DecisionKind.CHOOSE_OPTION
    for decision in decisions.of_run(page.tx.conn, run, kind, *decisions.WAITING):
        decisions.close(page.tx, decision.id, by=f"run:{run}", resolution="withdrawn", at=page.at)

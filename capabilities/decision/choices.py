"""What each option of a decision does when the owner chooses it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from capabilities.decision.accepting import accept
from capabilities.decision.again import again
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context, Door, Write
from capabilities.kernel.hand_settlement import Word, refusal, settle_by_hand_in
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Pending,
    Refused,
    Succeeded,
    Unknown,
)
from ledger.stores import decisions, releases, works
from ledger.stores.decisions import Decision, DecisionKind, DecisionState, Option
from ledger.writer import Transaction

CHOOSE_OPTION = "runs.choose_option"
_LEFT = {
    Option.DISMISS: (DecisionState.DISMISSED, "It is left as it is."),
    Option.IGNORE: (DecisionState.RESOLVED, "It is left as it is."),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What came of a choice, and how the decision stands by it; None leaves it as it was."""

    sentence: str
    state: DecisionState | None = DecisionState.RESOLVED


@dataclass(frozen=True, slots=True)
class Choice:
    """The owner's choice of one option of one decision, with their reason, if any."""

    about: Decision
    option: Mapping[str, Any]
    reason: str
    context: Context

    @property
    def id(self) -> str:
        """The option's id."""
        return str(self.option["id"])

    async def carry_out(self) -> Chosen:
        """Do what was chosen; what changes our tables is staged with the call's settlement.

        Raises:
            HaltError: refused or failed; the decision is as it was.
        """
        if "capability" in self.option:
            return await self._call(str(self.option["capability"]), self._arguments)
        if self.about.kind is DecisionKind.CHOOSE_OPTION:
            return await self._call(CHOOSE_OPTION, {"run": self.about.run, "option": self.id})
        match self.id:
            case Option.CHECK:
                return await self._check()
            case Option.DONE | Option.NOT_DONE:
                return self._by_hand(done=self.id == Option.DONE)
            case Option.RETRY | Option.RE_EVALUATE:
                self._staged(lambda tx: again(tx, self.context.ledger, self.about))
                return Chosen("It is tried again now.")
            case Option.ACCEPT:
                by = str(self.context.actor)
                self._staged(lambda tx: accept(tx, self.context.ledger, self.about, by=by))
                return Chosen("It is accepted as it is.")
            case Option.DISMISS | Option.IGNORE:
                state, sentence = _LEFT[Option(self.id)]
                self._staged(state=state)
                return Chosen(sentence, state)
            case _:
                return self._identify()

    @property
    def _arguments(self) -> Mapping[str, object]:
        return cast("Mapping[str, object]", self.option.get("arguments", {}))

    @property
    def _door(self) -> Door:
        if self.context.door is None:
            raise TypeError("an option can only be carried out through the registry")
        return self.context.door

    async def _call(self, capability: str, arguments: Mapping[str, object]) -> Chosen:
        outcome = await self._door.call_within(self.context, capability, arguments)
        match outcome:
            case Succeeded() | Pending():
                self._staged(closes_alone=False)
                return Chosen(outcome.sentence)
            case Unknown():
                return Chosen(f"{outcome.sentence} This stays open.", state=None)
            case Refused() | Failed():
                raise HaltError(outcome)

    async def _check(self) -> Chosen:
        outcome: AnyOutcome = await self._door.check(str(self.about.subject), self.context.actor)
        if isinstance(outcome, Unknown):
            return Chosen(f"A look did not settle it: {outcome.sentence}", state=None)
        self._staged(closes_alone=False)
        return Chosen(outcome.sentence)

    def _by_hand(self, *, done: bool) -> Chosen:
        word = Word(done, self.context.actor, self.reason)
        if refused := refusal(word):
            raise HaltError(refused)

        def write(tx: Transaction) -> None:
            ledger = self.context.ledger
            outcome = settle_by_hand_in(tx, ledger, str(self.about.subject), word)
            if isinstance(outcome, Refused):
                raise HaltError(outcome)

        self._staged(write, closes_alone=False)
        return Chosen("Settled by hand as done." if done else "Settled by hand as not done.")

    def _identify(self) -> Chosen:
        """The owner says which of the candidates a release is."""

        def write(tx: Transaction) -> None:
            work = works.by_key(tx.conn, self.id)
            if work is None or self.about.kind is not DecisionKind.IDENTITY_AMBIGUOUS:
                raise HaltError(
                    Refused(Code.PRECONDITION, "This option can no longer be carried out.")
                )
            record = {"grade": "by the owner", "by": str(self.context.actor), "work": work.id}
            releases.identify(tx, str(self.about.subject), work.id, record)

        self._staged(write)
        return Chosen(f"It is {self.option.get('title', self.id)}, by your word.")

    def _staged(
        self,
        write: Write | None = None,
        *,
        state: DecisionState = DecisionState.RESOLVED,
        closes_alone: bool = True,
    ) -> None:
        """Let ``write`` and the closing of the decision commit with the call.

        Where what was done has closed it already, ``closes_alone`` is False; elsewhere somebody
        else's answer in between ends this one.
        """
        context, about = self.context, self.about
        resolution = f"{self.id}: {self.reason}" if self.reason else self.id

        def close(tx: Transaction) -> None:
            closed = decisions.close(
                tx,
                about.id,
                by=str(context.actor),
                resolution=resolution,
                at=context.ledger.now(),
                state=state,
            )
            if closes_alone and not closed:
                raise HaltError(answered_already(decisions.by_id(tx.conn, about.id) or about))

        if write is not None and not closes_alone:
            context.stage(write)
        context.stage(close)
        if write is not None and closes_alone:
            context.stage(write)


def answered_already(about: Decision) -> Refused:
    """The refusal of a choice that comes second."""
    return Refused(
        Code.CONFLICT,
        f"This was settled already: {about.resolution}. Nothing was changed.",
        {"resolution": about.resolution, "by": about.resolved_by},
    )

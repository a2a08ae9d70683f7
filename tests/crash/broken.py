"""Builds in which a promise is broken on purpose: what watches the promise must see it.

Each is a function that breaks the process in which it is called, for good.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import svcs
from pydantic import BaseModel

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.shelf.placing import _Attempt  # pyright: ignore[reportPrivateUsage]  # it is to be broken
from capabilities.adapters.shelf.writing import Written
from capabilities.kernel import reconcile
from capabilities.kernel.claiming import Attempt
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.registry import Registry
from capabilities.kernel.targets import Target
from ledger import sqlite
from ledger.faults import LedgerUnavailableError
from ledger.stores.claims import Claim
from tests.crash.cast import CAST


def sound() -> None:
    """Nothing is broken."""


def without_claims() -> None:
    """The act is done, and nothing was written down before."""

    async def at_once(
        self: Any, attempt: Attempt, given: BaseModel, context: Context
    ) -> AnyOutcome:
        return await self._effects.run(attempt.spec, given, context)

    _replace(Registry, "_world", at_once)
    _nobody_looks()


def without_looking() -> None:
    """What is unknown counts as not done, so that it is simply tried again."""

    async def not_there(target: Target, parts: svcs.Container) -> Finding:
        del target, parts
        return Finding(Verdict.NOT_APPLIED)

    for play in CAST.values():
        object.__setattr__(play.spec, "probe", not_there)
    _replace(reconcile, "SETTLING_S", 0.0)
    _nobody_looks()


def boasting() -> None:
    """What could not be written down is answered as done all the same."""
    honest = Attempt.settle

    async def settle(
        self: Attempt, claim: Claim, outcome: AnyOutcome, context: Context
    ) -> AnyOutcome:
        try:
            return await honest(self, claim, outcome, context)
        except LedgerUnavailableError:
            return outcome

    _replace(Attempt, "settle", settle)


def in_place() -> None:
    """A file is written under its final name at once."""
    write, check = _Attempt.write, _Attempt.check

    def straight(attempt: _Attempt) -> _Attempt:
        # Nobody closes this stack, so what was written stays.
        return replace(attempt, spot=replace(attempt.spot, name=attempt.name), held=ExitStack())

    def write_it(self: _Attempt) -> Written:
        return write(straight(self))

    def check_it(self: _Attempt, written: Written) -> object:
        return check(straight(self), written)

    def named_already(self: _Attempt, written: Written) -> None:
        del self, written

    _replace(_Attempt, "write", write_it)
    _replace(_Attempt, "check", check_it)
    _replace(_Attempt, "rename", named_already)


def piecemeal() -> None:
    """Every statement is a transaction of its own."""

    def nothing(connection: object) -> None:
        del connection

    _replace(sqlite, "_begin_immediate", nothing)


def _nobody_looks() -> None:
    """A client is not asked first what it has."""

    async def find(self: Downloaders, info_hash: str) -> None:
        del self, info_hash

    _replace(Downloaders, "find", find)


def _replace(owner: object, name: str, what: object) -> None:
    if not hasattr(owner, name):
        raise AttributeError(f"the control build breaks {name}, which is not there any more")
    setattr(owner, name, what)


BUILDS: dict[str, Callable[[], None]] = {
    "sound": sound,
    "without_claims": without_claims,
    "without_looking": without_looking,
    "boasting": boasting,
    "in_place": in_place,
    "piecemeal": piecemeal,
}

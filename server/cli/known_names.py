"""Names that the server knows, looked at before anybody types a passphrase."""

import difflib
from collections.abc import Iterable

from capabilities.kernel.codes import Code
from server.cli.api_client import Api, Json
from server.cli.exits import EndError, Exit
from server.cli.harmless import harmless


def refuse_unknown_scopes(api: Api, scopes: Iterable[str]) -> None:
    """Refuse scopes that no key can be given.

    Raises:
        EndError: wrong usage, with the scopes that there are.
    """
    known: dict[str, str] = _names(api).get("scopes", {})
    for scope in scopes:
        if known and scope not in known:
            raise _unknown(f"There is no scope {harmless(scope[:80])!r}.", scope, known)


def refuse_unknown_action(api: Api, action: str) -> None:
    """Refuse an action that takes in no act which can be granted.

    Raises:
        EndError: wrong usage, with the acts that there are.
    """
    # It takes the ledger's library with it, which help does not need.
    from capabilities.kernel.granting import matches

    acts: list[str] = _names(api).get("acts", [])
    if acts and not any(matches(action, act) for act in acts):
        said = f"No act that can be granted is called {harmless(action[:80])!r}."
        raise _unknown(said, action, acts)


def _names(api: Api) -> Json:
    """Nothing where the server does not tell; then it refuses by itself."""
    try:
        return api.get("/names")
    except EndError:
        return {}


def _unknown(said: str, given: str, known: Iterable[str]) -> EndError:
    near = difflib.get_close_matches(given, known := list(known), n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}."
    sentence = f"{said} Nothing was changed."
    return EndError(Exit.USAGE, sentence, code=Code.INVALID_INPUT, hint=hint)

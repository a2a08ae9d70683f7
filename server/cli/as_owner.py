"""Being the owner at this terminal, against the server that runs: for commands only they type."""

from collections.abc import Generator
from contextlib import contextmanager

from server.cli.api_client import Api
from server.cli.home import Home
from server.cli.passphrase import ControllingTerminal
from server.cli.running import running
from server.cli.signing_in import asking, signed_in


@contextmanager
def as_owner(home: Home) -> Generator[tuple[Api, ControllingTerminal]]:
    """The server of a home in the owner's session, and the person who signed in to it.

    Raises:
        EndError: no server, nobody at a terminal, no owner, or not the passphrase.
    """
    with running(home) as api, asking() as person, signed_in(api, person):
        yield api, person


@contextmanager
def shown_to_owner(api: Api, *words: str | None) -> Generator[None]:
    """The owner's session, opened after they were shown what it is for; None is not shown.

    Raises:
        EndError: nobody at a terminal, no owner, or not the passphrase.
    """
    with asking() as person:
        for each in filter(None, words):
            person.say(each)
        with signed_in(api, person):
            yield

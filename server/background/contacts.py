"""Looking now and then whether download clients and media servers answer, for the record.

`downloader.list` tells what was seen here and asks nobody. One that does not answer is asked less
and less often; that it is gone, and that it is back, is logged once each.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import anyio
import structlog

from capabilities.adapters.downloader.client_health import ClientHealth
from capabilities.adapters.downloader.in_one_place import InOnePlace
from capabilities.adapters.downloader.port import Downloader, Downloaders
from capabilities.adapters.media_server.port import MediaServers, ServerHealth
from capabilities.rules.outside_text import cleaned
from ledger.database import Snapshot
from ledger.faults import LedgerUnavailableError
from ledger.ledger import Ledger
from ledger.stores import contacts
from ledger.stores.contacts import Contact, Part

EVERY_S: Final = 60.0
LONGEST_S: Final = 900.0
KEPT_S: Final = 900.0
"""How old the record becomes of one that goes on as it was, before it is written anew."""
PATIENCE_S: Final = 10.0
WORDS: Final = {Part.CLIENT: "download client", Part.MEDIA_SERVER: "media server"}

_Written = dict[tuple[Part, str], Contact]

log = structlog.get_logger()


@dataclass(slots=True)
class _Known:
    """One system, and when it is to be looked at again.

    Attributes:
        is_mine: whether this process can say anything of it.
        pause_s: until the next look.
        due: by the monotonic clock; None before the first look, which is always done.
    """

    part: Part
    name: str
    kind: str
    health: Callable[[], Awaitable[ClientHealth | ServerHealth]]
    is_mine: Callable[[], bool]
    pause_s: float = EVERY_S
    due: float | None = None


class Contacts:
    """Looks at every system and writes down what it saw."""

    def __init__(
        self,
        ledger: Ledger,
        clients: Downloaders | None,
        servers: MediaServers | None,
        *,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Take what there is to look at.

        Args:
            ledger: what was seen is written there.
            clients: the download clients.
            servers: the media servers.
            patience_s: seconds that one may take to answer.
        """
        self._ledger = ledger
        self._patience_s = patience_s
        self._known = [*_clients(clients), *_servers(servers)]

    async def run(self) -> None:
        """Look until cancelled; with nothing to look at, it ends at once."""
        while self._known:
            try:
                await self.look()
            except LedgerUnavailableError as fault:
                log.warning("who answers could not be written down", why=str(fault))
            except Exception:  # the house must not end because somebody could not be looked at
                log.exception("a look at clients and media servers failed")
            await anyio.sleep(EVERY_S)

    async def look(self) -> None:
        """Look at those whose time has come, all at once, and at none that another process saw.

        Raises:
            LedgerUnavailableError: what was seen could not be written.
        """
        now = self._ledger.clock.monotonic()
        due = [one for one in self._known if one.is_mine() and (one.due is None or now >= one.due)]
        known = await self._ledger.read(_written)
        fresh = self._seen_by_others(known)
        looks: list[Contact] = []

        async def ask(one: _Known) -> None:
            looks.append(await self._asked(one))

        async with anyio.create_task_group() as asking:
            for one in due:
                if one.due is None or (one.part, one.name) not in fresh:
                    asking.start_soon(ask, one)
        news = [look for look in looks if _is_news(known.get((look.part, look.name)), look)]
        if news:
            for turned in await self._ledger.write(lambda tx: contacts.note(tx, news)):
                _say(turned)

    def _seen_by_others(self, known: _Written) -> set[tuple[Part, str]]:
        """Whose last look is so young that it is not this process's own."""
        now = self._ledger.now()
        return {
            key
            for key, row in known.items()
            if 0 <= (now - row.looked_at).total_seconds() < EVERY_S / 2
        }

    async def _asked(self, one: _Known) -> Contact:
        note = f"It did not answer within {self._patience_s:g} s."
        health: ClientHealth | ServerHealth = ServerHealth(reachable=False, note=note)
        with anyio.move_on_after(self._patience_s):
            health = await one.health()
        one.pause_s = EVERY_S if health.reachable else min(2 * one.pause_s, LONGEST_S)
        one.due = self._ledger.clock.monotonic() + one.pause_s - EVERY_S / 2
        return Contact(
            part=one.part,
            name=one.name,
            kind=one.kind,
            reachable=health.reachable,
            version=cleaned(health.version),
            note=None if health.note is None else cleaned(health.note),
            looked_at=self._ledger.now(),
        )


def _written(conn: Snapshot) -> _Written:
    rows = [row for part in Part for row in contacts.every(conn, part).values()]
    return {(row.part, row.name): row for row in rows}


def _is_news(known: Contact | None, look: Contact) -> bool:
    """Whether it is to be written: it found something else, or the record is old by now."""
    if known is None or (look.looked_at - known.looked_at).total_seconds() >= KEPT_S:
        return True
    found, before = (
        # One that does not answer does not say its version; the one that was known stays.
        (one.kind, one.reachable, one.note, one.version if look.reachable else None)
        for one in (look, known)
    )
    return found != before


def _clients(configured: Downloaders | None) -> Iterator[_Known]:
    for one in () if configured is None else configured.clients:
        yield _Known(Part.CLIENT, one.name, one.kind, one.health, partial(_is_here, one))


def _is_here(client: Downloader) -> bool:
    """Elsewhere it is looked at by the process that runs it."""
    return client.is_here if isinstance(client, InOnePlace) else True


def _servers(configured: MediaServers | None) -> Iterator[_Known]:
    for shown in () if configured is None else configured.every:
        one = shown.server
        yield _Known(Part.MEDIA_SERVER, one.name, one.kind.value, one.health, lambda: True)


def _say(turned: Contact) -> None:
    what = WORDS[turned.part]
    if turned.reachable:
        log.info("it answers again", what=what, name=turned.name)
    else:
        log.warning("it does not answer", what=what, name=turned.name, why=turned.note)

"""Handing a torrent to a client elsewhere: an effect whose natural key is the info-hash."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha1

import httpx2
import svcs

from capabilities.adapters.downloader.port import Downloaders
from capabilities.download.acquisition import Acquisition, WantedFile, WantedSlot
from capabilities.download.submit import submit
from capabilities.kernel.calls import Call
from capabilities.kernel.discovery import SPEC_ATTRIBUTE
from capabilities.kernel.spec import Spec
from capabilities.rules.found import Found
from capabilities.rules.stored import found_json
from capabilities.rules.works import WorkKind
from ledger.clock import Clock
from ledger.stores import releases
from ledger.stores.releases import NewRelease
from ledger.writer import Transaction
from tests.crash.place import Place
from tests.crash.plays import KEY, OTHER, Seen, approved, call_of, parts_of, sintel
from tests.crash.remote import NAME, Wire, remote
from tests.ledger.rows import new_plan
from world.bencoding import encode
from world.client_double import Tenant

TITLE = "Sintel.2010.1080p.BluRay.x264-OPEN"
SIZE = 1000
INFO = {b"name": TITLE.encode(), b"piece length": 16384, b"pieces": bytes(20), b"length": SIZE}
TORRENT = encode({b"info": INFO})
HASH = sha1(encode(INFO), usedforsecurity=False).hexdigest()
PLANS = ("plan_first", "plan_second")


@dataclass(frozen=True, slots=True)
class Submit:
    """`download.submit`, with two approved plans for one torrent."""

    natural: bool = True

    @property
    def spec(self) -> Spec:
        return getattr(submit, SPEC_ATTRIBUTE)

    def furnish(self, place: Place) -> None:
        place.folders.downloads.mkdir()

    def rows(self, tx: Transaction, place: Place) -> None:
        del place
        at, work = Clock().now(), sintel(tx)
        found = found_json(Found(TITLE, "loopback", "guid", size=SIZE, info_hash=HASH))
        new = NewRelease("loopback", "guid", TITLE, SIZE, HASH, found, work, None)
        release = releases.keep(tx, new, at)
        releases.keep_torrent(tx, release, TORRENT, HASH)
        payload = _wanted(work, release).payload()
        for id_ in PLANS:
            plan = new_plan(id_, payload, at, card={"title": TITLE}, created_by=str(KEY))
            approved(tx, "download.submit", plan)

    @asynccontextmanager
    async def parts(self, place: Place) -> AsyncGenerator[svcs.Container]:
        async with httpx2.AsyncClient(trust_env=False, verify=False) as http:  # it is loopback HTTP
            clients = Downloaders((remote(Wire(http, place.address)),), NAME)
            async with parts_of(clients, place.folders) as held:
                yield held

    def call(self, *, request: str = "first") -> Call:
        return call_of("download.submit", request, plan=PLANS[0])

    def other(self) -> Call:
        return Call("download.submit", {"plan": PLANS[1]}, OTHER, "call-other", "other")

    def seen(self, place: Place, tenant: Tenant, *, over: bool) -> Seen:
        del place, over
        # a client that knows its torrents hides a second add; what was asked of it does not
        late = tenant.arrival != "at_once"
        return Seen(tenant.added if late else max(tenant.asked, tenant.added))


def _wanted(work: str, release: str) -> Acquisition:
    return Acquisition(
        release=release,
        title=TITLE,
        indexer="loopback",
        work=work,
        work_key="tmdb:film:45745",
        work_title="Sintel",
        year=2010,
        kind=WorkKind.FILM,
        info_hash=HASH,
        hash_v1=HASH,
        hash_v2=None,
        size=SIZE,
        files=[WantedFile(index=0, path=TITLE, size=SIZE)],
        client=NAME,
        quality="Bluray-1080p",
        grade="A",
        slots=[WantedSlot(season=0, episode=0, revision=0)],
        policy_version=1,
        import_={},
    )

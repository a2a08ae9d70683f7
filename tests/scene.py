"""A house in a staged world: real ledger, real adapters, the real registry, nothing imitated.

The world, the ledger and the client are set up once a module; every test finds them empty.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import svcs

from capabilities.adapters.downloader.port import Downloaders
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.adapters.indexer.torznab import Torznab
from capabilities.adapters.media_server.port import MediaServers
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.shelf.folders import Folders
from capabilities.kernel.actors import Actor, agent, client, owner, system
from capabilities.kernel.calls import Call
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import decide
from capabilities.kernel.discovery import discovered
from capabilities.kernel.grant_making import make as make_grant
from capabilities.kernel.outcomes import AnyOutcome, Failed, Refused, Succeeded, facts
from capabilities.kernel.registry import Registry
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import to_json
from ledger.clock import new_id
from ledger.stores import (
    policies,
    references,
)
from ledger.stores.downloads import DownloadRow
from ledger.stores.grants import NewGrant, Scope, Terms
from server.adapters import held as held_part
from tests.looking import Looking
from tests.stage_set import Base, catalogue_of, set_up, torznab_of
from world.indexer import serving_indexer
from world.indexer_feed import Offer
from world.stage import RELEASE

SCOPES = frozenset({"read", "plan", "download.submit", "organize.execute", "run", "run.ask"})
OWNER = owner("ada")
KEY = client("laptop", SCOPES)
IMPORT = system("import")
FOLDER = "Sintel (2010) {tmdb-45745}"
VIDEO = f"{FOLDER}/Sintel (2010) - [Bluray-1080p][x264]-OPEN.mkv"
SUBTITLE = VIDEO.replace(".mkv", ".en.srt")


def run_of(id_: str, principal: str = "owner:ada") -> Actor:
    """The agent in a run."""
    return agent(id_, principal, SCOPES - {"run", "run.ask"})


@dataclass(frozen=True)
class Scene(Looking):
    """One test's view of the house: the parts it has, and everything one may ask of it."""

    parts: svcs.Container
    registry: Registry

    def having(self, *parts: object, without: Sequence[type[object]] = ()) -> "Scene":
        """The same house with other parts in place of those of their class, or without some."""
        return _scene(self.base, _parts(self, parts, without))

    async def call(self, capability: str, by: Actor = KEY, **arguments: object) -> AnyOutcome:
        """A fresh call: a run's serves the run, anybody else's is a request of its own."""
        run = by.id if by.kind == "run" else None
        id_ = new_id("call")
        return await self.registry.invoke(Call(capability, arguments, by, id_, run or id_, run=run))

    async def told(self, capability: str, **arguments: object) -> list[str]:
        """What a call reports on its way."""
        sentences: list[str] = []

        async def report(done: float, total: float | None, sentence: str) -> None:
            del done, total
            sentences.append(sentence)

        id_ = new_id("call")
        await self.registry.invoke(Call(capability, arguments, KEY, id_, id_, report=report))
        return sentences

    async def answer(self, capability: str, by: Actor = KEY, **arguments: object) -> dict[str, Any]:
        """The data of a call that succeeds."""
        outcome = await self.call(capability, by, **arguments)
        assert isinstance(outcome, Succeeded), outcome
        return facts(outcome)

    async def refusal(
        self, code: Code, capability: str, by: Actor = KEY, **arguments: object
    ) -> Refused:
        """The refusal of a call that is refused with this code."""
        outcome = await self.call(capability, by, **arguments)
        assert isinstance(outcome, Refused), outcome
        assert outcome.code is code, outcome
        return outcome

    async def failure(
        self, code: Code, capability: str, by: Actor = KEY, **arguments: object
    ) -> Failed:
        """The failure of a call that fails with this code."""
        outcome = await self.call(capability, by, **arguments)
        assert isinstance(outcome, Failed), outcome
        assert outcome.code is code, outcome
        return outcome

    async def id_of(self, reference: str, by: Actor = KEY) -> str:
        """The full id behind a reference that ``by`` was given."""
        kind, _, number = reference.partition(":")
        scope = f"run:{by.id}" if by.kind == "run" else by.principal
        id_ = await self.read(lambda conn: references.target_of(conn, scope, kind, int(number)))
        assert id_ is not None
        return id_

    async def grant(self, action: str, scope: Scope, *, bytes_per_day: int | None = None) -> str:
        """A grant of the owner; its id."""
        terms = Terms(scope, None, bytes_per_day, may_replace=False, expires_at=None)
        new = NewGrant(action, terms)
        made = await make_grant(self.ledger, self.registry.specs, new, by=OWNER)
        assert isinstance(made, Succeeded), made
        return made.data.id

    async def publish(self, policy: AcquisitionPolicy | IdentityPolicy | OrganizePolicy) -> None:
        """Make a policy the published one of its kind."""
        kind = _KINDS[type(policy)]
        at = self.ledger.now()
        await self.write(lambda tx: policies.publish(tx, kind, to_json(policy), at))

    async def work(self, by: Actor = KEY, *, id_: str = "tmdb:film:45745") -> str:
        """A reference of the work with this id."""
        found = await self.answer("catalog.lookup", by, id=id_)
        return str(found["works"][0]["work"])

    async def candidates(self, by: Actor = KEY, **arguments: object) -> dict[str, dict[str, Any]]:
        """What a search for Sintel (2010), or another one, answers: by title."""
        given: dict[str, object] = arguments or {"work": await self.work(by)}
        found = await self.answer("release.search", by, **{"limit": 50, **given})
        return {each["title"]: each for each in found["candidates"]}

    async def release(self, title: str = RELEASE, by: Actor = KEY) -> str:
        """A reference of a release of Sintel (2010), found by the work."""
        return str((await self.candidates(by))[title]["release"])

    async def identified(self, title: str = RELEASE, by: Actor = KEY) -> str:
        """The same, identified."""
        release = await self.release(title, by)
        assert (await self.answer("identity.resolve", by, release=release))["accepted"]
        return release

    async def drafted(self, title: str = RELEASE, by: Actor = KEY) -> dict[str, Any]:
        """The answer of a plan for it."""
        return await self.answer("download.plan", by, release=await self.identified(title, by))

    async def decided(self, asked: Refused, *, yes: bool = True, reason: str | None = None) -> None:
        """The owner's word about what a refusal says is needed."""
        assert asked.code is Code.NEEDS_APPROVAL, asked
        outcome = await decide(
            self.ledger,
            str(asked.needs["approval"]),
            approved=yes,
            by=OWNER,
            payload_hash=str(asked.needs["payload_hash"]),
            revision=int(str(asked.needs["revision"])),
            reason=reason or (None if yes else "no"),
        )
        assert isinstance(outcome, Succeeded), outcome

    async def approved(self, capability: str, by: Actor = KEY, **arguments: object) -> None:
        """Ask, and have the owner say yes; the call is still to be made."""
        await self.decided(await self.refusal(Code.NEEDS_APPROVAL, capability, by, **arguments))

    async def submitted(self, title: str = RELEASE, by: Actor = KEY) -> DownloadRow:
        """A download of it, approved and with the client."""
        plan = (await self.drafted(title, by))["plan"]
        await self.approved("download.submit", by, plan=plan)
        answer = await self.answer("download.submit", by, plan=plan)
        return await self.download(await self.id_of(answer["download"], by))

    async def arrived(self, title: str = RELEASE, by: Actor = KEY) -> DownloadRow:
        """The same, once the client has all of it."""
        row = await self.submitted(title, by)
        await self.until_complete(row.info_hash)
        return row

    @asynccontextmanager
    async def offering(self, *offers: Offer, seed: int = 1) -> AsyncGenerator["Scene"]:
        """The same house with one indexer that lists these offers."""
        async with serving_indexer(offers, seed=seed) as indexer:
            torznab = Torznab(
                "loopback", indexer.address, indexer.api_key, outbound=self.base.outbound
            )
            yield self.having(Indexers([torznab]))


_KINDS: dict[type[object], str] = {
    AcquisitionPolicy: "acquisition",
    IdentityPolicy: "identity",
    OrganizePolicy: "organize",
}


def _parts(
    scene: Scene | None, parts: Sequence[object], without: Sequence[type[object]] = ()
) -> svcs.Container:
    held = svcs.Registry()
    for kind in (Catalogue, Indexers, Folders, Downloaders, MediaServers):
        part = next((each for each in parts if isinstance(each, kind)), None)
        if part is None and scene is not None and kind not in without:
            part = held_part(scene.parts, kind)
        if part is not None:
            held.register_value(kind, part)  # pyright: ignore[reportUnknownMemberType]  # it leaves ping open
    return svcs.Container(held)


def _scene(base: Base, parts: svcs.Container) -> Scene:
    return Scene(base, parts, Registry(discovered(), base.ledger, parts))


@pytest.fixture(scope="module")
async def base(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Base]:
    async with set_up(tmp_path_factory.mktemp("scene")) as ready:
        yield ready


@pytest.fixture
async def scene(base: Base) -> Scene:
    """The house, empty, with everything configured."""
    await base.empty()
    parts = _parts(
        None,
        [
            catalogue_of(base),
            Indexers([torznab_of(base)]),
            base.folders,
            Downloaders((base.client,), base.client.name),
        ],
    )
    return _scene(base, parts)

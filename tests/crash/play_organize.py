"""Placing a film and its subtitle on the shelf: every file's target and inode are its key."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import svcs

from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.adapters.shelf.placements import Mode
from capabilities.adapters.shelf.recycling import RECYCLE
from capabilities.kernel.calls import Call
from capabilities.kernel.discovery import SPEC_ATTRIBUTE
from capabilities.kernel.spec import Spec
from capabilities.organize.execute import execute
from capabilities.organize.import_plan import (
    FrozenSource,
    OldFile,
    OrganizePlan,
    PlannedFile,
    WrittenFile,
)
from capabilities.rules.works import WorkKind
from ledger.clock import Clock
from ledger.stores import downloads
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import PlanState
from ledger.writer import Transaction
from tests.crash.place import Place
from tests.crash.plays import KEY, Seen, approved, call_of, parts_of, sintel
from tests.ledger.rows import new_plan
from world.client_double import Tenant
from world.samples import Sample, stretched

NAME = "Sintel.2010"
TITLE = "Sintel (2010)"
SIZE = 200_000
OLD = b"what stood there before" * 1000
OLD_NAME = f"{TITLE}/{TITLE} [720p].avi"
SAME_NAME = f"{TITLE}/{TITLE}.mkv"
WORDS = b"1\n00:00:01,000 --> 00:00:03,000\nThis blade has a dark past.\n"
PLAN = "plan_organize"
HASH = "a" * 40
NFO = WrittenFile(target=f"{TITLE}/{TITLE}.nfo", text="<movie><title>Sintel</title></movie>\n")
TARGETS = {
    f"{NAME}/{NAME}.mkv": f"{TITLE}/{TITLE}.mkv",
    f"{NAME}/{NAME}.en.srt": f"{TITLE}/{TITLE}.en.srt",
}


@dataclass(frozen=True, slots=True)
class Organize:
    """`organize.execute` of one approved plan, in one of the modes.

    Attributes:
        old: the file in the library that the video takes the place of, if any.
        nfo: whether an NFO file of ours is written beside the video.
    """

    mode: Mode
    old: str | None = None
    nfo: bool = False
    natural: bool = True

    @property
    def spec(self) -> Spec:
        return getattr(execute, SPEC_ATTRIBUTE)

    def furnish(self, place: Place) -> None:
        folders = place.folders
        for each in (folders.downloads, folders.films, folders.series, folders.downloads / NAME):
            each.mkdir()
        video, words = (folders.downloads / path for path in TARGETS)
        stretched(Sample.FILM_1080P, video, SIZE)
        words.write_bytes(WORDS)
        if self.old is not None:
            (folders.films / self.old).parent.mkdir(exist_ok=True)
            (folders.films / self.old).write_bytes(OLD)

    def rows(self, tx: Transaction, place: Place) -> None:
        at, work = Clock().now(), sintel(tx)
        download = DownloadRow(
            id="dl_first",
            client="elsewhere",
            info_hash=HASH,
            hash_v1=HASH,
            hash_v2=None,
            name=NAME,
            plan="plan_of_it",
            release="rel_of_it",
            work=work,
            run=None,
            state="importing",
            size=SIZE,
            done=SIZE,
            facts={},
            last_error=None,
            created_at=at,
            updated_at=at,
            completed_at=at,
        )
        downloads.add(tx, download)
        plan = new_plan(
            PLAN,
            self._wanted(place, work).payload(),
            at,
            type="organize",
            state=PlanState.FROZEN,
            card={"title": TITLE},
            created_by=str(KEY),
        )
        approved(tx, "organize.execute", plan)

    @asynccontextmanager
    async def parts(self, place: Place) -> AsyncGenerator[svcs.Container]:
        async with parts_of(place.folders) as held:
            yield held

    def call(self, *, request: str = "first") -> Call:
        return call_of("organize.execute", request, plan=PLAN)

    def other(self) -> Call:
        return self.call()

    def seen(self, place: Place, tenant: Tenant, *, over: bool) -> Seen:
        del tenant
        films, sources = place.folders.films, place.folders.downloads
        standing = {str(p.relative_to(films)) for p in films.rglob("*") if p.is_file()}
        recycled = {name for name in standing if name.startswith(RECYCLE)}
        standing -= recycled
        if self.old is not None and _is_old(films / self.old):
            standing -= {self.old}
        wrong = [*_half(films), *self._lost(films, sources)]
        wrong += self._old_lost(films, recycled, over=over)
        names = {*TARGETS.values(), *(one.target for one in self._written)}
        if over:
            wrong += [f"{name} was left behind" for name in sorted(standing - names)]
            wrong += [f"{name} is missing" for name in sorted(names - standing)]
        foreign = [name for name in standing - names if ".mkv" in name and not _temporary(name)]
        return Seen(int(bool(standing & names)) + len(foreign), tuple(wrong))

    def _old_lost(self, films: Path, recycled: set[str], *, over: bool) -> list[str]:
        if self.old is None:
            return []
        away = [name for name in recycled if _is_old(films / name)]
        here = _is_old(films / self.old)
        if not away and not here:
            return ["the old file is neither here nor in the recycle folder"]
        if over and (here or len(away) != 1):
            return [f"the old file stands {'here' if here else f'{len(away)} times'} in the end"]
        return []

    def _lost(self, films: Path, sources: Path) -> list[str]:
        return [
            f"{source} is neither here nor there"
            for source, target in TARGETS.items()
            if not (sources / source).exists()
            and not (self.mode is Mode.MOVE and (films / target).exists())
        ]

    def _wanted(self, place: Place, work: str) -> OrganizePlan:
        files = [
            PlannedFile(source=_frozen(place, path), target=target, role=role)
            for (path, target), role in zip(TARGETS.items(), ("video", "subtitle"), strict=True)
        ]
        return OrganizePlan(
            download="dl_first",
            info_hash=HASH,
            work=work,
            kind=WorkKind.FILM,
            quality="Bluray-1080p",
            folder=str(place.folders.films),
            files=files,
            left=[],
            replaces=[] if self.old is None else [self.old],
            add_only=self.old is None,
            import_={"mode": self.mode.value},
            old=self._goes(place),
            written=self._written,
        )

    @property
    def _written(self) -> list[WrittenFile]:
        return [NFO] if self.nfo else []

    def _goes(self, place: Place) -> list[OldFile]:
        if self.old is None:
            return []
        now = frozen_from((place.folders.films / self.old).stat())
        was = FrozenSource(
            path=self.old,
            device=now.device,
            inode=now.inode,
            size=now.size,
            mtime_ns=now.mtime_ns,
        )
        return [OldFile(folder=str(place.folders.films), was=was, file=0)]


def _half(films: Path) -> list[str]:
    sizes = dict(zip(TARGETS.values(), (SIZE, len(WORDS)), strict=True))
    sizes[NFO.target] = len(NFO.content)
    return [
        f"{name} has {(films / name).stat().st_size} bytes"
        for name, size in sizes.items()
        if (films / name).exists()
        and (films / name).stat().st_size != size
        and not _is_old(films / name)
    ]


def _is_old(path: Path) -> bool:
    return path.is_file() and path.read_bytes() == OLD


def _frozen(place: Place, path: str) -> FrozenSource:
    now = frozen_from((place.folders.downloads / path).stat())
    return FrozenSource(
        path=path, device=now.device, inode=now.inode, size=now.size, mtime_ns=now.mtime_ns
    )


def _temporary(name: str) -> bool:
    return name.rpartition("/")[2].startswith(".")

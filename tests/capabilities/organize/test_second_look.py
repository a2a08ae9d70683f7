from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.shelf.freezing import frozen_from
from capabilities.organize.import_plan import OrganizePlan
from capabilities.organize.second_look import CHANGED, GONE, NOT_YET, TOLD_AGAIN, SecondLook
from capabilities.rules.verification import LEFT, Check, CheckKind, Verification
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.media_server.bench import Bench, at_work

pytestmark = pytest.mark.anyio

AT = datetime(2026, 5, 1, tzinfo=UTC)
FILES = ("a.mkv", "b.mkv")


@asynccontextmanager
async def looking(folder: Path) -> AsyncGenerator[tuple[Bench, SecondLook, Verification]]:
    """Two films that stand in the library, and one server that is to see them."""
    async with at_work(folder, jellyfin) as bench:
        placements = [_placement(Path(bench.film(name))) for name in FILES]
        wanted = OrganizePlan(
            download="dl_1",
            info_hash="a" * 40,
            work="work_1",
            kind=WorkKind.FILM,
            quality="1080p",
            folder=str(bench.films),
            files=[],
            left=[],
            replaces=[],
            add_only=True,
            import_={"mode": "hardlink"},
        )
        checks = [
            *(Check(CheckKind.PLACED, name, passed=True) for name in FILES),
            *(Check(CheckKind.SEEN, name, server="den") for name in FILES),
        ]
        known = Verification(2, AT, AT + timedelta(hours=1), tuple(checks))
        yield bench, SecondLook(wanted, placements, "the library Films", [bench.server]), known


def _placement(file: Path) -> dict[str, Any]:
    now = frozen_from(file.stat())
    return {"target": file.name, "inode": now.inode, "size": now.size}


def whys(verification: Verification) -> list[str | None]:
    return [check.why for check in verification.open]


async def test_all_that_stands_and_is_seen_is_true(tmp_path: Path) -> None:
    async with looking(tmp_path) as (_, second, known):
        seen = await second.look(known, AT)

    assert seen.settled
    assert (seen.looks, seen.told) == (1, {"den": AT})
    assert [check.title for check in seen.checks if check.server] == ["a", "b"]


async def test_it_is_written_down_when_the_server_showed_a_file(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        bench.double.blind_to.add("b.mkv")
        first = await second.look(known, AT)
        bench.double.blind_to.clear()
        last = await second.look(first, AT + TOLD_AGAIN)

    shown = {check.file: check.shown_at for check in last.checks if check.server}
    assert shown == {"a.mkv": AT, "b.mkv": AT + TOLD_AGAIN}


async def test_a_server_under_a_new_name_is_told_and_asked_for_what_was_placed_before(
    tmp_path: Path,
) -> None:
    async with looking(tmp_path) as (_, second, known):
        checks = [replace(check, server="old") if check.server else check for check in known.checks]
        seen = await second.look(replace(known, checks=tuple(checks)), AT)

    assert seen.settled
    assert [(check.server, check.instead_of) for check in seen.checks if check.server] == [
        ("den", "old"),
        ("den", "old"),
    ]


async def test_a_server_that_is_gone_has_seen_nothing(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        seen = await replace(second, servers=[]).look(known, AT)

    assert whys(seen) == [LEFT, LEFT]
    assert seen.needs_owner(AT)
    assert bench.double.requests == []


@pytest.mark.parametrize("told", [True, False], ids=["shown", "not shown"])
async def test_a_library_of_the_wrong_kind_is_told(tmp_path: Path, told: bool) -> None:
    async with looking(tmp_path) as (bench, second, known):
        if not told:
            bench.double.blind_to |= set(FILES)
        series = replace(second, wanted=second.wanted.model_copy(update={"kind": WorkKind.SERIES}))
        seen = await series.look(known, AT)

    assert len(whys(seen)) == len(FILES)
    assert all(why and "as a library of films, and the file belongs" in why for why in whys(seen))


async def test_only_what_is_not_seen_yet_is_asked_about_again(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        bench.double.blind_to.add("b.mkv")
        first = await second.look(known, AT)
        soon = await second.look(first, AT + TOLD_AGAIN / 2)
        bench.double.blind_to.clear()
        last = await second.look(soon, AT + TOLD_AGAIN)

    assert whys(first) == whys(soon) == [NOT_YET]
    assert soon.told == {"den": AT}
    assert last.settled
    assert last.told == {"den": AT + TOLD_AGAIN}


async def test_a_server_that_could_not_be_told_is_told_at_the_next_look(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        bench.double.answer_next(Response(status_code=404))
        first = await second.look(known, AT)
        last = await second.look(first, AT + timedelta(seconds=5))

    assert first.told == {}
    assert all(why and "HTTP 404" in why for why in whys(first))
    assert last.settled


async def test_a_server_that_may_have_heard_is_judged_by_what_it_shows(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        bench.double.answer_next(Response(status_code=500))
        first = await second.look(known, AT)

    assert first.told == {"den": AT}
    assert whys(first) == [NOT_YET, NOT_YET]


async def test_a_file_that_went_or_was_changed_is_no_longer_in_place(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        _spoil(bench.films)
        seen = await second.look(known, AT)
        _take_away(bench.films)
        nowhere = await second.look(seen, AT)

    assert [(check.file, check.why) for check in seen.open if check.kind is CheckKind.PLACED] == [
        ("a.mkv", GONE),
        ("b.mkv", CHANGED),
    ]
    assert nowhere.checks[0].why not in {None, GONE}


async def test_without_servers_only_the_files_are_looked_at(tmp_path: Path) -> None:
    async with looking(tmp_path) as (bench, second, known):
        placed = replace(known, checks=known.checks[: len(FILES)])
        seen = await replace(second, servers=[]).look(placed, AT)

    assert seen.settled
    assert bench.double.requests == []


def _spoil(films: Path) -> None:
    (films / "a.mkv").unlink()
    (films / "b.mkv").write_bytes(b"another video")


def _take_away(films: Path) -> None:
    films.rename(films.with_name("elsewhere"))

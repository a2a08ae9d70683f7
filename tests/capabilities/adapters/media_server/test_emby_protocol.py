"""Both dialects against a server with a memory, over real folders."""

from pathlib import Path

import pytest
from starlette.responses import JSONResponse, PlainTextResponse, Response

from capabilities.adapters.media_server.asking import NOWHERE
from capabilities.adapters.media_server.emby import emby
from capabilities.adapters.media_server.jellyfin import jellyfin
from capabilities.adapters.media_server.port import (
    CannotTell,
    NotSeen,
    Seen,
    ServerHealth,
    ServerKind,
    ServerLibrary,
)
from capabilities.adapters.media_server.searching import PAGE, PAGES_A_LOOK
from capabilities.kernel.faults import (
    DeclinedError,
    LostAnswerError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)
from capabilities.rules.works import WorkKind
from tests.capabilities.adapters.media_server.bench import (
    FILM,
    THERE,
    Bench,
    Making,
    at_work,
    remove,
)
from world.jellyfin_double import VERSION

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("making", [jellyfin, emby])]


async def test_a_file_is_seen_once_it_was_told_of_and_the_server_came_to_it(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        bench.double.delay_s = 30
        path = bench.film()
        untold = await bench.sight(path)
        await bench.server.refresh([path])
        told = bench.double.told
        soon = await bench.sight(path)
        bench.watch.advance(seconds=30)
        later = await bench.sight(path)

    assert (untold, soon) == (NotSeen(), NotSeen())
    assert told == [f"{THERE}/{FILM}"]
    assert isinstance(later, Seen)
    assert (later.title, later.ids) == ("Sintel", {"tmdb": "45745"})


async def test_an_episode_is_seen_in_the_library_for_series(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making) as bench:
        path = bench.episode()
        await bench.server.refresh([path])
        sight = await bench.sight(path)

    assert isinstance(sight, Seen)
    assert sight.title == "Lantern Street - S01E01"


async def test_what_the_server_is_blind_to_is_never_seen(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making) as bench:
        path = bench.film()
        bench.double.blind_to.add(Path(path).name)
        await bench.server.refresh([path])

        assert bench.double.told == []
        assert await bench.sight(path) == NotSeen()


async def test_a_file_that_is_gone_ceases_to_be_seen(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making) as bench:
        path = bench.film()
        await bench.server.refresh([path])
        before = await bench.sight(path)
        remove(path)
        await bench.server.refresh([path])

        assert isinstance(before, Seen)
        assert await bench.sight(path) == NotSeen()


async def test_another_file_of_a_name_that_begins_alike_is_not_the_file(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        await bench.server.refresh([bench.film("Sintel.mkv.old.mkv")])
        path = bench.film("Sintel.mkv")

        assert await bench.sight(path) == NotSeen()


async def test_a_folder_that_no_library_holds_cannot_be_told_about(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        assert await bench.sight(str(tmp_path / "elsewhere" / "a.mkv")) == NOWHERE


async def crowded(bench: Bench, path: str, among: Path, name: str = "{}.mkv") -> None:
    """Have the server show a file, and a page full of others that came later."""
    await bench.server.refresh([path])
    for number in range(PAGE):
        other = among / name.format(number)
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_bytes(b"video")
    await bench.server.refresh([str(among)])


def questions(bench: Bench, since: int) -> list[dict[str, str]]:
    """The queries for items since then."""
    asked = bench.double.requests[since:]
    return [dict(request.query_params) for request in asked if request.url.path == "/Items"]


async def test_a_film_that_is_none_of_the_newest_is_asked_for_by_its_title(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        path = bench.film()
        await crowded(bench, path, bench.films / "more")
        since = len(bench.double.requests)
        sight = await bench.sight(path)
        asked = questions(bench, since)

    assert isinstance(sight, Seen)
    assert [one.get("searchTerm") for one in asked] == [None, "Sintel"]


async def test_an_episode_that_is_none_of_the_newest_is_asked_for_by_its_series(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        path = bench.episode()
        await crowded(bench, path, bench.series / "Other", "Other - S01E{}.mkv")
        since = len(bench.double.requests)
        sight = await bench.sight(path)
        asked = questions(bench, since)

    assert isinstance(sight, Seen)
    assert [one.get("searchTerm") for one in asked] == [None, "Lantern Street", None]
    assert asked[2]["parentId"] != asked[0]["parentId"]


async def test_what_no_title_finds_is_looked_for_page_by_page(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        first = bench.film("0.mkv")
        await crowded(bench, first, bench.films / "more", "more {}.mkv")
        since = len(bench.double.requests)
        sight = await bench.sight(first)
        starts = [one["startIndex"] for one in questions(bench, since) if "searchTerm" not in one]

    assert isinstance(sight, Seen)
    assert starts in (["0"], ["0", str(PAGE)])


async def test_what_is_never_seen_costs_few_questions_in_a_library_of_100_000(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        bench.double.pretends_to_hold(100_000, tmp_path / "films")
        path = bench.film()
        counts: list[int] = []
        for _ in range(3):
            since = len(bench.double.requests)
            assert await bench.sight(path) == NotSeen()
            counts.append(len(bench.double.requests) - since)

    # the libraries, the newest page, one title, and some pages more, other ones at each look
    assert counts == [3 + PAGES_A_LOOK] * 3


async def test_many_files_are_asked_about_in_one_go(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making) as bench:
        film, episode, unseen = bench.film(), bench.episode(), bench.film("blind.mkv")
        bench.double.blind_to.add("blind.mkv")
        await bench.server.refresh([film, episode, unseen])
        asked = len(bench.double.requests)
        sights = await bench.server.seen([film, episode, unseen, "/elsewhere/a.mkv"])

    assert [type(sights[path]) for path in (film, episode)] == [Seen, Seen]
    assert (sights[unseen], sights["/elsewhere/a.mkv"]) == (NotSeen(), NOWHERE)
    assert len(bench.double.requests) - asked == 3  # the libraries, and a page of each


async def test_each_version_of_a_film_is_seen_as_that_film(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making) as bench:
        path, other = bench.film(), bench.film(FILM.replace("1080p", "2160p"))
        await bench.server.refresh([path, other])
        sights = await bench.server.seen([path, other])

    both = [sight for sight in sights.values() if isinstance(sight, Seen)]
    assert [(one.title, one.ids) for one in both] == [("Sintel", {"tmdb": "45745"})] * 2
    assert both[0].item == both[1].item


async def test_an_item_may_lack_its_name_and_some_of_its_ids(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        path = bench.film()
        folders = [{"ItemId": "1", "Locations": [THERE], "CollectionType": "movies"}]
        item = {
            "Id": "7",
            "Name": None,
            "Path": f"{THERE}/{FILM}",
            "ProviderIds": {"Imdb": "tt1727587", "Tvdb": None},
        }
        bench.double.answer_next(JSONResponse(folders), JSONResponse({"Items": [item]}))

        assert await bench.sight(path) == Seen("7", "", {"imdb": "tt1727587"})


async def test_a_file_in_a_library_of_the_other_kind_is_told_as_that(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        film, episode = bench.film(), bench.episode()
        await bench.server.refresh([film])
        sights = await bench.server.seen([film, episode])

    assert isinstance(sights[film], Seen)
    assert [sight.taken_for for sight in sights.values() if not isinstance(sight, CannotTell)] == [
        WorkKind.FILM,
        WorkKind.SERIES,
    ]


async def test_its_libraries_are_listed_with_their_folders_and_without_music(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        folders: list[dict[str, object]] = [
            {"ItemId": "1", "Name": "A", "Locations": ["/a", "/b"], "CollectionType": "movies"},
            {"ItemId": "2", "Name": "B", "Locations": [], "CollectionType": "tvshows"},
            {"ItemId": "3", "Name": "C", "Locations": None, "CollectionType": None},
            {"ItemId": "4", "Name": "D", "Locations": ["/d"], "CollectionType": "music"},
        ]
        bench.double.answer_next(JSONResponse(folders))

        assert await bench.server.libraries() == [
            ServerLibrary("1", "A", WorkKind.FILM, ("/a", "/b")),
            ServerLibrary("2", "B", WorkKind.SERIES, ()),
            ServerLibrary("3", "C", None, ()),
        ]


async def test_its_health_is_its_version(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making) as bench:
        assert await bench.server.health() == ServerHealth(reachable=True, version=VERSION)
        assert bench.server.name == "den"
        assert bench.server.kind in {ServerKind.JELLYFIN, ServerKind.EMBY}


async def test_a_wrong_key_is_told_apart_from_a_server_that_is_away(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making, key="wrong") as bench:
        health = await bench.server.health()
        with pytest.raises(DeclinedError, match="does not accept its key"):
            await bench.server.refresh([bench.film()])
        with pytest.raises(DeclinedError, match="does not accept its key"):
            await bench.sight(bench.film())

    assert not health.reachable
    assert health.note is not None
    assert "does not accept its key" in health.note


@pytest.mark.parametrize(
    ("trouble", "fault", "sentence"),
    [
        (PlainTextResponse("<html>"), UnreachableError, "not that of such a server"),
        (JSONResponse({"no": "list"}), UnreachableError, "not that of such a server"),
        (Response(status_code=404), DeclinedError, "HTTP 404"),
        (
            Response(status_code=429, headers={"Retry-After": "900"}),
            ThrottledError,
            "called less often",
        ),
    ],
)
async def test_answers_that_make_no_sense_are_faults_and_not_sights(
    tmp_path: Path,
    making: Making,
    trouble: Response,
    fault: type[WorldFaultError],
    sentence: str,
) -> None:
    async with at_work(tmp_path, making) as bench:
        bench.double.answer_next(trouble)
        with pytest.raises(fault, match=sentence):
            await bench.sight(bench.film())


async def test_what_was_told_and_not_answered_may_have_been_heard(
    tmp_path: Path, making: Making
) -> None:
    async with at_work(tmp_path, making) as bench:
        bench.double.answer_next(Response(status_code=500))
        with pytest.raises(LostAnswerError):
            await bench.server.refresh([bench.film()])


async def test_no_fault_shows_the_key(tmp_path: Path, making: Making) -> None:
    async with at_work(tmp_path, making, key="a-secret-key") as bench:
        with pytest.raises(DeclinedError) as raised:
            await bench.server.libraries()

    assert "a-secret-key" not in str(raised.value)

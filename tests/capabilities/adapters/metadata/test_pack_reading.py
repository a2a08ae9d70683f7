import pytest

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import MOST_TITLES, NotAsked
from capabilities.adapters.metadata.name_reading import read
from capabilities.adapters.metadata.pack_reading import PackFile, read_pack
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.episode_counting import Unsettled
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from tests.capabilities.adapters.metadata.test_catalogue import BROKEN, shelf

pytestmark = pytest.mark.anyio

NO_WORDS = IdentityPolicy()


async def told(
    catalogue: Catalogue, release: str, *videos: str, policy: IdentityPolicy = NO_WORDS
) -> list[PackFile]:
    held = await read(release, {}, [], policy, catalogue)
    return await read_pack(videos, {}, held, policy, catalogue)


def said(file: PackFile) -> tuple[str, list[str]]:
    work = file.file.identity.work
    assert not isinstance(file.numbers, Unsettled)
    places = [f"S{one.place.season:02}E{one.place.episode:02}" for one in file.numbers]
    return "" if work is None else str(work.key), places


async def test_titles_that_only_files_bear_are_searched_for() -> None:
    async with shelf() as on:
        files = await told(
            on.of("tmdb"), "Mixed", "Sintel.2010.mkv", "Lantern.Street.S02E01.mkv", "No.Such.mkv"
        )

    assert [said(file) for file in files] == [
        ("tmdb:film:45745", []),
        ("tmdb:series:900001", ["S02E01"]),
        ("", []),
    ]


async def test_the_owners_words_count_before_a_files_title_is_searched_for() -> None:
    lines = ("replace: Laternenweg => Lantern.Street", "force: film7 => tmdb:film:133701")
    policy = IdentityPolicy(words=words_from(lines))
    async with shelf() as on:
        files = await told(
            on.of("tmdb"), "Mix", "Laternenweg.S01E02.mkv", "film7.mkv", policy=policy
        )

    assert [said(file) for file in files] == [
        ("tmdb:series:900001", ["S01E02"]),
        ("tmdb:film:133701", []),
    ]


async def test_a_word_on_the_release_is_a_word_on_what_its_files_leave_unsaid() -> None:
    policy = IdentityPolicy(words=words_from(["force: Straat => tmdb:series:900001"]))
    async with shelf() as on:
        files = await told(on.of("tmdb"), "Straat.S01", "01.mkv", "02.mkv", policy=policy)

    assert [said(file) for file in files] == [
        ("tmdb:series:900001", ["S01E01"]),
        ("tmdb:series:900001", ["S01E02"]),
    ]


async def test_the_owners_offsets_count_for_a_series_that_only_a_file_names() -> None:
    offset = offset_from("tmdb:series:900001 27 = S02E01")
    policy = IdentityPolicy(offsets=(offset,))
    async with shelf() as on:
        files = await told(
            on.of("tmdb"), "Mix", "Lantern Street - 27.mkv", "Sintel.2010.mkv", policy=policy
        )

    assert said(files[0]) == ("tmdb:series:900001", ["S02E01"])


async def test_nothing_is_concluded_while_a_source_that_is_needed_is_silent() -> None:
    async with shelf() as on:
        held = await read("Sintel.2010", {}, [], NO_WORDS, on.of("tmdb"))
        on.tmdb.answer_next(*BROKEN)
        with pytest.raises(UnreachableError):
            await read_pack(["Lantern.Street.S01E01.mkv"], {}, held, NO_WORDS, on.of("tmdb"))


async def test_what_is_not_searched_for_is_no_work_although_one_of_its_title_is_known() -> None:
    names = [f"Nothing.Like.This.{'x' * number}.mkv" for number in range(1, 2 * MOST_TITLES)]
    other = "寻龙记.2010.mkv"
    async with shelf() as on:
        files = await told(on.of("tmdb"), "Sintel.2010", *names, other)
        few = await told(on.of("tmdb"), "Sintel.2010", other, "Nothing.mkv")

    assert said(few[0]) == ("tmdb:film:45745", [])
    assert [file.not_asked for file in files] == [
        *[None] * MOST_TITLES,
        *[NotAsked.MANY] * MOST_TITLES,
    ]
    assert said(files[-1]) == ("", [])
    assert files[-1].file.identity.grade is Grade.E


async def test_an_id_in_a_file_says_what_it_is_although_its_title_is_not_searched_for() -> None:
    names = [f"Nothing.Like.This.{'x' * number}.mkv" for number in range(1, 2 * MOST_TITLES)]
    known = "Der.Film.2010.{tmdb-45745}.mkv"
    async with shelf() as on:
        files = await told(on.of("tmdb"), "Sintel.2010", *names, known)

    assert said(files[-1]) == ("tmdb:film:45745", [])
    assert files[-1].not_asked is None


async def test_files_that_there_is_no_time_to_compare_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("capabilities.adapters.metadata.pack_reading.READING_S", 0.0)
    async with shelf() as on:
        files = await told(on.of("tmdb"), "Mix", "Sintel.2010.mkv", "Lantern.Street.S02E01.mkv")

    assert [(file.file.path, file.not_asked) for file in files] == [
        ("Sintel.2010.mkv", NotAsked.SLOW),
        ("Lantern.Street.S02E01.mkv", NotAsked.SLOW),
    ]
    assert [said(file) for file in files] == [("", []), ("", [])]


async def test_a_title_that_a_folder_says_is_known_from_another_file() -> None:
    async with shelf() as on:
        (first, _) = await told(
            on.of("tmdb"), "Mix", "Mix/Lantern Street/S01E01.mkv", "Mix/Lantern.Street.S01E02.mkv"
        )

    assert said(first) == ("tmdb:series:900001", ["S01E01"])

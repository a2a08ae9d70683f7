from dataclasses import replace

import pytest

from capabilities.policy.rereading import (
    MOST_RELEASES,
    MOST_SHOWN,
    KnownNames,
    RereadFacts,
    Rereading,
    known_names,
    rereading,
    without_rereading,
)
from capabilities.rules.episode_offsets import offset_from
from capabilities.rules.evidence import Grade
from capabilities.rules.found import Found
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.stored import found_json, work_json
from capabilities.rules.works import Season, Work, WorkKey, WorkKind
from ledger.stores import releases, works
from ledger.stores.releases import NewRelease, ReleaseRow
from ledger.writer import Transaction
from tests.ledger.moments import START, later
from tests.scene import Scene

SERIES = Work(
    WorkKey("tmdb", WorkKind.SERIES, "77"),
    "Lantern Street",
    2019,
    seasons=(Season(1, 2019, 12), Season(2, 2020, 12)),
)
FILM = Work(WorkKey("tmdb", WorkKind.FILM, "45745"), "Sintel", 2010)
OWN = f"Lantern Street (2019) [{SERIES.key}]"
EPISODE = "Lantern.Street.2019.S02E03.1080p.WEB-DL-GRP"
NOW = IdentityPolicy()


def row(title: str, number: int = 0, **ids: str) -> ReleaseRow:
    found = found_json(Found(title, "loopback", str(number), external_ids=ids))
    return ReleaseRow(
        f"rel_{number}", "loopback", str(number), title, None, None, found, None, None, None, START
    )


def names(*titles: str) -> KnownNames:
    rows = [row(title, number) for number, title in enumerate(titles)]
    return KnownNames(rows, len(rows), (SERIES, FILM))


def worded(*lines: str, policy: IdentityPolicy = NOW) -> IdentityPolicy:
    return replace(policy, words=words_from([*lines]))


def only(there: KnownNames, before: IdentityPolicy, after: IdentityPolicy) -> RereadFacts:
    told = rereading(there, before, after)
    (example,) = told.examples
    return example


def test_a_word_that_gives_a_name_its_title_tells_the_work_that_it_then_means() -> None:
    there = names("Laternenstrasse.2019.S02E03.1080p.WEB-DL-GRP", EPISODE)
    after = worded("replace: Laternenstrasse => Lantern Street")
    told = rereading(there, NOW, after)
    assert (told.releases_read, told.releases_left_out) == (2, 0)
    assert (told.identified_otherwise, told.only_read_otherwise) == (1, 0)
    (example,) = told.examples
    assert example.read_as == "Lantern Street.2019.S02E03.1080p.WEB-DL-GRP"
    assert example.before == "no work that is known here"
    assert example.after == f"{OWN} S02E03, grade B, taken"


def test_a_word_taken_away_tells_what_is_lost() -> None:
    before = worded("replace: Laternenstrasse => Lantern Street")
    example = only(names("Laternenstrasse.2019.S02E03.1080p-GRP"), before, NOW)
    assert example.before == f"{OWN} S02E03, grade B, taken"
    assert example.after == "no work that is known here"


def test_a_word_that_counts_anew_tells_both_episodes() -> None:
    after = worded("offset: Street.2019.S02 <> 1080p >> EP+4")
    example = only(names(EPISODE), NOW, after)
    assert (example.before, example.after) == (
        f"{OWN} S02E03, grade B, taken",
        f"{OWN} S02E07, grade B, taken",
    )


def test_an_offset_of_a_series_moves_the_episodes_of_its_releases_only() -> None:
    offset = offset_from(f"{SERIES.key} 13-24 = S02E01")
    there = names("Lantern.Street.2019.E15.1080p-GRP", "Sintel.2010.1080p.BluRay-GRP")
    told = rereading(there, NOW, replace(NOW, offsets=(offset,)))
    (example,) = told.examples
    assert example.read_as is None
    assert "episodes is open" in example.before
    assert example.before.endswith("asked about")
    assert example.after == f"{OWN} S02E03 (15), grade B, taken"
    assert told.only_read_otherwise == 0


def test_a_series_that_is_counted_through_places_its_numbers() -> None:
    after = replace(NOW, counted_through=(str(SERIES.key),))
    example = only(names("Lantern.Street.2019.E15.1080p-GRP"), NOW, after)
    assert example.after == f"{OWN} S02E03 (15), grade B, taken"


def test_an_offset_moves_what_a_word_forces_too() -> None:
    forced = worded(f"force: Odd.Name => {SERIES.key}")
    offset = offset_from(f"{SERIES.key} S02E03 = S01E09")
    example = only(names("Odd.Name.S02E03.1080p-GRP"), forced, replace(forced, offsets=(offset,)))
    assert example.after == f"{OWN} S01E09 (S02E03 in the name), grade A, taken"


def test_a_grade_that_is_no_longer_accepted_tells_what_would_be_asked_about() -> None:
    there = names("Sintel.2010.1080p.BluRay-GRP", "Nobody.Knows.1999.1080p-GRP")
    example = only(there, NOW, replace(NOW, accepted=(Grade.A,)))
    assert (example.before, example.after) == (
        f"Sintel (2010) [{FILM.key}], grade B, taken",
        f"Sintel (2010) [{FILM.key}], grade B, asked about",
    )


def test_a_word_that_forces_a_work_is_told_whether_or_not_that_is_known_here() -> None:
    there = names("Odd.Name.S02E03.1080p-GRP")
    known = only(there, NOW, worded(f"force: Odd.Name => {SERIES.key}"))
    assert known.after == f"{OWN} S02E03, grade A, taken"
    unknown = only(there, NOW, worded("force: Odd.Name => tmdb:series:404"))
    assert unknown.after == "tmdb:series:404 by your word, of which nothing is kept here yet"


def test_what_is_only_read_otherwise_is_counted_apart_and_named_last() -> None:
    there = names(EPISODE, "Laternenstrasse.2019.S02E03.1080p-GRP")
    after = worded("block: WEB-DL", "replace: Laternenstrasse => Lantern Street")
    told = rereading(there, NOW, after)
    assert (told.identified_otherwise, told.only_read_otherwise) == (1, 1)
    first, second = told.examples
    assert first.before != first.after
    assert second.title == EPISODE
    assert second.before == second.after
    assert "WEB-DL" not in str(second.read_as)


def test_a_word_that_hits_no_known_name_changes_nothing() -> None:
    told = rereading(names(EPISODE), NOW, worded("block: Elsewhere"))
    assert told == Rereading(releases_read=1)


def test_the_ids_that_an_indexer_claims_count_under_both() -> None:
    there = replace(names(), rows=[row("Odd.Name.S02E03.1080p-GRP", tmdb="77")], releases=1)
    example = only(there, NOW, worded("block: 1080p"))
    assert example.before == example.after
    assert example.before == f"{OWN} S02E03, grade C, asked about"


def test_of_many_the_first_are_named_and_the_rest_is_counted() -> None:
    there = names(*(f"Laternenstrasse.2019.S02E{n:02}.1080p-GRP" for n in range(1, 13)), EPISODE)
    more = replace(there, rows=[*there.rows, *names(*["Laternenstrasse.2019.S01E01-A"] * 8).rows])
    told = rereading(
        replace(more, releases=900), NOW, worded("replace: Laternenstrasse => Lantern Street")
    )
    assert (told.identified_otherwise, len(told.examples)) == (20, MOST_SHOWN)
    assert told.examples_left_out == 20 - MOST_SHOWN
    assert told.releases_left_out == 900 - 21


def test_what_there_is_no_time_for_is_left_out_and_counted() -> None:
    told = rereading(names(EPISODE, EPISODE), NOW, worded("block: WEB-DL"), seconds=0.0)
    assert (told.releases_read, told.releases_left_out) == (0, 2)


def test_names_of_strangers_are_cleaned() -> None:
    there = names("Lantern.Street.2019\x1b[2J.S02E03\u202e.1080p-GRP")
    example = only(there, NOW, worded("block: 1080p"))
    for text in (example.title, str(example.read_as), example.before):
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_why_nothing_is_compared_is_told() -> None:
    told = without_rereading(ValueError("words.0: no such kind"))
    assert told.not_compared == "the published version can't be read by: words.0: no such kind"


def kept(tx: Transaction, number: int, work: str | None) -> str:
    found = row(EPISODE, number)
    new = NewRelease("loopback", str(number), EPISODE, None, None, found.found, work, None)
    return releases.keep(tx, new, later(number))


def work_kept(tx: Transaction, work: Work, second: float) -> str:
    return works.keep(
        tx,
        key=str(work.key),
        kind=work.key.kind,
        title=work.title,
        year=work.year,
        body=work_json(work),
        at=later(second),
    )


@pytest.mark.anyio
async def test_what_is_known_are_the_releases_found_last_and_every_work_they_may_mean(
    scene: Scene,
) -> None:
    def fill(tx: Transaction) -> None:
        work_kept(tx, FILM, 1)
        for number in range(MOST_RELEASES + 3):
            kept(tx, number, work_kept(tx, SERIES, 0) if number == 0 else None)

    await scene.write(fill)
    there = await scene.read(known_names)
    assert (len(there.rows), there.releases) == (MOST_RELEASES, MOST_RELEASES + 3)
    assert there.rows[0].guid == str(MOST_RELEASES + 2)
    assert {work.key for work in there.works} == {SERIES.key, FILM.key}


def test_a_work_that_a_name_is_only_like_would_be_asked_about() -> None:
    sky = Work(WorkKey("tmdb", WorkKind.FILM, "5"), "The Big Sky", 1952)
    there = replace(names("Odd.Sky.1952.1080p-GRP"), works=(sky, FILM))
    example = only(there, NOW, worded("replace: Odd => Big"))
    assert example.before == "no work that is known here"
    assert example.after == f"perhaps The Big Sky (1952) [{sky.key}], grade D, asked about"
    twin = replace(sky, key=WorkKey("tmdb", WorkKind.FILM, "6"))
    several = only(replace(there, works=(sky, twin)), NOW, worded("replace: Odd => Big"))
    assert several.after == "one of 2 works, grade D, asked about"

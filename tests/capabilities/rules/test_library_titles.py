from datetime import UTC, datetime, timedelta

from capabilities.rules.library_rows import kept
from capabilities.rules.library_titles import Group, SeenFolder, grouped
from capabilities.rules.recognition.lines import words_from

START = datetime(2026, 5, 1, tzinfo=UTC)
SHOW = "Lantern Street (2019)"


def seen(path: str, *names: str, hours: int = 0) -> SeenFolder:
    held = kept(path, [(name, 900, number, 1) for number, name in enumerate(names)])
    return SeenFolder(path, 1, held, START + timedelta(hours=hours))


def titles(*folders: SeenFolder, words: tuple[str, ...] = ()) -> list[Group]:
    return grouped(folders, words_from(list(words)))


def test_the_episodes_of_all_seasons_are_one_title() -> None:
    (group,) = titles(
        seen(f"{SHOW}/Season 02", f"{SHOW} - S02E01.mkv", hours=2),
        seen(f"{SHOW}/Specials", f"{SHOW} - S00E01.mkv"),
        seen(f"{SHOW}/Season 01", "lantern street (2019) - S01E01.mkv"),
    )
    assert [one.kept.path for one in group.videos] == [
        f"{SHOW}/Season 02/{SHOW} - S02E01.mkv",
        f"{SHOW}/Specials/{SHOW} - S00E01.mkv",
        f"{SHOW}/Season 01/lantern street (2019) - S01E01.mkv",
    ]
    assert group.likeliest.season == 1
    assert group.seen_at == START + timedelta(hours=2)


def test_a_film_and_a_series_of_one_title_are_two() -> None:
    film = seen("Sintel (2010)", "Sintel (2010).mkv", "movie.nfo")
    series = seen("Sintel (2010)/Season 01", "Sintel (2010) - S01E01.mkv")
    assert [group.heading.counted for group in titles(film, series)] == [False, True]


def test_the_numbers_of_a_work_are_looked_for_beside_it() -> None:
    (film,) = titles(seen("Sintel (2010)", "Sintel (2010).mkv", "Sintel (2010).nfo", "movie.nfo"))
    assert film.nfos == ["Sintel (2010)/Sintel (2010).nfo", "Sintel (2010)/movie.nfo"]
    (series,) = titles(
        seen(SHOW, "tvshow.nfo"),
        seen(f"{SHOW}/Season 01", f"{SHOW} - S01E01.mkv", f"{SHOW} - S01E01.nfo"),
    )
    assert series.nfos == [f"{SHOW}/tvshow.nfo"]


def test_the_owners_words_make_a_title_of_their_own() -> None:
    folder = seen(f"{SHOW}/Season 01", f"{SHOW} - S01E01.mkv", "Pilot Cut S01E02.mkv")
    words = ("force: Pilot Cut => tmdb:series:900001 season 2 episode 3",)
    forced, plain = sorted(titles(folder, words=words), key=lambda group: group.forced is None)
    assert forced.forced == "tmdb:series:900001"
    assert [(one.season, one.episodes) for one in forced.videos] == [(2, (3,))]
    assert [one.kept.path for one in plain.videos] == [f"{SHOW}/Season 01/{SHOW} - S01E01.mkv"]


def test_works_of_one_title_that_say_other_ids_are_two() -> None:
    made = titles(
        seen("Pinocchio (2022) [tmdbid-555604]", "Pinocchio (2022).mkv"),
        seen("Pinocchio (2022) [tmdbid-532639]", "Pinocchio (2022).mkv"),
        seen("Pinocchio (2022) {TMDB-532639}", "Pinocchio (2022) 4k.mkv"),
    )
    assert [len(group.videos) for group in made] == [1, 1, 1]


def test_series_of_one_title_with_files_of_numbers_of_their_own_are_two() -> None:
    uk, us = titles(
        seen("UK/Ghosts", "tvshow.nfo"),
        seen("UK/Ghosts/Season 01", "Ghosts - S01E01.mkv", "Ghosts - S01E02.mkv"),
        seen("US/Ghosts", "tvshow.nfo"),
        seen("US/Ghosts/Season 01", "Ghosts - S01E01.mkv"),
    )
    assert (uk.nfos, us.nfos) == (["UK/Ghosts/tvshow.nfo"], ["US/Ghosts/tvshow.nfo"])
    assert (len(uk.videos), len(us.videos)) == (2, 1)

from capabilities.rules.evidence import Grade
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.names.parsing import parse
from capabilities.rules.pack_identity import (
    MOST_FILES,
    Pack,
    counts_through,
    file_name,
    identify_files,
    own_name,
    videos_among,
)
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.time_budget import Budget
from tests.capabilities.rules.shelf import PIONEER, SINTEL, film

OTHER = film("Caminandes", 2013, "99")


def test_a_bare_number_counts_an_episode_whatever_folder_it_is_in() -> None:
    assert own_name("001.mkv").episodes == (1,)
    assert own_name("Show/002.zh.mkv").episodes == (2,)
    assert own_name("Show/Sintel.2010.mkv").titles == ("Sintel",)


def test_only_a_lone_file_takes_the_episodes_of_its_release() -> None:
    release = parse("Pioneer.One.S01E02.720p")
    assert file_name("0badf00d.mkv", release, alone=True).episodes == (2,)
    of_many = file_name("Pioneer.One.E03.mkv", release, alone=False)
    assert (of_many.seasons, of_many.episodes) == ((1,), (3,))


def test_one_film_of_several_takes_neither_year_nor_id_from_above() -> None:
    release = parse("Films.1999.{tmdb-1}")
    name = file_name("Films.1999.{tmdb-1}/Sintel.mkv", release, alone=False)
    assert (name.title, name.year, dict(name.external_ids)) == ("Sintel", None, {})
    alone = file_name("Films.1999.{tmdb-1}/Sintel.mkv", release, alone=True)
    assert (alone.year, dict(alone.external_ids)) == (1999, {"tmdb": "1"})


def test_a_claimed_id_counts_for_a_lone_film_and_not_for_one_of_several() -> None:
    pack = Pack(parse("Blender"), {"tmdb": "45745"}, (SINTEL, OTHER))
    (alone,) = identify_files(["Sintel.mkv"], pack)
    assert alone.identity.grade is Grade.A
    both = identify_files(["Sintel.2010.mkv", "Caminandes.2013.mkv"], pack)
    assert [(one.identity.grade, one.identity.work) for one in both] == [
        (Grade.B, SINTEL),
        (Grade.B, OTHER),
    ]


def test_a_file_with_works_of_its_own_is_compared_with_no_others() -> None:
    own = {"Caminandes.2013.mkv": (SINTEL,)}
    pack = Pack(parse("Blender"), {}, (SINTEL, OTHER), own=own)
    found = identify_files(["Sintel.2010.mkv", "Caminandes.2013.mkv"], pack)
    assert [one.identity.work for one in found] == [SINTEL, None]


def test_files_that_there_is_no_time_for_are_left_out() -> None:
    pack = Pack(parse("Blender"), {}, (SINTEL, OTHER))
    assert identify_files(["Sintel.2010.mkv"], pack, Budget(0)) == []
    assert len(identify_files(["Sintel.2010.mkv"], pack, Budget(60))) == 1


def test_words_are_applied_to_each_file() -> None:
    words = words_from(["replace: Durian => Sintel"])
    pack = Pack(parse("Blender"), {}, (SINTEL, OTHER), words=words)
    found = identify_files(["Durian.2010.mkv", "Caminandes.2013.mkv"], pack)
    assert found[0].identity.work == SINTEL


def test_a_part_that_two_films_may_be_is_none() -> None:
    films = (film("Old Story 2", 1990, "1"), film("Old Story 2: Again", 1991, "2"))
    videos = ["II/b.mkv", "Part 2/c.mkv"]
    both = identify_files(videos, Pack(parse("Old Story Collection"), {}, films))
    assert [one.identity.work for one in both] == [None, None]
    alone = identify_files(videos, Pack(parse("Old Story Collection"), {}, films[:1]))
    assert [one.identity.work for one in alone] == [films[0], films[0]]


def test_what_counts_through_is_told_from_what_has_a_season() -> None:
    def through(release: str, *paths: str) -> bool:
        return counts_through([DownloadedFile(path, 500) for path in paths], parse(release))

    assert through("[G] Pioneer One", "[G] Pioneer One - 05.mkv", "x.nfo")
    assert not through("[G] Pioneer One S2", "[G] Pioneer One - 05.mkv", "06.mkv")
    assert not through("Sintel", "Sintel.mkv")
    files = [DownloadedFile("Pioneer One Teil Fünf.mkv", 500)]
    assert not counts_through(files, parse("[G] Pioneer One"))
    words = words_from(["replace: Teil Fünf => - 05"])
    assert counts_through(files, parse("[G] Pioneer One"), words)


def test_what_is_to_be_identified_are_the_videos() -> None:
    paths = ("Sintel.mkv", "Sintel.nfo", "sample/sintel-sample.mkv", "Sintel.srt")
    files = [DownloadedFile(path, 900 if path == "Sintel.mkv" else 9) for path in paths]
    assert videos_among(files) == ["Sintel.mkv"]


def test_there_is_an_end_to_the_files() -> None:
    pack = Pack(parse("Pioneer One S01"), {}, (PIONEER,))
    assert len(identify_files([f"{n}.mkv" for n in range(2_000)], pack)) == MOST_FILES

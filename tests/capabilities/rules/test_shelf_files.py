import pytest

from capabilities.rules.file_kinds import FileKind
from capabilities.rules.shelf_files import Heading, read_folder

SHOW = "Series/Harbour Lights (2012)"
GB = 1_000_000_000


def kinds(path: str, *files: tuple[str, int]) -> dict[str, FileKind]:
    return {one.name: one.kind for one in read_folder(path, files)}


def test_episodes_say_their_series_season_and_numbers() -> None:
    name = "Harbour Lights (2012) - S01E02-E03 - Rain [WEBDL-1080p].mkv"
    video, subtitle = read_folder(f"{SHOW}/Season 01", [(name, GB), (f"{name[:-4]}.en.srt", 90)])
    assert video.heading == Heading("Harbour Lights", 2012, counted=True)
    assert (video.season, video.episodes) == (1, (2, 3))
    assert (subtitle.kind, subtitle.heading) == (FileKind.SUBTITLE, None)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Films/Sintel (2010)", "Sintel (2010).mkv"),
        ("Films/Sintel (2010) {tmdb-45745}", "Sintel (2010) - [Bluray-1080p].mkv"),
        ("Films", "Sintel.2010.1080p.BluRay.x264-OPEN.mkv"),
        ("", "Sintel (2010).mkv"),
    ],
)
def test_a_film_says_title_and_year(path: str, name: str) -> None:
    (film,) = read_folder(path, [(name, GB)])
    assert film.heading == Heading("Sintel", 2010, counted=False)
    assert (film.kind, film.season, film.episodes) == (FileKind.VIDEO, None, ())


def test_samples_extras_and_discs_are_no_videos() -> None:
    film = ("Sintel (2010).mkv", GB)
    told = kinds(
        "Films/Sintel (2010)", film, ("sample.mkv", 9_000_000), ("Sintel (2010)-trailer.mkv", GB)
    )
    assert list(told.values()) == [FileKind.VIDEO, FileKind.SAMPLE, FileKind.EXTRA]
    assert kinds(f"{SHOW}/Extras", ("Harbour Lights - S01E01.mkv", GB)).popitem()[1] == "extra"
    assert kinds("Films/Sintel/BDMV/STREAM", ("00001.m2ts", GB)).popitem()[1] == FileKind.DISC


def test_an_episode_is_a_video_whatever_it_is_called() -> None:
    told = kinds(f"{SHOW}/Season 01", ("Harbour Lights - S01E04 - The Interview.mkv", GB))
    assert set(told.values()) == {FileKind.VIDEO}


def test_what_is_not_plainly_numbered_is_read_whole() -> None:
    told = read_folder("Series/Harbour Lights/Season 2", [("03 - Rain.mkv", GB)])
    assert told[0].heading == Heading("Harbour Lights", None, counted=True)
    assert (told[0].season, told[0].episodes) == (2, (3,))
    anime = read_folder("Anime", [("[Group] Harbour Lights - 14 [1080p].mkv", GB)])
    assert anime[0].heading == Heading("Harbour Lights", None, counted=True)
    assert (anime[0].season, anime[0].episodes) == (None, ())


def test_artwork_is_told_from_other_pictures() -> None:
    told = kinds("Films/Sintel (2010)", ("poster.jpg", 9), ("Sintel-fanart.png", 9), ("x.jpg", 9))
    assert list(told.values()) == [FileKind.ARTWORK, FileKind.ARTWORK, FileKind.OTHER]


def test_a_sample_is_told_among_thousands_in_one_folder() -> None:
    films = [(f"Film.{number}.2010.mkv", GB) for number in range(300)]
    told = read_folder("Films", [*films, ("Film.1.2010.sample.mkv", 9_000_000)])
    assert [one.name for one in told if one.kind is not FileKind.VIDEO] == [
        "Film.1.2010.sample.mkv"
    ]
    assert {one.heading for one in told[:3]} == {
        Heading(f"Film {number}", 2010, counted=False) for number in range(3)
    }

import unicodedata
from dataclasses import replace
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capabilities.rules.name_tokens import EpisodeFacts
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.naming import Naming, NamingPreset
from capabilities.rules.shelf_paths import Called
from capabilities.rules.shelf_paths import episode_path as path_of_episode
from capabilities.rules.shelf_paths import film_path as path_of_film
from capabilities.rules.works import Episode, Season, Work, WorkKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL, film, series

DISC = parse("Sintel.2010.1080p.BluRay.x264-GROUP")
WEB = parse("Pioneer.One.S01E01.1080p.WEB-DL.H.265-GROUP")
PLEX, JELLYFIN, EMBY, KODI = NamingPreset


def film_path(
    work: Work, name: ReleaseName, preset: NamingPreset, *, extension: str
) -> PurePosixPath:
    return path_of_film(work, Called(name), Naming(preset), extension=extension)


def episode_path(
    work: Work,
    name: ReleaseName,
    preset: NamingPreset,
    *,
    season: int,
    episodes: list[int],
    extension: str,
) -> PurePosixPath:
    facts = EpisodeFacts(season, tuple(episodes))
    return path_of_episode(work, Called(name), Naming(preset), facts=facts, extension=extension)


JELLYFIN_FOLDER = "Sintel (2010) [tmdbid-45745]"
EMBY_FOLDER = "Sintel (2010) [tmdbid=45745]"


@pytest.mark.parametrize(
    ("preset", "path"),
    [
        (PLEX, "Sintel (2010) {tmdb-45745}/Sintel (2010) - [Bluray-1080p][x264]-GROUP.mkv"),
        (JELLYFIN, f"{JELLYFIN_FOLDER}/{JELLYFIN_FOLDER} - [Bluray-1080p][x264]-GROUP.mkv"),
        (EMBY, f"{EMBY_FOLDER}/{EMBY_FOLDER} - [Bluray-1080p][x264]-GROUP.mkv"),
        (KODI, "Sintel (2010)/Sintel (2010) - [Bluray-1080p][x264]-GROUP.mkv"),
    ],
)
def test_a_film_stands_where_each_server_looks(preset: NamingPreset, path: str) -> None:
    assert str(film_path(SINTEL, DISC, preset, extension=".mkv")) == path


def test_an_episode_stands_in_its_season() -> None:
    path = episode_path(PIONEER, WEB, PLEX, season=1, episodes=[1], extension="MKV")
    assert str(path) == (
        "Pioneer One (2010) {tmdb-4711}/Season 01/"
        "Pioneer One (2010) - S01E01 - Earthfall [WEBDL-1080p][x265]-GROUP.mkv"
    )


@pytest.mark.parametrize(
    ("season", "episodes", "said"),
    [
        (1, [2, 1], "S01E01-E02 - Earthfall + The Man from Mars ["),
        (1, [1, 3], "S01E01E03 - Earthfall + Alone in the Night ["),
        (1, [3], "S01E03 - Alone in the Night (1) ["),
        (2, [2], "S02E02 ["),
        (0, [1], "S00E01 ["),
        (7, [123], "S07E123 ["),
    ],
)
def test_several_episodes_are_one_range_with_their_titles(
    season: int, episodes: list[int], said: str
) -> None:
    path = episode_path(PIONEER, WEB, KODI, season=season, episodes=episodes, extension="mkv")
    assert path.name.startswith(f"Pioneer One (2010) - {said}")
    assert path.parts[1] == f"Season {season:02d}"


def test_the_parts_of_one_story_share_its_name() -> None:
    season = Season(1, None, 2, (Episode(1, "Finale (1)"), Episode(2, "Finale (2)")))
    show = series("Show", None, seasons=(season,))
    path = episode_path(show, parse("x"), KODI, season=1, episodes=[1, 2], extension="mkv")
    assert path.name == "Show - S01E01-E02 - Finale.mkv"


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("T.2020", "Sintel (2010)"),
        ("T.2020.1080p", "Sintel (2010) - [1080p]"),
        ("T.2020.PROPER.1080p.WEB-DL", "Sintel (2010) - [WEBDL-1080p Proper]"),
        ("T.2020.2160p.DV.HDR.REMUX.HEVC", "Sintel (2010) - [Remux-2160p][DV HDR10][x265]"),
        ("T.2020.Directors.Cut.1080p", "Sintel (2010) {edition-Directors Cut} - [1080p]"),
        ("T.2020.VHSRip", "Sintel (2010) - [VHS]"),
        ("T.2020.AV1.1080p", "Sintel (2010) - [1080p][AV1]"),
    ],
)
def test_quality_and_edition_are_what_the_name_says(text: str, stem: str) -> None:
    assert film_path(SINTEL, parse(text), PLEX, extension="mkv").stem == stem


def test_other_servers_get_the_edition_in_the_version_label() -> None:
    path = film_path(SINTEL, parse("T.2020.Redux.1080p"), KODI, extension="mkv")
    assert path.name == "Sintel (2010) - [Redux][1080p].mkv"


def test_a_work_of_another_source_carries_an_id_that_servers_know() -> None:
    work = replace(SINTEL, key=replace(SINTEL.key, source="bangumi"))
    assert film_path(work, DISC, PLEX, extension="mkv").parts[0] == "Sintel (2010) {imdb-tt1727587}"
    nothing = replace(work, external_ids={"imdb": "tt/../1"})
    assert film_path(nothing, DISC, PLEX, extension="mkv").parts[0] == "Sintel (2010)"


@pytest.mark.parametrize(
    ("title", "folder"),
    [
        ("Mission: Impossible", "Mission - Impossible (2010)"),
        ("Face/Off", "Face+Off (2010)"),
        ("Re:Zero", "Re-Zero (2010)"),
        ("What?", "What! (2010)"),
        ('A "B" <C> | D*', "A B C D- (2010)"),
        ("...And Justice", "And Justice (2010)"),
        ("Sintel {tmdb-666}", "Sintel (tmdb-666) (2010)"),
        ("[REC]", "(REC) (2010)"),
        ("Shōgun", "Shōgun (2010)"),
        (unicodedata.normalize("NFD", "Shōgun"), "Shōgun (2010)"),
        ("../../etc", "+..+etc (2010)"),
        ("a\u202eb\u200fc\x00\x1fd", "abcd (2010)"),
        ("???", "!!! (2010)"),
        ("|||", "tmdb 45745 (2010)"),
        ("", "tmdb 45745 (2010)"),
    ],
)
def test_what_a_file_system_cannot_hold_is_replaced(title: str, folder: str) -> None:
    assert film_path(film(title, 2010), DISC, KODI, extension="mkv").parts[0] == folder


@pytest.mark.parametrize("device", ["CON", "nul", "Com1", "LPT\u00b9", "aux"])
def test_device_names_are_avoided(device: str) -> None:
    folder = film_path(film(device, None), parse("x"), KODI, extension="mkv")
    assert str(folder) == f"{device}_/{device}_.mkv"


def test_a_long_title_is_cut_between_characters_and_keeps_the_rest() -> None:
    path = film_path(film("映画" * 200, 2010), DISC, JELLYFIN, extension="mkv")
    assert path.name.endswith(" (2010) [tmdbid-45745] - [Bluray-1080p][x264]-GROUP.mkv")
    assert all(len(part.encode()) <= 255 for part in path.parts)
    assert path.name.startswith(path.parts[0])


def test_a_long_episode_title_gives_way_first() -> None:
    season = Season(1, None, 1, (Episode(1, "長い題名" * 100),))
    show = series("題" * 200, 2010, seasons=(season,))
    path = episode_path(show, WEB, PLEX, season=1, episodes=[1], extension="mkv")
    assert len(path.name.encode()) <= 230
    assert " (2010) - S01E01 - 長い題名" in path.name
    assert path.name.endswith("長い... [WEBDL-1080p][x265]-GROUP.mkv")


def test_no_title_looks_like_an_episode_number() -> None:
    season = Season(1, None, 1, (Episode(1, "1-23-45 S02E03 4x05"),))
    show = series("Show", None, seasons=(season,))
    path = episode_path(show, parse("x"), KODI, season=1, episodes=[1], extension="mkv")
    assert path.name == "Show - S01E01 - 1 23 45 S02 E03 4 x 05.mkv"


@pytest.mark.parametrize("extension", ["", ".", "mkv/../x", "m kv", "abcdefghijk", "mkv\n"])
def test_an_extension_that_is_none_is_refused(extension: str) -> None:
    with pytest.raises(ValueError, match="extension"):
        film_path(SINTEL, DISC, PLEX, extension=extension)


def test_an_episode_without_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="episode number"):
        episode_path(PIONEER, WEB, PLEX, season=1, episodes=[], extension="mkv")


HOSTILE = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from('./\\:*?"<>|\0\u202e\u200d \u0301\u0338\n{}[]'),
    ),
    max_size=400,
)
PRESETS = st.sampled_from(NamingPreset)


def assert_is_safe(path: PurePosixPath, depth: int) -> None:
    assert len(path.parts) == depth
    assert not path.is_absolute()
    for part in path.parts:
        assert part not in {"", ".", ".."}
        assert len(part.encode()) <= 255
        assert unicodedata.is_normalized("NFC", part)
        assert not set(part) & set('/\\:*?"<>|')
        assert not part.startswith((".", " "))
        assert not part.endswith((".", " "))
        categories = {unicodedata.category(s)[0] for s in part if s not in "\u200c\u200d"}
        assert "C" not in categories
        assert part.split(".")[0].rstrip().lower() not in {"con", "prn", "aux", "nul", "com1"}


@given(title=HOSTILE, group=HOSTILE, preset=PRESETS, year=st.none() | st.integers(1888, 2030))
@example(title="..", group="..", preset=PLEX, year=None)
@example(title="../" * 90, group="a/b", preset=JELLYFIN, year=2010)
@example(title='a"\u0301', group="", preset=KODI, year=None)
@example(title="con.", group="", preset=KODI, year=None)
def test_no_title_can_lead_out_of_a_films_folder(
    title: str, group: str, preset: NamingPreset, year: int | None
) -> None:
    name = replace(DISC, group=group)
    assert_is_safe(film_path(film(title, year), name, preset, extension="mkv"), 2)


@given(
    title=HOSTILE,
    episode=HOSTILE,
    preset=PRESETS,
    episodes=st.lists(st.integers(0, 5000), min_size=1, max_size=4),
)
def test_no_title_can_lead_out_of_a_seasons_folder(
    title: str, episode: str, preset: NamingPreset, episodes: list[int]
) -> None:
    known = tuple(Episode(number, episode) for number in episodes)
    work = series(title, 2010, seasons=(Season(1, None, 0, known),))
    assert work.key.kind is WorkKind.SERIES
    path = episode_path(work, WEB, preset, season=1, episodes=episodes, extension="mkv")
    assert_is_safe(path, 3)

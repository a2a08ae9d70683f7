from pathlib import PurePosixPath

import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.importing import plan_import
from capabilities.rules.name_samples import shown
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import Named, Naming, NamingPreset, Templates
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.safe_names import ColonRule
from capabilities.rules.works import Work
from tests.capabilities.rules.shelf import PIONEER, SINTEL, film

EPISODE = "{title} - {episode_code}< - {episode_title}>"
OWN = Templates(
    film_folder="{title_the}< ({year})>< [imdbid-{imdb}]>",
    film_file="{title}< ({year})>< [{source}]>< [{resolution}]>< [{codec}]>< [{audio}]>"
    "< [{languages}]>< - {original_name}>",
    specials_folder="Specials",
    episode_file=EPISODE,
    special_file=f"{EPISODE}<, {{air_date}}>",
    daily_file="{title}< - {air_date}>< - {episode_title}>",
    anime_file="{title} - {episode_code}< - {absolute:03}>",
)


def names(
    work: Work,
    *files: str,
    templates: Templates = OWN,
    colon: ColonRule = ColonRule.SMART,
) -> list[str]:
    policy = OrganizePolicy(preset=NamingPreset.KODI, templates=templates, colon=colon)
    held = [DownloadedFile(path, 10**9 - at) for at, path in enumerate(files)]
    made = plan_import(held, Identity(Grade.A, work), parse("x"), policy, runtime=None)
    return [str(PurePosixPath(*one.target.parts[1:])) for one in made.placements]


def test_what_the_owner_does_not_write_is_the_presets() -> None:
    naming = Naming(NamingPreset.PLEX, Templates(episode_file=EPISODE))
    assert naming.template(Named.EPISODE_FILE) == EPISODE
    assert naming.template(Named.DAILY_FILE) == EPISODE
    assert naming.template(Named.SPECIALS_FOLDER) == "Season {season:02}"
    assert naming.template(Named.FILM_FOLDER).startswith("{title}< ({year})>< {{")


def test_a_film_is_called_by_the_owners_template() -> None:
    file = "Sintel.2010.1080p.BluRay.TrueHD.7.1.Atmos.x264.GERMAN.ENGLISH-GRP"
    (name,) = names(SINTEL, f"{file}.mkv")
    assert name == (
        "Sintel (2010) [imdbid-tt1727587]/Sintel (2010) [Bluray] [1080p] [x264]"
        f" [TrueHD Atmos 7.1] [DE+EN] - {file}.mkv"
    )


def test_an_article_goes_behind_the_title_where_asked() -> None:
    (name,) = names(film("The Matrix", 1999), "The.Matrix.1999.mkv")
    assert name.startswith("Matrix, The (1999)/The Matrix (1999)")


def test_each_episode_has_the_template_of_how_its_file_counts() -> None:
    assert names(
        PIONEER,
        "Pioneer.One.S01E01.mkv",
        "Pioneer.One.2010.12.15.mkv",
        "Pioneer.One.S00E01.mkv",
    ) == [
        "Pioneer One (2010)/Season 01/Pioneer One - S01E01 - Earthfall.mkv",
        "Pioneer One (2010)/Season 01/Pioneer One - 2010-12-15 - The Man from Mars.mkv",
        "Pioneer One (2010)/Specials/Pioneer One - S00E01.mkv",
    ]


def test_an_anime_episode_has_its_number_of_all_behind_its_code() -> None:
    (anime,) = [one for one in shown() if one.what == "anime episode"]
    assert anime.path(Naming(templates=OWN)).name == "Lantern Street - S01E101 - 101.mkv"


@pytest.mark.parametrize("rule", ColonRule)
def test_arr_52_folder_and_file_follow_one_rule_for_colons(rule: ColonRule) -> None:
    work = film("Mission: Re:Start", 2010)
    (name,) = names(work, "m.mkv", templates=Templates(), colon=rule)
    folder, _, file = name.partition("/")
    assert file == f"{folder}.mkv"
    assert ":" not in name


def test_a_double_episode_and_a_long_title_fit_and_keep_their_numbers() -> None:
    for sample in shown():
        path = sample.path(Naming(NamingPreset.JELLYFIN))
        assert all(len(part.encode()) <= 255 for part in path.parts), sample.what
        assert sample.facts is None or " - S0" in path.name

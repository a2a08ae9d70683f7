import pytest

from capabilities.policy.renaming import Renaming, Shelved, renaming, shelved
from capabilities.rules.naming import NamingPreset, Templates
from capabilities.rules.organize_policy import OrganizePolicy
from ledger.stores.copies import CopyRow
from tests.capabilities.rules.shelf import PIONEER, SINTEL
from tests.scene import Scene

PLEX = OrganizePolicy()
KODI = OrganizePolicy(preset=NamingPreset.KODI)


def row(work: str, title: str, season: int = 0, episode: int = 0) -> CopyRow:
    return CopyRow(work, season, episode, title, None, "a" * 40, in_flight=False)


def told(there: Shelved, before: OrganizePolicy | None, after: OrganizePolicy) -> dict[str, str]:
    found = renaming(there, before, after)
    return {one.what: f"{one.before} → {one.after}" for one in found.names if one.in_library}


def test_works_of_the_library_are_shown_as_they_are_called_now_and_then() -> None:
    there = Shelved(
        [
            row("w1", "Sintel.2010.1080p.BluRay.x264-GRP"),
            row("w2", "Pioneer.One.S01E01.720p", 1, 1),
            row("w2", "Pioneer.One.S00E02.720p", 0, 2),
        ],
        {"w1": SINTEL, "w2": PIONEER},
    )
    own = OrganizePolicy(
        preset=NamingPreset.KODI, templates=Templates(special_file="{title} {episode_code} extra")
    )
    assert told(there, KODI, own) == {
        "Sintel (2010)": "Sintel (2010)/Sintel (2010) - [Bluray-1080p][x264]-GRP.mkv → "
        "Sintel (2010)/Sintel (2010) - [Bluray-1080p][x264]-GRP.mkv",
        "Pioneer One (2010) S01E01": "Pioneer One (2010)/Season 01/"
        "Pioneer One (2010) - S01E01 - Earthfall [720p].mkv → Pioneer One (2010)/Season 01/"
        "Pioneer One (2010) - S01E01 - Earthfall [720p].mkv",
        "Pioneer One (2010) S00E02": "Pioneer One (2010)/Season 00/"
        "Pioneer One (2010) - S00E02 [720p].mkv → Pioneer One (2010)/Season 00/"
        "Pioneer One S00E02 extra.mkv",
    }


def test_without_a_library_examples_of_every_kind_are_shown() -> None:
    found = renaming(Shelved(), PLEX, KODI)
    kinds = [one.what for one in found.names]
    assert len(kinds) == found.tried == found.changed == 9
    for word in ("edition", "two episodes", "special", "daily", "anime", "Japanese", "signs"):
        assert any(word in kind for kind in kinds), word
    assert not any(one.in_library for one in found.names)


def test_what_changes_no_name_shows_none() -> None:
    later = OrganizePolicy(seen_within_minutes=5)
    assert renaming(Shelved(), PLEX, later) == Renaming(tried=9, changed=0, names=[])


def test_where_the_policy_in_force_cannot_be_used_only_the_draft_names() -> None:
    found = renaming(Shelved(), None, PLEX)
    assert all(one.before is None for one in found.names)
    assert found.changed == 9


@pytest.mark.anyio
async def test_a_draft_of_templates_shows_names_before_it_is_published(scene: Scene) -> None:
    patch = '{"templates": {"film_file": "{title}< ({year})>"}}'
    draft = await scene.answer("policy.preview", kind="organize", patch=patch)
    film = next(one for one in draft["renaming"]["names"] if one["what"] == "film")
    assert film["before"].endswith("(1959) - [Bluray-1080p][x264]-GRP.mkv")
    assert film["after"].endswith("/The Night Train (1959).mkv")
    assert not (await scene.read(shelved)).copies

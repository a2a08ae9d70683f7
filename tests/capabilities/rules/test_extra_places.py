import pytest

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.import_plan import ImportPlan, Role
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.works import Work
from tests.capabilities.rules.shelf import PIONEER, SINTEL


def plan(work: Work, files: dict[str, int], *, extras: bool = True) -> ImportPlan:
    held = [DownloadedFile(path, size * 10**6) for path, size in files.items()]
    policy = OrganizePolicy(preset=NamingPreset.KODI, extras=extras)
    return plan_import(held, Identity(Grade.A, work), parse("x"), policy, runtime=None)


def placed(made: ImportPlan) -> dict[str, str]:
    return {one.source: str(one.target) for one in made.placements if one.role is Role.EXTRA}


@pytest.mark.parametrize(
    ("file", "target"),
    [
        ("S/Featurettes/Making Of.mkv", "Featurettes/Making Of.mkv"),
        ("S/Sintel-trailer.mkv", "Trailers/Sintel-trailer.mkv"),
        ("S/Deleted Scenes/1.mkv", "Deleted Scenes/1.mkv"),
        ("S/Extras/A - B.mkv", "Other/A - B.mkv"),
        ("S/[G] Sintel [PV01][1080p].mkv", "Trailers/[G] Sintel [PV01][1080p].mkv"),
    ],
)
def test_an_extra_stands_in_the_folder_for_its_kind(file: str, target: str) -> None:
    made = plan(SINTEL, {"S/Sintel.2010.mkv": 4000, file: 300})
    assert placed(made) == {file: f"films/Sintel (2010)/{target}"}
    assert not made.left


def test_those_of_a_series_stand_in_its_folder_and_get_distinct_names() -> None:
    files = {
        "a/Pioneer.One.S01E01.mkv": 500,
        "a/Extras/1.mkv": 50,
        "a/Bonus/1.mkv": 50,
    }
    assert placed(plan(PIONEER, files)) == {
        "a/Extras/1.mkv": "series/Pioneer One (2010)/Other/1.mkv",
        "a/Bonus/1.mkv": "series/Pioneer One (2010)/Other/1.2.mkv",
    }


def test_without_the_owners_wish_or_without_the_film_they_stay() -> None:
    files = {"S/Sintel.2010.mkv": 4000, "S/Sintel-trailer.mkv": 90}
    assert not placed(plan(SINTEL, files, extras=False))
    alone = plan(SINTEL, {"S/Trailers/1.mkv": 90, "S/sample.mkv": 4})
    assert not alone.placements
    assert len(alone.left) == 2

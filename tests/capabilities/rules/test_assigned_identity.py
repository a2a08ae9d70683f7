import pytest

from capabilities.rules.assigned_identity import (
    ASSIGNED,
    Assigned,
    AssignedFile,
    assigned_from,
    problem,
)
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.naming import NamingPreset
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.works import Work, WorkKind
from tests.capabilities.rules.shelf import PIONEER, SINTEL

POLICY = OrganizePolicy(preset=NamingPreset.KODI)
LONG = f"x/{'n' * 240}.mkv"


def placed(work: Work, assigned: Assigned, *paths: str) -> dict[str, str]:
    """Where videos go by that word, without the library root and folder."""
    files = [DownloadedFile(path, 10**9) for path in paths]
    made = plan_import(
        files,
        Identity(Grade.A, work),
        parse("Anything.2001.1080p.WEB-DL"),
        POLICY,
        runtime=None,
        words=assigned.words(work.key),
    )
    return {one.source: one.target.name for one in made.placements}


@pytest.mark.parametrize(
    ("path", "file", "code"),
    [
        ("x/xq.mkv", AssignedFile("x/xq.mkv", 1, (2,)), "S01E02"),
        ("x/Other.Show.S05E09.mkv", AssignedFile("x/Other.Show.S05E09.mkv", 1, (2,)), "S01E02"),
        ("x/xq.mkv", AssignedFile("x/xq.mkv", 1, (1, 2)), "S01E01-E02"),
        ("x/xq.mkv", AssignedFile("x/xq.mkv", 0, (1,)), "S00E01"),
        ("x/a (b) [c].mkv", AssignedFile("x/a (b) [c].mkv", 2, (1,)), "S02E01"),
        (LONG, AssignedFile(LONG, 1, (3,)), "S01E03"),
    ],
)
def test_a_file_goes_where_it_was_said_to(path: str, file: AssignedFile, code: str) -> None:
    (name,) = placed(PIONEER, Assigned(files=(file,)), path).values()
    assert code in name


def test_a_word_about_one_file_is_not_about_one_that_is_named_like_it() -> None:
    said = Assigned(files=(AssignedFile("x/01.mkv", 2, (2,)),))
    names = placed(PIONEER, said, "x/01.mkv", "x/Pioneer One S01E01 01.mkv")
    assert "S02E02" in names["x/01.mkv"]
    assert "S01E01" in names["x/Pioneer One S01E01 01.mkv"]


def test_a_season_is_of_the_files_that_are_not_named() -> None:
    names = placed(PIONEER, Assigned(season=2), "x/Another Show - 01.mkv", "x/02.mkv")
    assert {name[name.index("S0") :][:6] for name in names.values()} == {"S02E01", "S02E02"}


def test_one_of_several_films_is_told_by_its_file() -> None:
    said = Assigned(files=(AssignedFile("x/b.mkv"),))
    assert list(placed(SINTEL, said, "x/a.mkv", "x/b.mkv")) == ["x/b.mkv"]
    assert list(placed(SINTEL, Assigned(), "x/a.mkv", "x/b.mkv")) == []


def test_it_is_stored_and_read_as_it_was() -> None:
    said = Assigned(1, (AssignedFile("x/a.mkv", None, (1, 2)), AssignedFile("x/b.mkv", 3, (1,))))
    assert assigned_from({ASSIGNED: said.stored(), "work": "work_1"}) == said
    assert assigned_from({"work": "work_1"}) is None
    assert assigned_from(None) is None


@pytest.mark.parametrize(
    ("said", "kind", "why"),
    [
        (Assigned(files=(AssignedFile("x/z.mkv", 1, (1,)),)), WorkKind.SERIES, "no file"),
        (Assigned(files=(AssignedFile("x/a.mkv", 1, (1,)),) * 2), WorkKind.SERIES, "twice"),
        (Assigned(files=(AssignedFile("x/b.mkv", 1, (1,)),)), WorkKind.SERIES, "more than one"),
        (Assigned(files=(AssignedFile("x/a.mkv", 1),)), WorkKind.SERIES, "without its episodes"),
        (Assigned(files=(AssignedFile("x/a.mkv", 1, (1,)),)), WorkKind.FILM, "no episodes"),
        (Assigned(season=1), WorkKind.FILM, "no episodes"),
        (Assigned(files=(AssignedFile("x/a.mkv"),)), WorkKind.FILM, None),
        (Assigned(season=1), WorkKind.SERIES, None),
    ],
)
def test_a_word_that_cannot_be_carried_out_says_why(
    said: Assigned, kind: WorkKind, why: str | None
) -> None:
    found = problem(said, ["x/a.mkv", "x/b.mkv", "x/2/b.mkv"], kind)
    assert found == why or (why is not None and why in (found or ""))

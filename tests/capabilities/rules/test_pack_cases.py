"""Reported packs and files that were taken for the wrong thing, by the row of each report."""

from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.identity import accepts
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.importing import plan_import
from capabilities.rules.names.parsing import parse
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.pack_identity import Pack, identify_files
from capabilities.rules.recognition.lines import words_from
from capabilities.rules.sidecars import owner_of
from tests.capabilities.rules.reported import (
    AFFAIRS,
    GHOSTS,
    JUJUTSU,
    NEVERLAND,
    long,
)
from tests.capabilities.rules.shelf import film

DEFAULT = IdentityPolicy()


def test_id_20_bare_numbers_are_episodes_and_a_language_is_none() -> None:
    show = long("Show", 2020, 12)
    files = [DownloadedFile(path, 500) for path in ("001.mkv", "002.zh.mkv")]
    plan = plan_import(
        files, Identity(Grade.A, show), parse("Show S01 1080p"), OrganizePolicy(), runtime=None
    )
    targets = {one.source: one.target.name for one in plan.placements}
    assert "S01E01" in targets["001.mkv"]
    assert "S01E02" in targets["002.zh.mkv"]


def test_id_22_the_files_own_numbers_win_over_the_releases() -> None:
    show = long("Variety", 2020, 12)
    files = [DownloadedFile(f"Variety.S01E0{n}.mkv", 500) for n in (4, 5)]
    plan = plan_import(
        files, Identity(Grade.A, show), parse("Variety S01E02"), OrganizePolicy(), runtime=None
    )
    assert sorted("S01E04" in one.target.name for one in plan.placements) == [False, True]
    assert not any("S01E02" in one.target.name for one in plan.placements)


def test_id_24_a_subtitle_of_another_part_is_not_attached() -> None:
    video = DownloadedFile("Show.S01E01.Part.1.1080p.mkv", 900)
    assert owner_of(DownloadedFile("Show.S01E01.Part.2.zh.srt", 1), [video]) is None
    assert owner_of(DownloadedFile("Show.S01E01.Part.1.zh.srt", 1), [video]) is video


def test_id_34_each_film_of_a_collection_is_itself() -> None:
    folder = "Infernal.Affairs.Trilogy.2002-2003.1080p.BluRay"
    pack = Pack(parse(folder), {"tmdb": "10775"}, AFFAIRS)
    files = {
        f"{folder}/Infernal.Affairs.2002.1080p.BluRay.mkv": AFFAIRS[0],
        f"{folder}/Infernal.Affairs.II.2003.1080p.BluRay.mkv": AFFAIRS[1],
        f"{folder}/Infernal.Affairs.3.2003.1080p.BluRay.mkv": AFFAIRS[2],
    }
    found = identify_files(list(files), pack)
    assert {one.path: (one.identity.grade, one.identity.work) for one in found} == {
        path: (Grade.B, work) for path, work in files.items()
    }


def test_id_34_numerals_of_folders_are_parts() -> None:
    pack = Pack(parse("倩女幽魂[1-3]"), {}, (*GHOSTS, film("倩女幽魂", 2011, "5")))
    files = [f"倩女幽魂[1-3]/{part}/movie.1080p.mkv" for part in ("II", "III")]
    found = identify_files([*files, "倩女幽魂[1-3]/I/movie.1080p.mkv"], pack)
    assert [one.identity.work for one in found] == [GHOSTS[1], GHOSTS[2], None]
    assert {one.identity.grade for one in found[:2]} == {Grade.C}
    assert not accepts(DEFAULT, found[2].identity)


def test_arr_21_one_hit_in_a_folder_of_unrelated_files_is_not_given_to_all() -> None:
    show, other = long("Show", 2020, 12), film("Elsewhere", 1999, "7")
    paths = ["Mix/Show.S01E01.mkv", "Mix/Elsewhere.1999.mkv", "Mix/Third.Thing.S01E02.mkv"]
    found = identify_files(paths, Pack(parse("Mix"), {}, (show, other)))
    assert [one.identity.work for one in found] == [show, other, None]
    files = [DownloadedFile(path, 500) for path in paths]
    plan = plan_import(files, Identity(Grade.A, show), parse("Mix"), OrganizePolicy(), runtime=None)
    assert [one.source for one in plan.placements] == ["Mix/Show.S01E01.mkv"]
    assert {one.path: one.why for one in plan.left}["Mix/Third.Thing.S01E02.mkv"] == (
        'its name is of another title, "Third Thing"'
    )


def test_every_file_of_a_pack_that_counts_takes_the_id_of_its_series() -> None:
    pack = Pack(parse("JJK.S02.1080p"), {"tmdb": "95479"}, (JUJUTSU, NEVERLAND))
    (first, second) = identify_files(["JJK.S02E01.mkv", "02.mkv"], pack)
    assert first.identity.work == second.identity.work == JUJUTSU
    assert (second.name.seasons, second.name.episodes) == ((2,), (2,))


def test_a_forced_file_is_what_its_owner_says() -> None:
    words = words_from(["force: Third Thing => tmdb:film:7", "force: Nobody => tmdb:film:8"])
    elsewhere = film("Elsewhere", 1999, "7")
    pack = Pack(parse("Mix"), {}, (elsewhere,), words=words)
    forced, unknown = identify_files(["Mix/Third.Thing.mkv", "Mix/Nobody.mkv"], pack)
    assert (forced.identity.grade, forced.identity.work) == (Grade.A, elsewhere)
    assert "by your recognition word" in forced.identity.evidence[0].sentence
    assert (unknown.identity.grade, unknown.identity.work) == (Grade.E, None)
    assert "not known" in unknown.identity.contradictions[0].sentence

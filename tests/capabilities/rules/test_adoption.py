from dataclasses import replace

from capabilities.rules.adoption import COUNTS_NOTHING, IS_A_FILM, Verdict, adoption
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.library_titles import Group, grouped
from capabilities.rules.works import Season, Work, WorkKey, WorkKind
from tests.capabilities.rules.test_library_titles import SHOW, seen

SERIES = Work(
    WorkKey("tmdb", WorkKind.SERIES, "900001"),
    "Lantern Street",
    2019,
    seasons=(Season(0), Season(1, 2019, 3)),
)
FILM = Work(WorkKey("tmdb", WorkKind.FILM, "45745"), "Sintel", 2010)
TOLD = Verdict(
    accepted=True,
    grade="B",
    work_id="work_1",
    work=SERIES,
    against=(),
    candidates=(),
    numbers={},
)
POLICY = IdentityPolicy()


def lantern(*names: str) -> Group:
    (group,) = grouped([seen(f"{SHOW}/Season 01", *names)], ())
    return group


def test_each_file_is_taken_with_its_own_episodes() -> None:
    group = lantern(f"{SHOW} - S01E01-E02 [WEBDL-1080p].mkv", f"{SHOW} - S00E07.mkv")
    made = adoption([(group, TOLD)], POLICY, frozenset())
    assert [one.slots for one in made.files] == [
        [("work_1", 1, 1), ("work_1", 1, 2)],
        [("work_1", 0, 7)],
    ]
    assert [one.quality for one in made.files] == ["WEBDL-1080p", "unknown quality"]
    assert (made.titles, made.unclear) == ({"work_1": (2, "B")}, [])


def test_an_episode_that_the_series_does_not_have_is_left_alone_by_itself() -> None:
    group = lantern(f"{SHOW} - S01E03.mkv", f"{SHOW} - S01E04.mkv")
    made = adoption([(group, TOLD)], POLICY, frozenset())
    assert [one.episodes for one in made.files] == [(3,)]
    (unclear,) = made.unclear
    assert unclear.example.endswith("S01E04.mkv")
    assert "episode 4" in unclear.why


def test_what_takes_a_closer_look_has_the_numbers_that_were_found_for_it() -> None:
    (group,) = grouped([seen("Anime", "Lantern Street - 02.mkv", "Lantern Street - 03.mkv")], ())
    found = {"Anime/Lantern Street - 02.mkv": [1, [2]]}
    made = adoption([(group, replace(TOLD, numbers=found))], POLICY, frozenset())
    assert [(one.season, one.episodes) for one in made.files] == [(1, (2,))]
    assert [one.why for one in made.unclear] == [COUNTS_NOTHING]


def test_episodes_are_never_taken_for_a_film() -> None:
    group = lantern(f"{SHOW} - S01E01.mkv")
    made = adoption([(group, replace(TOLD, work=FILM))], POLICY, frozenset())
    assert (made.files, [one.why for one in made.unclear]) == ([], [IS_A_FILM])


def test_a_title_that_is_not_accepted_is_left_whole_with_its_reason() -> None:
    group = lantern(f"{SHOW} - S01E01.mkv", f"{SHOW} - S01E02.mkv")
    several = replace(TOLD, accepted=False, grade="D", candidates=("A (2019)", "B (2019)"))
    (unclear,) = adoption([(group, several)], POLICY, frozenset()).unclear
    assert (unclear.files, unclear.grade) == (2, "D")
    assert unclear.why == "it may be A (2019), or B (2019)"
    (unclear,) = adoption(
        [(group, replace(several, against=("the year is 1991",)))], POLICY, frozenset()
    ).unclear
    assert unclear.why == "the year is 1991"


def test_what_is_in_the_inventory_is_only_counted() -> None:
    group = lantern(f"{SHOW} - S01E01.mkv", f"{SHOW} - S01E02.mkv")
    made = adoption([(group, TOLD)], POLICY, {group.videos[0].kept.path})
    assert (made.standing, [one.episodes for one in made.files]) == (1, [(2,)])


def test_the_fingerprint_is_of_files_and_what_they_are_not_of_their_order() -> None:
    one, two = lantern(f"{SHOW} - S01E01.mkv"), lantern(f"{SHOW} - S01E02.mkv")
    whole = adoption([(one, TOLD), (two, TOLD)], POLICY, frozenset()).fingerprint
    assert adoption([(two, TOLD), (one, TOLD)], POLICY, frozenset()).fingerprint == whole
    other = replace(TOLD, work_id="work_2")
    assert adoption([(one, TOLD), (two, other)], POLICY, frozenset()).fingerprint != whole
    assert adoption([(one, TOLD)], POLICY, frozenset()).fingerprint != whole

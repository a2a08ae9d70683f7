import pytest

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.real_quality import RealCopy, real_copy
from capabilities.rules.rivalry import Offered, Rivalry, Standing, rivalry
from capabilities.rules.targets import Target
from capabilities.rules.works import Work, WorkKey, WorkKind

WORK = Work(WorkKey("tmdb", WorkKind.SERIES, "1"), "Harbour Lights", 2012)
POLICY = AcquisitionPolicy()
E1, E2, E3 = (1, 1), (1, 2), (1, 3)


def copy(quality: str) -> RealCopy:
    return real_copy(parse(f"Harbour.Lights.S01E01.{quality}-GRP.mkv"), None, None, POLICY, WORK)


def new(number: int, *targets: Target, quality: str = "1080p.BluRay.x264") -> Offered:
    return Offered(number, frozenset(targets), copy(quality))


def old(key: str, *targets: Target, quality: str = "720p.WEB-DL.x264") -> Standing:
    return Standing(key, f"{key}.mkv", frozenset(targets), copy(quality))


def ended(
    offered: list[Offered], standing: list[Standing], *, replace: bool = True, by_hand: bool = False
) -> Rivalry:
    return rivalry(offered, standing, POLICY, replace=replace, by_hand=by_hand)


def test_what_fills_a_free_slot_has_no_rival() -> None:
    assert ended([new(0, E1)], [old("two", E2)]) == Rivalry({}, {})


def test_a_better_file_takes_the_place_of_the_one_in_its_slot_whatever_its_name() -> None:
    assert ended([new(0, E1)], [old("one", E1)]) == Rivalry({}, {"one": 0})


@pytest.mark.parametrize(
    ("second", "gone"),
    [("720p.WEB-DL.x264", {"one": 0, "two": 0}), ("1080p.BluRay.x264", {})],
    ids=["better than each", "better than one of them"],
)
def test_arr_38_a_double_episode_replaces_both_only_if_it_is_better_than_each(
    second: str, gone: dict[str, int]
) -> None:
    now = ended([new(0, E1, E2)], [old("one", E1), old("two", E2, quality=second)])
    assert now.gone == gone
    assert bool(now.left) is not bool(gone)


def test_a_single_episode_never_takes_away_a_double_one_with_another_in_it() -> None:
    now = ended([new(0, E1)], [old("both", E1, E2)])
    assert now.left == {0: "both.mkv holds S01E02 too, which would be lost with it"}
    assert now.gone == {}


def test_two_singles_together_replace_a_double_one() -> None:
    assert ended([new(0, E1), new(1, E2)], [old("both", E1, E2)]).gone == {"both": 1}


def test_what_one_that_stays_would_have_brought_is_not_lost_for_the_other() -> None:
    """The second is kept back by its own rival, so the double file must stay, and the first."""
    third = old("three", E3, quality="1080p.BluRay.x264")
    now = ended([new(0, E1), new(1, E2, E3)], [old("both", E1, E2), third])
    assert set(now.left) == {0, 1}
    assert now.gone == {}


def test_no_upgrade_names_both_sides_and_their_scores() -> None:
    (why,) = ended([new(0, E1, quality="720p.WEB-DL.x264")], [old("one", E1)]).left.values()
    assert why.startswith("it is no upgrade of one.mkv: this is WEBDL-720p, score 0, and there is")
    assert "WEBDL-720p, score 0: " in why


def test_an_upgrade_that_nobody_wants_to_replace_anything_stays() -> None:
    (why,) = ended([new(0, E1)], [old("one", E1)], replace=False).left.values()
    assert why.startswith("it is an upgrade of one.mkv (")
    assert "does not say that anything is replaced" in why


def test_the_owner_is_not_bound_by_the_comparison_but_must_say_replace() -> None:
    worse = [new(0, E1, quality="480p.DVDRip.x264")]
    assert ended(worse, [old("one", E1)], by_hand=True).gone == {"one": 0}
    assert ended(worse, [old("one", E1)], by_hand=True, replace=False).gone == {}


def test_of_several_that_stand_for_one_the_last_is_named() -> None:
    parts = [new(0, E1), new(1, E1)]
    assert ended(parts, [old("one", E1)]).gone == {"one": 1}

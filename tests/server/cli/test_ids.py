from collections.abc import Iterator

import pytest

from ledger.clock import new_id
from ledger.tables.effects import invocation
from server.cli.api_client import Api, connected
from server.cli.exits import EndError, Exit
from server.cli.ids import FEWEST, WHOLE, Named, Sort, meant, named, refuse_strange
from tests.server.cli.rig import Rig

LISTED = ("cat_0123456789abcdef", "cat_0123456780000000", "cat_fedcba9876543210")


def _cats(api: Api) -> Iterator[Named]:
    del api
    yield from (Named(f"{each}{'0' * 16}", f"called {each[-1]}\x1b") for each in LISTED)


CAT = Sort("cat", "cat", "matinee cat list", _cats, builtin=frozenset({"tom"}))


def found(rig: Rig, typed: str) -> Named:
    with connected(rig.home) as api:
        return named(api, typed, CAT)


def refused(rig: Rig, typed: str) -> EndError:
    with pytest.raises(EndError) as fault:
        found(rig, typed)
    return fault.value


def test_ids_are_as_long_as_is_said_here() -> None:
    assert len(new_id("cat").removeprefix("cat_")) == WHOLE


def test_the_beginning_of_one_id_means_that_one(rig: Rig) -> None:
    whole = f"{LISTED[2]}{'0' * 16}"
    assert found(rig, "cat_fedcba98") == Named(whole, "called 0\x1b")
    assert found(rig, whole[:-1]).id == whole


def test_a_whole_id_and_what_has_no_such_form_are_left_to_the_server(rig: Rig) -> None:
    for typed in (f"cat_{'9' * WHOLE}", "cat_none", "cat:1", "dog_fedcba98", ""):
        assert found(rig, typed) == Named(typed)


def test_a_beginning_of_several_is_answered_with_all_of_them(rig: Rig) -> None:
    fault = refused(rig, "cat_012345678")
    assert fault.status is Exit.USAGE
    assert fault.details["candidates"] == [f"{each}{'0' * 16}" for each in LISTED[:2]]
    for each in LISTED[:2]:
        assert f"  {each}{'0' * 16}  called {each[-1]}" in fault.sentence
    assert "\x1b" not in fault.sentence


def test_too_little_is_not_enough_though_it_would_do_today(rig: Rig) -> None:
    fault = refused(rig, "cat_fedcba9")
    assert fault.status is Exit.USAGE
    assert f"at least {FEWEST} characters" in fault.sentence


def test_the_beginning_of_nothing_is_not_found(rig: Rig) -> None:
    fault = refused(rig, "cat_abcdef00")
    assert (fault.status, fault.code) == (Exit.FAILED, "not_found")
    assert "`matinee cat list` lists them" in fault.sentence


def test_what_can_be_no_id_is_refused_where_only_the_owner_could_look() -> None:
    for typed in ("tom", LISTED[0]):
        refuse_strange(typed, CAT)
    for typed, status in (("cat_x", Exit.FAILED), ("dog_1", Exit.FAILED), ("cat_1", Exit.USAGE)):
        with pytest.raises(EndError) as fault:
            refuse_strange(typed, CAT)
        assert fault.value.status is status


def test_only_what_was_not_typed_whole_is_said() -> None:
    assert meant("cat_1", "cat_1") is None
    assert meant("cat_1", "cat_12") == "cat_1 is cat_12."


def test_two_acts_that_begin_alike_are_both_named_by_the_command(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    alike = [f"inv_{'ab' * 4}{digit * 24}" for digit in "12"]
    for id_ in alike:
        made = rig.leave_unknown("It hung up.")
        change = invocation.update().where(invocation.c.id == made).values(id=id_)
        rig.write(lambda tx, change=change: tx.conn.execute(change) and None)
    assert rig.typed("claims", "show", "inv_abababab") == Exit.USAGE
    told = capsys.readouterr().err
    assert all(f"  {id_}  download.submit (unknown)" in told for id_ in alike)
    assert rig.typed("claims", "show", "inv_abababab1") == Exit.UNKNOWN

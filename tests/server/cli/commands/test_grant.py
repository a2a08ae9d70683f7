import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ledger.stores import grants
from ledger.stores.grants import Grant
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import OWNER, Rig
from tests.server.cli.typist import Typist, alone, typist

LIMITS = ("--kind", "film", "--calls", "3", "--gb", "40", "--days", "7", "--note", "away")


def signs_in(person: Typist) -> int:
    person.sees("Passphrase: ")
    person.types(f"{PASSPHRASE}\n")
    return person.leaves()


def asked_by_owner(rig: Rig, *typed: str, status: int = Exit.DONE) -> str:
    with typist("grant", *typed, "--home", str(rig.home.root)) as person:
        assert signs_in(person) == status, person.screen
    return person.screen


def document(screen: str) -> dict[str, Any]:
    return json.loads(screen[screen.index("{") :])


def made(rig: Rig, *limits: str, action: str = "shelf.put") -> str:
    return document(asked_by_owner(rig, "make", action, *limits, "--json"))["id"]


def held(rig: Rig, id_: str) -> Grant:
    found = rig.read(lambda conn: grants.by_id(conn, id_))
    assert found is not None
    return found


def test_a_grant_is_read_by_its_owner_before_it_is_made(rig: Rig) -> None:
    before = datetime.now(UTC)
    with typist("grant", "make", "shelf.put", *LIMITS, "--home", str(rig.home.root)) as person:
        person.sees("Allows      shelf.put")
        person.sees("Kinds       film")
        person.sees("A day       3 calls, 40.00 GB")
        person.sees("Until       ")
        assert signs_in(person) == Exit.DONE
    id_ = person.screen.split()[-1]
    found = held(rig, id_)
    assert (found.action, found.made_by, found.note) == ("shelf.put", f"owner:{OWNER}", "away")
    assert (found.calls_per_day, found.bytes_per_day) == (3, 40_000_000_000)
    assert found.scope == {"kinds": ["film"]}
    assert found.expires_at is not None
    week = timedelta(days=7)
    assert before + week - timedelta(seconds=1) <= found.expires_at <= datetime.now(UTC) + week


def test_grants_are_listed_and_shown_with_what_is_left(rig: Rig) -> None:
    id_ = made(rig, "--calls", "3", "--folder", "Films", "--replace")
    listed = asked_by_owner(rig, "list")
    (line,) = [each for each in listed.splitlines() if id_ in each]
    assert line.split()[1:5] == ["shelf.put", "Films", "3", "calls"]
    shown = asked_by_owner(rig, "show", id_)
    assert "Left today  3 calls, renewed at " in shown
    assert "Libraries   Films" in shown
    assert "Replaces    also what replaces" in shown


def test_a_grant_is_made_smaller_and_never_wider(rig: Rig) -> None:
    id_ = made(rig, "--calls", "3", "--replace")
    screen = asked_by_owner(rig, "shorten", id_, "--calls", "1", "--no-replace", "--kind", "film")
    assert "A day       1 call" in screen
    found = held(rig, id_)
    assert (found.calls_per_day, found.may_replace) == (1, False)
    assert found.scope == {"kinds": ["film"]}
    refused = asked_by_owner(rig, "shorten", id_, "--calls", "2", status=Exit.FAILED)
    assert "would make the grant wider (calls_per_day)" in refused
    assert held(rig, id_) == found
    assert rig.typed("grant", "shorten", id_) == Exit.USAGE


def test_a_withdrawn_grant_is_listed_only_on_request(rig: Rig) -> None:
    id_ = made(rig)
    assert "Withdrawn." in asked_by_owner(rig, "withdraw", id_, "--reason", "enough")
    assert held(rig, id_).withdrawn_by == f"owner:{OWNER}"
    assert id_ not in asked_by_owner(rig, "list")
    everything = asked_by_owner(rig, "list", "--all")
    assert f"withdrawn by owner:{OWNER}: enough" in everything


def test_nothing_is_granted_without_the_owner(rig: Rig) -> None:
    id_ = made(rig, "--calls", "3")
    before = rig.read(grants.listing)
    home = ("--home", str(rig.home.root))
    for typed in (
        ("make", "shelf.put"),
        ("shorten", id_, "--calls", "1"),
        ("withdraw", id_, "--reason", "x"),
        ("show", id_),
        ("list",),
    ):
        ended = alone("grant", *typed, *home, stdin=f"{PASSPHRASE}\n")
        assert ended.returncode == Exit.NEEDS_YOU
    with typist("grant", "make", "shelf.put", *home) as person:
        person.sees("Passphrase: ")
        person.types("not the passphrase\n")
        assert person.leaves() == Exit.NEEDS_YOU
    assert rig.read(grants.listing) == before


@pytest.mark.parametrize(
    "typed",
    [
        ("make", "shelf.put", "--work", "tmdb:film:1"),
        ("make", "shelf.put", "--policy", "acquisition:9"),
        ("show", f"grant_{'0' * 32}"),
    ],
)
def test_what_does_not_exist_is_not_granted(rig: Rig, typed: tuple[str, ...]) -> None:
    with typist("grant", *typed, "--home", str(rig.home.root)) as person:
        assert signs_in(person) != Exit.DONE


@pytest.mark.parametrize("limit", [("--folder", "Attic"), ("--kind", "opera")])
def test_a_limit_of_no_known_sort_is_wrong_usage_before_anybody_signs_in(
    rig: Rig, limit: tuple[str, str]
) -> None:
    assert rig.typed("grant", "make", "shelf.put", *limit) == Exit.USAGE


def test_an_act_of_no_known_name_is_wrong_usage_before_anybody_signs_in(rig: Rig) -> None:
    assert rig.typed("grant", "make", "shelf.nothing") == Exit.USAGE


def test_a_policy_is_named_with_its_version(rig: Rig) -> None:
    assert rig.typed("grant", "make", "shelf.put", "--policy", "acquisition") == Exit.USAGE


def test_a_grant_named_by_the_beginning_of_its_id_is_touched_once_it_was_seen(rig: Rig) -> None:
    id_ = made(rig, "--calls", "3")
    typed = id_[:14]
    home = ("--home", str(rig.home.root))
    assert "Left today  3 calls" in asked_by_owner(rig, "show", typed)
    for answer, status in (("n", Exit.FAILED), ("\x04", Exit.NEEDS_YOU), ("yes", Exit.DONE)):
        with typist("grant", "withdraw", typed, "--reason", "enough", *home) as person:
            person.sees("Passphrase: ")
            person.types(f"{PASSPHRASE}\n")
            person.sees(f"{typed} is {id_}:\n  shelf.put, anything, 3 calls")
            person.sees("Is this the one? [y/n] ")
            person.types(answer if answer == "\x04" else f"{answer}\n")
            assert person.leaves() == status
        assert (held(rig, id_).withdrawn_at is not None) is (status is Exit.DONE)

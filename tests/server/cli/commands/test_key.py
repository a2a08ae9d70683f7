import json
import re

import pytest

from ledger.stores import access
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import Typist, alone, typist


def signs_in(person: Typist) -> int:
    person.sees("Passphrase: ")
    person.types(f"{PASSPHRASE}\n")
    return person.leaves()


def made_by_owner(rig: Rig, name: str) -> dict[str, str]:
    asked = ("key", "create", name, "--scope", "read", "--json", "--home", str(rig.home.root))
    with typist(*asked) as person:
        assert signs_in(person) == Exit.DONE
    return json.loads(person.screen[person.screen.index("{") :])


def test_a_key_is_made_and_its_client_known_by_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = made_by_owner(rig, "laptop")
    monkeypatch.setenv("MATINEE_KEY", made["secret"])
    assert rig.typed("call", "shelf.look", '{"title": "x"}', "--json") == Exit.DONE
    assert json.loads(capsys.readouterr().out)["data"]["seen_by"] == f"key:{made['id']}"


def test_keys_are_listed_without_their_secrets(rig: Rig) -> None:
    made = made_by_owner(rig, "tablet")
    with typist("key", "list", "--home", str(rig.home.root)) as person:
        assert signs_in(person) == Exit.DONE
    assert re.search(r"tablet +never used +read\n", person.screen)
    assert "this computer" in person.screen
    assert made["secret"] not in person.screen


def test_a_revoked_key_is_a_strangers(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = made_by_owner(rig, "lost")
    with typist("key", "revoke", made["id"], "--home", str(rig.home.root)) as person:
        assert signs_in(person) == Exit.DONE
    monkeypatch.setenv("MATINEE_KEY", made["secret"])
    assert rig.typed("status") == Exit.NEEDS_YOU
    assert "That key is not valid here" in capsys.readouterr().err


def test_the_secret_alone_is_data(rig: Rig) -> None:
    with typist("key", "create", "b", "--scope", "read", "-q", "--home", str(rig.home.root)) as own:
        assert signs_in(own) == Exit.DONE
    assert own.screen.splitlines()[-1].startswith("matinee_")


def test_a_scope_that_does_not_exist_is_refused_before_the_passphrase(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("key", "create", "c", "--scope", "raed") == Exit.USAGE
    assert "Did you mean 'read'?" in capsys.readouterr().err


def test_no_key_is_made_without_the_owner(rig: Rig) -> None:
    home = ("--home", str(rig.home.root))
    before = len(rig.read(access.keys))
    for asked in (("create", "d", "--scope", "read"), ("list",), ("revoke", "local")):
        assert alone("key", *asked, *home, stdin=f"{PASSPHRASE}\n").returncode == Exit.NEEDS_YOU
    keys = rig.read(access.keys)
    assert len(keys) == before
    assert all(key.revoked_at is None for key in keys if key.id == "local")


def test_a_key_named_by_the_beginning_of_its_id_is_revoked_once_it_was_seen(rig: Rig) -> None:
    id_ = made_by_owner(rig, "phone")["id"]
    with typist("key", "revoke", id_[:12], "--json", "--home", str(rig.home.root)) as person:
        person.sees("Passphrase: ")
        person.types(f"{PASSPHRASE}\n")
        person.sees(f"{id_[:12]} is {id_}:\n  phone")
        person.types("y\n")
        assert person.leaves() == Exit.DONE
    assert json.loads(person.screen[person.screen.index("{") :]) == {"revoked": id_}

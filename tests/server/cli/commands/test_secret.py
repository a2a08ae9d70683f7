import json

import pytest

from ledger.sealing import SealingKey
from ledger.stores import sealed_secrets
from server.cli.exits import Exit
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig
from tests.server.cli.typist import CTRL_D, Typist, alone, typist

CANARY, NAME = "canary-of-tmdb", "metadata.tmdb.key"


def as_owner(person: Typist) -> int:
    person.sees("Passphrase: ")
    person.types(f"{PASSPHRASE}\n")
    return person.leaves()


def at(rig: Rig, *words: str) -> tuple[str, ...]:
    return ("secret", *words, "--home", str(rig.home.root))


def values(rig: Rig) -> dict[str, str]:
    from server.secrets_at_rest.keys import sealing_keys
    from server.secrets_at_rest.sealed import SealedSecrets

    secrets = SealedSecrets(rig.ledger, sealing_keys(rig.home.root, {}))
    return dict(rig.portal.call(secrets.opened).values)


@pytest.fixture(autouse=True)
def _nothing_sealed(rig: Rig) -> None:
    for name in rig.read(lambda conn: [row.name for row in sealed_secrets.all_of(conn)]):
        rig.write(lambda tx, name=name: sealed_secrets.remove(tx, name))


def test_a_secret_is_typed_unseen(rig: Rig) -> None:
    with typist(*at(rig, "set", NAME)) as person:
        person.sees("Secret: ")
        person.types(f"{CANARY}\n")
        assert as_owner(person) == Exit.DONE
    assert values(rig) == {NAME: CANARY}
    assert CANARY not in person.screen
    assert f"type {rig.hint('stop')}, then `matinee --home {rig.home.root}`" in person.screen


def test_a_secret_comes_through_a_pipe_and_the_passphrase_does_not(rig: Rig) -> None:
    with typist(*at(rig, "set", "indexers.new one.key"), stdin=f"{CANARY}\n") as person:
        assert as_owner(person) == Exit.DONE
    assert values(rig) == {"indexers.new one.key": CANARY}
    assert "once the settings have a place for it" in person.screen
    left = alone(*at(rig, "set", NAME), stdin=f"{CANARY}\n{PASSPHRASE}\n")
    assert left.returncode == Exit.NEEDS_YOU
    assert NAME not in values(rig)


def test_a_secret_is_no_argument(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    assert rig.typed("secret", "set", NAME, CANARY) == Exit.USAGE
    assert rig.typed("secret", "set", NAME, "--value", CANARY) == Exit.USAGE
    assert values(rig) == {}
    capsys.readouterr()


def test_nothing_typed_or_sent_seals_nothing(rig: Rig) -> None:
    with typist(*at(rig, "set", NAME)) as person:
        person.sees("Secret: ")
        person.types("\n")
        assert person.leaves() == Exit.NEEDS_YOU
    with typist(*at(rig, "set", NAME)) as person:
        person.sees("Secret: ")
        person.types(CTRL_D)
        assert person.leaves() == Exit.NEEDS_YOU
    with typist(*at(rig, "set", NAME), stdin="\n") as person:
        assert person.leaves() == Exit.USAGE
    assert "Nothing came on standard input" in person.screen
    assert values(rig) == {}


def test_secrets_are_listed_removed_and_sealed_anew_without_being_shown(rig: Rig) -> None:
    with typist(*at(rig, "list")) as person:
        assert as_owner(person) == Exit.DONE
    assert "No secret is sealed." in person.screen
    for name in (NAME, "indexers.x.key"):
        with typist(*at(rig, "set", name), stdin=CANARY) as person:
            assert as_owner(person) == Exit.DONE
    with typist(*at(rig, "rekey")) as person:
        assert as_owner(person) == Exit.DONE
    assert f"Sealed with a new key: indexers.x.key, {NAME}." in person.screen
    with typist(*at(rig, "list", "--json")) as person:
        assert as_owner(person) == Exit.DONE
    listed = json.loads(person.screen[person.screen.index("{") :])["secrets"]
    assert [(each["name"], each["opens"]) for each in listed] == [
        ("indexers.x.key", True),
        (NAME, True),
    ]
    assert CANARY not in person.screen
    with typist(*at(rig, "remove", NAME)) as person:
        assert as_owner(person) == Exit.DONE
    assert values(rig) == {"indexers.x.key": CANARY}


def test_one_that_does_not_open_needs_you(rig: Rig) -> None:
    with typist(*at(rig, "set", NAME), stdin=CANARY) as person:
        assert as_owner(person) == Exit.DONE
    key = rig.home.root / "secret.key"
    key.rename(rig.home.root / "elsewhere")
    try:
        with typist(*at(rig, "list")) as person:
            assert as_owner(person) == Exit.NEEDS_YOU
    finally:
        (rig.home.root / "elsewhere").rename(key)
    assert "does not open" in person.screen
    assert "Put it back" in person.screen


def test_a_wrong_name_is_led_to_a_right_one(rig: Rig) -> None:
    refused = alone(*at(rig, "set", "metadata.tmbd.key"), stdin=CANARY)
    assert refused.returncode == Exit.USAGE
    assert f"Did you mean `{NAME}`?" in refused.stderr


def test_a_name_that_no_secret_can_have_is_refused_before_the_passphrase(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rig.typed("secret", "remove", "nope.name") == Exit.USAGE
    assert "No setting of this name is secret." in capsys.readouterr().err


def test_one_that_an_earlier_version_sealed_can_still_be_removed(rig: Rig) -> None:
    sealed = SealingKey.fresh().seal("metadata.gone.key", CANARY)
    rig.write(lambda tx: sealed_secrets.put(tx, "metadata.gone.key", sealed, rig.ledger.now()))
    with typist(*at(rig, "remove", "metadata.gone.key")) as person:
        assert as_owner(person) == Exit.DONE
    assert not rig.read(sealed_secrets.all_of)


def test_a_plain_one_of_the_same_name_wins_and_that_is_said(rig: Rig) -> None:
    settings = rig.home.root / "settings.toml"
    settings.write_text('[metadata.tmdb]\nkey = "plain"\n')
    try:
        with typist(*at(rig, "set", NAME), stdin=CANARY) as person:
            assert as_owner(person) == Exit.DONE
        assert "It is not used: settings.toml" in person.screen
        assert "from the next start on" not in person.screen
        with typist(*at(rig, "list")) as person:
            assert as_owner(person) == Exit.DONE
        assert "opens, not used: the settings hold it in plain text" in person.screen
    finally:
        settings.unlink()

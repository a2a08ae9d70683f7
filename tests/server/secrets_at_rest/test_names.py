from typing import Any

import pytest

from server.secrets_at_rest.names import (
    is_secret_name,
    nearest,
    plain_secrets,
    secret_names,
    with_sealed,
)
from server.settings import Settings


def settings(**given: Any) -> Settings:
    base = {
        "indexers": [
            {"name": "one", "address": "http://127.0.0.1:1/api", "key": "in-the-file"},
            {"name": "my. two", "address": "http://127.0.0.1:2/api"},
        ],
        "upstreams": [{"name": "m", "address": "http://127.0.0.1:3/v1", "model": "x"}],
    }
    return Settings.model_validate({**base, **given})


NAMES = ["metadata.tmdb.key", "indexers.one.key", "indexers.my. two.key", "upstreams.m.key"]


def test_every_secret_of_the_settings_has_a_name() -> None:
    assert secret_names(settings()) == NAMES
    assert all(is_secret_name(name) for name in NAMES)


def test_secrets_in_the_settings_are_known_by_name() -> None:
    assert plain_secrets(settings()) == {"indexers.one.key": "in-the-file"}
    assert plain_secrets(Settings()) == {}


def test_sealed_ones_are_used_where_the_settings_hold_none() -> None:
    filled = with_sealed(settings(), {name: f"sealed {name}" for name in NAMES})
    assert plain_secrets(filled) == {
        **{name: f"sealed {name}" for name in NAMES},
        "indexers.one.key": "in-the-file",
    }
    assert filled.server == Settings().server
    assert "sealed" not in str(filled.shown())


def test_a_sealed_one_without_a_place_changes_nothing() -> None:
    assert with_sealed(settings(), {"indexers.three.key": "x"}) == settings()


@pytest.mark.parametrize(
    "name",
    ["indexers.not yet.key", "upstreams.x.key", "indexers.a.b.key", "indexers.key.key"],
)
def test_an_entry_need_not_be_configured_yet(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "server.port",
        "database.url",
        "metadata.tmdb",
        "indexers.one.address",
        "indexers..key",
        "indexers.key",
        "indexers",
        "upstreams.m.key_env",
        f"indexers.{'x' * 130}.key",
    ],
)
def test_what_no_secret_is_called_is_none(name: str) -> None:
    assert not is_secret_name(name)


def test_a_wrong_name_is_led_to_a_right_one() -> None:
    assert nearest("indexers.on.key", settings()) == "Did you mean `indexers.one.key`?"
    assert nearest("zzz", Settings()) == (
        "There are: downloaders.NAME.password, indexers.NAME.key, media_servers.NAME.key, "
        "metadata.tmdb.key, upstreams.NAME.key."
    )

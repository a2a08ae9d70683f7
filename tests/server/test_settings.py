from pathlib import Path

import pytest
from pydantic import ValidationError

from server.settings import Settings
from server.settings_loading import every_setting, load_settings
from server.settings_reference import settings_reference
from tests.server.test_settings_loading import UPSTREAM, home_with, refusal


def test_a_relative_folder_is_refused_and_a_home_relative_one_is_not(tmp_path: Path) -> None:
    assert "`folders.films`: must be an absolute path" in refusal(
        home_with(tmp_path, "[folders]\nfilms = 'films'\n")
    )
    settings = load_settings(home_with(tmp_path, "[folders]\nfilms = '~/films'\n"), {})
    assert settings.folders.films == Path.home() / "films"


@pytest.mark.parametrize(
    "host", ["http://a.lan", "a.lan:80", "*.lan", "*", "a b", "", "user@a.lan", "a.lan/x", "-a"]
)
def test_an_allowed_host_is_a_bare_name(tmp_path: Path, host: str) -> None:
    told = refusal(home_with(tmp_path, f"[server]\nallowed_hosts = ['{host}']\n"))
    assert told == (
        "settings.toml, `server.allowed_hosts[0]`: must be a host name or IP address, without "
        "scheme, port or wildcard. Correct it, or remove it."
    )


@pytest.mark.parametrize(
    "address",
    [
        "ftp://a.example/",
        "a.example",
        "https://me:secret@a.example/api",
        "https://a.example/api?apikey=secret",
        "https://a.example/api#x",
        "https:///api",
    ],
)
def test_an_address_is_http_and_holds_no_credential(tmp_path: Path, address: str) -> None:
    told = refusal(
        home_with(tmp_path, f"[[indexers]]\nname = 'a'\naddress = '{address}'\nkey = 'k'\n")
    )
    assert told.startswith("settings.toml, `indexers[0].address`: must ")
    assert "secret" not in told


def test_two_entries_of_one_name_are_refused(tmp_path: Path) -> None:
    entry = "[[indexers]]\nname = 'a'\naddress = 'http://a.example'\n"
    told = refusal(home_with(tmp_path, entry + entry))
    assert told == "settings.toml: the name 'a' is used twice. Correct it, or remove it."


def test_an_upstream_has_one_key_at_most(tmp_path: Path) -> None:
    told = refusal(home_with(tmp_path, UPSTREAM + "key = 'sk-x'\nkey_env = 'X'\n"))
    assert "`upstreams[0]`: has both key and key_env; keep one." in told
    assert "sk-x" not in told


def test_secrets_are_never_printed(tmp_path: Path) -> None:
    settings = load_settings(
        home_with(tmp_path, UPSTREAM + "key = 'sk-canary'\n[metadata.tmdb]\nkey = 'canary'\n"), {}
    )
    told = f"{settings!r} {settings} {settings.shown()} {settings.model_dump_json()}"
    assert "canary" not in told
    assert settings.shown()["metadata"]["tmdb"]["key"] == "**********"
    assert Settings().shown()["metadata"]["tmdb"]["key"] is None


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        Settings().server.port = 1


def test_the_reference_lists_every_setting_with_default_variable_and_sentence() -> None:
    page = settings_reference()
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    for setting in every_setting():
        assert any(f"`{setting.key}`" in row and f"`{setting.variable}`" in row for row in rows)
    assert all(row.count("|") == 5 and row.rstrip(" |").endswith(".") for row in rows)
    assert (
        "| `server.port` | `8930` | `MATINEE_SERVER_PORT` | The TCP port to listen on; "
        "0 takes a free one. |" in page
    )
    assert "| `indexers[].address` | required | in `MATINEE_INDEXERS` |" in page
    assert "| `metadata.tmdb.key` | not set |" in page

from pathlib import Path

import pytest
from pydantic import SecretStr

from server.downloader_settings import EmbeddedSettings
from server.settings import IndexerSettings, Settings
from server.settings_loading import SettingsError, every_setting, load_settings

UPSTREAM = "[[upstreams]]\nname = 'a'\naddress = 'http://a.example/v1'\nmodel = 'm'\n"


def home_with(folder: Path, text: str) -> Path:
    (folder / "settings.toml").write_text(text, encoding="utf-8")
    return folder


def refusal(home: Path, environ: dict[str, str] | None = None) -> str:
    with pytest.raises(SettingsError) as refused:
        load_settings(home, environ or {})
    return str(refused.value)


def test_a_home_without_a_file_has_the_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path, {})
    assert settings == Settings()
    assert (settings.server.host, settings.server.port) == ("127.0.0.1", 8930)
    assert settings.agent.max_tool_calls == 120
    assert settings.downloader.embedded.loopback_world is False


def test_the_process_environment_is_read_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MATINEE_SERVER_PORT", "9001")
    assert load_settings(tmp_path).server.port == 9001


def test_the_file_sets_what_it_names(tmp_path: Path) -> None:
    home = home_with(
        tmp_path,
        """
        [server]
        port = 0
        allowed_hosts = ["Matinee.LAN", "[fd00::1]"]
        [folders]
        films = "/films"
        [metadata.tmdb]
        key = "tmdb-secret"
        languages = ["zh-CN", "en-US"]
        [[indexers]]
        name = "loopback"
        address = "http://127.0.0.1:9000/api/"
        [downloader.embedded]
        loopback_world = true
        stalled_after_s = 2
        """,
    )
    settings = load_settings(home, {})
    assert settings.server.allowed_hosts == ("matinee.lan", "fd00::1")
    assert settings.folders.films == Path("/films")
    assert settings.metadata.tmdb.languages == ("zh-CN", "en-US")
    assert settings.indexers == (
        IndexerSettings(name="loopback", address="http://127.0.0.1:9000/api"),
    )
    assert settings.downloader.embedded == EmbeddedSettings(loopback_world=True, stalled_after_s=2)


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    home = home_with(tmp_path, "[server]\nport = 1\nhost = '10.0.0.1'\n")
    settings = load_settings(home, {"MATINEE_SERVER_PORT": "2", "MATINEE_SERVER_HOST": ""})
    assert (settings.server.port, settings.server.host) == (2, "10.0.0.1")


def test_lists_come_from_the_environment_with_commas_or_as_json(tmp_path: Path) -> None:
    environ = {
        "MATINEE_SERVER_ALLOWED_HOSTS": "a.lan, b.lan",
        "MATINEE_METADATA_TMDB_LANGUAGES": '["de-DE"]',
        "MATINEE_INDEXERS": '[{"name": "one", "address": "https://one.example/api"}]',
    }
    settings = load_settings(tmp_path, environ)
    assert settings.server.allowed_hosts == ("a.lan", "b.lan")
    assert settings.metadata.tmdb.languages == ("de-DE",)
    assert settings.indexers[0].name == "one"


def test_every_setting_has_a_variable_of_its_own() -> None:
    variables = [setting.variable for setting in every_setting()]
    assert len(variables) == len(set(variables)) > 25


def test_a_misspelt_setting_is_refused_by_its_nearest_name(tmp_path: Path) -> None:
    told = refusal(home_with(tmp_path, "[server]\nprot = 1\n[polcy]\n[[indexers]]\nprioirty=3\n"))
    assert "`server.prot`: there is no such setting. Did you mean `server.port`?" in told
    assert "`polcy`: there is no such setting. Did you mean `policy`?" in told
    assert "`indexers[0].name`: this is missing. Add it." in told
    assert "Did you mean `indexers.priority`?" in told


def test_a_setting_that_resembles_nothing_is_to_be_removed(tmp_path: Path) -> None:
    told = refusal(home_with(tmp_path, "zzzzzz = 1\n"))
    assert told == "settings.toml, `zzzzzz`: there is no such setting. Remove it."


def test_a_value_where_a_table_belongs_is_refused(tmp_path: Path) -> None:
    told = refusal(home_with(tmp_path, "server = 3\n"), {"MATINEE_SERVER_PORT": "1"})
    assert "`server`: this must be a table." in told


def test_a_fault_of_the_environment_names_its_variable(tmp_path: Path) -> None:
    told = refusal(tmp_path, {"MATINEE_SERVER_PORT": "many"})
    assert told.startswith("The variable MATINEE_SERVER_PORT (`server.port`): input should be")
    assert "many" not in told


def test_a_list_of_tables_in_the_environment_must_be_json(tmp_path: Path) -> None:
    told = refusal(tmp_path, {"MATINEE_UPSTREAMS": "openai"})
    assert told.startswith("The variable MATINEE_UPSTREAMS is not JSON")


def test_a_broken_file_is_refused_with_the_line(tmp_path: Path) -> None:
    told = refusal(home_with(tmp_path, "[server]\nport = \n"))
    assert "settings.toml is not TOML" in told
    assert "line 2" in told


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xff\xfe\x00")
    assert refusal(tmp_path) == "settings.toml is not UTF-8 text. Save it as UTF-8."


def test_a_file_that_cannot_be_read_is_refused_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").mkdir()
    told = refusal(tmp_path)
    assert told.startswith("settings.toml cannot be read (Is a directory).")
    assert str(tmp_path) not in told


def test_a_key_in_the_environment_is_taken_only_when_it_is_named(tmp_path: Path) -> None:
    environ = {"OPENAI_API_KEY": "sk-host"}
    plain = load_settings(home_with(tmp_path, UPSTREAM), environ).upstreams[0]
    assert plain.key is None
    named = home_with(tmp_path, UPSTREAM + "key_env = 'OPENAI_API_KEY'\n")
    assert load_settings(named, environ).upstreams[0].key == SecretStr("sk-host")
    assert refusal(named) == (
        "The upstream 'a' takes its key from the variable OPENAI_API_KEY, which is not set. "
        "Set it, or give the upstream a key of its own."
    )

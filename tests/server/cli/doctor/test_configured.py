from pathlib import Path

from server.cli.doctor.finding import Severity
from tests.server.cli.doctor.patient import found, prepared, severity

ALL = """
[metadata.tmdb]
key = "secret-canary"
[[indexers]]
name = "one"
address = "http://127.0.0.1:1/api"
[[upstreams]]
name = "local"
address = "http://127.0.0.1:2/v1"
model = "m"
"""


def test_what_is_not_configured_is_said(tmp_path: Path) -> None:
    findings = found(prepared(tmp_path))
    for id_ in ("indexers", "metadata", "upstreams"):
        assert findings[id_].severity is Severity.NOTICE
        assert "settings.toml" in findings[id_].fix or "matinee secret" in findings[id_].fix


def test_what_is_configured_is_named_without_its_secrets(tmp_path: Path) -> None:
    findings = found(prepared(tmp_path, ALL))
    assert findings["indexers"].sentence == "Configured: one."
    assert findings["metadata"].sentence == "Configured: TMDB, TVmaze, AniList."
    assert findings["upstreams"].sentence == "Configured: local."
    assert not any("canary" in finding.sentence for finding in findings.values())


def test_without_a_key_of_tmdb_it_says_that_films_are_missing(tmp_path: Path) -> None:
    finding = found(prepared(tmp_path))["metadata"]
    assert finding.severity is Severity.NOTICE
    assert (
        finding.sentence == "Configured: TVmaze, AniList, but not TMDB: films cannot be looked up."
    )
    none = found(prepared(tmp_path, "[metadata]\nsources = []\n"))["metadata"]
    assert none.sentence.startswith("No metadata source is configured")
    assert none.fix.endswith("and name it in metadata.sources.")


SERVERS = """
[[media_servers]]
name = "den"
kind = "jellyfin"
address = "http://127.0.0.1:8096"
[[media_servers]]
name = "tv set"
kind = "kodi"
address = "http://127.0.0.1:8080"
"""


def test_a_media_server_without_the_key_it_needs_is_a_warning(tmp_path: Path) -> None:
    finding = found(prepared(tmp_path, SERVERS))["media_servers"]
    assert finding.severity is Severity.WARNING
    assert finding.sentence.startswith("Configured: den, tv set. den has no key")
    assert finding.fix == "Seal a key with `matinee secret set media_servers.den.key`."


def test_media_servers_are_named_and_none_is_needed(tmp_path: Path) -> None:
    keyed = SERVERS.replace('"jellyfin"', '"jellyfin"\nkey = "secret-canary"')
    finding = found(prepared(tmp_path, keyed))["media_servers"]
    assert (finding.severity, finding.sentence) == (Severity.OK, "Configured: den, tv set.")
    (tmp_path / "bare").mkdir()
    assert found(prepared(tmp_path / "bare"))["media_servers"].severity is Severity.OK


def test_settings_that_cannot_be_used_are_an_error_and_the_rest_is_looked_at(
    tmp_path: Path,
) -> None:
    home = prepared(tmp_path, "[server]\nport = 99999\n")
    findings = found(home)
    assert findings["settings"].severity is Severity.ERROR
    assert "server.port" in findings["settings"].sentence
    assert "folders.downloads" not in findings
    assert severity(home, "home.private") is Severity.OK


CLIENTS = """
[downloader]
default = "den"
[[downloaders]]
name = "den"
kind = "qbittorrent"
address = "http://127.0.0.1:8080"
user = "admin"
"""


def test_download_clients_are_named_with_the_default(tmp_path: Path) -> None:
    alone = found(prepared(tmp_path))["downloaders"]
    assert alone.severity is Severity.OK
    assert alone.sentence == "Configured: embedded; new downloads go to embedded."
    none = found(prepared(tmp_path, "[downloader.embedded]\nenabled = false\n"))["downloaders"]
    assert none.severity is Severity.NOTICE
    both = found(prepared(tmp_path, f'{CLIENTS}password = "canary"\n'))["downloaders"]
    assert both.severity is Severity.OK
    assert both.sentence == "Configured: embedded, den; new downloads go to den."


def test_it_is_said_what_a_client_elsewhere_calls_the_download_folder(tmp_path: Path) -> None:
    open_door = CLIENTS.replace('user = "admin"\n', "")
    text = f'[folders]\ndownloads = "/srv/downloads/matinee"\n{open_door}'
    right = found(prepared(tmp_path, f'{text}paths = {{ "/srv/downloads" = "/data" }}\n'))
    assert right["downloaders"].severity is Severity.OK
    assert right["downloaders"].sentence.endswith("go to den. den is told /data/matinee.")
    wrong = found(prepared(tmp_path, f'{text}paths = {{ "/srv/down" = "/data" }}\n'))
    assert wrong["downloaders"].severity is Severity.WARNING
    assert "told our own name" in wrong["downloaders"].sentence
    assert wrong["downloaders"].fix == "Add folders.downloads to the paths of den in settings.toml."


def test_a_download_client_whose_password_is_missing_is_a_warning(tmp_path: Path) -> None:
    finding = found(prepared(tmp_path, CLIENTS))["downloaders"]
    assert finding.severity is Severity.WARNING
    assert finding.fix == "Seal it with `matinee secret set downloaders.den.password`."

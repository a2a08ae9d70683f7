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


def test_settings_that_cannot_be_used_are_an_error_and_the_rest_is_looked_at(
    tmp_path: Path,
) -> None:
    home = prepared(tmp_path, "[server]\nport = 99999\n")
    findings = found(home)
    assert findings["settings"].severity is Severity.ERROR
    assert "server.port" in findings["settings"].sentence
    assert "folders.downloads" not in findings
    assert severity(home, "home.private") is Severity.OK

from typing import Any

import pytest
from pydantic import ValidationError

from server.downloader_settings import EmbeddedSettings, OtherDownloaderSettings
from server.settings import Settings

DEN = {"name": "den", "kind": "qbittorrent", "address": "http://127.0.0.1:8080/"}


def said(**given: Any) -> str:
    with pytest.raises(ValidationError) as refused:
        Settings.model_validate(given)
    return str(refused.value)


def test_download_clients_are_named_and_one_of_them_is_the_default() -> None:
    off = {"enabled": False}
    chosen = Settings.model_validate({"downloader": {"default": "den"}, "downloaders": [DEN]})
    none = Settings.model_validate({"downloader": {"embedded": off}})
    assert chosen.download_clients() == ("embedded", "den")
    assert chosen.downloaders[0].address == "http://127.0.0.1:8080"
    assert none.download_clients() == ()
    assert "the download clients are den" in said(downloader={"embedded": off}, downloaders=[DEN])
    twice = [DEN | {"name": "embedded"}]
    assert "the name 'embedded' is used twice" in said(downloaders=twice)


def test_without_settings_the_embedded_client_takes_everything_and_sees_the_world() -> None:
    settings = Settings()
    assert (settings.download_clients(), settings.downloader.default) == (
        ("embedded",),
        "embedded",
    )
    assert settings.downloader.embedded == EmbeddedSettings(loopback_world=False)


@pytest.mark.parametrize("kind", ["qbittorrent", "transmission"])
def test_one_that_lets_everybody_in_needs_an_address_only(kind: str) -> None:
    client = OtherDownloaderSettings.model_validate(DEN | {"kind": kind})
    assert (client.kind, client.user, client.password, client.paths) == (kind, "", None, {})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "deluge"}, "'qbittorrent' or 'transmission'"),
        ({"address": "den:8080"}, "must be an http or https address"),
        ({"stalled_after_s": 0}, "greater than or equal to 1"),
        ({"pass": "x"}, "not permitted"),
        ({"paths": {"/srv/a": "/data", "/srv/b": "/data/"}}, "stands in two pairs"),
    ],
)
def test_what_no_client_understands_is_refused(given: dict[str, object], why: str) -> None:
    assert why in said(downloaders=[DEN | given])

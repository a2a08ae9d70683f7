import pytest
from pydantic import ValidationError

from server.media_server_settings import MediaServerSettings

DEN = {"name": "den", "kind": "jellyfin", "address": "http://127.0.0.1:8096/"}


def test_a_server_shows_both_libraries_by_our_own_paths_unless_told_otherwise() -> None:
    server = MediaServerSettings.model_validate(DEN)
    assert (server.shows, server.paths, server.key) == (("films", "series"), {}, None)
    assert server.address == "http://127.0.0.1:8096"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"kind": "dlna"}, "'jellyfin', 'emby', 'plex' or 'kodi'"),
        ({"shows": []}, "at least 1 item"),
        ({"shows": ["music"]}, "'films' or 'series'"),
        ({"user": ""}, "at least 1 character"),
        ({"paths": {"films": "/media"}}, "must be an absolute path"),
    ],
)
def test_what_no_server_understands_is_refused(given: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        MediaServerSettings.model_validate(DEN | given)

from email.parser import BytesParser
from urllib.parse import parse_qs

from capabilities.adapters.forms import form_body


def test_fields_alone_are_url_encoded() -> None:
    body, kind = form_body({"tags": "a, b", "name": "Amélie & co"})

    assert kind == "application/x-www-form-urlencoded"
    assert parse_qs(body.decode()) == {"tags": ["a, b"], "name": ["Amélie & co"]}


def test_files_stand_beside_fields_in_parts() -> None:
    body, kind = form_body({"savepath": "/films"}, {"torrents": ("a.torrent", b"\x00--\r\n")})
    message = BytesParser().parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body)
    parts = {
        str(part.get_param("name", header="content-disposition")): part
        for part in message.get_payload()
        if not isinstance(part, str)
    }

    assert parts["savepath"].get_payload(decode=True) == b"/films"
    assert parts["torrents"].get_filename() == "a.torrent"
    assert parts["torrents"].get_payload(decode=True) == b"\x00--\r\n"

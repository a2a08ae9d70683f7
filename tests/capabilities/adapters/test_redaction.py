import logging

import httpx2
import pytest

from capabilities.adapters.redaction import redact_client_log, redacted


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://h:9117/api?t=caps&apikey=abc", "http://h:9117/api?t=***&apikey=***"),
        ("https://user:secret@h/a", "https://h/a"),
        ("https://h/dl/0123456789abcdef0123456789abcdef/x.torrent", "https://h/dl/***/x.torrent"),
        ("https://h", "https://h/"),
        ("https://h/a%0Ab", "https://h/a%0Ab"),
        ("http://h:x/?apikey=abc", "***"),
    ],
)
def test_an_address_shows_where_it_goes_and_not_what_opens_it(address: str, shown: str) -> None:
    assert redacted(address) == shown


def test_a_parsed_address_is_taken_too() -> None:
    assert redacted(httpx2.URL("http://h/?k=v")) == "http://h/?k=***"


def test_the_trace_of_the_wire_is_off_however_much_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    redact_client_log()
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("httpcore2.http11").debug("receive_response_headers: set-cookie")
        logging.getLogger("httpx2").info("HTTP Request: %s", httpx2.URL("http://h/?k=canary"))
    assert [record.getMessage() for record in caplog.records] == ["HTTP Request: http://h/?k=***"]

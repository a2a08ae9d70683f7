import httpx2
import pytest

from capabilities.adapters.redaction import redacted


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

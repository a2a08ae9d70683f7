import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.indexer.torznab_document import local_name, read_document
from capabilities.kernel.faults import (
    DeclinedError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)

SYSTEM = 'the indexer "loopback"'


def error(code: str) -> bytes:
    return f'<error code="{code}" description="Invalid key SECRET"/>'.encode()


@pytest.mark.parametrize(
    ("code", "fault", "words"),
    [
        ("100", DeclinedError, "does not accept the API key"),
        ("101", DeclinedError, "suspended"),
        ("102", DeclinedError, "may not"),
        ("107", DeclinedError, "does not accept the API key"),
        ("200", DeclinedError, "missing"),
        ("201", DeclinedError, "error 201"),
        ("203", DeclinedError, "does not offer"),
        ("300", DeclinedError, "no longer has"),
        ("777", DeclinedError, "no known reason"),
        ("429", ThrottledError, "limit"),
        ("500", ThrottledError, "limit"),
        ("501", ThrottledError, "limit"),
        ("900", UnreachableError, "error 900"),
        ("910", UnreachableError, "error 910"),
        ("", UnreachableError, "no known code"),
        ("-1", UnreachableError, "no known code"),
        ("٣", UnreachableError, "no known code"),
        ("1" * 5000, UnreachableError, "no known code"),
    ],
)
def test_an_error_document_is_the_fault_that_its_code_means(
    code: str, fault: type[WorldFaultError], words: str
) -> None:
    with pytest.raises(fault, match=words) as caught:
        read_document(SYSTEM, error(code))

    assert "SECRET" not in str(caught.value)
    assert caught.value.system == SYSTEM


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%b">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    + b"]><rss>&j;</rss>"
)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\x01garbage",
        b"<rss><channel>",
        b"<!DOCTYPE html><html><body>Sign in</body></html>",
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><rss>&e;</rss>',
        b'<!DOCTYPE rss SYSTEM "http://127.0.0.1/x.dtd"><rss/>',
        b'<?xml version="1.0" encoding="no-such"?><rss/>',
        BOMB,
    ],
    ids=["empty", "bytes", "cut", "page", "file", "external", "encoding", "bomb"],
)
def test_what_is_no_plain_xml_is_unreachable(body: bytes) -> None:
    with pytest.raises(UnreachableError, match="no Torznab answer"):
        read_document(SYSTEM, body)


def test_plain_xml_is_handed_over() -> None:
    assert read_document(SYSTEM, b"<caps/>").tag == "caps"


@given(st.binary())
def test_no_bytes_cause_anything_but_a_tree_or_a_fault(body: bytes) -> None:
    try:
        read_document(SYSTEM, body)
    except WorldFaultError:
        return


def test_the_local_name_is_without_its_namespace() -> None:
    assert (local_name("{urn:x}attr"), local_name("attr")) == ("attr", "attr")

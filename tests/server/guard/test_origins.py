import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from server.guard.faults import DoorError, WrongHostError
from server.guard.origins import (
    is_local,
    own_names,
    refuse_cross_site,
    refuse_key_in_address,
    refuse_wrong_host,
)

NAMES = own_names("192.168.1.5", ["matinee.lan", "fd00::1"])


def host_headers(*hosts: str) -> Headers:
    return Headers(raw=[(b"host", host.encode()) for host in hosts])


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.5:8930",
        "matinee.lan",
        "MATINEE.LAN:1",
        "[fd00::1]:8930",
        "[FD00::1]",
        "localhost:",
    ],
)
def test_own_names_pass(host: str) -> None:
    refuse_wrong_host(host_headers(host), NAMES)


@pytest.mark.parametrize(
    "hosts",
    [
        [],
        [""],
        ["localhost", "localhost"],
        ["fd00::1"],
        ["[::1"],
        ["localhost:80:80"],
        ["localhost/"],
        ["user@localhost"],
        ["localhost#.evil.example"],
        ["localhost evil.example"],
        ["xn--localhost"],
    ],
)
def test_every_other_name_is_refused(hosts: list[str]) -> None:
    with pytest.raises(WrongHostError):
        refuse_wrong_host(host_headers(*hosts), NAMES)


@given(
    st.text(st.characters(codec="latin-1"), max_size=30).filter(
        lambda host: host.partition(":")[0].lower() != "localhost"
    )
)
def test_no_other_text_is_taken_for_a_name(host: str) -> None:
    with pytest.raises(WrongHostError):
        refuse_wrong_host(Headers({"host": host}), frozenset({"localhost"}))


def test_nobody_asks_for_the_address_that_means_all() -> None:
    names = own_names("0.0.0.0", ["::"])  # noqa: S104  # a setting, nothing is bound
    assert names == {"localhost", "127.0.0.1", "::1"}


OURS = {"host": "localhost:8930"}


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "none"},
        {"sec-fetch-site": "same-origin", "origin": "null"},
        {"origin": "http://localhost:8930"},
        {"origin": "https://localhost:8930"},
    ],
)
def test_our_own_pages_may_act(headers: dict[str, str]) -> None:
    refuse_cross_site("POST", Headers({**OURS, **headers}), with_cookie=True)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "WEIRD"])
@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": ""},
        {"sec-fetch-site": "cross-site", "origin": "http://localhost:8930"},
        {"origin": "null"},
        {"origin": "http://localhost"},
        {"origin": "http://localhost:8931"},
        {"origin": "http://["},
        {"origin": "localhost:8930"},
        {},
    ],
)
def test_pages_of_others_may_not(method: str, headers: dict[str, str]) -> None:
    with pytest.raises(DoorError):
        refuse_cross_site(method, Headers({**OURS, **headers}), with_cookie=True)


def test_looking_is_free_and_so_is_what_no_browser_sent() -> None:
    foreign = Headers({**OURS, "sec-fetch-site": "cross-site"})
    for method in ("GET", "HEAD", "OPTIONS"):
        refuse_cross_site(method, foreign, with_cookie=True)
    refuse_cross_site("POST", Headers(OURS), with_cookie=False)
    with pytest.raises(DoorError):
        refuse_cross_site("POST", foreign, with_cookie=False)


SECRET = "matinee_" + "aB3_-" * 8 + "xyz"


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/x", f"q={SECRET}"),
        ("/x", f"q=a{SECRET}b"),
        ("/x", f"q=%6D{SECRET[1:]}"),
        (f"/x/{SECRET}", ""),
        ("/x", "token"),
        ("/x", "a=1&Api_Key=2"),
        ("/x", "ACCESS_TOKEN="),
    ],
)
def test_a_key_in_an_address_is_refused(path: str, query: str) -> None:
    with pytest.raises(DoorError) as refused:
        refuse_key_in_address(path, query)
    assert SECRET not in refused.value.sentence


def test_an_ordinary_address_is_no_key() -> None:
    refuse_key_in_address("/api/v1/events", "after=3&limit=20&q=matinee_session")


def test_a_connection_without_a_port_is_local() -> None:
    assert is_local({"server": ("/run/matinee/socket", None)})
    assert is_local({"server": None})
    assert not is_local({"server": ("127.0.0.1", 8930)})

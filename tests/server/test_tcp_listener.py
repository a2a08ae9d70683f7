import pytest

from server.settings import Settings
from server.tcp_listener import NotListeningError, address_of, bound


def settings(host: str, port: int = 0) -> Settings:
    return Settings.model_validate({"server": {"host": host, "port": port}})


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),  # noqa: S104  # what a person may set
        ("::1", "[::1]"),
    ],
)
def test_the_address_is_one_to_go_to(host: str, shown: str) -> None:
    with bound(settings(host)) as listener:
        port = listener.getsockname()[1]
        assert address_of(settings(host), listener) == f"http://{shown}:{port}"


def test_a_port_that_is_taken_is_named_with_what_sets_it() -> None:
    with bound(settings("127.0.0.1")) as holder:
        taken = settings("127.0.0.1", holder.getsockname()[1])
        with pytest.raises(NotListeningError, match=r"server\.port .*MATINEE_SERVER_PORT.* --port"):
            bound(taken).__enter__()


def test_an_address_of_another_computer_is_named_with_what_sets_it() -> None:
    with pytest.raises(NotListeningError, match=r"192\.0\.2\.1 .*server\.host"):
        bound(settings("192.0.2.1")).__enter__()

"""What becomes of answers that are cut off, cannot be read, or never come."""

import gc
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from server.cli.api_client import connected
from server.cli.exits import EndError, Exit
from server.cli.home import Home
from tests.server.api.house import PASSPHRASE
from tests.server.cli.rig import Rig

HEAD = b"HTTP/1.1 %s\r\nContent-Type: application/problem+json\r\nContent-Length: %d\r\n\r\n%s"


@contextmanager
def answering(root: Path, answer: bytes) -> Generator[Home]:
    """A neighbour that reads one request, sends these bytes, and hangs up."""
    home = Home(root)
    home.prepare()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home.api_socket))
        listener.listen()

        def serve() -> None:
            asked = b""
            while not asked:  # whoever only knocks sends nothing
                client, _ = listener.accept()
                with client:
                    asked = client.recv(65536)
                    if asked:
                        client.sendall(answer)

        neighbour = threading.Thread(target=serve)
        neighbour.start()
        yield home
        neighbour.join()


def refusal(home: Home, method: str) -> EndError:
    with connected(home) as api, pytest.raises(EndError) as ended:
        {"GET": api.get, "POST": api.post}[method]("/status")
    return ended.value


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"])
def test_an_act_whose_answer_was_lost_is_unknown_and_a_look_is_not(
    tmp_path: Path, answer: bytes
) -> None:
    for method, status in (("POST", Exit.UNKNOWN), ("GET", Exit.FAILED)):
        root = tmp_path / method
        with answering(root, answer) as home:
            assert refusal(home, method).status is status


def test_a_refusal_that_is_no_document_is_told_by_its_status(tmp_path: Path) -> None:
    with answering(tmp_path, HEAD % (b"502 Bad Gateway", 3, b"no!")) as home:
        end = refusal(home, "GET")
    assert (end.status, end.code) == (Exit.FAILED, "internal")
    assert end.sentence == "The server answered with status 502."


def test_a_refusal_is_told_with_what_would_lift_it(tmp_path: Path) -> None:
    body = b'{"detail": "No.", "code": "precondition", "hint": "", "needs": {"do": "Do that."}}'
    with answering(tmp_path, HEAD % (b"412 Precondition Failed", len(body), body)) as home:
        end = refusal(home, "GET")
    assert (end.status, end.sentence, end.hint) == (Exit.FAILED, "No.", "Do that.")


@pytest.mark.parametrize(
    ("example", "typed"),
    [(b'{"a": 3}', """'{"a": 3}'"""), (b'"{\\"a\\": 3}"', """'{"a": 3}'""")],
)
def test_an_example_is_told_as_a_person_types_it(
    tmp_path: Path, example: bytes, typed: str
) -> None:
    body = b'{"detail": "No.", "code": "invalid_input", "needs": {"example": %s}}' % example
    with answering(tmp_path, HEAD % (b"422 No", len(body), body)) as home:
        end = refusal(home, "GET")
    assert end.hint == f"For example: {typed}"


@pytest.mark.parametrize("folder", [".", f"{'long-' * 20}/deeper"])
def test_a_server_that_is_not_there_does_not_answer(tmp_path: Path, folder: str) -> None:
    home = Home(tmp_path / folder)
    with pytest.raises(EndError) as ended, connected(home):
        pass
    assert ended.value.status is Exit.FAILED
    assert "does not answer" in ended.value.sentence


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_server_that_is_gone_was_not_sent_anything(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home.api_socket))
        listener.listen()
        with connected(home) as api:
            home.api_socket.unlink()
            with pytest.raises(EndError) as ended:
                api.post("/stop")
    assert ended.value.status is Exit.FAILED
    del ended
    gc.collect()  # the client library leaves the socket that was refused to the collector


def test_the_owners_session_ends_with_the_connection(rig: Rig) -> None:
    with connected(rig.home) as api:
        api.sign_in(PASSPHRASE)
        assert api.get("/session")["kind"] == "owner"
        api.sign_out()
        assert api.get("/session")["actor"] == "key:local"
        api.sign_in(PASSPHRASE)
    with connected(rig.home) as api:
        assert api.get("/session")["actor"] == "key:local"

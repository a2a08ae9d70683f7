import pytest
from pydantic import TypeAdapter
from starlette.responses import JSONResponse, PlainTextResponse, Response

from capabilities.adapters.media_server.configured import Configured
from capabilities.adapters.media_server.port import ServerKind
from capabilities.kernel.faults import DeclinedError, UnreachableError
from tests.capabilities.adapters.outbound_bench import outbound
from tests.capabilities.adapters.scripted_neighbour import neighbour

pytestmark = pytest.mark.anyio

NUMBERS = TypeAdapter(dict[str, int])


async def test_it_is_asked_below_its_address_with_what_signs_it() -> None:
    async with neighbour(JSONResponse({"a": 1})) as peer, outbound() as out:
        address = f"{peer.address}/proxy/"
        server = Configured(
            ServerKind.PLEX, "den", address, {"X-Key": "k"}, outbound=out, paths=None
        )
        answer = await server.fetched("/sections", NUMBERS, {"q": "1"})
        (request,) = peer.requests

    assert answer == {"a": 1}
    assert (request.url.path, request.url.query) == ("/proxy/sections", "q=1")
    assert request.headers["X-Key"] == "k"
    assert (server.name, server.kind) == ("den", ServerKind.PLEX)
    assert server.paths.to_theirs("/srv/a.mkv") == "/srv/a.mkv"


@pytest.mark.parametrize(
    ("answer", "fault", "sentence"),
    [
        (Response(status_code=401), DeclinedError, "does not accept its key"),
        (Response(status_code=404), DeclinedError, "HTTP 404"),
        (PlainTextResponse("<html>"), UnreachableError, "not that of such a server"),
    ],
)
async def test_what_is_no_answer_is_a_fault_that_names_the_server(
    answer: Response, fault: type[DeclinedError | UnreachableError], sentence: str
) -> None:
    async with neighbour(answer) as peer, outbound() as out:
        server = Configured(ServerKind.PLEX, "den", peer.address, {}, outbound=out, paths=None)
        with pytest.raises(fault, match=sentence) as raised:
            await server.fetched("/sections", NUMBERS)

    assert raised.value.system == 'the media server "den"'


async def test_an_address_that_is_none_is_refused() -> None:
    async with outbound() as out:
        with pytest.raises(DeclinedError):
            Configured(ServerKind.KODI, "den", "smb://nas", {}, outbound=out, paths=None)

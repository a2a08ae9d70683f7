from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketStream

from server.cli.demo.dialling import dialling
from world.local_program import free_port
from world.seeder import seeding

HANDSHAKE = b"\x13BitTorrent protocol"  # BEP 3
LIMIT_S = 5


@pytest.mark.anyio
async def test_whoever_waits_there_is_dialled_again_after_it_was_in_vain(tmp_path: Path) -> None:
    film = tmp_path / "Sintel.mkv"
    film.write_bytes(bytes(100_000))
    send, greetings = anyio.create_memory_object_stream[bytes](10)

    async def hang_up(stream: SocketStream) -> None:
        async with stream:
            await send.send(await stream.receive(len(HANDSHAKE)))

    port = free_port()
    async with (
        send,
        greetings,
        await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=port) as listener,
        anyio.create_task_group() as tasks,
        seeding(film) as seed,
    ):
        tasks.start_soon(listener.serve, hang_up)
        async with dialling(seed, ("127.0.0.1", port)):
            with anyio.fail_after(LIMIT_S):
                assert await greetings.receive() == HANDSHAKE
                assert await greetings.receive() == HANDSHAKE
        tasks.cancel_scope.cancel()

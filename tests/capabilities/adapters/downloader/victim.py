"""A process with an embedded client that downloads until it is killed; run by the tests.

Arguments: folder of the state, folder to save to, torrent file. Every change is a line: bytes done.
"""

import sys
from pathlib import Path

import anyio

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.embedded_upkeep import Timing
from capabilities.adapters.downloader.port import AddRequest


async def main(state: str, save_path: str, torrent: str) -> None:
    timing = Timing(look_every_s=0.05, keep_every_s=0.1)
    content = await anyio.Path(torrent).read_bytes()
    async with (
        open_embedded(Path(state), Path(save_path), LoopbackProfile(), timing=timing) as client,
        client.changes() as changes,
    ):
        hashes = await client.add(AddRequest(content, Path(save_path)))
        async for _ in changes:
            transfer = await client.transfer(hashes.key)
            print(transfer.done_bytes if transfer else -1, flush=True)  # noqa: T201  # read by the parent


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2], sys.argv[3])

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from capabilities.adapters.shelf.copying import FLUSH_EVERY, PIECE, DiffersError, copy
from capabilities.adapters.shelf.threads import off_loop

pytestmark = pytest.mark.anyio


@pytest.fixture
def target(tmp_path: Path) -> Iterator[int]:
    handle = os.open(tmp_path / "copy", os.O_RDWR | os.O_CREAT)
    yield handle
    os.close(handle)


@pytest.mark.parametrize("size", [0, 1, PIECE, 9 * PIECE + 5, FLUSH_EVERY + 1])
async def test_a_copy_has_the_bytes_and_the_digest_of_its_source(
    tmp_path: Path, target: int, size: int
) -> None:
    content = os.urandom(1 << 16) * (size // (1 << 16) + 1)
    source = tmp_path / "source"
    source.write_bytes(content[:size])
    with source.open("rb") as file:
        digest = await off_loop(copy, file.fileno(), target)
    assert digest == hashlib.sha256(content[:size]).hexdigest()
    assert (tmp_path / "copy").read_bytes() == content[:size]


async def test_what_does_not_stand_there_as_it_was_read_is_seen(tmp_path: Path) -> None:
    """A device that takes everything and holds nothing; a disk that lies looks like it."""
    source = tmp_path / "source"
    source.write_bytes(b"something")
    hole = os.open("/dev/null", os.O_RDWR)
    with source.open("rb") as file, pytest.raises(DiffersError):
        await off_loop(copy, file.fileno(), hole)
    os.close(hole)

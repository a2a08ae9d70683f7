"""The same about the proof that a client saves where we look."""

import pytest

from capabilities.adapters.downloader.mapped import Mapped
from capabilities.adapters.downloader.path_proof import prove
from capabilities.kernel.faults import UnreachableError
from capabilities.rules.path_mapping import PathMap, SameFolder
from tests.capabilities.adapters.downloader.rig import (
    Rig,
    listing,
)


class Unforgetting(Mapped):
    """A client that cannot be reached when something is to be removed, as after a death of ours."""

    async def remove(self, info_hash: str, *, delete_data: bool) -> None:
        """Never there for it."""
        del info_hash, delete_data
        raise UnreachableError("the download client", "It is away.")


@pytest.mark.anyio
async def test_a_file_of_ours_is_found_where_it_saves_and_the_proof_leaves_nothing(
    rig: Rig,
) -> None:
    rig.save_path.mkdir(parents=True, exist_ok=True)
    async with rig.open() as client:
        before = listing(rig.save_path)
        proof = await prove(client, rig.save_path)
        left = await client.transfers()

    assert proof.proven, proof.sentence
    assert str(rig.save_path) in proof.sentence
    assert (left, listing(rig.save_path)) == ([], before)


@pytest.mark.anyio
async def test_a_wrong_path_map_is_told_by_both_names_and_the_proof_leaves_nothing(
    rig: Rig,
) -> None:
    theirs = rig.save_path / "another place"
    for folder in (rig.save_path, theirs):
        folder.mkdir(parents=True, exist_ok=True)
    async with rig.open() as client:
        before = listing(rig.save_path)
        wrong = Mapped(client, PathMap([SameFolder(str(rig.save_path), str(theirs))]))
        proof = await prove(wrong, rig.save_path)
        left = await client.transfers()

    assert proof.proven is False, proof.sentence
    assert f"written to {rig.save_path}." in proof.sentence
    assert f"looked in {theirs}." in proof.sentence
    assert (left, listing(rig.save_path)) == ([], before)


@pytest.mark.anyio
async def test_what_a_dead_proof_left_goes_with_the_next(rig: Rig) -> None:
    rig.save_path.mkdir(parents=True, exist_ok=True)
    async with rig.open() as client:
        await prove(Unforgetting(client, PathMap()), rig.save_path)
        there, files = await client.transfers(), listing(rig.save_path)
        proof = await prove(client, rig.save_path)
        left = await client.transfers()

    assert (len(there), len(files)) == (1, 1)
    assert proof.proven, proof.sentence
    assert (left, listing(rig.save_path)) == ([], set())

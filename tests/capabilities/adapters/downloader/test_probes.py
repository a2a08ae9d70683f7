from pathlib import Path

import pytest

from capabilities.adapters.downloader.port import AddRequest, Downloaders
from capabilities.adapters.downloader.probes import probe_add
from capabilities.kernel.probing import Finding, Verdict
from tests.capabilities.adapters.downloader.rig import embedded, film
from world.seeder import TorrentKind, make_torrent


@pytest.mark.anyio
async def test_an_added_torrent_is_found_by_any_of_its_hashes(tmp_path: Path) -> None:
    torrent = make_torrent(film(tmp_path / "theirs"), kind=TorrentKind.HYBRID)
    async with embedded(tmp_path / "a", name="a") as a, embedded(tmp_path / "b", name="b") as b:
        hashes = await b.add(AddRequest(torrent, tmp_path / "ours"))
        await a.aclose()
        findings = [
            await probe_add(Downloaders((a, b), "a"), name.upper()) for name in hashes.names()
        ]

    assert {finding.verdict for finding in findings} == {Verdict.APPLIED}
    assert all(finding.evidence["client"] == "b" for finding in findings)
    assert all(finding.evidence["info_hash"] == hashes.key for finding in findings)
    assert set(findings[0].evidence) == {"client", "state", "info_hash"}


@pytest.mark.anyio
async def test_a_torrent_that_nobody_has_was_not_added_only_if_all_were_asked(
    tmp_path: Path,
) -> None:
    async with embedded(tmp_path / "a", name="a") as a, embedded(tmp_path / "b", name="b") as b:
        both = Downloaders((a, b), "a")
        asked = await probe_add(both, "ab" * 20)
        await b.aclose()
        silent = await probe_add(both, "ab" * 20)

    assert asked == Finding(Verdict.NOT_APPLIED, {"asked": ["a", "b"]})
    assert silent == Finding(Verdict.CANNOT_TELL, {"not_answering": ["b"]})

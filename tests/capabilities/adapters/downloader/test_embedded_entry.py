from pathlib import Path

from capabilities.adapters.downloader.embedded_entry import requested
from capabilities.adapters.downloader.port import AddRequest


def test_a_link_does_not_choose_files_that_nobody_has_judged_yet(tmp_path: Path) -> None:
    link = f"magnet:?xt=urn:btih:{'ab' * 20}&so=0-2"
    assert requested(AddRequest(link, tmp_path), 1).params.file_priorities == []

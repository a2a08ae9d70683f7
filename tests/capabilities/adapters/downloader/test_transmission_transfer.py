"""The one word for what Transmission does with a torrent."""

from collections.abc import Mapping

import pytest

from capabilities.adapters.downloader.port import ClientState
from capabilities.adapters.downloader.transmission_row import FullRow
from capabilities.adapters.downloader.transmission_transfer import brief_of, state_of, transfer_of

LEFT = {"sizeWhenDone": 10, "leftUntilDone": 4}
DONE = {"sizeWhenDone": 10, "leftUntilDone": 0}
GONE = {"error": 3, "errorString": "No data found! Ensure your drives are connected"}
OURS = {"labels": ["matinee", "matinee-paused"]}
OWNERS = {"labels": ["matinee", "matinee-paused-by-owner"]}
ADDING = {"labels": ["matinee", "matinee-adding"]}
REFUSED = {"labels": ["matinee", "matinee-refused"]}
MAGNET = {"metadataPercentComplete": 0.5}


def row(status: int, *parts: Mapping[str, object]) -> FullRow:
    whole: dict[str, object] = {"id": 1, "hashString": "ab" * 20, "name": "x", "status": status}
    for part in (LEFT, {"downloadDir": "/films"}, *parts):
        whole.update(part)
    return FullRow.model_validate(whole)


@pytest.mark.parametrize(
    ("seen", "state"),
    [
        (row(0), ClientState.PAUSED_BY_OWNER),
        (row(0, OURS), ClientState.PAUSED_BY_US),
        (row(0, OWNERS), ClientState.PAUSED_BY_OWNER),
        (row(0, ADDING), ClientState.QUEUED),
        (row(0, REFUSED), ClientState.FAILED),
        (row(0, GONE), ClientState.MISSING_FILES),
        (row(0, GONE, DONE), ClientState.MISSING_FILES),
        (row(0, {"error": 3, "errorString": "Permission denied"}), ClientState.FAILED),
        (row(0, DONE), ClientState.COMPLETED),
        (row(0, DONE, OURS), ClientState.COMPLETED),
        (row(0, MAGNET, DONE), ClientState.PAUSED_BY_OWNER),
        (row(0, {"sizeWhenDone": 0, "leftUntilDone": 0}), ClientState.PAUSED_BY_OWNER),
        (row(1), ClientState.CHECKING),
        (row(2, GONE), ClientState.CHECKING),
        (row(3), ClientState.QUEUED),
        (row(4), ClientState.DOWNLOADING),
        (row(4, MAGNET), ClientState.METADATA),
        (row(4, DONE), ClientState.DOWNLOADING),
        (row(4, {"error": 2, "errorString": "tracker"}), ClientState.DOWNLOADING),
        (row(5, DONE), ClientState.COMPLETED),
        (row(6, DONE), ClientState.SEEDING),
    ],
)
def test_every_state_has_its_word(seen: FullRow, state: ClientState) -> None:
    assert state_of(seen, quiet=False) is state


@pytest.mark.parametrize("status", [0, 1, 3, 6])
def test_only_what_fetches_can_stall(status: int) -> None:
    parts = [DONE] if status == 6 else []

    assert state_of(row(status, *parts), quiet=True) is not ClientState.STALLED
    assert state_of(row(4), quiet=True) is ClientState.STALLED
    assert state_of(row(4, MAGNET), quiet=True) is ClientState.STALLED


def test_a_failure_is_told_in_transmissions_words_and_a_refusal_in_ours() -> None:
    failed = transfer_of(row(0, {"error": 3, "errorString": "Disk\nquota"}), quiet=False)
    bad = {"name": "../up", "length": 10}
    refused = transfer_of(
        row(0, REFUSED, {"files": [bad], "fileStats": [{"wanted": True}]}), quiet=False
    )

    assert failed.error is not None
    assert '"Disk quota"' in failed.error
    assert refused.error is not None
    assert "leads to another folder" in refused.error


def test_the_ratio_is_of_what_was_taken_or_else_had() -> None:
    given = {"uploadedEver": 30, "haveValid": 10}

    assert transfer_of(row(6, DONE, given), quiet=False).ratio == 3
    assert transfer_of(row(6, DONE, given, {"downloadedEver": 20}), quiet=False).ratio == 1.5
    assert transfer_of(row(4), quiet=False).ratio == 0


def test_a_stop_at_its_own_limit_is_told_apart_from_anybodys() -> None:
    finished = {"isFinished": True}

    assert transfer_of(row(0, DONE, finished), quiet=False).stopped_at_limit
    assert not transfer_of(row(0, DONE), quiet=False).stopped_at_limit
    assert not transfer_of(row(6, DONE, finished), quiet=False).stopped_at_limit
    assert not transfer_of(row(0, DONE, OURS, finished), quiet=False).stopped_at_limit


def test_one_that_is_none_of_ours_is_told_of_without_its_files() -> None:
    brief = brief_of(row(6, DONE, {"labels": ["films"], "files": [{"name": "a", "length": 10}]}))

    assert (brief.state, brief.complete, brief.files) == (ClientState.SEEDING, True, ())
    assert (brief.category, brief.wanted_bytes) == ("films", 10)

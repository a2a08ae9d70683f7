"""What Transmission says of a torrent, read."""

import base64

import pytest
from pydantic import ValidationError

from capabilities.adapters.downloader.transmission_row import FullRow, Row, Status, field_names

ROW = {
    "id": 1,
    "hashString": "ab" * 20,
    "name": "Show",
    "status": 4,
    "downloadDir": "/films",
    "labels": ["films"],
    "leftUntilDone": 5,
    "sizeWhenDone": 45,
}
FILES = {
    "files": [
        {"name": "Show/a", "length": 10, "bytesCompleted": 10},
        {"name": "Show/.pad/6", "length": 6, "bytesCompleted": 0},
        {"name": "Show/b", "length": 34, "bytesCompleted": 20},
    ],
    "fileStats": [{"wanted": True}, {"wanted": False}, {"wanted": True}],
    "pieceSize": 8,
}


def test_a_file_has_what_its_verified_pieces_hold_of_it() -> None:
    # Pieces 0, 2 and 6 of 8 bytes: 0-7, 16-23, 48-49.
    pieces = base64.b64encode(bytes([0b10100010])).decode()
    row = FullRow.model_validate({**ROW, **FILES, "pieces": pieces})

    assert row.done() == [8, 0, 10]
    assert row.wanted == {0, 2}
    assert row.paths == ["Show/a", "Show/b"]


def test_of_a_complete_torrent_each_wanted_file_is_whole() -> None:
    row = FullRow.model_validate({**ROW, **FILES, "leftUntilDone": 0, "pieces": "not base64"})

    assert row.done() == [10, 0, 34]


@pytest.mark.parametrize(
    ("name", "value"),
    [("status", 9), ("hashString", "no hash"), ("haveValid", -1), ("labels", "films")],
)
def test_a_row_that_makes_no_sense_is_no_row(name: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Row.model_validate({**ROW, name: value})


def test_it_is_asked_for_by_the_names_that_it_has_at_transmission() -> None:
    names = field_names(FullRow)

    assert {"hashString", "metadataPercentComplete", "downloadDir", "fileStats"} <= set(names)


def test_a_trackers_complaint_breaks_no_torrent() -> None:
    row = Row.model_validate({**ROW, "error": 2, "errorString": "No data found at the tracker"})

    assert (row.broken, row.missing, row.status) == (False, False, Status.FETCHES)

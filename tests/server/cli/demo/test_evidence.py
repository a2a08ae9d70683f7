import os
from pathlib import Path

import pytest

from server.cli.demo.evidence import one_claim_each, pair
from server.cli.demo.faults import DemoFailedError

SUBMITTED = {"id": "inv_1", "capability": "download.submit", "state": "succeeded"}
PLACED = {"id": "inv_2", "capability": "organize.execute", "state": "succeeded"}


def test_a_hard_link_is_one_file_with_one_content(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mkv", tmp_path / "b.mkv"
    source.write_bytes(b"film")
    os.link(source, target)

    seen = pair(source, target)

    assert seen.inode_equal
    assert seen.source_sha256 == seen.target_sha256
    assert seen.document()["size"] == 4


def test_a_copy_is_not_taken_for_a_hard_link(tmp_path: Path) -> None:
    source, target = tmp_path / "a.mkv", tmp_path / "b.mkv"
    source.write_bytes(b"film")
    target.write_bytes(b"film")

    with pytest.raises(DemoFailedError, match="not a hard link"):
        pair(source, target)


def test_a_target_that_is_missing_fails_the_demo(tmp_path: Path) -> None:
    source = tmp_path / "a.mkv"
    source.write_bytes(b"film")

    with pytest.raises(DemoFailedError, match="not where the record says"):
        pair(source, tmp_path / "b.mkv")


def test_every_act_has_exactly_one_claim_that_succeeded() -> None:
    assert one_claim_each([SUBMITTED, PLACED]) == {
        "download.submit": "inv_1",
        "organize.execute": "inv_2",
    }


def test_an_act_that_was_claimed_twice_fails_the_demo() -> None:
    with pytest.raises(DemoFailedError, match="claimed 2 times"):
        one_claim_each([SUBMITTED, SUBMITTED, PLACED])


def test_an_act_of_unknown_outcome_fails_the_demo() -> None:
    unknown = {**PLACED, "state": "unknown", "sentence": "Nobody knows."}

    with pytest.raises(DemoFailedError, match="unknown: Nobody knows"):
        one_claim_each([SUBMITTED, unknown])

import pytest

from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.organize.import_plan import FrozenSource, LeftFile, PlannedFile
from capabilities.organize.unidentified import (
    TAKEN,
    UNIDENTIFIED,
    refuse_nothing,
    unidentified,
    whole_question,
)
from ledger.clock import Clock
from ledger.stores.decisions import DecisionKind, Severity
from ledger.stores.downloads import DownloadRow

SAMPLE = LeftFile(path="x/sample.mkv", why="it is a sample")
STRANGE = LeftFile(path="x/a\u202eb.mkv", why="season 5 is not known", unidentified=True)
THERE = LeftFile(path="x/c.mkv", why=TAKEN)


NOW = Clock().now()
ROW = DownloadRow(
    id="dl_1",
    client="embedded",
    info_hash="ab" * 20,
    hash_v1=None,
    hash_v2=None,
    name="Show",
    plan="plan_1",
    release="rel_1",
    work="work_1",
    run=None,
    state="completed",
    size=1,
    done=1,
    facts={},
    last_error=None,
    created_at=NOW,
    updated_at=NOW,
    completed_at=NOW,
)


def planned(role: str) -> PlannedFile:
    source = FrozenSource(path="x/d", device=1, inode=1, size=1, mtime_ns=1)
    return PlannedFile(source=source, target="d", role=role)


def refused(*left: LeftFile) -> Refused:
    with pytest.raises(HaltError) as raised:
        refuse_nothing([planned("subtitle")], left)
    assert isinstance(raised.value.outcome, Refused)
    return raised.value.outcome


@pytest.mark.parametrize("role", ["video", "disc"])
def test_what_places_a_video_or_a_disc_is_not_refused(role: str) -> None:
    refuse_nothing([planned(role)], [SAMPLE, STRANGE])


def test_a_refusal_says_what_fits_nothing_and_why() -> None:
    outcome = refused(SAMPLE, STRANGE)
    assert outcome.needs[UNIDENTIFIED] == {"x/a b.mkv": "season 5 is not known"}
    assert outcome.needs["left"] == {
        "x/sample.mkv": "it is a sample",
        "x/a b.mkv": "season 5 is not known",
    }


def test_what_is_only_a_sample_or_taken_is_no_question_of_identity() -> None:
    assert UNIDENTIFIED not in refused(SAMPLE).needs
    outcome = refused(SAMPLE, THERE)
    assert TAKEN in outcome.sentence
    assert UNIDENTIFIED not in outcome.needs


def test_an_empty_download_is_refused_too() -> None:
    assert "it has no files" in refused().sentence


def test_the_question_names_the_files_and_keeps_the_suggestion_apart() -> None:
    asked = whole_question(ROW, "It fits nothing.", unidentified([SAMPLE, STRANGE]))
    assert (asked.kind, asked.severity) == (DecisionKind.IMPORT_UNIDENTIFIED, Severity.HIGH)
    assert asked.evidence["files"] == {"x/a b.mkv": "season 5 is not known"}
    assert asked.evidence["taken_for"] == ROW.work
    assert asked.subject == ROW.id
    assert [option["id"] for option in asked.options] == ["retry", "dismiss"]

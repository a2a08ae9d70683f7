import pytest

from capabilities.adapters.downloader.port import ClientState
from capabilities.adapters.downloader.qbittorrent_states import STOPPED, error_of, state_of

BOTH = {
    "allocating": ClientState.QUEUED,
    "checkingDL": ClientState.CHECKING,
    "checkingUP": ClientState.CHECKING,
    "checkingResumeData": ClientState.CHECKING,
    "downloading": ClientState.DOWNLOADING,
    "forcedDL": ClientState.DOWNLOADING,
    "forcedMetaDL": ClientState.METADATA,
    "forcedUP": ClientState.SEEDING,
    "metaDL": ClientState.METADATA,
    "missingFiles": ClientState.MISSING_FILES,
    "moving": ClientState.CHECKING,
    "queuedDL": ClientState.QUEUED,
    "queuedUP": ClientState.SEEDING,
    "stalledDL": ClientState.DOWNLOADING,
    "stalledUP": ClientState.SEEDING,
    "uploading": ClientState.SEEDING,
}


@pytest.mark.parametrize(("word", "state"), BOTH.items())
def test_words_that_both_versions_have(word: str, state: ClientState) -> None:
    assert (state_of(word), error_of(word)) == (state, None)


@pytest.mark.parametrize("version", ["paused", "stopped"])
def test_what_is_stopped_is_so_in_the_words_of_either_version(version: str) -> None:
    assert state_of(f"{version}DL") is ClientState.PAUSED_BY_OWNER
    assert state_of(f"{version}UP") is ClientState.COMPLETED
    assert {f"{version}DL", f"{version}UP"} < STOPPED


@pytest.mark.parametrize("word", ["error", "unknown", "somethingNew"])
def test_trouble_and_what_is_not_known_yet_is_failed_with_a_sentence(word: str) -> None:
    assert state_of(word) is ClientState.FAILED
    assert "qBittorrent" in (error_of(word) or "")

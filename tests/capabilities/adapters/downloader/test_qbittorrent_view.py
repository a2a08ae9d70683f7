from dataclasses import dataclass
from typing import Any

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.port import ClientState, FileProgress, Transfer
from capabilities.adapters.downloader.qbittorrent_answers import Row
from capabilities.adapters.downloader.qbittorrent_view import Quiet, described

HASHES = InfoHashes(v1="ab" * 20)
FILE = FileProgress(0, "film.mkv", 10, 10, wanted=True)


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


def row(**changed: Any) -> Row:
    held = {"name": "Film", "state": "stalledDL", "size": 10, "total_size": 10, **changed}
    return Row.model_validate(held)


def seen(**changed: Any) -> Transfer:
    return described(row(**changed), HASHES, (FILE,))


def test_who_paused_is_told_by_our_tag() -> None:
    assert seen(state="pausedDL").state is ClientState.PAUSED_BY_OWNER
    assert seen(state="stoppedDL", tags="a, matinee-paused").state is ClientState.PAUSED_BY_US
    assert seen(state="stoppedUP", tags="matinee-paused").state is ClientState.COMPLETED
    # Ours to let go, not anybody's pause.
    assert seen(state="stoppedDL", tags="matinee-adding").state is ClientState.QUEUED


def test_what_is_told_to_be_done_before_its_bytes_are_counted_is_not_complete() -> None:
    assert seen(state="stalledUP", amount_left=3).state is ClientState.CHECKING
    assert seen(state="downloading", amount_left=-15378).state is ClientState.DOWNLOADING
    assert seen(state="stalledUP", amount_left=-15378).state is ClientState.CHECKING
    assert seen(state="stalledUP").complete


def test_a_stop_at_its_own_limit_is_told_apart_from_anybodys() -> None:
    by_ratio = {"state": "stoppedUP", "completed": 10, "uploaded": 20, "max_ratio": 2}
    by_time = {"state": "pausedUP", "max_seeding_time": 5, "seeding_time": 300}

    assert seen(**by_ratio).stopped_at_limit
    assert seen(**by_time).stopped_at_limit
    assert not seen(**{**by_ratio, "uploaded": 19}).stopped_at_limit
    assert not seen(**{**by_time, "seeding_time": 299}).stopped_at_limit
    assert not seen(**{**by_ratio, "state": "stalledUP"}).stopped_at_limit
    assert not seen(**{**by_ratio, "tags": "matinee-paused"}).stopped_at_limit
    assert not seen(state="stoppedUP", max_ratio=-1, max_seeding_time=-1).stopped_at_limit


def test_a_refused_or_rechecking_torrent_is_nothing_else() -> None:
    refused = described(row(), HASHES, (), refused="It has bad names.")
    checking = described(row(state="stalledUP"), HASHES, (FILE,), rechecking=True)

    assert (refused.state, refused.error) == (ClientState.FAILED, "It has bad names.")
    assert checking.state is ClientState.CHECKING


def test_before_the_metadata_it_is_called_by_its_hash() -> None:
    assert seen(state="metaDL", total_size=-1, size=-1, name="claimed").name == HASHES.key


def test_quiet_for_too_long_is_stalled_and_a_peer_or_a_byte_ends_that() -> None:
    clock = Clock()
    quiet = Quiet(60, clock)
    told: list[bool] = []
    for moment, changed in (
        (0, {}),
        (59, {}),
        (60, {}),
        (61, {"num_leechs": 1}),
        (120, {}),
        (121, {}),
        (122, {"completed": 1}),
        (182, {"completed": 1}),
    ):
        clock.now = moment
        told.append(quiet.is_stalled("a", row(**changed)))

    assert told == [False, False, True, False, False, True, False, True]
    assert described(row(), HASHES, (), stalled=True).state is ClientState.STALLED
    assert described(row(state="stalledUP"), HASHES, (FILE,), stalled=True).complete


def test_what_stands_still_is_not_quiet() -> None:
    clock = Clock()
    quiet = Quiet(60, clock)
    quiet.is_stalled("a", row(state="pausedDL"))
    clock.now = 100
    quiet.is_stalled("a", row(state="pausedDL"))

    assert not quiet.is_stalled("a", row())

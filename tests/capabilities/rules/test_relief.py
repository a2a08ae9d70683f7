from datetime import UTC, datetime, timedelta

import pytest

from capabilities.rules.relief import LEAST_SLACK, Load, relief

START = datetime(2026, 5, 1, tzinfo=UTC)
GB = 1_000_000_000


def load(id_: str, owed: int, *, running: bool = True, held: bool = False) -> Load:
    """The later in the alphabet, the younger."""
    return Load(id_, owed * GB, START + timedelta(hours=ord(id_)), running=running, held=held)


def held(id_: str, owed: int) -> Load:
    return load(id_, owed, running=False, held=True)


@pytest.mark.parametrize(
    ("free", "floor", "loads", "pause", "resume"),
    [
        (10, 2, [load("a", 3), load("b", 3)], "", ""),
        (10, 4, [load("a", 3), load("b", 3)], "", ""),
        (10, 5, [load("a", 3), load("b", 3)], "b", ""),
        (10, 8, [load("a", 3), load("b", 3)], "ba", ""),
        (10, 5, [load("a", 3), load("b", 1), load("c", 1), load("d", 1)], "d", ""),
        (10, 6, [load("a", 1), load("b", 3), load("c", 1)], "c", ""),
        (10, 5, [load("a", 6), load("b", 0)], "a", ""),
        (1, 5, [load("a", 6), load("b", 0)], "ba", ""),
        (1, 5, [], "", ""),
        (10, 5, [load("a", 3), load("b", 9, running=False)], "", ""),
        (10, 5, [held("a", 3)], "", "a"),
        (10, 5, [held("a", 3), held("b", 3)], "", "a"),
        (20, 5, [held("b", 3), held("a", 3)], "", "ab"),
        (10, 5, [load("a", 2), held("b", 3)], "", ""),
        (10, 5, [load("a", 6), held("b", 3)], "a", ""),
        (10, 5, [held("a", 9), held("b", 1)], "", ""),
        (1, 5, [held("a", 1)], "", ""),
    ],
    ids=[
        "room enough",
        "the floor itself is room",
        "one is enough, the youngest",
        "all of them",
        "no more than it takes",
        "the youngest first, if it is small",
        "what owes nothing is of no help",
        "the floor is reached already",
        "nothing of ours takes room",
        "what stands still owes nothing now",
        "room again",
        "room for one of two",
        "the oldest goes on first",
        "room, but none to spare",
        "nothing goes on while another one stops",
        "the oldest is waited for",
        "no room yet",
    ],
)
def test_the_youngest_stand_still_and_the_oldest_go_on(
    free: int, floor: int, loads: list[Load], pause: str, resume: str
) -> None:
    found = relief(free * GB, floor * GB, loads)
    assert ("".join(found.pause), "".join(found.resume)) == (pause, resume)


def test_it_takes_some_more_room_to_go_on_than_it_took_to_stop() -> None:
    one = held("a", 3)
    assert relief(3 * GB + LEAST_SLACK - 1, 0, [one]).resume == ()
    assert relief(3 * GB + LEAST_SLACK, 0, [one]).resume == ("a",)
    floor = 50 * GB
    assert relief(floor + 3 * GB + LEAST_SLACK, floor, [one]).resume == ()
    assert relief(floor + 3 * GB + floor // 10, floor, [one]).resume == ("a",)


def test_what_will_be_left_is_told() -> None:
    assert relief(10 * GB, 5 * GB, [load("a", 3), load("b", 3)]).left == 7 * GB

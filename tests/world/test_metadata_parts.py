import pytest
from pydantic import ValidationError

from world.metadata_parts import GroupedEpisode, KnownEpisode, KnownGroup, KnownOrder


def part(order: int, *numbers: int) -> KnownGroup:
    episodes = tuple(GroupedEpisode(season_number=1, episode_number=each) for each in numbers)
    return KnownGroup(name=f"Part {order}", order=order, episodes=episodes)


ORDER = KnownOrder(id="ab", name="On disc", type=3, groups=(part(1, 2, 1), part(2, 3)))


def test_the_row_of_an_order_counts_its_groups_and_episodes() -> None:
    row = ORDER.row()
    assert (row["id"], row["type"], row["group_count"], row["episode_count"]) == ("ab", 3, 2, 3)
    assert "groups" not in row


def test_an_order_in_full_numbers_the_episodes_of_each_part_from_nought() -> None:
    assert ORDER.details()["groups"] == [
        {
            "id": "ab2",
            "name": "Part 2",
            "order": 2,
            "locked": True,
            "episodes": [{"season_number": 1, "episode_number": 3, "order": 0}],
        },
        {
            "id": "ab1",
            "name": "Part 1",
            "order": 1,
            "locked": True,
            "episodes": [
                {"season_number": 1, "episode_number": 2, "order": 0},
                {"season_number": 1, "episode_number": 1, "order": 1},
            ],
        },
    ]


def test_what_the_data_of_the_world_misspells_is_refused() -> None:
    given = {"episode_number": 1, "name": "x", "air_date": "", "minutes": 5}
    with pytest.raises(ValidationError, match="minutes"):
        KnownEpisode.model_validate(given)

import pytest

from capabilities.rules.recognition.sums import EpisodeSum


@pytest.mark.parametrize(
    ("text", "episode", "becomes"),
    [
        ("EP+12", 1, 13),
        ("ep - 12", 25, 13),
        ("2*EP-1", 3, 5),
        ("EP*2+1", 3, 7),
        ("(EP+1)*2", 3, 8),
        ("-EP+10", 3, 7),
        ("EP", 7, 7),
    ],
)
def test_a_sum_counts_by_the_rules_of_arithmetic(text: str, episode: int, becomes: int) -> None:
    assert EpisodeSum(text).of(episode) == becomes


@pytest.mark.parametrize(("text", "episode"), [("EP-12", 3), ("EP*9999", 9999)])
def test_what_would_be_no_number_of_an_episode_is_none(text: str, episode: int) -> None:
    assert EpisodeSum(text).of(episode) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "EP+",
        "EP**9",
        "EP/2",
        "EP+1.5",
        "EP+x",
        "EP+True",
        "__import__('os').system('true') or EP",
        "EP+" + "1+" * 40 + "1",
        "EP\0",
    ],
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="EP"):
        EpisodeSum(text)

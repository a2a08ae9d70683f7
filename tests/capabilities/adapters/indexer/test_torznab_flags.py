import pytest

from capabilities.adapters.indexer.torznab_flags import Promotion, promotion


def told(**attributes: str | list[str]) -> tuple[Promotion, list[str]]:
    doubts: list[str] = []
    held = {
        name: [value] if isinstance(value, str) else value for name, value in attributes.items()
    }
    return promotion(held, doubts), doubts


def test_what_is_not_said_is_unknown() -> None:
    assert told() == (Promotion(None, None, ()), [])


@pytest.mark.parametrize(
    ("down", "up", "flags"),
    [
        ("0", "1", ("freeleech",)),
        ("0.25", "2", ("freeleech75", "double_upload")),
        ("0.5", "1", ("halfleech",)),
        ("0.75", "1", ("freeleech25",)),
        ("1", "1", ()),
        ("0.4", "3", ()),
    ],
)
def test_the_factors_have_names(down: str, up: str, flags: tuple[str, ...]) -> None:
    found, doubts = told(downloadvolumefactor=down, uploadvolumefactor=up)

    assert (found.flags, doubts) == (flags, [])
    assert (found.download_factor, found.upload_factor) == (float(down), float(up))


def test_tags_are_words_in_our_spelling_each_once() -> None:
    tags = ["Internal", "SCENE", "scene", "Double-Upload", "golden popcorn, Approved"]
    found, doubts = told(tag=tags)

    expected = ("double_upload", "internal", "scene", "golden popcorn", "approved")
    assert (found.flags, doubts) == (expected, [])


@pytest.mark.parametrize(
    ("tag", "down", "up"),
    [
        ("freeleech", 0.0, None),
        ("Half Leech", 0.5, None),
        ("doubleupload", None, 2.0),
        ("neutralleech", 0.0, 0.0),
        ("internal", None, None),
    ],
)
def test_a_tag_stands_for_a_factor_that_is_not_given(
    tag: str, down: float | None, up: float | None
) -> None:
    found, doubts = told(tag=tag)

    assert (found.download_factor, found.upload_factor, doubts) == (down, up, [])


def test_a_tag_counts_nothing_against_a_factor_and_two_tags_nothing_against_each_other() -> None:
    found, doubts = told(tag=["freeleech", "internal"], downloadvolumefactor="1")
    assert (found.download_factor, found.flags) == (1.0, ("internal",))
    assert doubts == ["its tags say freeleech, its download factor 1; the factor counts"]

    found, doubts = told(tag=["freeleech", "halfleech"])
    assert (found.download_factor, found.flags) == (None, ())
    said = "its tags say freeleech and halfleech, which contradict each other; neither counts"
    assert doubts == [said]


@pytest.mark.parametrize(
    ("name", "flag"),
    [("nuked", "nuked"), ("prematch", "scene"), ("haspretime", "scene"), ("internal", "internal")],
)
def test_attributes_of_their_own_are_flags_when_they_say_yes(name: str, flag: str) -> None:
    assert told(**{name: "1"})[0].flags == (flag,)
    assert told(**{name: "0"})[0].flags == ()
    assert told(**{name: "unknown"})[0].flags == ()


def test_there_is_an_end_to_the_flags() -> None:
    found, _ = told(tag=[f"{number}{'x' * 500}" for number in range(100)])

    assert len(found.flags) == 20
    assert max(map(len, found.flags)) == 40

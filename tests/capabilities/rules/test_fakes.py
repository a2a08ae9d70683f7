import pytest

from capabilities.rules.fakes import NAMED, suspicion


@pytest.mark.parametrize(
    "path",
    [
        "Film.2020.1080p.mkv.lnk",
        "Film.2020/Film.scr",
        "Film.2020/setup.exe",
        "Film.2020/Film.mp4.zip",
        "Film.2020/Film password.rar",
        "Film.2020/Film.zipx",
        "Film.2020/Film.ps1",
        "Film.2020/Film.mkv.exe ",
    ],
)
def test_arr_23_a_dangerous_name_is_told_with_its_reason(path: str) -> None:
    found = suspicion(["Film.2020/Film.mkv", path], 10, 10)
    assert found is not None
    assert list(found.files) == [path]
    assert found.files[path] in found.sentence


@pytest.mark.parametrize(
    "path", ["Film.mkv", "Film.rar", "Film.001", "Read me.txt", "Film.srt", "site.url"]
)
def test_what_is_merely_not_a_video_is_no_fake(path: str) -> None:
    assert suspicion([path], 10, 10) is None


@pytest.mark.parametrize(
    ("whole", "announced", "far"),
    [
        (10, 10, False),
        (20, 10, False),
        (21, 10, True),
        (5, 10, False),
        (4, 10, True),
        (4, None, False),
        (4, 0, False),
        (0, 10, False),
    ],
)
def test_a_size_far_off_the_announced_one_is_told(
    whole: int, announced: int | None, *, far: bool
) -> None:
    found = suspicion(["Film.mkv"], whole, announced)
    assert (found is not None) is far
    if found is not None:
        assert "were announced" in found.sentence


def test_sizes_are_said_in_words() -> None:
    found = suspicion(["Film.mkv"], 5_000_000, 4_200_000_000)
    assert found is not None
    assert found.size == "4.20 GB were announced, and it holds 5.00 MB"


def test_only_the_first_of_many_are_told() -> None:
    found = suspicion([f"{number}.exe" for number in range(50)], 10, 10)
    assert found is not None
    assert len(found.files) == NAMED

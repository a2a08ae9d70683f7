import pytest

from capabilities.rules.name_parts import PartKind, pieces

NAMES = [
    "Sintel.2010.1080p.BluRay.DTS-HD.MA.5.1.x264-OPEN.mkv",
    "[orion origin] Goblin Slayer II [01v2] [1080p] [H265 AAC].mp4",
    "Show.S01E02E03.The.Title.German.DL.720p.WEB-DL.DDP5.1.Atmos.H.264-NTb",
    "三生三世十里桃花 - S01E01 - 第1集.mp4",
    "a" * 3_000,
    "\u202e\u200b<b>x</b>",
    "...",
    "",
]


@pytest.mark.parametrize("name", NAMES)
def test_parts_are_in_order_and_do_not_overlap(name: str) -> None:
    taken = pieces(name)
    ends = [0, *(end for part in taken.parts for end in (part.start, part.end)), len(taken.body)]
    assert ends == sorted(ends)
    assert all(part.says and part.found_by for part in taken.parts)


def test_each_part_says_what_it_is_and_who_found_it() -> None:
    taken = pieces(NAMES[0])
    told = [(taken.body[part.start : part.end], part.kind, part.says) for part in taken.parts]
    assert told == [
        ("Sintel", PartKind.TITLE, ("title Sintel",)),
        ("2010", PartKind.TIME, ("year 2010",)),
        ("1080p", PartKind.PICTURE, ("resolution 1080p",)),
        ("BluRay", PartKind.PICTURE, ("source bluray",)),
        ("DTS-HD.MA", PartKind.SOUND, ("audio dts-hd",)),
        ("5.1", PartKind.SOUND, ("channels 5.1",)),
        ("x264", PartKind.PICTURE, ("video codec h264",)),
        ("OPEN", PartKind.GROUP, ("group OPEN",)),
    ]
    found_by = {taken.body[part.start : part.end]: part.found_by for part in taken.parts}
    assert found_by["Sintel"] == "what is left"
    assert found_by["2010"] == "its place"
    assert found_by["BluRay"] == "tables, strong"
    assert found_by["OPEN"] == "groups"


def test_numbers_are_one_part_with_all_they_say() -> None:
    taken = pieces(NAMES[2])
    (numbers,) = [part for part in taken.parts if part.kind is PartKind.NUMBERS]
    assert numbers.says == ("season 1", "episode 2", "episode 3")
    assert numbers.found_by == "numbers"

import pytest

from capabilities.rules.names.shelves import speaking


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("films/Sintel (2010)", ["Sintel (2010)"]),
        ("Archive/films", []),
        ("电影", []),
        ("我的/下载/国产剧", []),
        ("日韩 电视剧/风之歌/Season 1", ["风之歌", "Season 1"]),
        ("アニメ/完了/風の歌", ["風の歌"]),
        ("드라마/바람의 노래", ["바람의 노래"]),
        ("电影的秘密", ["电影的秘密"]),
        ("Sintel/Extras", ["Sintel"]),
        ("Sintel/CD1", ["Sintel"]),
        ("One/Two/Three/Four", ["Two", "Three", "Four"]),
    ],
)
def test_folders_that_sort_files_and_what_is_above_a_library_say_nothing(
    path: str, left: list[str]
) -> None:
    assert speaking(path.split("/")) == left

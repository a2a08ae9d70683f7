from capabilities.rules.old_sidecars import companions


def test_what_begins_with_the_videos_name_goes_with_it() -> None:
    names = ["A (2010).mkv", "A (2010).en.srt", "A (2010).nfo", "A (2010)-poster.jpg", "poster.jpg"]
    assert companions("A (2010).mkv", names) == [
        "A (2010)-poster.jpg",
        "A (2010).en.srt",
        "A (2010).nfo",
    ]


def test_what_is_another_videos_stays() -> None:
    names = ["S01E01.mkv", "S01E01.de.mkv", "S01E01.de.srt", "S01E01.srt", "S01E010.srt"]
    assert companions("S01E01.mkv", names) == ["S01E01.srt"]


def test_a_file_of_another_kind_is_nobodys() -> None:
    assert companions("A.mkv", ["A.mkv", "A.txt", "A.exe", "A.mp4"]) == []

import pytest

from capabilities.rules.blame import is_of_the_house


@pytest.mark.parametrize(
    "sentence",
    [
        None,
        "",
        (
            "The files could not be written or read (No space left on device). Free some space,"
            " then resume it."
        ),
        (
            "The files could not be written or read (Permission denied). Check the download folder,"
            " then resume it."
        ),
        (
            'Transmission stopped it: "Read-only file system". Check the download folder, then'
            " resume it."
        ),
        (
            "qBittorrent could not go on with it, most often because a file could not be written."
            " Its log says why; let it run again after that."
        ),
        "qBittorrent says 'odd' of it, which is not known here. Look at it there.",
        (
            "It turned out to be a torrent that is here already under its other hash. Remove one of"
            " the two, then resume the other."
        ),
        "Input/output error",
    ],
)
def test_an_error_that_any_release_would_meet_is_not_the_releases(sentence: str | None) -> None:
    assert is_of_the_house(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "libtorrent stopped it (invalid piece size). Resume it, or look for another release.",
        "A file of this torrent would lie outside of its folder.",
    ],
)
def test_an_error_of_the_torrent_itself_is(sentence: str) -> None:
    assert not is_of_the_house(sentence)

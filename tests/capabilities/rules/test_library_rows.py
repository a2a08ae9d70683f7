from capabilities.rules.library_rows import KeptVideo, digest_of, kept, videos_of
from capabilities.rules.shelf_files import Heading

EPISODE = "Lantern Street (2019) - S01E02 [WEBDL-1080p].mkv"
FILES = [(EPISODE, 900, 11, 5), ("a.en.srt", 9, 12, 6), ("tvshow.nfo", 9, 13, 7)]


def test_a_folder_keeps_its_videos_and_counts_the_rest() -> None:
    held = kept("Lantern Street (2019)/Season 01", FILES)
    assert (held["nfos"], held["others"]) == (["tvshow.nfo"], {"subtitle": 1})
    (video,) = videos_of("Lantern Street (2019)/Season 01", 3, held)
    heading = Heading("Lantern Street", 2019, counted=True)
    path = f"Lantern Street (2019)/Season 01/{EPISODE}"
    assert video == KeptVideo(path, 3, 900, 11, 5, heading, 1, (2,))


def test_a_file_in_the_library_itself_has_its_name_for_a_path() -> None:
    (video,) = videos_of("", 3, kept("", [("Sintel (2010).mkv", 900, 1, 1)]))
    assert video.path == "Sintel (2010).mkv"


def test_every_change_of_a_file_changes_the_digest() -> None:
    before = digest_of(3, FILES)
    assert digest_of(3, list(FILES)) == before
    name, size, inode, mtime = FILES[0]
    changed = [
        (f"{name}x", size, inode, mtime),
        (name, size + 1, inode, mtime),
        (name, size, inode + 1, mtime),
        (name, size, inode, mtime + 1),
    ]
    digests = {digest_of(3, [one, *FILES[1:]]) for one in changed}
    assert len({before, digest_of(4, FILES), digest_of(3, FILES[1:]), *digests}) == 7

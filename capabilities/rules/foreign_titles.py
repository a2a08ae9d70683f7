"""Files of a pack that are named after another work than the pack."""

from collections import Counter
from collections.abc import Iterator, Sequence

from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.pack_identity import counts, own_name
from capabilities.rules.recognition.applying import reworded_path
from capabilities.rules.recognition.words import Word
from capabilities.rules.sequels import numbered_key, numeral_at_end
from capabilities.rules.title_keys import is_similar
from capabilities.rules.wording import quoted
from capabilities.rules.works import Work


def foreign_titles(
    videos: Sequence[DownloadedFile],
    work: Work,
    release: ReleaseName,
    words: Sequence[Word] = (),
) -> dict[DownloadedFile, str]:
    """Why a file that counts episodes is not taken for the work, by file; most are not in it.

    A title counts as the work's where it is one of its titles or the release's, or resembles one,
    or where most files of the pack bear it. What the owner's word says a file is, is no title.
    """
    known = [work.title, *(title.text for title in work.titles), *release.titles]
    keys = {numbered_key(title) for title in known}
    done = {video: reworded_path(video.path, words) for video in videos}
    read = {video: own_name(one.text) for video, one in done.items() if one.forced is None}
    titled = {video: name.titles for video, name in read.items() if name.titles and counts(name)}
    common = Counter(numbered_key(titles[0]) for titles in titled.values())
    foreign: dict[DownloadedFile, str] = {}
    for video, titles in titled.items():
        own = {numbered_key(title) for title in _shorter(titles)}
        is_most = 2 * common[numbered_key(titles[0])] > len(videos)
        if not is_most and not own & keys and not any(is_similar(one, known) for one in titles):
            foreign[video] = f"its name is of another title, {quoted(titles[0])}"
    return foreign


def _shorter(titles: Sequence[str]) -> Iterator[str]:
    for title in titles:
        yield title
        numbered = numeral_at_end(title)
        if numbered:
            yield numbered[0]

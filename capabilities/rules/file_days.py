"""The days that the videos of a release say instead of episodes."""

from collections.abc import Sequence
from datetime import date

from capabilities.rules.file_kinds import DownloadedFile, FileKind, kind_of
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.pack_identity import file_name
from capabilities.rules.recognition.applying import reworded_path
from capabilities.rules.recognition.words import Word


def days_said(
    files: Sequence[DownloadedFile], release: ReleaseName, words: Sequence[Word] = ()
) -> list[date]:
    """Each once, in order; of a day that reads in several ways the likeliest reading.

    Args:
        files: of the release.
        release: its name, which supplies what a lone file does not say.
        words: the owner's recognition words, which have been applied to the release's name.
    """
    videos = [file for file in files if kind_of(file) is FileKind.VIDEO]
    names = [
        file_name(reworded_path(file.path, words).text, release, alone=len(videos) == 1)
        for file in videos
    ]
    said = [
        (name.air_date, *name.air_date_readings)
        for name in names
        if not (name.episodes or name.absolute_episodes)
    ]
    return sorted({next(day for day in days if day) for days in said if any(days)})

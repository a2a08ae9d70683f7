"""Whether a client's error is the release's fault, or one that any other release would meet too."""

import errno
import os
from typing import Final

_OF_THE_HOUSE: Final = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EIO,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.ENAMETOOLONG,
    errno.EMFILE,
    errno.ESTALE,
)
_SAID: Final = (
    "could not be written",
    "check the download folder",
    "look at it there",
    "is not known here",
    "is here already",
    "could not be set",
    *(os.strerror(number).lower() for number in _OF_THE_HOUSE),
)
"""Words of the clients' sentences, and of the system's errors that they pass on."""


def is_of_the_house(sentence: str | None) -> bool:
    """Whether it is the disk, the folder or the client; an error without words is taken for that.

    What is not the release's fault must not keep it from being fetched later.
    """
    if not sentence:
        return True
    said = sentence.lower()
    return any(words in said for words in _SAID)

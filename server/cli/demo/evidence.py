"""Looking at what the demo left: the files themselves, and one claim for each act."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.cli.demo.faults import DemoFailedError

ACTS = ("download.submit", "organize.execute")


@dataclass(frozen=True, slots=True)
class FilePair:
    """A source and its target, absolute, with what proves that they are one file."""

    source: Path
    target: Path
    inode_equal: bool
    source_sha256: str
    target_sha256: str
    size: int

    def document(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "source": str(self.source),
            "target": str(self.target),
            "inode_equal": self.inode_equal,
            "source_sha256": self.source_sha256,
            "target_sha256": self.target_sha256,
            "size": self.size,
        }


def pair(source: Path, target: Path) -> FilePair:
    """Stat and hash both files; blocking.

    Raises:
        DemoFailedError: one is not there, or they are not one file with one content.
    """
    for path in (source, target):
        if not path.is_file():
            raise DemoFailedError(f"{path.name} is not where the record says.")
    here, there = source.stat(), target.stat()
    seen = FilePair(
        source,
        target,
        (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino),
        _sha256(source),
        _sha256(target),
        there.st_size,
    )
    if not seen.inode_equal:
        raise DemoFailedError(f"{target.name} is not a hard link of the download.")
    if seen.source_sha256 != seen.target_sha256:
        raise DemoFailedError(f"{target.name} differs from the download.")
    return seen


def one_claim_each(invocations: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The invocation of every act, by capability.

    Raises:
        DemoFailedError: an act has no claim, more than one, or one that did not succeed.
    """
    counted = Counter(each["capability"] for each in invocations)
    claims: dict[str, str] = {}
    for act in ACTS:
        if counted[act] != 1:
            raise DemoFailedError(f"{act} was claimed {counted[act]} times instead of once.")
        claim = next(each for each in invocations if each["capability"] == act)
        if claim["state"] != "succeeded":
            raise DemoFailedError(f"{act} is {claim['state']}: {claim['sentence']}")
        claims[act] = claim["id"]
    return claims


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

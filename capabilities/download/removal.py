"""What removing a download would take: frozen before anybody is asked, and again at the act."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from capabilities.adapters.shelf.deleting import DeleteList, list_from
from capabilities.rules.outside_text import cleaned
from capabilities.rules.wording import counted

GB: Final = 1e9
MOST_SHOWN: Final = 50
NOTHING: Final = DeleteList()


@dataclass(frozen=True, slots=True)
class Bar:
    """Why it is not done now, and what would change that.

    ``passing``: it could not be looked at now, and may be later.
    """

    sentence: str
    cure: str
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """A removal of one torrent from one client, with the exact files that go with it.

    Attributes:
        client: the one that has the torrent; None where none of ours has it any more.
        doomed: what is deleted; nothing where the data is kept. Paths below the download folder.
        kept: files of the torrent that somebody else needs, each with the reason.
        loses: what is lost by it, or that nothing is, as a sentence.
        bar: why it must not be, where it must not.
    """

    download: str
    info_hash: str
    client: str | None
    delete_data: bool
    doomed: DeleteList = NOTHING
    kept: tuple[tuple[str, str], ...] = ()
    loses: str = ""
    bar: Bar | None = None

    def facts(self) -> dict[str, Any]:
        """As kept in a claim and hashed for an approval, the same for the same removal."""
        facts: dict[str, Any] = {
            "download": self.download,
            "info_hash": self.info_hash,
            "client": self.client,
            "delete_data": self.delete_data,
            **self.doomed.stored(),
            "kept": [list(one) for one in self.kept],
            "loses": self.loses,
        }
        if self.bar is not None:
            bar = self.bar
            facts["bar"] = {
                "sentence": bar.sentence,
                "cure": bar.cure,
                "passing": bar.passing,
            }
        return facts

    @property
    def bytes(self) -> int:
        """What the deleted files take together."""
        return sum(file.size for file in self.doomed.files)

    def card(self) -> tuple[str, ...]:
        """The same for a person, a line for each file; long lists say what they leave out."""
        if not self.delete_data:
            return (f"from: {self.client!r}", "deletes: nothing; its files stay", self.loses)
        files = self.doomed.files
        rest = len(files) - MOST_SHOWN
        return (
            f"from: {self.client!r}",
            f"deletes: {counted(len(files), 'file')}, {self.bytes / GB:.2f} GB",
            *(f"file: {cleaned(file.path)!r} ({file.size} bytes)" for file in files[:MOST_SHOWN]),
            *([f"and {rest} more, all in the plan"] if rest > 0 else []),
            *(f"empty folder: {cleaned(path)!r}" for path in self.doomed.folders[:MOST_SHOWN]),
            *(f"kept: {cleaned(path)!r}, {why}" for path, why in self.kept[:MOST_SHOWN]),
            self.loses,
        )


def doomed_in(facts: Mapping[str, Any]) -> DeleteList:
    """The frozen list of a claim."""
    return list_from(facts)


def list_hash(facts: Mapping[str, Any]) -> str:
    """SHA-256, in hexadecimal, of the list and of what is lost by it: what somebody was shown."""
    seen = {name: facts[name] for name in ("files", "folders", "kept", "loses")}
    canonical = json.dumps(seen, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()

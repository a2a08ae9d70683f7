"""What we have to remember of a torrent, kept as its labels in Transmission itself.

There it survives a death of either side, and every process of this house sees the same.
"""

from dataclasses import dataclass, replace

from capabilities.adapters.downloader.index_spans import indexes_of, spans
from capabilities.adapters.downloader.port import CATEGORY, Pauser

_PAUSED = {"matinee-paused": Pauser.US, "matinee-paused-by-owner": Pauser.OWNER}
_PAUSE = {pauser: label for label, pauser in _PAUSED.items()}
_ADDING = "matinee-adding"
_UNREAD = "matinee-unread"
_REFUSED = "matinee-refused"
_WANTS = "matinee-wants "


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one torrent.

    Attributes:
        plain: those that say nothing to us, the owner's; the first one is its category.
        paused_by: who had us stop it; None for one that nobody stopped, or its owner by hand.
        adding: it was added and not let run yet.
        unread: its names were not seen yet, for its metadata was not there.
        wanted: the indexes to fetch, as long as that is not settled: it was not let run yet, or
            its files are not known; None for all.
        refused: its names came late and are unsafe.
    """

    plain: tuple[str, ...] = ()
    paused_by: Pauser | None = None
    adding: bool = False
    unread: bool = False
    wanted: frozenset[int] | None = None
    refused: bool = False

    @property
    def category(self) -> str:
        """What it was filed under; empty for one that has no label."""
        return self.plain[0] if self.plain else ""

    @property
    def ours(self) -> bool:
        """Whether they have our category, or a note of ours."""
        noted = self.adding or self.unread or self.refused or self.wanted is not None
        return CATEGORY in self.plain or self.paused_by is not None or noted

    def running(self) -> "Labels":
        """The same for one that may run; a choice among files that are not known yet stays."""
        wanted = self.wanted if self.unread else None
        return replace(self, paused_by=None, adding=False, wanted=wanted)

    def written(self) -> list[str]:
        """As Transmission keeps them."""
        notes = [
            (_PAUSE[self.paused_by] if self.paused_by else "", self.paused_by is not None),
            (_ADDING, self.adding),
            (_UNREAD, self.unread),
            (f"{_WANTS}{spans(self.wanted or ())}", self.wanted is not None),
            (_REFUSED, self.refused),
        ]
        return [*self.plain, *(label for label, is_so in notes if is_so)]


def category_label(category: str) -> str:
    """A category as a label, of which Transmission takes none that is empty or has a comma."""
    return category.replace(",", " ").strip()


def read_labels(written: list[str]) -> Labels:
    """What a torrent's labels say."""
    labels = Labels()
    for label in written:
        if label in _PAUSED:
            labels = replace(labels, paused_by=_PAUSED[label])
        elif label == _ADDING:
            labels = replace(labels, adding=True)
        elif label == _UNREAD:
            labels = replace(labels, unread=True)
        elif label == _REFUSED:
            labels = replace(labels, refused=True)
        elif label.startswith(_WANTS):
            labels = replace(labels, wanted=indexes_of(label.removeprefix(_WANTS)))
        else:
            labels = replace(labels, plain=(*labels.plain, label))
    return labels

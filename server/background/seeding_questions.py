"""What the owner is asked about a download that has seeded enough, or that is gone too soon."""

from dataclasses import dataclass
from typing import Any

from capabilities.adapters.downloader.port import Downloader, Transfer
from capabilities.download.removal import GB, Removal, list_hash
from capabilities.download.removing import SEEDED, VANISHED
from capabilities.rules.outside_text import cleaned
from capabilities.rules.seeding import SeedingGoals
from capabilities.rules.wording import counted
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.downloads import DownloadRow


@dataclass(frozen=True, slots=True)
class Seeder:
    """A download that gives back what it took.

    Attributes:
        private: whether its tracker is for members only, and may ask for more than is known.
    """

    row: DownloadRow
    client: Downloader
    transfer: Transfer
    goals: SeedingGoals
    private: bool = False

    @property
    def reached(self) -> bool:
        """Whether our own goals are met."""
        return self.goals.reached(self.transfer.ratio, self.transfer.seeding_s)

    def evidence(self) -> dict[str, Any]:
        """What is known of it, for the owner."""
        transfer, client = self.transfer, self.client
        told: dict[str, Any] = {
            "title": cleaned(self.row.name),
            "client": client.name,
            "ratio": round(transfer.ratio, 3),
            "seeded_minutes": transfer.seeding_s // 60,
            "sentence": self.goals.progress(transfer.ratio, transfer.seeding_s),
        }
        if not self.reached:
            told["stopped"] = f"{client.name} stopped it at its own limit."
        if self.private:
            told["private"] = "Its tracker is private: what it asks at least may be more."
        return told


def may_it_go(seeder: Seeder, frozen: Removal) -> NewDecision:
    """Whether it may be removed; what would be deleted is the list that is shown here."""
    row, client, evidence = seeder.row, seeder.client, seeder.evidence()
    keeping = f"Remove it from {client.name}; its files stay"
    options = [_removal(row, "remove", keeping, delete_data=False)]
    if frozen.bar is not None:
        evidence["files_stay"] = frozen.bar.sentence
    else:
        evidence |= {"list": list(frozen.card()), "loses": frozen.loses}
        many = counted(len(frozen.doomed.files), "file")
        deleting = f"Remove it and delete {many} ({frozen.bytes / GB:.2f} GB)"
        shown = list_hash(frozen.facts())
        options.append(_removal(row, "delete", deleting, delete_data=True, list_hash=shown))
    return NewDecision(
        DecisionKind.OTHER,
        f"{SEEDED}:{row.id}",
        f"{cleaned(row.name)} has seeded enough; may it go from {client.name}?",
        Severity.LOW,
        evidence=evidence,
        options=[*options, *offered(Option.DISMISS)],
        lasting=True,
        run=row.run,
        subject=row.id,
    )


def gone_too_soon(row: DownloadRow) -> NewDecision:
    """That its client let it go before it was imported, and what does so."""
    title = cleaned(row.name)
    return NewDecision(
        DecisionKind.OTHER,
        f"{VANISHED}:{row.id}",
        f"{title}: {row.client} removed it before it was imported",
        Severity.HIGH,
        evidence={
            "title": title,
            "client": row.client,
            "sentence": "A limit on ratio or time that removes may have done so. Let the client "
            "stop torrents at its limit, and leave removing to Matinee. Add it there again, and "
            "it is imported; or write it down as removed.",
        },
        options=[
            _removal(row, "remove", "Write it down as removed", delete_data=False),
            *offered(Option.DISMISS),
        ],
        lasting=True,
        run=row.run,
        subject=row.id,
    )


def _removal(row: DownloadRow, id_: str, title: str, **arguments: object) -> dict[str, Any]:
    return {
        "id": id_,
        "title": title,
        "capability": "download.remove",
        "arguments": {"download": row.id, **arguments},
    }

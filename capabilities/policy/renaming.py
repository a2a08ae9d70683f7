"""How files would be called under a draft of the organize policy, beside how they are called now.

Only names are compared: nothing on the shelf is renamed by a policy.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from capabilities.rules.name_samples import Sample, shown
from capabilities.rules.name_tokens import EpisodeFacts
from capabilities.rules.naming import Naming
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.shelf_paths import EpisodeStyle
from capabilities.rules.stored import work_from
from capabilities.rules.works import Work
from ledger.database import Snapshot
from ledger.stores import copies, works
from ledger.stores.copies import CopyRow

MOST_WORKS = 4
"""Of the library, one file of each."""
_LONGEST = 600


class NameFacts(BaseModel):
    """One file, as it is called under the policy in force and under the draft.

    Attributes:
        what: a work of the library, or what it is an example of.
        before: below the library; None where the policy in force names nothing.
    """

    what: str
    in_library: bool
    before: str | None
    after: str


class Renaming(BaseModel):
    """Names now and then: a few works of the library, then examples that are always the same.

    Attributes:
        tried: how many names were compared.
        names: all of them where one differs, so that what stays is seen as well; none otherwise.
    """

    tried: int
    changed: int
    names: list[NameFacts]


@dataclass(frozen=True, slots=True)
class Shelved:
    """What a draft is tried on: one copy of each of a few works."""

    copies: Sequence[CopyRow] = ()
    works: Mapping[str, Work] = field(default_factory=dict[str, Work])


def shelved(conn: Snapshot) -> Shelved:
    """A few works on the shelf, with the release that the first file of each came from."""
    ids, _ = copies.works_on_the_shelf(conn, limit=MOST_WORKS)
    held = works.many(conn, set(ids))
    first = (copies.copies(conn, id_, ())[:1] for id_ in ids if id_ in held)
    return Shelved(
        [row for rows in first for row in rows],
        {id_: work_from(row.body) for id_, row in held.items()},
    )


def renaming(there: Shelved, before: OrganizePolicy | None, after: OrganizePolicy) -> Renaming:
    """Every name now and then.

    Args:
        there: of the library.
        before: the policy in force; None where it cannot be used.
        after: the draft.
    """
    own, examples = list(_own(there)), list(shown())
    told = [
        NameFacts(
            what=cleaned(one.what, 200),
            in_library=at < len(own),
            before=None if before is None else _path(one, before.naming),
            after=_path(one, after.naming),
        )
        for at, one in enumerate([*own, *examples])
    ]
    changed = sum(one.before != one.after for one in told)
    return Renaming(tried=len(told), changed=changed, names=told if changed else [])


def _path(sample: Sample, naming: Naming) -> str:
    return cleaned(str(sample.path(naming)), _LONGEST)


def _own(there: Shelved) -> Iterator[Sample]:
    for row in there.copies:
        work = there.works[row.work]
        what = titled(work.title, work.year)
        facts = None
        if row.episode:
            facts = EpisodeFacts(row.season, (row.episode,))
            what = f"{what} S{row.season:02}E{row.episode:02}"
        sample = Sample(what, work, row.title, facts)
        special = facts is not None and not row.season
        yield replace(sample, style=EpisodeStyle.SPECIAL) if special else sample

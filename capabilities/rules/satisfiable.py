"""Whether a policy can be met at all; each check names every problem that it finds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from capabilities.rules.evidence import Grade
from capabilities.rules.names.marking import mark
from capabilities.rules.names.tokens import tokenise
from capabilities.rules.names.vocabulary import Field, Resolution, Source
from capabilities.rules.problems import Problem
from capabilities.rules.satisfiable_numbers import MOST_PER_MINUTE, within
from capabilities.rules.tiers import SizeRule, Tier
from capabilities.rules.words import contains, words_of
from capabilities.rules.works import WorkKind

_NO_WORK: Final = {
    Grade.D: "means several works or none quite, and is asked about all the same",
    Grade.E: "points to no work, and is asked about all the same",
}
_SINGLE_FIELDS: Final = (Field.RESOLUTION, Field.SOURCE, Field.VIDEO_CODEC)


def tier_problems(
    tiers: Sequence[Tier], upgrade_until: str | None, refused_sources: Sequence[Source]
) -> Iterator[Problem]:
    """Tiers that exist, have distinct names, can hold something, and hold the upgrade goal."""
    if not tiers:
        yield Problem(
            "tiers", "a policy without quality tiers refuses everything", "give it one tier"
        )
    for name, count in Counter(tier.name for tier in tiers).items():
        if count > 1:
            yield Problem("tiers", f'two tiers are named "{name}"', "give each its own name")
    for place, tier in enumerate(tiers):
        yield from _tier(f"tiers.{place}", tier, refused_sources)
    names = [tier.name for tier in tiers]
    if upgrade_until is not None and upgrade_until not in names:
        yield Problem(
            "upgrade_until",
            f'upgrades end at "{upgrade_until}", which is none of the tiers',
            f"name one of {', '.join(names)}",
        )


def _tier(field: str, tier: Tier, refused_sources: Sequence[Source]) -> Iterator[Problem]:
    if not tier.name or not tier.resolutions or not tier.sources:
        why = f'tier "{tier.name}" lacks a name, a resolution or a source'
        yield Problem(field, why, "give it all three, or take it out")
    elif set(tier.sources) <= set(refused_sources):
        why = f'every source of tier "{tier.name}" is refused; nothing can be in it'
        yield Problem(field, why, "take the tier out, or a source out of refused_sources")
    yield from _bounds(
        field,
        f'tier "{tier.name}"',
        (tier.least_per_minute, tier.preferred_per_minute, tier.most_per_minute),
    )


def _bounds(field: str, what: str, bounds: Sequence[int | None]) -> Iterator[Problem]:
    known = [bound for bound in bounds if bound is not None]
    if known != sorted(known) or any(bound < 0 for bound in known):
        why = f"the sizes of {what} must rise: least, preferred, most"
        yield Problem(field, why, "put them in order, none below 0")
    yield from within(field, max([0, *known]), 0, MOST_PER_MINUTE)


def size_problems(sizes: Sequence[SizeRule], tiers: Sequence[Tier]) -> Iterator[Problem]:
    """Sizes for tiers that exist, one for each kind of work."""
    names = {tier.name for tier in tiers}
    for place, rule in enumerate(sizes):
        field = f"sizes.{place}"
        if rule.tier not in names:
            why = f'it is for the tier "{rule.tier}", which does not exist'
            yield Problem(field, why, "name a tier of this policy, or take it out")
        bounds = (rule.least_per_minute, rule.preferred_per_minute, rule.most_per_minute)
        yield from _bounds(field, f'"{rule.tier}"', bounds)
    for (tier, kind), count in Counter((rule.tier, rule.kind) for rule in sizes).items():
        if count > 1:
            yield Problem("sizes", f'"{tier}" has two sizes for a {kind}', "keep one of them")


def list_problems(
    what: str, required: Sequence[str], refused: Sequence[str], *, any_of: bool
) -> Iterator[Problem]:
    """Words on the required side that the refused side does not forbid."""
    for side, held in (("required", required), ("refused", refused)):
        for word in held:
            if not words_of(word):
                why = f'"{word}" among the {what} has no letters or digits; it hits nothing'
                yield Problem(f"{side}_{what}", why, "take it out")
    forbidden = [
        word for word in required if any(contains(words_of(word), other) for other in refused)
    ]
    if forbidden and (not any_of or len(forbidden) == len(required)):
        why = f'"{forbidden[0]}" is required and refused among the {what}'
        yield Problem(f"required_{what}", why, "take it out of one of the two; refusing wins")


def token_problems(
    tokens: Sequence[str], tiers: Sequence[Tier], refused_sources: Sequence[Source]
) -> Iterator[Problem]:
    """Required words that one release can say together, in a tier that exists."""
    stated = [fact for token in tokens for fact in _facts(token)]
    for field in _SINGLE_FIELDS:
        values = sorted({value for one, value in stated if one is field})
        if len(values) > 1:
            both = " and ".join(values)
            yield Problem(
                "required_tokens",
                f"no release has two values of {field} at once: {both} are required",
                "keep one, or make tiers of them: of tiers, one is enough",
            )
    for field, value in stated:
        if field is Field.RESOLUTION and not any(Resolution(value) in t.resolutions for t in tiers):
            why = f"{value} is required, and no tier holds it"
            yield Problem("required_tokens", why, "take it out, or add a tier for it")
        if field is Field.SOURCE and not _is_open(Source(value), tiers, refused_sources):
            why = f"{value} is required, and it is refused or no tier holds it"
            yield Problem("required_tokens", why, "take it out, or add a tier for it")


def _facts(token: str) -> Iterator[tuple[Field, str]]:
    tokens = tokenise(token)
    for span in mark(tokens):
        if span.start == 0 and span.end == len(tokens):
            yield from ((fact.field, fact.value) for fact in span.facts)


def _is_open(source: Source, tiers: Sequence[Tier], refused: Sequence[Source]) -> bool:
    kinds = {Source.WEB, Source.WEB_DL, Source.WEBRIP} if source is Source.WEB else {source}
    return any(kind in tier.sources for kind in kinds - set(refused) for tier in tiers)


def grade_problems(accepted: Sequence[Grade]) -> Iterator[Problem]:
    """Grades of names that mean one work; the others have none that could be accepted."""
    for grade in dict.fromkeys(accepted):
        if (why := _NO_WORK.get(grade)) is not None:
            yield Problem(
                "accepted", f"grade {grade} {why}", "take it out; A, B and C can be taken"
            )


def root_problems(roots: Sequence[tuple[WorkKind, str]]) -> Iterator[Problem]:
    """One clean root for each kind of work."""
    if sorted(kind for kind, _ in roots) != sorted(WorkKind):
        yield Problem("roots", "films and series need one library root each", "name one for each")
    for _, path in roots:
        parts = path.removeprefix("/").split("/")
        if any(part in {"", ".", ".."} or "\0" in part for part in parts):
            why = 'a library root must be a path without empty, "." or ".." parts'
            yield Problem("roots", why, "write it out in full")

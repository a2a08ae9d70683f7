"""Whether a policy can be met at all; each check raises a ValueError that says why not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from capabilities.rules.formats import Condition, ConditionKind, CustomFormat
from capabilities.rules.names.marking import mark
from capabilities.rules.names.tokens import tokenise
from capabilities.rules.names.vocabulary import Field, Resolution, Source
from capabilities.rules.tiers import Tier
from capabilities.rules.words import contains, words_of
from capabilities.rules.works import WorkKind

_SINGLE_FIELDS: Final = (Field.RESOLUTION, Field.SOURCE, Field.VIDEO_CODEC)
_SINGLE_KINDS: Final = frozenset(
    {
        ConditionKind.RESOLUTION,
        ConditionKind.SOURCE,
        ConditionKind.VIDEO_CODEC,
        ConditionKind.GROUP,
    }
)


def check_tiers(
    tiers: Sequence[Tier], upgrade_until: str | None, refused_sources: Sequence[Source]
) -> None:
    """Tiers that exist, have distinct names, can hold something, and hold the upgrade goal."""
    if not tiers:
        raise ValueError("a policy without quality tiers refuses everything; give it one tier")
    twice = [name for name, count in Counter(tier.name for tier in tiers).items() if count > 1]
    if twice:
        raise ValueError(f'two tiers are named "{twice[0]}"; give each its own name')
    for tier in tiers:
        _check_tier(tier, refused_sources)
    if upgrade_until is not None and upgrade_until not in {tier.name for tier in tiers}:
        raise ValueError(f'upgrades end at "{upgrade_until}", which is none of the tiers')


def _check_tier(tier: Tier, refused_sources: Sequence[Source]) -> None:
    if not tier.name or not tier.resolutions or not tier.sources:
        raise ValueError(f'tier "{tier.name}" lacks a name, a resolution or a source')
    if set(tier.sources) <= set(refused_sources):
        raise ValueError(f'every source of tier "{tier.name}" is refused; nothing can be in it')
    bounds = [tier.least_per_minute, tier.preferred_per_minute, tier.most_per_minute]
    known = [bound for bound in bounds if bound is not None]
    if known != sorted(known) or any(bound < 0 for bound in known):
        raise ValueError(f'the sizes of tier "{tier.name}" must rise: least, preferred, most')


def check_lists(
    what: str, required: Sequence[str], refused: Sequence[str], *, any_of: bool
) -> None:
    """Words on the required side that the refused side does not forbid."""
    for word in (*required, *refused):
        if not words_of(word):
            raise ValueError(f'"{word}" among the {what} has no letters or digits; it hits nothing')
    forbidden = [
        word for word in required if any(contains(words_of(word), other) for other in refused)
    ]
    if forbidden and (not any_of or len(forbidden) == len(required)):
        raise ValueError(f'"{forbidden[0]}" is required and refused among the {what}')


def check_required_tokens(
    tokens: Sequence[str], tiers: Sequence[Tier], refused_sources: Sequence[Source]
) -> None:
    """Required words that one release can say together, in a tier that exists."""
    stated = [fact for token in tokens for fact in _facts(token)]
    for field in _SINGLE_FIELDS:
        values = sorted({value for one, value in stated if one is field})
        if len(values) > 1:
            both = " and ".join(values)
            raise ValueError(f"no release has two values of {field} at once: {both} are required")
    for field, value in stated:
        if field is Field.RESOLUTION and not any(Resolution(value) in t.resolutions for t in tiers):
            raise ValueError(f"{value} is required, and no tier holds it")
        if field is Field.SOURCE and not _is_open(Source(value), tiers, refused_sources):
            raise ValueError(f"{value} is required, and it is refused or no tier holds it")


def _facts(token: str) -> Iterator[tuple[Field, str]]:
    tokens = tokenise(token)
    for span in mark(tokens):
        if span.start == 0 and span.end == len(tokens):
            yield from ((fact.field, fact.value) for fact in span.facts)


def _is_open(source: Source, tiers: Sequence[Tier], refused: Sequence[Source]) -> bool:
    kinds = {Source.WEB, Source.WEB_DL, Source.WEBRIP} if source is Source.WEB else {source}
    return any(kind in tier.sources for kind in kinds - set(refused) for tier in tiers)


def check_formats(formats: Sequence[CustomFormat], least_score: int | None) -> None:
    """Formats that something can have, and a least score that they can reach."""
    for custom in formats:
        if not custom.name or not custom.conditions:
            raise ValueError(f'format "{custom.name}" lacks a name or a condition')
        _check_conditions(custom)
    reachable = sum(custom.score for custom in formats if custom.score > 0)
    if least_score is not None and least_score > reachable:
        raise ValueError(f"a score of {least_score} is required, the formats reach {reachable}")


def _check_conditions(custom: CustomFormat) -> None:
    required = [one for one in custom.conditions if one.required]
    wanted: dict[ConditionKind, set[str]] = {}
    for one in required:
        if Condition(one.kind, one.value, negate=not one.negate, required=True) in required:
            raise ValueError(f'format "{custom.name}" requires {one.value} and its absence')
        if not one.negate and one.kind in _SINGLE_KINDS:
            wanted.setdefault(one.kind, set()).add(one.value.casefold())
    for kind, values in wanted.items():
        if len(values) > 1:
            raise ValueError(f'format "{custom.name}" requires two values of {kind} at once')


def check_numbers(least_seeders: int, delay_minutes: int, most_age_days: int | None) -> None:
    """Counts that are not negative, and a delay that ends before the age limit."""
    if least_seeders < 0 or delay_minutes < 0 or (most_age_days or 0) < 0:
        raise ValueError("seeders, delay and age must not be negative")
    if most_age_days is not None and delay_minutes >= most_age_days * 24 * 60:
        raise ValueError("releases would be too old before the delay ends; shorten the delay")


def check_roots(roots: Sequence[tuple[WorkKind, str]]) -> None:
    """One clean root for each kind of work."""
    if sorted(kind for kind, _ in roots) != sorted(WorkKind):
        raise ValueError("films and series need one library root each")
    for _, path in roots:
        parts = path.removeprefix("/").split("/")
        if any(part in {"", ".", ".."} or "\0" in part for part in parts):
            raise ValueError('a library root must be a path without empty, "." or ".." parts')

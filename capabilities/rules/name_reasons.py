"""What a policy says of the name of a release."""

from collections.abc import Iterator, Sequence

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.format_hits import modifiers
from capabilities.rules.format_matching import FormatVerdict
from capabilities.rules.formats import Subject
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.vocabulary import Field
from capabilities.rules.reasons import Reason, Rule, notes, rejects
from capabilities.rules.wording import quoted
from capabilities.rules.words import contains


def name_reasons(
    subject: Subject, policy: AcquisitionPolicy, tier: str | None, formats: FormatVerdict
) -> Iterator[Reason]:
    """Everything that follows from the name: its quality, words, languages, group and formats.

    Args:
        subject: the name and the offer that bears it.
        policy: what the owner decided.
        tier: name of the tier that holds its quality, None for none.
        formats: which custom formats it has.
    """
    name = subject.name
    yield from quality_reasons(name, policy, tier)
    yield from modifier_reasons(subject, policy)
    yield from token_reasons(subject.words, policy)
    yield from language_reasons(name, policy)
    yield from group_reasons(name, policy)
    yield from score_reasons(formats, policy)


def quality_reasons(
    name: ReleaseName, policy: AcquisitionPolicy, tier: str | None
) -> Iterator[Reason]:
    """Whether a tier holds its quality, and whether its source is refused."""
    token = name.said.get(Field.SOURCE, "")
    if name.source is not None and name.source in policy.refused_sources:
        yield rejects(Rule.SOURCE, token, f"the source {name.source} ({quoted(token)}) is refused")
    quality = " ".join(filter(None, (name.said.get(Field.RESOLUTION), token))) or "no quality named"
    if tier is None:
        yield rejects(Rule.TIER, quality, f"no tier of the policy holds {quoted(quality)}")
    else:
        yield notes(Rule.TIER, quality, f'{quoted(quality)} is in tier "{tier}"')


def modifier_reasons(subject: Subject, policy: AcquisitionPolicy) -> Iterator[Reason]:
    """Whether what sets it apart within its source is refused."""
    for modifier in modifiers(subject):
        if modifier in policy.refused_modifiers:
            yield rejects(Rule.MODIFIER, modifier, f"it is marked as {modifier}, which is refused")


def token_reasons(spoken: Sequence[str], policy: AcquisitionPolicy) -> Iterator[Reason]:
    """Refused and required words; refusing beats requiring."""
    for token in policy.refused_tokens:
        if contains(spoken, token):
            yield rejects(Rule.REFUSED, token, f"the name says {quoted(token)}, refused")
    for token in policy.required_tokens:
        if contains(spoken, token):
            yield notes(Rule.REQUIRED, token, f"the name says {quoted(token)}, as required")
        else:
            sentence = f"the name does not say {quoted(token)}, which is required"
            yield rejects(Rule.REQUIRED, token, sentence)


def language_reasons(name: ReleaseName, policy: AcquisitionPolicy) -> Iterator[Reason]:
    """Refused and required languages; what the name does not say is no evidence."""
    spoken = name.spoken
    token = name.said.get(Field.LANGUAGE, "")
    for tag in policy.refused_languages:
        if tag.casefold() in spoken:
            yield rejects(Rule.LANGUAGE, token, f"the language {tag} is refused")
    required = [tag for tag in policy.required_languages if tag.casefold() not in spoken]
    if required and len(required) == len(policy.required_languages):
        wanted = ", ".join(required)
        said = f"the name says {quoted(token)}" if token else "the name says no language"
        yield rejects(Rule.LANGUAGE, token, f"{said}; one of {wanted} is required")


def group_reasons(name: ReleaseName, policy: AcquisitionPolicy) -> Iterator[Reason]:
    """Refused and required groups."""
    group = (name.group or "").casefold()
    if group and group in {one.casefold() for one in policy.refused_groups}:
        yield rejects(
            Rule.GROUP, name.group or "", f"the group {quoted(name.group or '')} is refused"
        )
    if policy.required_groups and group not in {one.casefold() for one in policy.required_groups}:
        made = quoted(name.group) if name.group else "a group the name does not say"
        sentence = f"made by {made}, and only {', '.join(policy.required_groups)} are taken"
        yield rejects(Rule.GROUP, name.group or "", sentence)


def score_reasons(found: FormatVerdict, policy: AcquisitionPolicy) -> Iterator[Reason]:
    """The formats it has, those that nobody could decide about, and whether its score is enough."""
    for one in found.counted:
        name, score = one.custom.name, one.custom.score
        sentence = f'it has the format "{name}", worth {score:+d}'
        if one.undecided:
            sentence = (
                f'whether it has the format "{name}" took too long to find out; worth {score:+d}, '
                "it counts as if it had"
            )
        yield notes(Rule.FORMAT, name, sentence)
    for custom in found.passed_over:
        sentence = (
            f'whether it has the format "{custom.name}" took too long to find out; worth '
            f"{custom.score:+d}, it does not count"
        )
        yield notes(Rule.FORMAT, custom.name, sentence)
    score = found.score
    if policy.least_score is not None and score < policy.least_score:
        sentence = f"its score is {score}, and {policy.least_score} is the least"
        yield rejects(Rule.SCORE, str(score), sentence)

"""Which work a release means, graded by evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal

from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Clue, Contradiction, Evidence, Grade, Identity
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.recognition.words import Forced
from capabilities.rules.weighing import TitleMatch, Weighed, YearMatch, weigh
from capabilities.rules.wording import quoted
from capabilities.rules.works import Work, WorkKey, WorkKind

CERTAIN: Final = frozenset({Grade.A, Grade.B})
_HARD: Final = frozenset({Clue.YEAR, Clue.KIND})
_TITLE_ORDER: Final = tuple(TitleMatch)


def grade(
    name: ReleaseName,
    claimed_ids: Mapping[str, str],
    candidates: Sequence[Work],
    countings: Mapping[WorkKey, Counting] = MappingProxyType({}),
    *,
    crowded: bool = False,
) -> Identity:
    """Grade what a name means among the works given.

    Args:
        name: the name as read; ids written into it win over claimed ones.
        claimed_ids: ids that a feed or an indexer gives, e.g. ``{"tmdb": "45745"}``; they count for
            works of the kind that the name has.
        candidates: the works that may be meant. What is unique among them is taken as unique, so
            they must hold every work that a search for the title finds.
        countings: how episodes of the works are counted besides their seasons.
        crowded: whether there may be more works of the title than those given.
    """
    ids = {**claimed_ids, **name.external_ids}
    weighed = [
        weigh(name, ids, work, countings.get(work.key, PLAIN)) for work in _distinct(candidates)
    ]
    plausible = sorted((one for one in weighed if one.is_plausible), key=_closeness)
    by_id = [one for one in plausible if one.id_agrees]
    if by_id:
        return _graded_by_id(by_id, plausible)
    found = _graded_by_title(name, plausible)
    return _lowered(found) if crowded and found.grade is Grade.B else found


def _lowered(found: Identity) -> Identity:
    """One of a title that more works may bear is not known to be the one that is meant."""
    if found.work is None:
        return found
    sentence = "more works bear this title than the metadata source lists at once"
    against = Contradiction(Clue.TITLE, found.work.key, sentence)
    return replace(found, grade=Grade.C, contradictions=(against, *found.contradictions))


def forced_identity(forced: Forced, word: str, work: Work | None) -> Identity:
    """What a name is by its owner's recognition word; it wins over everything that the name says.

    Args:
        forced: what the word says.
        word: in its written form.
        work: the work that it names, None where no source knows it.
    """
    if work is None:
        sentence = f"your recognition word {quoted(word)} names a work that is not known here"
        against = Contradiction(Clue.RECOGNITION_WORD, forced.work, sentence)
        return Identity(Grade.E, None, contradictions=(against,))
    said = Evidence(Clue.RECOGNITION_WORD, work.key, f"by your recognition word {quoted(word)}")
    return Identity(Grade.A, work, (said,), (), (work,))


def as_forced(name: ReleaseName, forced: Forced | None) -> ReleaseName:
    """The name with the season and the episode that the owner's word says."""
    if forced is None or (forced.season is None and forced.episode is None):
        return name
    seasons = name.seasons if forced.season is None else (forced.season,)
    if forced.episode is None:
        own = tuple(int(one) for one in name.absolute_episodes if float(one).is_integer())
        episodes = name.episodes or own
    else:
        episodes = (forced.episode,)
    return replace(
        name, kind=WorkKind.SERIES, seasons=seasons, episodes=episodes, absolute_episodes=()
    )


def _distinct(works: Sequence[Work]) -> list[Work]:
    return list({work.key: work for work in works}.values())


def _closeness(one: Weighed) -> tuple[bool, int, bool, int, str]:
    return (
        not one.id_agrees,
        _TITLE_ORDER.index(one.title),
        one.year is not YearMatch.AGREES,
        len(one.contradictions),
        str(one.work.key),
    )


def _graded_by_id(by_id: list[Weighed], plausible: list[Weighed]) -> Identity:
    if len(by_id) > 1:
        exact = [one for one in by_id if one.title is TitleMatch.EXACT]
        by_id = exact if len(exact) == 1 else by_id
    if len(by_id) > 1:
        return _identity(Grade.D, None, plausible)
    found = by_id[0]
    rivals = [one for one in plausible if one is not found and _disputes(one, found)]
    if rivals:
        return _disputed(found, rivals[0], plausible)
    lowered = bool(found.contradictions)
    return _identity(Grade.C if lowered else Grade.A, found.work, plausible)


def _disputes(rival: Weighed, found: Weighed) -> bool:
    """Whether the name speaks for another work than the id does.

    An id that is only claimed for the name, by an indexer or a feed, gives way to a title that is
    exactly another work's; the ids of sequels are claimed too often.
    """
    if _fits_by_name(rival) and not _fits_by_name(found):
        return True
    return not found.id_written and _is_titled(rival) and not _bears_title(found)


def _is_titled(one: Weighed) -> bool:
    """Whether it bears the very title, and nothing but the disputed id speaks against it."""
    against = {clue.clue for clue in one.contradictions} - {Clue.EXTERNAL_ID}
    return _bears_title(one) and not against


def _bears_title(one: Weighed) -> bool:
    exact = one.title is TitleMatch.EXACT and one.kind_fits
    return exact and one.year is not YearMatch.DIFFERS


def _fits_by_name(one: Weighed) -> bool:
    titled = one.title in {TitleMatch.EXACT, TitleMatch.ALTERNATIVE}
    return titled and one.kind_fits and one.year is YearMatch.AGREES


def _disputed(found: Weighed, rival: Weighed, plausible: list[Weighed]) -> Identity:
    """The id points at one work, the title, and perhaps the year, at another."""
    dated = rival.year is YearMatch.AGREES
    said = "title and year are those" if dated else "the title is that"
    sentence = f"the claimed id is this work's, {said} of {rival.work.key}"
    against = Contradiction(Clue.EXTERNAL_ID, found.work.key, sentence)
    identity = _identity(Grade.D, None, plausible)
    return replace(identity, contradictions=(against, *identity.contradictions))


def _graded_by_title(name: ReleaseName, plausible: list[Weighed]) -> Identity:
    if not plausible:
        return Identity(Grade.E, None)
    dated = [one for one in plausible if _fits_by_name(one)]
    exact = [one for one in dated if one.title is TitleMatch.EXACT]
    dated = exact or ([] if _has_open_rival(plausible) else dated)
    if len(dated) == 1:
        lowered = bool(dated[0].contradictions)
        return _identity(Grade.C if lowered else Grade.B, dated[0].work, plausible)
    undated = [one for one in plausible if _fits_without_year(name, one)]
    if not dated and len(undated) == 1:
        return _identity(Grade.C, undated[0].work, plausible)
    return _identity(Grade.D, None, plausible)


def _has_open_rival(plausible: list[Weighed]) -> bool:
    """Whether a work bears the very title and no year rules it out: an alias cannot beat it."""
    return any(
        one.title is TitleMatch.EXACT and one.kind_fits and one.year is YearMatch.UNKNOWN
        for one in plausible
    )


def _fits_without_year(name: ReleaseName, one: Weighed) -> bool:
    """An exact title, no word about the year, and for a series seasons or episodes that fit."""
    counted = one.work.key.kind is WorkKind.FILM or name.kind is WorkKind.SERIES
    titled = one.title is TitleMatch.EXACT and one.year is YearMatch.UNKNOWN
    return titled and one.kind_fits and counted and not one.contradictions


def _identity(given: Grade, work: Work | None, plausible: list[Weighed]) -> Identity:
    first = [one for one in plausible if work is not None and one.work.key == work.key]
    ordered = [*first, *(one for one in plausible if one not in first)]
    return Identity(
        grade=given,
        work=work,
        evidence=tuple(clue for one in ordered for clue in one.evidence),
        contradictions=tuple(clue for one in ordered for clue in one.contradictions),
        candidates=tuple(one.work for one in ordered),
    )


def verdict_for(work: Work, identity: Identity) -> Literal["same", "other", "unsure"]:
    """Whether a graded name means this work.

    "same" needs a certain grade. "other" is said where nothing speaks for the work, where another
    one is certain, or where year or kind contradict it and no id speaks for it.
    """
    if identity.work is not None and identity.work.key == work.key:
        return "same" if identity.grade in CERTAIN else "unsure"
    if identity.grade in CERTAIN or all(one.key != work.key for one in identity.candidates):
        return "other"
    return "other" if _is_refuted(work, identity) else "unsure"


def _is_refuted(work: Work, identity: Identity) -> bool:
    against = {one.clue for one in identity.speaks_against(work.key)}
    claimed = any(one.clue is Clue.EXTERNAL_ID for one in identity.speaks_for(work.key))
    return bool(against & _HARD) and (not claimed or Clue.EXTERNAL_ID in against)


def accepts(policy: IdentityPolicy, identity: Identity) -> bool:
    """Whether the policy takes the identity without asking."""
    return identity.work is not None and identity.grade in policy.accepted

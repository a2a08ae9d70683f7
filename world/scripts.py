"""What a scripted model says: fixed turns for tests, and the acquisition of a film.

A script sees the conversation and nothing else. It keeps no state, so that a conversation that is
resumed elsewhere goes on where it stopped.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from world import shapes
from world.dialogue import Call, Conversation, Json, Result, Script, Turn
from world.shapes import Candidate, Step, Work

_STEPS = (
    ("find", "Find the film"),
    ("choose", "Choose a release"),
    ("confirm", "Confirm what the release is"),
    ("draft", "Draft the download"),
    ("submit", "Submit the download"),
)


def say(text: str) -> Script:
    """Answer everything with one text."""
    return lambda _: Turn(text=text)


def calls(*turns: Turn) -> Script:
    """Play these turns one after the other, then say that it is over."""

    def play(conversation: Conversation) -> Turn:
        at = conversation.turns
        return turns[at] if at < len(turns) else Turn(text="That was all.")

    return play


def looping(call: Call) -> Script:
    """Make the same call for ever."""
    return lambda _: Turn(calls=(call,))


def acquire(title: str, *, year: int | None = None, resolution: str = "1080p") -> Script:
    """Get one film by the verdicts shown, and report truthfully.

    The release is the best-ranked one that is accepted and is the same work, in the wanted
    resolution if there is one. The first refusal is reported and ends the turn.
    """
    return _Acquisition(title, year, resolution)


class _EndedError(Exception):
    """There is nothing more to do; the text is the report."""


@dataclass(frozen=True, slots=True)
class _Acquisition:
    title: str
    year: int | None
    resolution: str

    def __call__(self, conversation: Conversation) -> Turn:
        if refusal := shapes.unreported_refusal(conversation):
            return Turn(text=_refused(conversation, refusal))
        try:
            return self._next(conversation)
        except _EndedError as ended:
            return Turn(text=str(ended))

    def _next(self, conversation: Conversation) -> Turn:
        found = shapes.latest_answer(conversation, shapes.LOOKUP)
        if found is None:
            return self._proceed([], shapes.lookup(self.title))
        work = self._fitting(shapes.works(found))
        searched = shapes.latest_answer(conversation, shapes.SEARCH)
        if searched is None:
            return self._proceed([work.ref], shapes.search(work))
        release = self._best(shapes.candidates(searched))
        return self._obtain(conversation, work, release)

    def _obtain(self, conversation: Conversation, work: Work, release: Candidate) -> Turn:
        done = [work.ref, release.ref]
        resolved = shapes.latest_answer(conversation, shapes.RESOLVE)
        if resolved is None:
            return self._proceed(done, shapes.resolve(release))
        if not shapes.is_identity_accepted(resolved):
            raise _EndedError(_undecided(work))
        done.append(release.ref)
        drafted = shapes.latest_answer(conversation, shapes.DRAFT)
        if drafted is None:
            return self._proceed(done, shapes.draft(release))
        done.append(shapes.plan_ref(drafted))
        submitted = shapes.latest_answer(conversation, shapes.SUBMIT)
        if submitted is None:
            return self._proceed(done, shapes.submit(done[-1]))
        done.append(shapes.download_ref(submitted))
        if not shapes.is_plan_complete(conversation.results_of(shapes.UPDATE_PLAN)[-1]):
            return self._proceed(done)
        return Turn(text=self._success(conversation, work, release, submitted))

    def _proceed(self, evidence: Sequence[str], *following: Call) -> Turn:
        """Record the steps that are done, then make the next call."""
        goal = f"Get {_named(self.title, self.year)} in {self.resolution}"
        update = shapes.plan_update(goal, _steps(evidence))
        current = _STEPS[len(evidence)][1] if len(evidence) < len(_STEPS) else "Report"
        return Turn(reasoning=f"Next: {current.lower()}.", calls=(update, *following))

    def _fitting(self, works: Sequence[Work]) -> Work:
        fitting = [work for work in works if self._fits(work)]
        wanted = _named(self.title, self.year)
        if not fitting:
            raise _EndedError(f"Not found: no film called {wanted} is known. {_NOTHING_DONE}")
        if len(fitting) > 1:
            years = ", ".join(str(work.year) for work in fitting)
            raise _EndedError(
                f"Unclear: several films are called {wanted}, from {years}. {_NOTHING_DONE}\n"
                "The year would settle it."
            )
        if fitting[0].in_library:
            raise _EndedError(f"Already there: {wanted} is in the library. {_NOTHING_DONE}")
        return fitting[0]

    def _fits(self, work: Work) -> bool:
        is_film = work.kind in {"film", ""}
        same_year = self.year is None or work.year == self.year
        titles = {_folded(title) for title in (work.title, *work.other_titles)}
        return is_film and same_year and _folded(self.title) in titles

    def _best(self, shown: Sequence[Candidate]) -> Candidate:
        fitting = [each for each in shown if each.accepted and each.same_work]
        if not fitting:
            raise _EndedError(_none_acceptable(shown))
        return min(fitting, key=lambda each: (each.resolution != self.resolution, each.rank))

    def _success(
        self, conversation: Conversation, work: Work, release: Candidate, submitted: Json
    ) -> str:
        searched = shapes.latest_answer(conversation, shapes.SEARCH) or {}
        state = shapes.download_state(submitted) or "submitted"
        lines = [
            f"{state.capitalize()}: {_named(work.title, work.year)} is with the downloader.",
            "It is not in the library yet; that comes after the download has finished.",
            _particulars(release),
        ]
        if release.resolution != self.resolution:
            lines.append(f"Nothing acceptable was offered in {self.resolution}.")
        if silent := shapes.silent_sources(searched):
            lines.append(f"Sources that did not answer the search: {silent}.")
        return "\n".join(lines)


_NOTHING_DONE = "Nothing was submitted."


def _steps(evidence: Sequence[str]) -> list[Step]:
    steps: list[Step] = []
    for at, (step, title) in enumerate(_STEPS):
        if at < len(evidence):
            steps.append(Step(step, title, "completed", evidence[at]))
        else:
            steps.append(Step(step, title, "in_progress" if at == len(evidence) else "pending"))
    return steps


def _refused(conversation: Conversation, refusal: Result) -> str:
    if shapes.latest_answer(conversation, shapes.SUBMIT):
        state = "Submitted, but not in the library yet; a later step was not carried out."
    elif refusal.call.name == shapes.SUBMIT and shapes.is_open(refusal):
        state = "Unclear: it is not known yet whether the download was submitted."
    else:
        state = f"Stopped: a step was not carried out. {_NOTHING_DONE}"
    return f"{state}\n{refusal.sentence}"


def _undecided(work: Work) -> str:
    return (
        f"Stopped: it is not certain that the chosen release is {_named(work.title, work.year)}. "
        f"{_NOTHING_DONE}"
    )


def _none_acceptable(shown: Sequence[Candidate]) -> str:
    lines = [f"Not found: none of {len(shown)} releases is acceptable. {_NOTHING_DONE}"]
    objections = Counter(sentence for each in shown for sentence in each.objections)
    lines += [f"{sentence} ({times} times)" for sentence, times in objections.most_common(2)]
    return "\n".join(lines)


def _particulars(release: Candidate) -> str:
    parts = [release.resolution, release.size]
    if release.seeders is not None:
        parts.append(f"{release.seeders} seeders")
    if release.source:
        parts.append(f"from {release.source}")
    return f"Chosen by the library's rules: {', '.join(part for part in parts if part)}."


def _named(title: str, year: int | None) -> str:
    return title if year is None else f"{title} ({year})"


def _folded(title: str) -> str:
    """A title without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", title).casefold()
    return "".join(sign for sign in plain if sign.isalnum())

"""What Matinee promises, each with its limits, its source, and the tests that stand for it.

Every promise has a control: a build that is broken on purpose, in which the same look must find
the promise broken. A promise without tests is no promise; one that its control passes is void.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise.

    Attributes:
        sentence: what a person can rely on.
        limits: what is not promised.
        source: where it comes from: the design's part, a specification, an incident.
        counts: what one attempt is.
        tests: node ids, without parameters, that must find nothing.
        controls: node ids that find the promise broken in a build without its guard.
    """

    id: str
    sentence: str
    limits: str
    source: str
    counts: str
    tests: tuple[str, ...]
    controls: tuple[str, ...]


PROMISES: tuple[Promise, ...] = ()

"""The language that a work was made in."""

from capabilities.rules.works import TitleKind, Work


def original_language(work: Work | None) -> str | None:
    """The BCP 47 tag of its original title; None where no source says it."""
    titles = () if work is None else work.titles
    tags = (title.language for title in titles if title.kind is TitleKind.ORIGINAL)
    return next((tag for tag in tags if tag), None)

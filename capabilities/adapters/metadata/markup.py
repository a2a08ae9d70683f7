"""Prose that sources send with HTML tags in it."""

from html.parser import HTMLParser


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.said: list[str] = []

    def handle_data(self, data: str) -> None:
        self.said.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in {"br", "p"}:
            self.said.append(" ")


def without_markup(text: str | None) -> str | None:
    """The words alone, on one line; None where there are none."""
    words = _Words()
    words.feed(text or "")
    words.close()
    return " ".join("".join(words.said).split()) or None

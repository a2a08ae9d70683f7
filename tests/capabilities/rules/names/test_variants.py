"""What must not change the meaning of a name: its separators, brackets, words of no own sense."""

import re
from collections.abc import Callable
from typing import cast

import pytest

from capabilities.rules.names.facts import facts
from tests.capabilities.rules.names.named.rows import Named
from tests.capabilities.rules.names.test_named import ROWS, SHORT

Variant = Callable[[Named], str | None]

FILE = re.compile(r"\.(?:mkv|mp4|avi|ts|srt|nfo|nzb|rar|torrent|jpg|par2)\Z", re.IGNORECASE)
WHOLE = re.compile(r"(?<![A-Za-z0-9])S(\d\d)E(\d\d)(?![\w+-]|\.\d\d\.)", re.IGNORECASE)
SEASON_FOLDER = re.compile(r"/Season 0?(\d)/")
HASHED = "3f2a9c0d17be44f0a1b2c3d4e5f60718.mkv"
TITLES = (
    *("Marsh", "The Marsh Lanterns", "Of Salt and Rain", "21 Marshes", "Marsh 404 Lanterns"),
    *("The German Lantern", "Extended Marsh", "Web of Lanterns", "Kaze-chan to Ame"),
    *(
        "\u98ce\u4e4b\u6b4c",
        "\u96e8\u306e\u753a",
        "\u0414\u043e\u043c \u0443 \u043c\u043e\u0440\u044f",
    ),
)
GROUPS = ("OPALINE", "Opa", "oPALiNE", "0P4L", "K9")


def is_name(row: Named) -> bool:
    return "/" not in row.text and "\\" not in row.text and row.kind != "path" and not row.hint


def is_scene(row: Named) -> bool:
    """Whether dots alone part the words, as scenes write them, with a group at the end."""
    plain = is_name(row) and not re.search(r"[ _\[({+]", row.text)
    return plain and "group" in row.says and row.text.count(".") > 3 and not FILE.search(row.text)


def with_blanks(row: Named) -> str | None:
    return re.sub(r"\.(?!\d)|(?<!\d)\.", " ", row.text) if is_scene(row) else None


def with_underscores(row: Named) -> str | None:
    return re.sub(r"\.(?!\d)|(?<!\d)\.", "_", row.text) if is_scene(row) else None


def with_underscores_for_blanks(row: Named) -> str | None:
    named = is_name(row) and " " in row.text and "_" not in row.text and row.text.isascii()
    return row.text.replace(" ", "_") if named and " " not in str(row.says.get("group")) else None


def in_lenticular_brackets(row: Named) -> str | None:
    text = row.text.replace("[", "\u3010").replace("]", "\u3011")
    return text if is_name(row) and text != row.text else None


def in_small_letters(row: Named) -> str | None:
    shouted = {"languages", "network", "country", "subtitles", "crc", "edition"} & row.says.keys()
    return row.text.lower() if is_name(row) and row.text.isascii() and not shouted else None


def as_a_file(row: Named) -> str | None:
    bare = (
        is_name(row) and not FILE.search(row.text) and not {"reject", "quality"} & row.says.keys()
    )
    return f"{row.text}.mkv" if bare and "container" not in row.says else None


def behind_a_site(row: Named) -> str | None:
    bare = is_name(row) and row.text[0].isalnum() and not re.match(r"\d|[A-Z]{2} - |qz-", row.text)
    return f"[ www.lanterns.org ] - {row.text}" if bare and "www" not in row.text else None


def before_a_site(row: Named) -> str | None:
    named = (
        is_name(row)
        and row.says.get("group")
        and "YTS" not in row.text
        and not FILE.search(row.text)
    )
    return f"{row.text}[lanterns.to]" if named and "website" not in row.says else None


def numbered(form: str) -> Variant:
    def variant(row: Named) -> str | None:
        found = WHOLE.findall(row.text)
        if len(found) != 1 or {"quality", "episode_title"} & row.says.keys():
            return None
        season, episode = map(int, found[0])
        return WHOLE.sub(form.format(season=season, episode=episode), row.text)

    return variant


def in_season_folder(form: str) -> Variant:
    def variant(row: Named) -> str | None:
        match = SEASON_FOLDER.search(row.text)
        return (
            SEASON_FOLDER.sub(f"/{form.format(season=int(match[1]))}/", row.text) if match else None
        )

    return variant


def under(root: str) -> Variant:
    def variant(row: Named) -> str | None:
        return root + row.text.lstrip("/") if row.text.startswith("/") else None

    return variant


def as_a_hash_in_its_folder(row: Named) -> str | None:
    told = facts(row.text)
    release = is_name(row) and told["resolution"] and told["title"] and not FILE.search(row.text)
    whole = release and row.kind is None and not {"reject", "container", "crc"} & row.says.keys()
    return f"downloads/{row.text}/{HASHED}" if whole and row.text[0] not in "[\u3010" else None


VARIANTS: dict[str, Variant] = {
    "blanks": with_blanks,
    "underscores": with_underscores,
    "underscores for blanks": with_underscores_for_blanks,
    "lenticular brackets": in_lenticular_brackets,
    "small letters": in_small_letters,
    "a file": as_a_file,
    "a site in front": behind_a_site,
    "a site behind": before_a_site,
    "a hash in its folder": as_a_hash_in_its_folder,
    **{form: numbered(form) for form in (
        "{season}x{episode:02}", "{season:02}x{episode:02}", "S{season:02}.E{episode:02}",
        "S{season:02} E{episode:02}", "S{season}E{episode}", "s{season:02}e{episode:02}",
        "S{season:02}EP{episode:02}", "S{season:02}E{episode:03}",
        "Season {season} Episode {episode}", "[{season}x{episode:02}]",
    )},
    **{form: in_season_folder(form) for form in (
        "S{season:02}", "s{season}", "Season {season:02}", "Season_{season}", "Season{season}",
        "Staffel {season}", "Saison {season:02}", "\u7b2c{season}\u5b63", "{season}",
    )},
    **{root: under(root) for root in ("/volume1/Archive/", "//nas/share/Library/", "E:/")},
}  # fmt: skip


def said(text: str, row: Named) -> dict[str, object]:
    told = facts(text, row.kind, row.hint)
    return {field: plain(told[SHORT.get(field, field)]) for field in row.says}


def plain(value: object) -> object:
    """A value without case and separators, which the variants change."""
    if isinstance(value, list):
        return [plain(one) for one in cast("list[object]", value)]
    return value.casefold().replace("_", " ").replace(".", " ") if isinstance(value, str) else value


@pytest.mark.parametrize("name", VARIANTS)
def test_a_name_written_another_way_says_the_same(name: str) -> None:
    vary = VARIANTS[name]
    texts = [(row, text) for row in ROWS if (text := vary(row))]
    differing = [text for row, text in texts if said(text, row) != said(row.text, row)]
    assert texts
    assert differing == []


@pytest.mark.parametrize("title", TITLES)
def test_another_title_changes_nothing_but_the_title(title: str) -> None:
    differing: list[str] = []
    for row in ROWS:
        text = with_title(row, title)
        if text is None:
            continue
        rest = Named(text, {field: row.says[field] for field in row.says if field in KEPT})
        right = plain(facts(text, row.kind)["title"]) == plain(title)
        if not right or said(text, rest) != said(row.text, rest):
            differing.append(text)
    assert differing == []


@pytest.mark.parametrize("group", GROUPS)
def test_another_group_changes_nothing_but_the_group(group: str) -> None:
    differing: list[str] = []
    for row in ROWS:
        old = row.says.get("group")
        if not isinstance(old, str) or old.lower() != "quartz" or row.text.count(old) != 1:
            continue
        text = row.text.replace(old, group)
        rest = Named(text, {field: row.says[field] for field in row.says if field != "group"})
        right = facts(text, row.kind, row.hint)["release_group"] == group
        if not right or said(text, rest) != said(row.text, rest):
            differing.append(text)
    assert differing == []


KEPT = frozenset(
    {"year", "seasons", "episodes", "absolute", "group", "resolution", "source", "codec", "version"}
)


def with_title(row: Named, title: str) -> str | None:
    """The name with another title; none where the title is not said in so many words."""
    old = row.says.get("title")
    scene_file = row.text.startswith("qz-")
    if not isinstance(old, str) or not is_name(row) or "title_en" in row.says or scene_file:
        return None
    words = re.compile(r"[\W_]+".join(map(re.escape, re.findall(r"\w+", old))) + r"(?!\w)")
    found = words.findall(row.text)
    if len(found) != 1 or old.isdecimal():
        return None
    signs = set(re.findall(r"[._ ]", row.text)) - ({"."} if " " in row.text else set())
    return words.sub(title.replace(" ", signs.pop() if len(signs) == 1 else " "), row.text)

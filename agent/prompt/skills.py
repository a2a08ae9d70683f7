"""Skills: what a person who knows the work would tell the model, chosen by the server.

The format is that of agentskills.io: a folder with a `SKILL.md`, whose front matter has ``name``
(equal to the folder) and ``description``; our own keys stand under ``metadata``, as strings.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import skills

SECTIONS = ("When", "Steps", "Needs approval", "Report example", "Do not")
MOST_CHOSEN = 2
CHAT = "chat"

_FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n(.*)", re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


class _Metadata(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    triggers: str
    capabilities: str
    sessions: str


class _FrontMatter(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)  # the format has optional keys

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
    description: Annotated[str, Field(min_length=1, max_length=1024)]
    metadata: _Metadata


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill.

    Attributes:
        triggers: patterns over the owner's words, one a line in the file.
        capabilities: ids of the capabilities that its text is about.
        sessions: kinds of session that may be given it.
    """

    name: str
    title: str
    description: str
    triggers: tuple[re.Pattern[str], ...]
    capabilities: frozenset[str]
    sessions: frozenset[str]
    body: str

    def hits(self, words: str) -> int:
        """How many of its triggers the owner's words pull."""
        return sum(trigger.search(words) is not None for trigger in self.triggers)


@dataclass(frozen=True, slots=True)
class Library:
    """All skills that could be read, and a sentence about each that could not."""

    skills: tuple[Skill, ...] = ()
    faults: tuple[str, ...] = ()


def shipped() -> Library:
    """The skills that come with Matinee."""
    return load(Path(skills.__path__[0]))


def load(folder: Path) -> Library:
    """Read every skill below ``folder``; a bad one is left out, with a sentence that names it."""
    found: list[Skill] = []
    faults: list[str] = []
    for path in sorted(folder.glob("*/SKILL.md")):
        try:
            found.append(_skill(path.parent.name, path.read_text("utf-8")))
        except (ValueError, re.error) as wrong:
            faults.append(f"The skill {path.parent.name!r} is left out: {_reason(wrong)}")
    return Library(tuple(found), tuple(faults))


def chosen(
    library: Library, words: str, capabilities: Collection[str], without: Collection[str] = ()
) -> list[Skill]:
    """At most two skills for the owner's words, the best fitting first.

    Args:
        library: where to choose from.
        words: the goal, or a later message.
        capabilities: ids that the run may use; a skill about none of them is of no use.
        without: names of skills that the run has been given already.
    """
    fitting = [
        (hits, skill)
        for skill in library.skills
        if (hits := skill.hits(words))
        and CHAT in skill.sessions
        and skill.name not in without
        and not skill.capabilities.isdisjoint(capabilities)
    ]
    fitting.sort(key=lambda each: (-each[0], each[1].name))
    return [skill for _, skill in fitting[:MOST_CHOSEN]]


def block(skill: Skill) -> str:
    """A skill as the model reads it."""
    return f'<skill name="{skill.name}">\n# {skill.title}\n{skill.body}\n</skill>'


def index(library: Library, given: Collection[str]) -> str:
    """What else there is to know, so that the model can name it to the owner."""
    others = [skill for skill in library.skills if skill.name not in given]
    lines = [f"- {skill.title}: {skill.description}" for skill in others]
    return "\n".join(["# Other skills, given when the owner's words call for them", *lines])


def _skill(folder: str, text: str) -> Skill:
    parts = _FRONT_MATTER.fullmatch(text)
    if parts is None:
        raise ValueError("it has no front matter between two lines of three dashes")
    front = _FrontMatter.model_validate(_yaml(parts[1]))
    if front.name != folder:
        raise ValueError(f"its name {front.name!r} is not that of its folder")
    missing = [name for name in SECTIONS if name not in _HEADING.findall(parts[2])]
    if missing:
        raise ValueError(f"it lacks the section {missing[0]!r}")
    about = front.metadata
    return Skill(
        name=front.name,
        title=about.title,
        description=front.description,
        triggers=tuple(re.compile(each, re.IGNORECASE) for each in _lines(about.triggers)),
        capabilities=frozenset(about.capabilities.split()),
        sessions=frozenset(about.sessions.split()),
        body=parts[2].strip(),
    )


def _yaml(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        # A colon in an unquoted description is the commonest slip, and readable all the same.
        quoted = re.sub(r"^(description): (?![\"'|>])(.*)$", _quoted, text, flags=re.MULTILINE)
    try:
        return yaml.safe_load(quoted)
    except yaml.YAMLError as broken:
        raise ValueError("its front matter is not YAML") from broken


def _quoted(line: re.Match[str]) -> str:
    return f"{line[1]}: '{line[2].replace(chr(39), chr(39) * 2)}'"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _reason(wrong: Exception) -> str:
    if isinstance(wrong, ValidationError):
        first = wrong.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(wrong)

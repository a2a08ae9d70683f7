from pathlib import Path

import pytest

from agent.prompt import skills
from agent.prompt.general import GENERAL
from agent.prompt.skills import Library
from capabilities.kernel.discovery import discovered

CAPABILITIES = {"catalog.lookup", "release.search"}


def text(
    name: str = "get", *, description: str = "Gets it.", more: str = "", body: str = ""
) -> str:
    sections = "".join(f"## {name}\nWords.\n\n" for name in skills.SECTIONS)
    return f"""---
name: {name}
description: {description}
metadata:
  title: Getting
  triggers: |
    \\bget\\b
    下载
  capabilities: catalog.lookup
  sessions: chat
{more}---
{body or sections}"""


def library(folder: Path, **files: str) -> Library:
    for name, content in files.items():
        (folder / name).mkdir()
        (folder / name / "SKILL.md").write_text(content, "utf-8")
    return skills.load(folder)


def test_a_skill_is_read_with_all_it_says_of_itself(tmp_path: Path) -> None:
    (skill,) = library(tmp_path, get=text(more="license: MIT\n")).skills
    assert (skill.name, skill.title, skill.description) == ("get", "Getting", "Gets it.")
    assert skill.capabilities == {"catalog.lookup"}
    assert skill.hits("Please GET it, 下载") == 2
    assert skills.block(skill).startswith('<skill name="get">\n# Getting\n## When')


def test_a_colon_in_an_unquoted_description_is_survived(tmp_path: Path) -> None:
    (skill,) = library(tmp_path, get=text(description="Gets it: the owner's way")).skills
    assert skill.description == "Gets it: the owner's way"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("no front matter", "it has no front matter"),
        (text("other"), "its name 'other' is not that of its folder"),
        (text(body="## When\nWords.\n"), "it lacks the section 'Steps'"),
        (text(description="").replace("description: ", "about: "), "description: Field required"),
        (text().replace("\\bget\\b", "(get"), "missing ), unterminated subpattern"),
        (text(more="broken: [\n"), "its front matter is not YAML"),
    ],
)
def test_a_bad_skill_is_left_out_and_named(tmp_path: Path, content: str, reason: str) -> None:
    found = library(tmp_path, get=content)
    assert found.skills == ()
    (fault,) = found.faults
    assert fault.startswith("The skill 'get' is left out: ")
    assert reason in fault


def test_the_best_fitting_two_are_chosen(tmp_path: Path) -> None:
    one = text("b")
    found = library(tmp_path, a=text("a"), b=one, c=text("c").replace("下载", "fast"))
    chosen = skills.chosen(found, "get it fast", CAPABILITIES)
    assert [skill.name for skill in chosen] == ["c", "a"]


def test_a_skill_is_chosen_only_where_it_is_of_use(tmp_path: Path) -> None:
    found = library(tmp_path, get=text())
    assert skills.chosen(found, "get it", {"task.inspect"}) == []
    assert skills.chosen(found, "get it", CAPABILITIES, without={"get"}) == []
    assert skills.chosen(found, "have it", CAPABILITIES) == []


def test_a_skill_for_other_sessions_is_not_for_chats(tmp_path: Path) -> None:
    found = library(tmp_path, get=text().replace("sessions: chat", "sessions: patrol"))
    assert skills.chosen(found, "get it", CAPABILITIES) == []


def test_the_shipped_skills_are_all_readable() -> None:
    shipped = skills.shipped()
    assert shipped.faults == ()
    assert "acquire-title" in {skill.name for skill in shipped.skills}


@pytest.mark.parametrize(
    "words", ["Get Sintel (2010) in 1080p", "下载《夜行列车》", "我想看这部电影"]
)
def test_wanting_a_title_calls_for_the_skill_about_it(words: str) -> None:
    chosen = skills.chosen(skills.shipped(), words, CAPABILITIES)
    assert [skill.name for skill in chosen] == ["acquire-title"]


def test_every_capability_is_in_a_skill_or_general_and_every_named_one_exists() -> None:
    existing = {spec.id for spec in discovered()}
    named = {each for skill in skills.shipped().skills for each in skill.capabilities}
    assert existing <= named | GENERAL
    assert named | GENERAL <= existing


def test_a_skill_lists_every_capability_that_its_text_names() -> None:
    existing = {spec.id for spec in discovered()}
    for skill in skills.shipped().skills:
        assert {id_ for id_ in existing if id_ in skill.body} == skill.capabilities

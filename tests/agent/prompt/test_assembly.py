from datetime import UTC, datetime
from pathlib import Path

from agent.limits import Limits
from agent.prompt import skills
from agent.prompt.assembly import system_prompt, tail
from agent.prompt.environment import Surroundings
from agent.prompt.skills import Library
from agent.usage import Used
from capabilities.kernel.spec import Spec
from tests.agent.prompt.test_skills import library, text
from tests.agent.shop import Shop

NOW = datetime(2026, 2, 3, 14, 5, tzinfo=UTC)


def specs() -> list[Spec]:
    return Shop().specs()


def test_the_layers_stand_in_their_order(tmp_path: Path) -> None:
    found = library(tmp_path, get=text(), other=text("other"))
    given = skills.chosen(found, "get it", {"catalog.lookup"})[:1]
    prompt = system_prompt(specs(), found, given, proposes_first=True)
    headings = [line for line in prompt.splitlines() if line.startswith("# ")]
    assert headings == [
        "# Role",
        "# Rules that nothing overrides",
        "# What you can use",
        "# How to work",
        "# The closing report",
        "# This run proposes first",
        "# Getting",
        "# Other skills, given when the owner's words call for them",
    ]
    assert prompt.endswith("- Getting: Gets it.")


def test_routes_mark_what_needs_the_owner() -> None:
    prompt = system_prompt(specs(), Library(), [], proposes_first=False)
    assert "- Find: shop__find\n" in prompt
    assert "- Buy: shop__buy (needs the owner's approval)\n" in prompt
    assert "proposes first" not in prompt


def test_a_run_that_may_use_nothing_is_told_so() -> None:
    prompt = system_prompt([], Library(), [], proposes_first=False)
    assert "Nothing but your own plan" in prompt


def closing(surroundings: Surroundings, plan: dict[str, object] | None = None) -> str:
    used = Used(tool_calls=20, active_s=600.0)
    return tail(surroundings, NOW, plan=plan, goal="Get it", used=used, limits=Limits())


def test_the_tail_says_what_is_connected_and_what_is_not() -> None:
    told = closing(
        Surroundings(
            downloaders=("embedded",),
            libraries=("Films", "Series"),
            counts={"films": 812, "downloads under way": 2},
        )
    )
    assert "Time: Tuesday, 3 February 2026, 14:05 UTC" in told
    assert "Downloaders: embedded" in told
    assert "Indexers: none connected" in told
    assert "Library folders: Films, Series" in told
    assert "Counts: 812 films, 2 downloads under way" in told


def test_the_tail_ends_with_the_plan_the_goal_and_what_is_left() -> None:
    steps = [
        {"id": "find", "title": "Find it", "status": "completed", "evidence": "work:1"},
        {"id": "get", "title": "Get it", "status": "blocked", "evidence": "x", "blocked_by": "you"},
    ]
    told = closing(Surroundings(), {"goal": None, "steps": steps})
    assert told.splitlines()[-9:] == [
        "# Your plan",
        "- [completed] find: Find it; evidence: work:1",
        "- [blocked] get: Get it; evidence: x; blocked by: you",
        "",
        "# The goal of this run",
        "Get it",
        "Left: 100 tool calls, 20 minutes of work.",
        "",
        "</state>",
    ]


def test_without_a_plan_or_counts_the_tail_is_short() -> None:
    told = closing(Surroundings())
    assert "# Your plan\nNot recorded yet." in told
    assert "Counts" not in told

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from world.dialogue import Json, Script, Turn, read_conversation
from world.scripts import acquire

Tool = Callable[[Json], str]

WORKS: list[dict[str, Any]] = [
    {"work": "work:1", "title": "Night Train", "year": 1959, "kind": "film", "in_library": False},
    {"work": "work:2", "title": "Night Train", "year": 2009, "kind": "film", "in_library": False},
    {"work": "work:3", "title": "Night Train", "year": 2009, "kind": "series", "in_library": False},
    {"work": "work:4", "title": "Night Trains", "year": 2009, "kind": "film", "in_library": False},
]


def release(
    ref: str,
    rank: int,
    *,
    resolution: str = "1080p",
    verdict: str = "same",
    accepted: bool = True,
    **more: object,
) -> dict[str, Any]:
    return {
        "release": ref,
        "title": f"Night.Train.2009.{resolution}.WEB-DL.x264-{ref[-1]}",
        "size_gb": 2.1,
        "seeders": 14,
        "resolution": resolution,
        "source": "WEB-DL",
        "identity": {"grade": "exact", "verdict": verdict},
        "accepted": accepted,
        "rank": rank,
        "reasons": [],
        **more,
    }


RELEASES = [
    release("rel:1", 1, verdict="different"),
    release("rel:2", 2, accepted=False),
    release("rel:3", 3, resolution="2160p"),
    release("rel:4", 5),
    release("rel:5", 4),
]


def answer(document: Json, sentence: str = "Here is what was found.") -> str:
    return f"{sentence}\n{json.dumps(document)}"


@dataclass
class House:
    """Plays the server: answers calls, keeps the conversation and what was asked."""

    script: Script
    tools: dict[str, Tool] = field(default_factory=dict[str, Tool])
    asked: list[tuple[str, Json]] = field(default_factory=list[tuple[str, Json]])
    messages: list[Json] = field(
        default_factory=lambda: [{"role": "user", "content": "Get Night Train"}]
    )

    def run(self, turns: int = 20) -> str:
        """The first text that comes without a call."""
        for _ in range(turns):
            turn = self.script(read_conversation({"messages": self.messages}))
            if not turn.calls:
                self.messages.append({"role": "assistant", "content": turn.text})
                return turn.text
            self.messages += self._answered(turn)
        raise AssertionError("the script goes round in circles")

    def _answered(self, turn: Turn) -> list[Json]:
        calls: list[Json] = []
        results: list[Json] = []
        for call in turn.calls:
            call_id = f"call_{len(self.asked)}"
            self.asked.append((call.name, call.arguments_object()))
            function = {"name": call.name, "arguments": call.arguments_text()}
            calls.append({"id": call_id, "type": "function", "function": function})
            content = self.tools[call.name](call.arguments_object())
            results.append({"role": "tool", "tool_call_id": call_id, "content": content})
        return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]

    def names(self) -> list[str]:
        return [name for name, _ in self.asked if name != "update_plan"]

    def last_plan(self) -> Mapping[str, Any]:
        return [arguments for name, arguments in self.asked if name == "update_plan"][-1]


def house(script: Script, **replaced: Tool) -> House:
    tools: dict[str, Tool] = {
        "update_plan": lambda _: "The plan is recorded.",
        "catalog__lookup": lambda _: answer({"works": WORKS}),
        "release__search": lambda _: answer({"candidates": RELEASES, "failures": []}),
        "identity__resolve": lambda asked: answer({**asked, "grade": "exact", "accepted": True}),
        "download__plan": lambda _: answer(
            {"plan": "plan:1", "revision": 1, "requires_approval": True}
        ),
        "download__submit": lambda _: answer({"download": "dl:1", "state": "submitted"}),
    }
    return House(script, tools | replaced)


def constant(text: str) -> Tool:
    return lambda _: text


def test_a_film_is_found_chosen_confirmed_drafted_and_submitted() -> None:
    home = house(acquire("night train", year=2009))
    report = home.run()
    assert [each for each in home.asked if each[0] != "update_plan"] == [
        ("catalog__lookup", {"query": "night train"}),
        ("release__search", {"work": "work:2"}),
        ("identity__resolve", {"release": "rel:5"}),
        ("download__plan", {"release": "rel:5"}),
        ("download__submit", {"plan": "plan:1"}),
    ]
    assert report == (
        "Submitted: Night Train (2009) is with the downloader.\n"
        "It is not in the library yet; that comes after the download has finished.\n"
        "Chosen by the library's rules: 1080p, 2.1 GB, 14 seeders, from WEB-DL."
    )


def test_the_plan_comes_first_and_ends_complete_with_evidence() -> None:
    home = house(acquire("Night Train", year=2009))
    home.run()
    first, last = home.asked[0], home.last_plan()
    assert first[0] == "update_plan"
    assert [step["status"] for step in first[1]["steps"]] == ["in_progress", *["pending"] * 4]
    assert last["goal"] == "Get Night Train (2009) in 1080p"
    assert [step["status"] for step in last["steps"]] == ["completed"] * 5
    assert [step["evidence"] for step in last["steps"]] == [
        "work:2",
        "rel:5",
        "rel:5",
        "plan:1",
        "dl:1",
    ]


@given(order=st.permutations(RELEASES))
def test_the_order_of_the_list_decides_nothing(order: list[dict[str, Any]]) -> None:
    home = house(
        acquire("Night Train", year=2009),
        release__search=constant(answer({"candidates": order})),
    )
    home.run()
    assert ("download__plan", {"release": "rel:5"}) in home.asked


def test_the_wanted_resolution_comes_before_rank() -> None:
    home = house(acquire("Night Train", year=2009, resolution="2160p"))
    assert "2160p" in home.run()
    assert ("download__plan", {"release": "rel:3"}) in home.asked


def test_another_resolution_is_taken_and_said_when_the_wanted_one_is_missing() -> None:
    home = house(acquire("Night Train", year=2009, resolution="720p"))
    report = home.run()
    assert ("download__plan", {"release": "rel:3"}) in home.asked
    assert "Nothing acceptable was offered in 720p." in report


def test_silent_sources_small_sizes_and_missing_particulars_are_said_as_they_are() -> None:
    small = release("rel:9", 1, resolution="480p", size_gb=0.09, seeders=None, source=None)
    found = {"candidates": [small | {"resolution": 480}], "failures": [{"indexer": "owl"}]}
    home = house(
        acquire("Night Train", year=2009, resolution="480p"),
        release__search=constant(answer(found)),
    )
    report = home.run()
    assert "rules: 480p, 0.09 GB." in report
    assert report.endswith("Sources that did not answer the search: 1.")
    assert len(report.splitlines()) <= 6


def test_without_a_year_several_films_are_not_guessed_at() -> None:
    home = house(acquire("Night Train"))
    report = home.run()
    assert report.startswith("Unclear: several films are called Night Train, from 1959, 2009.")
    assert home.names() == ["catalog__lookup"]


def test_a_title_in_another_language_is_recognised() -> None:
    known = {"works": [WORKS[1] | {"other_titles": ["Tren de noche", "夜行列车"]}]}
    home = house(acquire("夜行列车"), catalog__lookup=constant(answer(known)))
    assert home.run().startswith("Submitted: Night Train (2009)")


def test_an_unknown_film_ends_with_nothing_submitted() -> None:
    home = house(acquire("Night Train", year=1971))
    assert home.run() == (
        "Not found: no film called Night Train (1971) is known. Nothing was submitted."
    )


def test_a_film_that_is_there_is_not_fetched_again() -> None:
    owned = {"works": [WORKS[1] | {"in_library": True}]}
    home = house(acquire("Night Train"), catalog__lookup=constant(answer(owned)))
    assert home.run().startswith("Already there:")
    assert home.names() == ["catalog__lookup"]


def test_when_nothing_is_acceptable_the_reasons_are_reported() -> None:
    reason = {"rule": "min_seeders", "sentence": "Nobody shares it."}
    found = {
        "candidates": [
            release("rel:1", 1, accepted=False, reasons=[reason]),
            release("rel:2", 2, accepted=False, reasons=[reason, "It is a camera recording."]),
            release("rel:3", 3, identity=None),
        ]
    }
    home = house(acquire("Night Train", year=2009), release__search=constant(answer(found)))
    assert home.run() == (
        "Not found: none of 3 releases is acceptable. Nothing was submitted.\n"
        "Nobody shares it. (2 times)\n"
        "It is a camera recording. (1 times)"
    )


def test_an_uncertain_identity_ends_it() -> None:
    uncertain = answer({"release": "rel:5", "grade": "weak", "accepted": False})
    home = house(acquire("Night Train", year=2009), identity__resolve=constant(uncertain))
    assert home.run().startswith("Stopped: it is not certain")
    assert "download__plan" not in home.names()


@pytest.mark.parametrize(
    "tool",
    [
        "update_plan",
        "catalog__lookup",
        "release__search",
        "identity__resolve",
        "download__plan",
        "download__submit",
    ],
)
@pytest.mark.parametrize(
    "document",
    [
        {"error": "The house says no."},
        {"status": "refused", "code": "needs_approval"},
        {"status": "failed"},
        {"code": "internal"},
    ],
)
def test_a_refusal_is_reported_once_and_ends_it(tool: str, document: Json) -> None:
    refused = answer(document, "The house says no.")
    home = house(acquire("Night Train", year=2009), **{tool: constant(refused)})
    report = home.run()
    assert report == (
        "Stopped: a step was not carried out. Nothing was submitted.\nThe house says no."
    )
    assert [name for name, _ in home.asked].count(tool) == 1


def test_a_submission_of_unknown_outcome_is_not_called_off() -> None:
    lost = answer({"status": "unknown"}, "The downloader did not answer.")
    home = house(acquire("Night Train", year=2009), download__submit=constant(lost))
    assert home.run().startswith("Unclear: it is not known yet")


def test_a_refusal_after_the_submission_does_not_deny_it() -> None:
    def plan(asked: Json) -> str:
        done = all(step["status"] == "completed" for step in asked["steps"])
        return answer({"code": "internal"}, "Not recorded.") if done else "The plan is recorded."

    home = house(acquire("Night Train", year=2009), update_plan=plan)
    assert home.run().startswith("Submitted, but not in the library yet")


def test_a_new_message_after_a_refusal_tries_that_step_again() -> None:
    home = house(
        acquire("Night Train", year=2009),
        download__submit=constant(answer({"status": "refused"}, "Approval is needed.")),
    )
    assert home.run().endswith("Approval is needed.")
    home.tools["download__submit"] = house(home.script).tools["download__submit"]
    home.messages.append({"role": "user", "content": "Approved, go on."})
    assert home.run().startswith("Submitted: Night Train (2009)")
    assert home.names().count("release__search") == 1
    assert home.names().count("download__submit") == 2

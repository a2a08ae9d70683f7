"""The whole way, for real: a goal, a plan, a passphrase at a terminal, a film on the shelf."""

import json
from collections.abc import Generator
from dataclasses import dataclass

import pytest
from anyio.from_thread import start_blocking_portal

from server.cli.demo.settings_text import settings_text
from server.cli.exits import Exit
from server.cli.home import Home
from tests.server.api.house import PASSPHRASE
from tests.server.cli.typist import CTRL_C, Typist, alone, typist
from world.dialogue import Call, Turn
from world.scripts import acquire, calls, say
from world.stage import RELEASE, Stage, staged

pytestmark = pytest.mark.proof

FILM_BYTES = 24 * 1024 * 1024
SLOWLY = 8 * 1024 * 1024
GOAL = "bring Sintel home in 1080p"
ASKED = "[l]eave it waiting? "


@dataclass
class Place:
    home: Home
    stage: Stage

    def options(self) -> tuple[str, str]:
        return "--home", str(self.home.root)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    """A world, and a home in it whose server runs and which has an owner."""
    base = tmp_path_factory.mktemp("place")
    (base / "seed").mkdir()
    home = Home(base / "home")
    home.prepare()
    world = staged(base / "seed", say("Nothing."), size=FILM_BYTES, upload_limit=SLOWLY)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(world) as stage:
        text = settings_text(stage, base)
        (home.root / "settings.toml").write_text(f"{text}\n[server]\nport = 0\n")
        made = alone("doctor", "--fix", "--home", str(home.root))
        assert made.returncode == Exit.DONE, made.stdout
        begun = alone("--json", "--home", str(home.root))
        assert begun.returncode == Exit.DONE, begun.stderr
        become_owner(home, json.loads(begun.stdout)["code"])
        try:
            yield Place(home, stage)
        finally:
            alone("stop", "--home", str(home.root))


def become_owner(home: Home, code: str) -> None:
    with typist("owner", "--home", str(home.root)) as person:
        for prompt, words in (("code: ", code), ("New passphrase: ", PASSPHRASE)):
            person.sees(prompt)
            person.types(f"{words}\n")
        person.sees("again: ")
        person.types(f"{PASSPHRASE}\n")
        assert person.leaves() == Exit.DONE


def answers(person: Typist, *lines: str) -> None:
    person.sees(ASKED)
    for line in lines:
        person.types(f"{line}\n")
        if line == "d":
            person.sees("told it): ")
    person.sees("Passphrase: ")
    person.types(f"{PASSPHRASE}\n")


def test_an_answer_is_followed_to_its_end(place: Place) -> None:
    place.stage.model.script = say("There are no films yet.")
    told = alone("ask", "What is in the library?", *place.options())
    assert told.returncode == Exit.DONE
    assert told.stdout.startswith("Answered; nothing was downloaded or moved.\n")
    assert "There are no films yet." in told.stdout
    assert "There are no films yet." in told.stderr


def test_a_run_that_proposes_first_carries_nothing_out(place: Place) -> None:
    submit = Call("download__submit", {"plan": "plan:1"})
    place.stage.model.script = calls(Turn(calls=(submit,)))
    told = alone("ask", GOAL, "--propose-first", *place.options())
    assert "✗ This run proposes first" in told.stderr


def test_a_declined_plan_fails_with_the_owners_reason(place: Place) -> None:
    place.stage.model.script = acquire("Sintel", year=2010)
    with typist("ask", GOAL, *place.options()) as person:
        person.sees("Plan: 3 of 5, now: Draft the download")
        answers(person, "d", "not tonight")
        person.sees("since you declined the plan: not tonight")
        assert person.leaves() == Exit.FAILED


def test_ctrl_c_at_the_card_stops_the_run_and_withdraws_the_question(place: Place) -> None:
    place.stage.model.script = acquire("Sintel", year=2010)
    with typist("ask", GOAL, *place.options()) as person:
        person.sees(ASKED)
        person.types(CTRL_C)
        person.sees("The run is asked to stop")
        person.sees("Stopped, as you asked.")
        assert person.leaves() == Exit.INTERRUPTED
    assert json.loads(alone("decisions", "--json", *place.options()).stdout)["decisions"] == []


def test_an_approved_plan_becomes_a_film_on_the_shelf(place: Place) -> None:
    place.stage.model.script = acquire("Sintel", year=2010)
    with typist("ask", GOAL, *place.options()) as person:
        person.sees("Download Sintel (2010)")
        person.sees(ASKED)
        person.types("a\n")
        person.sees("Passphrase: ")
        person.types("not the passphrase\n")
        person.sees("That is not the passphrase.")
        answers(person, "a")
        person.sees("Approved, once, for exactly this plan.")
        person.sees("MB/s")
        person.sees(f"Downloaded: {RELEASE}.")
        person.sees("Placed in the library: 2 files.")
        person.sees("Sintel (2010) is in the library.")
        assert person.leaves() == Exit.DONE
    library = place.home.root.parent / "library" / "films"
    (film,) = library.rglob("*.mkv")
    assert film.stat().st_size == FILM_BYTES
    assert film.stat().st_nlink > 1
    assert alone("status", *place.options()).returncode == Exit.DONE


def test_a_home_at_work_passes_the_doctors_look(place: Place) -> None:
    seen = alone("doctor", "--json", *place.options())
    found = {each["id"]: each["severity"] for each in json.loads(seen.stdout)["findings"]}
    assert found["server"] == found["lock"] == found["database.migrations"] == "ok"
    assert seen.returncode == Exit.DONE

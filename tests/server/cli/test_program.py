import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli.entry import run
from server.cli.exits import Exit
from server.cli.help_pages import help_pages
from server.cli.menu import EXAMPLE, MENU
from tests.server.cli.rig import Rig, environment
from tests.server.cli.typist import MATINEE, ROOT, alone

LINES_OF_A_SCREEN = 50


def test_the_overview_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= LINES_OF_A_SCREEN
    assert max(map(len, lines)) <= 80
    assert [line.strip() for line in lines if EXAMPLE in line] == [f"Example: {EXAMPLE}"]
    assert [line for line in lines if line in {f"{group}:" for group in MENU}] == [
        "Start:",
        "Use:",
        "Look after:",
    ]


def test_the_overview_imports_no_command() -> None:
    script = (
        "import sys; from server.cli.entry import run; run(['--help']);"
        "print([n for n in sys.modules if n.startswith('server.cli.commands.')], 'httpx2' in "
        "sys.modules, file=sys.stderr)"
    )
    seen = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=environment(),
        cwd=ROOT,
        check=True,
    )
    assert seen.stderr.strip() == "[] False"


@pytest.mark.parametrize("name", sorted(help_pages()))
def test_every_page_has_one_example(name: str) -> None:
    page = help_pages()[name]
    assert page.count("Example:") + page.count("Examples:\n") == 1
    assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize(
    "typed", [["nonsense"], ["--nonsense"], ["ask"], ["serve", "--port", "x"], ["key"]]
)
def test_wrong_usage_says_what_would_be_right(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(typed) == Exit.USAGE
    told = capsys.readouterr()
    assert told.out == ""
    assert "Usage: matinee" in told.err


def test_the_version_is_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == Exit.DONE
    assert capsys.readouterr().out == "matinee 0.1.0\n"


def test_shared_options_may_stand_before_or_behind_the_command(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    home = str(rig.home.root)
    documents: list[object] = []
    for typed in (
        ["--home", home, "--json", "decisions"],
        ["decisions", "--json", "--home", home],
        ["--json", "decisions", "--home", home],
    ):
        assert run(typed) == Exit.DONE
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1] == documents[2]


def test_the_option_behind_the_command_wins(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = ["--home", str(tmp_path / "other"), "capabilities", "--home", str(rig.home.root)]
    assert run(typed) == Exit.DONE
    assert "shelf.look" in capsys.readouterr().out
    assert not (tmp_path / "other").exists()


def test_a_reader_that_leaves_is_no_reason_to_complain(rig: Rig) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [*MATINEE, "capabilities", "--home", str(rig.home.root)],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=ROOT,
        check=False,
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (Exit.FAILED, b"")


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_name_that_the_output_cannot_write_ends_nothing(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    typed = ("parse", "卧虎.2000", *more, "--home", str(tmp_path))
    told = alone(*typed, PYTHONIOENCODING="latin-1")
    assert told.returncode == Exit.DONE
    assert "\\u5367\\u864e.2000" in told.stdout

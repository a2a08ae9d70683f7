import json
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli.entry import main, run
from server.cli.exits import Exit
from tests.server.cli.rig import environment
from tests.server.cli.typist import ROOT

FOREIGN = """
import json, sys
from server.cli.entry import run
try:
    run(["mcp", "--wrong"])
except SystemExit:
    pass
ours = ("server", "sitecustomize", "__main__", "coverage", "_virtualenv")
print(json.dumps([name for name in sys.modules
    if name.partition(".")[0] not in {*sys.stdlib_module_names, *ours}
    and not name.startswith(("__editable__", "_distutils_hack", "a1_coverage"))]))
"""


def test_the_bridge_is_reached_with_the_standard_library_alone() -> None:
    seen = subprocess.run(
        [sys.executable, "-c", FOREIGN],
        capture_output=True,
        text=True,
        env={**environment(), "COVERAGE_PROCESS_CONFIG": ""},
        cwd=ROOT,
        check=True,
    )
    assert json.loads(seen.stdout) == []


@pytest.mark.parametrize(
    "typed",
    [
        ["mcp", "--wrong"],
        ["--home", "x", "mcp", "--wrong"],
        ["--home=x", "mcp", "--wrong"],
    ],
)
def test_the_bridge_takes_a_home_before_its_name(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run(typed)
    assert left.value.code == Exit.USAGE
    assert capsys.readouterr().err == "usage: matinee mcp [--home FOLDER]\n"


def test_help_about_the_bridge_is_a_page_like_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["mcp", "--help"]) == Exit.DONE
    assert "Connect an MCP client" in capsys.readouterr().out


def test_the_script_leaves_with_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["matinee", "nonsense"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == Exit.USAGE
    assert "No such command 'nonsense'" in capsys.readouterr().err


def test_the_bridge_is_reached_by_other_options_too(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    ran = subprocess.run(
        [sys.executable, "-c", "from server.cli.entry import main; main()", "-q", "mcp"],
        capture_output=True,
        text=True,
        env=environment(MATINEE_HOME=str(file)),
        cwd=ROOT,
        check=False,
    )
    assert ran.returncode == Exit.FAILED
    assert "Matinee's server cannot be reached" in ran.stderr

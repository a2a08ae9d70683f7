"""The script runs with a search path of ours: a few tools, an apt-get and an npm that pretend."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/services"
TOOLS = ("sh", "tr", "sed", "grep", "cat")
APT = """#!/bin/sh
echo "$@" >>"$LOG"
for package in "$@"; do :; done
case " $REFUSED " in *" $package "*) exit 100 ;; esac
for pair in $PROGRAMS; do
  if [ "${pair%%=*}" = "$package" ]; then "$LINK" -s /bin/true "$BIN/${pair#*=}"; fi
done
"""
NPM = """#!/bin/sh
echo "npm $@" >>"$LOG"
"$MKDIR" -p "$SERVICES_FOLDER/node_modules/.bin"
"$LINK" -s /bin/true "$SERVICES_FOLDER/node_modules/.bin/prism"
"""


def rows(stage: str) -> dict[str, str]:
    """Program to package of one stage, read from the script's own table."""
    cells = [line.split("|") for line in SCRIPT.read_text().splitlines() if line.count("|") == 3]
    return {row[1].strip(): row[2].strip() for row in cells if row[0].strip() == stage}


PROOF = rows("proof")
OF_DEBIAN = {name: package for name, package in PROOF.items() if not package.startswith("npm:")}


@dataclass
class Machine:
    """A machine that has the tools of a shell, and what a test gives it."""

    folder: Path
    refused: str = ""

    def __post_init__(self) -> None:
        self.bin.mkdir()
        for tool in TOOLS:
            self.give(tool, Path(shutil.which(tool) or ""))

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    def give(self, name: str, program: Path = Path("/bin/true")) -> None:
        (self.bin / name).symlink_to(program)

    def script(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def calls(self) -> list[str]:
        log = self.folder / "log"
        return log.read_text().splitlines() if log.exists() else []

    def apt_calls(self) -> list[str]:
        return [call for call in self.calls() if not call.startswith("npm ")]

    def npm_calls(self) -> list[str]:
        return [call for call in self.calls() if call.startswith("npm ")]

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        settings = {
            "PATH": str(self.bin),
            "BIN": str(self.bin),
            "LOG": str(self.folder / "log"),
            "LINK": shutil.which("ln") or "",
            "MKDIR": shutil.which("mkdir") or "",
            "SERVICES_FOLDER": str(self.folder / "services"),
            "PROGRAMS": " ".join(f"{package}={name}" for name, package in OF_DEBIAN.items()),
            "REFUSED": self.refused,
            **environment,
        }
        return subprocess.run(  # our own script
            [SCRIPT, *arguments], env=settings, capture_output=True, text=True, check=False
        )

    def installs(self) -> "Machine":
        """Make it one on which packages can be installed."""
        self.script("id", "#!/bin/sh\necho 0\n")
        self.script("apt-get", APT)
        self.script("npm", NPM)
        return self


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_where_everything_is_there_nothing_is_asked_of_apt(machine: Machine) -> None:
    for program in PROOF:
        machine.give(program)
    done = machine.installs().run("proof", CI="true")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [f"services: {name} is there" for name in PROOF]
    assert machine.apt_calls() == []


def test_what_is_missing_is_installed_after_one_update(machine: Machine) -> None:
    program, *others = PROOF
    machine.give(program)
    done = machine.installs().run("proof", CI="true")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [f"services: {name} is there" for name in PROOF]
    update, *installs = machine.apt_calls()
    assert update.split()[0] == "update"
    assert [line.split()[-1] for line in installs] == [
        OF_DEBIAN[name] for name in others if name in OF_DEBIAN
    ]
    assert all("--no-install-recommends" in line for line in installs)
    (install,) = machine.npm_calls()
    assert install.split()[-1] == PROOF["prism"].removeprefix("npm:")
    assert "--ignore-scripts" in install


def test_a_package_of_npm_has_a_fixed_version() -> None:
    of_npm = [package for package in PROOF.values() if package.startswith("npm:")]
    assert all(re.search(r"@[0-9]+\.[0-9]+\.[0-9]+$", package) for package in of_npm)
    assert of_npm


def test_without_root_the_skipped_tests_are_named(machine: Machine) -> None:
    machine.installs().script("id", "#!/bin/sh\necho 1000\n")
    done = machine.run("proof")
    assert done.returncode == 0
    assert "ffmpeg is missing (package ffmpeg); skipped: rebuilding the samples" in done.stdout
    assert len(done.stdout.splitlines()) == len(PROOF)
    assert machine.apt_calls() == []


def test_without_apt_the_skipped_tests_are_named(machine: Machine) -> None:
    done = machine.run("proof")
    assert done.returncode == 0
    assert done.stdout.count("is missing") == len(PROOF)


def test_in_ci_a_missing_service_is_a_failure(machine: Machine) -> None:
    done = machine.run("proof", CI="true")
    assert done.returncode == 1
    assert "ffmpeg is missing" in done.stdout


def test_one_package_that_cannot_be_had_keeps_no_other_away(machine: Machine) -> None:
    program, *others = PROOF
    machine.refused = PROOF[program]
    done = machine.installs().run("proof", CI="true")
    assert done.returncode == 1
    assert f"{program} is missing" in done.stdout
    assert all(f"services: {name} is there" in done.stdout for name in others)


def test_the_ordinary_tests_want_a_database_and_download_clients(machine: Machine) -> None:
    wanted = rows("test")
    assert set(wanted) == {"postgres", "qbittorrent-nox", "transmission-daemon"}
    done = machine.run("test", CI="true")
    assert done.returncode == 1
    for program, package in wanted.items():
        assert f"{program} is missing (package {package})" in done.stdout
        machine.give(program)
    done = machine.run("test", CI="true")
    there = [f"services: {program} is there" for program in wanted]
    assert (done.returncode, done.stdout.splitlines()) == (0, there)


@pytest.mark.parametrize("arguments", [[], ["demo"], ["."]])
def test_an_unknown_stage_is_refused_with_the_usage(machine: Machine, arguments: list[str]) -> None:
    done = machine.run(*arguments)
    assert done.returncode == 2
    assert done.stderr == "usage: scripts/services test|proof\n"

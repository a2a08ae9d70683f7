"""What is installed is what was written, and it works without the checkout."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
PACKAGES = {"server", "capabilities", "agent", "ledger", "world", "skills"}


def _run(*command: str | Path, cwd: Path, timeout: int = 300) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    _run(UV, "build", "--quiet", "--wheel", "--out-dir", out, ROOT, cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.mark.proof
def test_the_wheel_holds_every_file_of_its_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    tracked = _run("git", "ls-files", *sorted(PACKAGES), cwd=ROOT).split()

    assert held == set(tracked)


@pytest.mark.proof
def test_the_wheel_plays_the_demo_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    _run(UV, "venv", "--quiet", "--python", sys.executable, fresh, cwd=tmp_path)
    _run(UV, "pip", "install", "--quiet", "--python", fresh / "bin" / "python", wheel, cwd=tmp_path)

    played = json.loads(_run(fresh / "bin" / "matinee", "demo", "--json", cwd=tmp_path))

    assert played["status"] == "succeeded"
    assert all(file["inode_equal"] for file in played["record"])

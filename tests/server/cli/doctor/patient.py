"""A home to be looked at, and what was found by id."""

from pathlib import Path

from server.cli.doctor.examination import examine
from server.cli.doctor.finding import Finding, Severity
from server.cli.home import Home

FOLDERS = ("downloads", "films", "series")


def prepared(root: Path, settings: str = "") -> Home:
    home = Home(root)
    home.prepare()
    (root / "settings.toml").write_text(settings)
    return home


def with_folders(root: Path, *made: str, more: str = "") -> Home:
    """A home whose settings name all three folders, of which some exist."""
    for name in made:
        (root / name).mkdir(parents=True)
    lines = [f'{name} = "{root / name}"' for name in FOLDERS]
    return prepared(root / "home", "\n".join(["[folders]", *lines, more]))


def found(home: Home) -> dict[str, Finding]:
    return {finding.id: finding for finding in examine(home)}


def severity(home: Home, id_: str) -> Severity:
    return found(home)[id_].severity

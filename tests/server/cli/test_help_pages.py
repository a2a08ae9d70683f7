from pathlib import Path

from server.cli.help_pages import help_pages

SNAPSHOTS = Path(__file__).parents[2] / "snapshots" / "help"


def test_every_page_is_as_its_snapshot() -> None:
    kept = {path.stem: path.read_text(encoding="utf-8") for path in SNAPSHOTS.glob("*.txt")}
    assert help_pages() == kept, "run `make regen` if the change is meant"

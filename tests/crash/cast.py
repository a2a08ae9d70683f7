"""Every play there is: at least one for each capability that executes in the world."""

from capabilities.adapters.shelf.placements import Mode
from tests.crash.play_button import Button
from tests.crash.play_organize import OLD_NAME, SAME_NAME, Organize
from tests.crash.play_submit import Submit
from tests.crash.plays import Play

CAST: dict[str, Play] = {
    "submit": Submit(),
    "hardlink": Organize(Mode.HARDLINK),
    "copy": Organize(Mode.COPY),
    "move": Organize(Mode.MOVE),
    "symlink": Organize(Mode.SYMLINK),
    "replace": Organize(Mode.HARDLINK, OLD_NAME),
    "exchange": Organize(Mode.COPY, SAME_NAME),
    "nfo": Organize(Mode.HARDLINK, nfo=True),
    "button": Button(),
}

"""Every play there is: at least one for each capability that executes in the world."""

from capabilities.adapters.shelf.placements import Mode
from tests.crash.play_button import Button
from tests.crash.play_organize import Organize
from tests.crash.play_submit import Submit
from tests.crash.plays import Play

CAST: dict[str, Play] = {
    "submit": Submit(),
    "hardlink": Organize(Mode.HARDLINK),
    "copy": Organize(Mode.COPY),
    "move": Organize(Mode.MOVE),
    "button": Button(),
}

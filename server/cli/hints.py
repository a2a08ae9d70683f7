"""Commands that are named to a person, such that typed as they stand they reach the same home.

Every sentence, made here or by the server, names a command in backticks: `matinee status`. Where it
is told at a terminal, the option that leads to this home is put in; documents are left as they are.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from server.cli.home import Home, resolved

COMMAND = "matinee"
_NAMED = re.compile(rf"`{COMMAND}(?=[ `])(?! --home\b)")


@dataclass(frozen=True, slots=True)
class Hints:
    """How commands are named to whoever works in one home.

    Attributes:
        option: `--home FOLDER` as a shell takes it; empty where this home is found without.
    """

    option: str = ""

    @classmethod
    def of(cls, home: Home, environment: Mapping[str, str]) -> "Hints":
        """Those of ``home`` in a shell with this environment."""
        found = resolved(None, environment).root == home.root
        return cls("" if found else f"--home {shlex.quote(str(home.root))}")

    @property
    def command(self) -> str:
        """The command itself, with the option behind it where one is needed."""
        return f"{COMMAND} {self.option}".rstrip()

    def line(self, *words: str) -> str:
        """A whole command line."""
        return f"{self.command} {shlex.join(words)}"

    def told(self, text: str) -> str:
        """``text`` with the option in every command that it names and that names no home itself."""
        return _NAMED.sub(lambda _: f"`{self.command}", text)


USUAL = Hints()
"""Where every command finds its home by itself."""

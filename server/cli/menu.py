"""What can be typed: the commands in their groups, each in a module imported only when used."""

from dataclasses import dataclass
from keyword import iskeyword

import click


@dataclass(frozen=True, slots=True)
class Entry:
    """A command's name and the line of the overview that tells what it is for."""

    name: str
    summary: str

    def load(self) -> click.Command:
        """The command itself."""
        from importlib import import_module  # a command that is not used is not imported

        module = f"{self.name}_" if iskeyword(self.name) else self.name
        command: click.Command = import_module(f"server.cli.commands.{module}").command
        return command


MENU: dict[str, tuple[Entry, ...]] = {
    "Start": (
        Entry("serve", "Run the server in this terminal until it is stopped."),
        Entry("stop", "Stop the server of this home."),
        Entry("owner", "Become the owner, with the one-time code of the first start."),
        Entry("demo", "Watch the main job done on real input, in a world of its own."),
        Entry("mcp", "Connect an MCP client over standard input and output."),
    ),
    "Use": (
        Entry("ask", "Give the agent a goal and follow it."),
        Entry("import", "Take a library that you have into the inventory, as it stands."),
        Entry("decisions", "What waits for your decision, and settling it."),
        Entry("approve", "Say yes to exactly one plan."),
        Entry("decline", "Say no, with a reason."),
        Entry("approval", "What was asked of you, and how it ended."),
        Entry("grant", "Let acts of one sort happen without asking."),
        Entry("policy", "What you decided beforehand: show it, try it, change it."),
        Entry("parse", "What a name is read as, and why."),
        Entry("call", "Call one capability with JSON."),
        Entry("capabilities", "What can be called, and how."),
    ),
    "Look after": (
        Entry("status", "How everything stands, what needs you first."),
        Entry("claims", "What was done, and settling what is not known."),
        Entry("switch", "Stop what acts by itself, or everything."),
        Entry("key", "Make, list and revoke the keys of clients."),
        Entry("secret", "Seal, list and remove the keys of outside systems."),
        Entry("audit", "What was done, and the proof that nothing of it was changed."),
        Entry("diagnostics", "A file for whoever helps you, without secrets."),
        Entry("backup", "Copy the home into one file, also while a server works."),
        Entry("restore", "Put a backup in the place of what the home holds."),
        Entry("migrate", "Bring the ledger's tables up to this version."),
        Entry("doctor", "Look for what is wrong with this home, also offline."),
    ),
}

EXAMPLE = 'matinee ask "Bring Night Train (1959) home in 1080p"'


def entry(name: str) -> Entry | None:
    """The command with this name."""
    return next((each for group in MENU.values() for each in group if each.name == name), None)

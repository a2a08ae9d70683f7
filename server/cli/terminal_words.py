"""Sentences of the server as somebody at a terminal needs them: commands, not tools."""

import re
from typing import Final

_DOMAINS: Final = (
    "catalog|decision|download|downloader|identity|inventory|metadata|organize|policy|release|runs"
    "|task"
)
_TOOL: Final = re.compile(rf"\b({_DOMAINS})__([a-z][a-z_]*)\b")
_LISTED: Final = "List the tools to see their names."
_COMMANDS: Final = {
    "policy.inspect": "policy history",
    "policy.preview": "policy preview",
    "policy.apply": "policy apply",
    "decision.list": "decisions",
    "decision.resolve": "decisions resolve",
}
"""What has a command of its own."""
_PLAIN: Final = (
    (re.compile(r"Input should be"), "it should be"),
    (re.compile(r"(?:String|Value) should have at least 1 character"), "it is empty"),
    (re.compile(r"String should have at most (\d+) characters?"), r"it is over \1 characters"),
    (re.compile(r"Field required"), "it is missing"),
    (re.compile(r"Extra inputs are not permitted"), "there is no such field"),
    (re.compile(r"Unexpected keyword argument"), "there is no such field"),
)


def at_terminal(text: str) -> str:
    """``text`` with a command in place of each tool that it names, and of what a parser says."""
    text = text.replace(_LISTED, "`matinee capabilities` lists them.")
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return _TOOL.sub(_command, text)


def _command(tool: re.Match[str]) -> str:
    name = f"{tool[1]}.{tool[2]}"
    return f"`matinee {_COMMANDS.get(name, f'call {name}')}`"

"""A run's conversation: rows of the ledger on one side, what the model is sent on the other.

Rows are only ever added, and a row is always rendered to the same message, so that one request
repeats the bytes of the one before it.
"""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from agent.models.port import (
    AssistantMessage,
    ModelMessage,
    StopReason,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from ledger.stores.runs import Message

COMPLETE = frozenset({StopReason.STOP, StopReason.TOOL_CALLS})


class Role(StrEnum):
    """Whose words a row holds."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Conversation:
    """The conversation so far, read once and then kept up with every row that is written.

    Attributes:
        messages: what the model is sent, in order.
        open_calls: calls of the newest reply that have no answer yet, in their order.
        request: the owner's message that is being served: its identity in the ledger.
        finished: whether the model ended its turn.
        last_words: the text of the newest reply, empty if the model was cut short in it.
        replies: how many replies it holds.
        skills: names of the skills that came with a message.
    """

    def __init__(self, rows: Iterable[Message]) -> None:
        """Read the rows of a run, in order."""
        self.messages: list[ModelMessage] = []
        self.open_calls: list[ToolCall] = []
        self.request = ""
        self.finished = False
        self.last_words = ""
        self.replies = 0
        self.skills: set[str] = set()
        self._answers: Counter[str] = Counter()
        self._ids: set[str] = set()
        for row in rows:
            self.take(row)

    @property
    def is_empty(self) -> bool:
        """Whether not even the goal stands in it."""
        return not self.messages

    def take(self, row: Message) -> None:
        """Add one row."""
        match row.role:
            case Role.USER:
                self._heard(row)
            case Role.ASSISTANT:
                self._said(row)
            case _:
                self._answered(row)

    def seen(self, print_: str) -> int:
        """How often this call had this answer since the owner last spoke."""
        return self._answers[print_]

    def unique_id(self, given: str) -> str:
        """``given``, or a variation of it that no call of this run has: providers repeat ids."""
        unique, n = given, 2
        while unique in self._ids:
            unique, n = f"{given}_{n}", n + 1
        self._ids.add(unique)
        return unique

    def _heard(self, row: Message) -> None:
        attached: dict[str, str] = row.body["skills"]
        self.skills.update(attached)
        self.messages.append(UserMessage("\n\n".join([row.body["text"], *attached.values()])))
        self.request = row.body["request"]
        self.finished = False
        self._answers.clear()

    def _said(self, row: Message) -> None:
        calls = tuple(ToolCall(**call) for call in row.body["calls"])
        text = row.body["text"]
        self.messages.append(AssistantMessage(text, row.body["reasoning"], calls))
        self.open_calls = list(calls)
        self._ids.update(call.id for call in calls)
        self.finished = not calls
        self.last_words = text if row.body["stop"] in COMPLETE else ""
        self.replies += 1

    def _answered(self, row: Message) -> None:
        self.messages.append(ToolMessage(row.body["call"], row.body["text"]))
        self.open_calls = [call for call in self.open_calls if call.id != row.body["call"]]
        self._answers[row.body["print"]] += 1

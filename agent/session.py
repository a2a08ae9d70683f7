"""What one segment holds in memory while it drives a run; all of it can be read from rows."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from agent.calling import Caller
from agent.conversation import Conversation
from agent.limits import Limits
from agent.models.port import SystemMessage, ToolSchema
from agent.pen import Page, Pen
from agent.prompt.environment import Surroundings
from agent.prompt.skills import Library, Skill
from agent.prompt.skills import chosen as chosen_skills
from agent.upstreams import Chosen
from agent.usage import Meter


@dataclass(slots=True)
class Session:
    """The state of a drive.

    Attributes:
        chosen: the upstream to ask; None when the owner has connected none.
        system: the stable part of the prompt, equal at every request of the run.
        given: names of the skills that are part of it.
        plan: the model's plan, as last recorded.
        got_somewhere: whether a row of the conversation was written in this segment.
        waits_for: the call that the owner was asked about: ``call``, ``approval``, ``decision``.
    """

    pen: Pen
    goal: str
    conversation: Conversation
    meter: Meter
    caller: Caller
    limits: Limits
    chosen: Chosen | None
    library: Library
    system: SystemMessage
    tools: tuple[ToolSchema, ...]
    given: frozenset[str]
    surroundings: Callable[[], Awaitable[Surroundings]]
    interactive: bool
    plan: dict[str, Any] | None = None
    waits_for: dict[str, Any] | None = None
    got_somewhere: bool = False

    def note_progress(self, page: Page) -> None:
        """Let the engine count anew how often this segment is cut short; once is enough."""
        if not self.got_somewhere:
            page.progressed()
            self.got_somewhere = True

    def skills_for(self, words: str) -> list[Skill]:
        """The skills that a later message calls for and the run was not given yet."""
        usable = {spec.id for spec in self.caller.specs}
        return chosen_skills(self.library, words, usable, self.given | self.conversation.skills)

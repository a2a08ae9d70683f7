"""Words that reach a run while it works: part of the conversation before the next reply."""

from agent.conversation import Role
from agent.pen import Page
from agent.prompt.skills import block
from agent.session import Session
from ledger.stores import runs
from ledger.stores.runs import Incoming, Message


async def hear(session: Session) -> None:
    """Take up what was sent and not read yet; at the very start, the goal."""
    if session.conversation.is_empty:
        await _take_goal(session)
    unread = await session.pen.ledger.read(lambda conn: runs.unread(conn, session.pen.run))
    for incoming in unread:
        await _take(session, incoming)


async def _take_goal(session: Session) -> None:
    run = session.pen.run
    row = await session.pen.write(
        lambda page: page.keep(Role.USER, text=session.goal, request=run, skills={})
    )
    session.conversation.take(row)


async def _take(session: Session, incoming: Incoming) -> None:
    """Add one message, with the skills that it calls for and the run has not been given yet."""
    fresh = session.skills_for(incoming.words)

    def write(page: Page) -> Message:
        runs.mark_read(page.tx, incoming.id, page.at)
        return page.keep(
            Role.USER,
            text=incoming.words,
            request=incoming.id,
            sender=incoming.sender,
            skills={skill.name: block(skill) for skill in fresh},
        )

    session.conversation.take(await session.pen.write(write))

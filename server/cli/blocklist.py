"""`matinee policy blocklist`."""

import click

from capabilities.rules.outside_text import cleaned
from server.cli.api_client import Api, Json
from server.cli.as_owner import as_owner, shown_to_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.ids import meant, named, refuse_strange
from server.cli.reasons import reason_option
from server.cli.refusing import refuse_read_only
from server.cli.running import running
from server.cli.sorts import BLOCK, pages

MOST = 100
HASH_SHOWN = 12
ENTRY = '{"id": "...", "info_hash": ..., "title": ..., "reason": "...", ...}'


@click.group("blocklist", epilog="\b\nExample:\n  matinee policy blocklist list")
def command() -> None:
    """Releases that are never taken; changing the list asks for your passphrase.

    An entry names a torrent by its info-hash, or a release by its title. It counts from the next
    search and the next plan on; what is under way goes on.
    """


@command.command(
    "list",
    cls=Command,
    example="matinee policy blocklist list",
    document=f'{{"entries": [{ENTRY}], "page": {{...}}}}',
)
@click.option("--all", "removed", is_flag=True, help="Also what may be taken again.")
@with_terminal
def list_(terminal: Terminal, *, removed: bool) -> None:
    """List what is not to be taken, newest first."""
    with running(terminal.home) as api:
        found = api.get("/blocklist", {"removed": str(removed).lower(), "limit": MOST})
    rows = [_row(each) for each in found["entries"]]
    terminal.speech.data(columns(rows) if rows else "Nothing is blocked.")
    if (more := found["page"]["total"] - len(rows)) > 0:
        terminal.speech.words(f"Older ones that are not shown: {more}.")
    terminal.speech.document(found)


@command.command(
    "add",
    cls=Command,
    example='matinee policy blocklist add --title "Sintel.2010-FAKE" --reason "a fake"',
    document=ENTRY,
)
@click.option("--hash", "info_hash", metavar="HASH", help="Info-hash of the torrent.")
@click.option("--title", metavar="NAME", help="The release's name, exactly as it was offered.")
@click.option("--indexer", metavar="NAME", help="Only where this indexer offers the title.")
@click.option("--work", metavar="WORK", help="Only for this work, such as tmdb:film:45745.")
@reason_option("Told to whoever finds it.")
@with_terminal
def add(terminal: Terminal, **given: str | None) -> None:
    """Block a release by its info-hash, its title, or both."""
    if given["info_hash"] is None and given["title"] is None:
        raise click.UsageError("Say what is blocked: --hash or --title.")
    _refuse_strange_hash(given["info_hash"])
    stated = {name: held for name, held in given.items() if held is not None}
    with as_owner(terminal.home) as (api, _):
        answer = api.call("/blocklist", stated)
    terminal.speech.words(f"{answer.sentence} Its entry is {answer.data['id']}.")
    if (kept := cleaned(answer.data["reason"])) != cleaned(str(given["reason"]).strip()):
        terminal.speech.words(
            f"It was there already, and keeps its reason: {kept}. To give it another one, remove "
            "the entry and add it again."
        )
    terminal.speech.document(answer.data)


def _refuse_strange_hash(text: str | None) -> None:
    from capabilities.adapters.downloader.info_hashes import normal_hash  # help needs no adapters

    if text is not None and normal_hash(text) is None:
        raise click.BadParameter(
            "That is no info-hash: it has 40 or 64 hexadecimal digits, or 32 letters of base32.",
            param_hint="--hash",
        )


@command.command(
    "remove",
    cls=Command,
    example='matinee policy blocklist remove block_0197c1f2e4b07d3e --reason "it was none"',
    document=ENTRY,
)
@click.argument("id_", metavar="ID")
@reason_option("Kept in the audit trail.")
@with_terminal
def remove(terminal: Terminal, id_: str, reason: str) -> None:
    """Let a release be taken again.

    The first eight characters of ID behind `block_` will do.
    """
    refuse_strange(id_, BLOCK)
    with running(terminal.home) as api:
        refuse_read_only(api)
        entry = _standing_entry(api, id_)
        shown = cleaned(f"{entry['title'] or entry['info_hash']}: {entry['reason']}")
        with shown_to_owner(api, meant(id_, entry["id"]), shown):
            answer = api.call(f"/blocklist/{entry['id']}/remove", {"reason": reason})
    terminal.speech.words(answer.sentence)
    terminal.speech.document(answer.data)


def _standing_entry(api: Api, typed: str) -> Json:
    """The entry with this id, or the only one whose id begins so.

    Raises:
        EndError: there is none, there are several, or it was removed already.
    """
    whole = named(api, typed, BLOCK).id
    entries = pages(api, "/blocklist", "entries", {"removed": "true"})
    entry = next((each for each in entries if each["id"] == whole), None)
    if entry is None:
        raise EndError(
            Exit.FAILED,
            f"There is no entry {whole} on the blocklist. `{BLOCK.shown_by}` lists them.",
            code="not_found",
        )
    if entry["removed_at"] is not None:
        raise EndError(
            Exit.FAILED,
            "It was removed from the blocklist already. Nothing was changed.",
            code="conflict",
        )
    return entry


def _row(entry: Json) -> list[str]:
    hash_ = entry["info_hash"]
    named = [entry["title"], None if hash_ is None else f"{hash_[:HASH_SHOWN]}…"]
    where = [
        entry["indexer"] and f"at {entry['indexer']}",
        f"for {entry['work']}" if entry["work"] else "for every work",
    ]
    ended = f"removed by {entry['removed_by']}" if entry["removed_at"] else f"by {entry['by']}"
    return [
        entry["id"],
        cleaned(" ".join(one for one in named if one)),
        cleaned(" ".join(one for one in where if one)),
        ended,
        cleaned(entry["reason"]),
    ]

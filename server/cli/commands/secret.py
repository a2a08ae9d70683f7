"""`matinee secret`."""

import sys
from collections.abc import Collection
from urllib.parse import quote

import click

from server.cli.api_client import Json
from server.cli.as_owner import as_owner
from server.cli.columns import columns
from server.cli.command import Command
from server.cli.exits import EndError, Exit
from server.cli.given import Terminal, with_terminal
from server.cli.home import Home
from server.cli.passphrase import ControllingTerminal, NoAnswerError
from server.cli.running import running
from server.cli.signing_in import asking, signed_in

VALUE = "Secret: "


@click.group("secret", epilog="\b\nExample:\n  matinee secret set metadata.tmdb.key")
def command() -> None:
    """Seal, list and remove the keys of outside systems; each asks for your passphrase.

    A secret is sealed under the name of its setting and used where the settings hold none. No
    command ever shows one.
    """


@command.command(
    "set",
    cls=Command,
    example="matinee secret set metadata.tmdb.key",
    document='{"name": "...", "configured": bool, "plain": bool}',
)
@click.argument("name")
@with_terminal
def set_(terminal: Terminal, name: str) -> None:
    """Seal a secret under the name of its setting.

    It is typed on this terminal, unseen, or read from standard input where that is a pipe or a
    file; it can be no argument, since those can be seen by others. Your passphrase is always
    typed. It is used from the server's next start on.
    """
    _refuse_name(terminal.home, name)
    with running(terminal.home) as api, asking() as person:
        value = _value(person)
        with signed_in(api, person):
            made = api.put(f"/secrets/{quote(name)}", {"value": value})
    made["plain"] = name in _plain(terminal.home)
    terminal.speech.words(f"Sealed. {_next(made)}")
    terminal.speech.document(made)


@command.command(
    "list",
    cls=Command,
    example="matinee secret list",
    document='{"secrets": [{"name": "...", "set_at": "...", "opens": bool, "configured": bool, '
    '"plain": bool, "trouble": "..."|null}], "names": [...]}',
)
@with_terminal
def list_(terminal: Terminal) -> Exit:
    """List the sealed secrets, without their values. Ends with 3 where one does not open."""
    with as_owner(terminal.home) as (api, _):
        found = api.get("/secrets")
    plain = _plain(terminal.home)
    for each in found["secrets"]:
        each["plain"] = each["name"] in plain
    rows = [[each["name"], f"set {each['set_at'][:10]}", _state(each)] for each in found["secrets"]]
    terminal.speech.data(columns(rows) if rows else "No secret is sealed.")
    for each in found["secrets"]:
        if each["trouble"] is not None:
            terminal.speech.words(each["trouble"])
    terminal.speech.document(found)
    return Exit.DONE if all(each["opens"] for each in found["secrets"]) else Exit.NEEDS_YOU


@command.command(
    "remove",
    cls=Command,
    example="matinee secret remove metadata.tmdb.key",
    document='{"removed": "..."}',
)
@click.argument("name")
@with_terminal
def remove(terminal: Terminal, name: str) -> None:
    """Forget a sealed secret."""
    _refuse_never_sealed(terminal.home, name)
    with as_owner(terminal.home) as (api, _):
        api.delete(f"/secrets/{quote(name)}")
    terminal.speech.words("Removed. A server that runs still uses it until it is started anew.")
    terminal.speech.document({"removed": name})


@command.command(
    "rekey",
    cls=Command,
    example="matinee secret rekey",
    document='{"secrets": [names]}',
)
@with_terminal
def rekey(terminal: Terminal) -> None:
    """Seal every secret with a new key.

    The key it replaces is kept until the next time, as `secret.key.old`, for the backups of before.
    """
    with as_owner(terminal.home) as (api, _):
        done = api.post("/secrets/rekey")
    terminal.speech.words(f"Sealed with a new key: {', '.join(done['secrets'])}.")
    terminal.speech.document(done)


def _refuse_name(home: Home, name: str) -> None:
    """Refuse a name that no setting has before anything is typed."""
    # The settings take a while to import, which help does not need.
    from server.secrets_at_rest.names import is_secret_name, nearest
    from server.settings_loading import SettingsError, load_settings

    if is_secret_name(name):
        return
    try:
        hint = nearest(name, load_settings(home.root))
    except SettingsError as wrong:
        hint = str(wrong)
    raise EndError(
        Exit.USAGE, "No setting of this name is secret.", code="invalid_input", hint=hint
    )


def _refuse_never_sealed(home: Home, name: str) -> None:
    """Refuse a name that no secret can have; one of an earlier version may still be sealed."""
    from server.cli.doctor.sealing import sealed_names  # slow to import; see above
    from server.settings_loading import SettingsError, load_settings

    try:
        if name in sealed_names(home, load_settings(home.root)):
            return
    except SettingsError:
        return
    _refuse_name(home, name)


def _value(person: ControllingTerminal) -> str:
    """What is to be sealed; a line's end belongs to typing and to files, not to the secret."""
    if sys.stdin.isatty():
        value = person.ask_secretly(VALUE)
        if not value:
            raise NoAnswerError
        return value
    value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    if not value:
        raise EndError(
            Exit.USAGE,
            "Nothing came on standard input, so nothing was sealed. Type it on a terminal, or "
            "send it through a pipe.",
            code="invalid_input",
        )
    return value


def _plain(home: Home) -> Collection[str]:
    """The names of the secrets that the settings themselves hold, which win."""
    from server.secrets_at_rest.names import plain_secrets  # slow to import; see above
    from server.settings_loading import SettingsError, load_settings

    try:
        return plain_secrets(load_settings(home.root)).keys()
    except SettingsError:
        return ()


def _next(made: Json) -> str:
    if made["plain"]:
        return (
            "It is not used: settings.toml or the environment holds one of this name in plain "
            "text, which wins. Take it out there, then type `matinee stop`, then `matinee`."
        )
    if made["configured"]:
        return "It is used from the next start on: type `matinee stop`, then `matinee`."
    return (
        "It is used from the next start on, once the settings have a place for it: add the entry "
        "it names to settings.toml."
    )


def _state(secret: Json) -> str:
    if not secret["opens"]:
        return "does not open"
    if secret["plain"]:
        return "opens, not used: the settings hold it in plain text"
    return "opens" if secret["configured"] else "opens, not used: the settings have no such entry"

"""What a value of the settings may be: what is no such value is refused where it is read."""

import re
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr

from capabilities.rules.path_mapping import PathMap, SameFolder

_HOST_NAME = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")


class Section(BaseModel):
    """A table of the settings file: closed, immutable, and silent about what it was given."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


def _plain_address(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("must be an http or https address")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("must hold no credentials and no query; the key has a setting of its own")
    return address.rstrip("/")


def _bare_host(host: str) -> str:
    bare = host.removeprefix("[").removesuffix("]").lower()
    if not _HOST_NAME.fullmatch(bare):
        try:
            ip_address(bare)
        except ValueError as wrong:
            raise ValueError(
                "must be a host name or IP address, without scheme, port or wildcard"
            ) from wrong
    return bare


def _absolute(path: Path) -> Path:
    whole = path.expanduser()
    if not whole.is_absolute():
        raise ValueError("must be an absolute path")
    # A link is followed once, here; below the folder none is followed.
    return whole.resolve()


def _sendable(secret: SecretStr) -> SecretStr:
    """A key as it can travel in a header: a pasted placeholder such as ``…`` cannot."""
    words = secret.get_secret_value()
    if not (words.isascii() and words.isprintable()):
        raise ValueError("must be the key itself, in plain letters, digits and signs")
    return secret


def _database(address: SecretStr) -> SecretStr:
    parts = urlsplit(address.get_secret_value())
    if parts.scheme not in {"postgresql", "postgres"} or not parts.path.strip("/"):
        raise ValueError("must name a database: postgresql://user:secret@host:port/name")
    return address


def path_map(names: Mapping[Path, str]) -> PathMap:
    """What another system calls our folders: ours to its own.

    Raises:
        ValueError: a folder stands there twice, or has no name.
    """
    return PathMap(SameFolder(str(ours), theirs) for ours, theirs in names.items())


def _lead_one_way(names: dict[Path, str]) -> dict[Path, str]:
    path_map(names)
    return names


def refuse_twins(names: Sequence[str]) -> None:
    """Take names of which each stands there once.

    Raises:
        ValueError: one is used twice.
    """
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"the name {min(twice)!r} is used twice")


Address = Annotated[str, AfterValidator(_plain_address)]
Host = Annotated[str, AfterValidator(_bare_host)]
Folder = Annotated[Path, AfterValidator(_absolute)]
FolderNames = Annotated[dict[Folder, str], AfterValidator(_lead_one_way)]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Secret = Annotated[SecretStr, Field(min_length=1), AfterValidator(_sendable)]
DatabaseAddress = Annotated[Secret, AfterValidator(_database)]
BytesPerSecond = Annotated[int, Field(ge=0)]

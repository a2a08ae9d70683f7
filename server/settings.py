"""What the owner may set, and what holds when nothing is set.

Read from ``settings.toml`` in the home and from the environment by `server.settings_loading`;
every field's description is its entry in the reference page (`server.settings_reference`).
"""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from server.downloader_settings import EMBEDDED, DownloaderSettings, OtherDownloaderSettings
from server.media_server_settings import MediaServerSettings
from server.metadata_settings import MetadataSettings
from server.setting_types import (
    Address,
    DatabaseAddress,
    Folder,
    Host,
    Name,
    Secret,
    Section,
    refuse_twins,
)

GIB = 1024**3


class ServerSettings(Section):
    """Where the server listens."""

    host: Annotated[Host, Field(description="The address to listen on.")] = "127.0.0.1"
    port: Annotated[
        int, Field(ge=0, le=65535, description="The TCP port to listen on; 0 takes a free one.")
    ] = 8930
    allowed_hosts: Annotated[
        tuple[Host, ...],
        Field(
            description="Further host names under which browsers reach the server, besides the "
            "loopback names and the address it listens on."
        ),
    ] = ()


class FolderSettings(Section):
    """Where files are."""

    downloads: Annotated[
        Folder | None,
        Field(description="Where downloads are stored; best on the same disk as the library."),
    ] = None
    films: Annotated[Folder | None, Field(description="The library's folder for films.")] = None
    series: Annotated[Folder | None, Field(description="The library's folder for series.")] = None


class IndexerSettings(Section):
    """One Torznab indexer."""

    name: Annotated[Name, Field(description="What the indexer is called here; every name once.")]
    address: Annotated[Address, Field(description="The Torznab address, without its key.")]
    key: Annotated[Secret | None, Field(description="The indexer's API key.")] = None
    priority: Annotated[
        int, Field(ge=1, le=50, description="Which of two equal releases is taken: 1 before 50.")
    ] = 25


class UpstreamSettings(Section):
    """One provider of models."""

    name: Annotated[Name, Field(description="What the upstream is called here; every name once.")]
    address: Annotated[Address, Field(description="The base address of an OpenAI-shaped API.")]
    key: Annotated[Secret | None, Field(description="The provider's key, where it wants one.")] = (
        None
    )
    key_env: Annotated[
        str | None,
        Field(
            pattern=r"^[A-Za-z_][A-Za-z0-9_]*$",
            description="An environment variable that holds the key, instead of `key`.",
        ),
    ] = None
    model: Annotated[str, Field(min_length=1, description="The model to ask.")]

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        if self.key is not None and self.key_env is not None:
            raise ValueError("has both key and key_env; keep one")
        return self


class AgentSettings(Section):
    """The bounds of a run."""

    max_tool_calls: Annotated[int, Field(ge=1, description="Most tool calls of one run.")] = 120
    max_duration_s: Annotated[
        int, Field(ge=1, description="Most seconds a run works; waiting does not count.")
    ] = 1800
    goal_poll_s: Annotated[
        int,
        Field(
            ge=1, description="Seconds between looks at downloads and imports that a run waits for."
        ),
    ] = 60
    goal_wait_h: Annotated[
        int, Field(ge=1, description="Most hours a run waits for its downloads and imports.")
    ] = 72
    approval_timeout_s: Annotated[
        int, Field(ge=1, description="Seconds after which an approval that nobody decided lapses.")
    ] = 86_400


class PolicySettings(Section):
    """Floors that no policy goes below."""

    min_free_bytes: Annotated[
        int,
        Field(ge=0, description="Bytes that stay free on a disk; nothing is planned into them."),
    ] = 5 * GIB


class DatabaseSettings(Section):
    """Where the ledger is kept."""

    url: Annotated[
        DatabaseAddress | None,
        Field(
            description="A PostgreSQL database, `postgresql://user:secret@host:port/name`, that "
            "several processes can share; without it the ledger is a file in the home."
        ),
    ] = None

    @property
    def address(self) -> str | None:
        """The address as the ledger takes it."""
        return None if self.url is None else self.url.get_secret_value()


class SecretSettings(Section):
    """Secrets that are kept sealed."""

    keyring: Annotated[
        bool,
        Field(
            description="Keep the key that seals secrets in the system's keyring, by the extra "
            "`keyring`, instead of the home's file `secret.key`."
        ),
    ] = False


class RetentionSettings(Section):
    """How long the history of background work is kept."""

    days: Annotated[
        int,
        Field(
            ge=0,
            description="Days after which acts of background work that are over are forgotten; 0 "
            "keeps them for ever. What is under way or not known, the audit and the events stay.",
        ),
    ] = 0


class Settings(Section):
    """Everything that can be set."""

    database: Annotated[DatabaseSettings, Field(description="Where the ledger is kept.")] = (
        DatabaseSettings()
    )
    server: Annotated[ServerSettings, Field(description="Where the server listens.")] = (
        ServerSettings()
    )
    folders: Annotated[FolderSettings, Field(description="Where files are.")] = FolderSettings()
    metadata: Annotated[
        MetadataSettings, Field(description="Where titles and episodes come from.")
    ] = MetadataSettings()
    indexers: Annotated[
        tuple[IndexerSettings, ...], Field(description="Torznab indexers, one table each.")
    ] = ()
    downloader: Annotated[DownloaderSettings, Field(description="Who downloads.")] = (
        DownloaderSettings()
    )
    downloaders: Annotated[
        tuple[OtherDownloaderSettings, ...],
        Field(description="Download clients besides the embedded one, one table each."),
    ] = ()
    media_servers: Annotated[
        tuple[MediaServerSettings, ...], Field(description="Media servers, one table each.")
    ] = ()
    upstreams: Annotated[
        tuple[UpstreamSettings, ...],
        Field(description="Providers of models, one table each; the first is the default."),
    ] = ()
    agent: Annotated[AgentSettings, Field(description="The bounds of a run.")] = AgentSettings()
    policy: Annotated[PolicySettings, Field(description="Floors that no policy goes below.")] = (
        PolicySettings()
    )
    retention: Annotated[
        RetentionSettings, Field(description="How long the history of background work is kept.")
    ] = RetentionSettings()
    secrets: Annotated[SecretSettings, Field(description="Secrets that are kept sealed.")] = (
        SecretSettings()
    )

    @model_validator(mode="after")
    def _names_once(self) -> Self:
        refuse_twins([indexer.name for indexer in self.indexers])
        refuse_twins([EMBEDDED, *(client.name for client in self.downloaders)])
        refuse_twins([server.name for server in self.media_servers])
        refuse_twins([upstream.name for upstream in self.upstreams])
        return self

    @model_validator(mode="after")
    def _default_client_exists(self) -> Self:
        names = self.download_clients()
        # Without any, nothing is downloaded, which is said where it matters.
        if names and self.downloader.default not in names:
            raise ValueError(
                f"downloader.default is {self.downloader.default!r}, and the download clients are "
                f"{', '.join(names)}"
            )
        return self

    def download_clients(self) -> tuple[str, ...]:
        """The names of the download clients, the default one among them; none if there is none."""
        embedded = (EMBEDDED,) if self.downloader.embedded.enabled else ()
        return (*embedded, *(client.name for client in self.downloaders))

    def shown(self) -> dict[str, Any]:
        """JSON-ready, for the owner's eyes: of a secret only whether it is set."""
        return self.model_dump(mode="json")

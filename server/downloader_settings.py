"""What the owner may set of the download clients."""

from typing import Annotated, Literal

from pydantic import Field

from server.setting_types import Address, BytesPerSecond, FolderNames, Name, Secret, Section

EMBEDDED = "embedded"
DownloaderKind = Literal["qbittorrent", "transmission"]


class EmbeddedSettings(Section):
    """The embedded torrent client."""

    enabled: Annotated[
        bool,
        Field(description="Whether there is one; without, another client must be the default."),
    ] = True
    listen_port: Annotated[
        int,
        Field(ge=0, le=65535, description="The TCP and UDP port for peers; 0 takes a free one."),
    ] = 6881
    dht: Annotated[bool, Field(description="Find peers by the distributed hash table (BEP 5).")] = (
        True
    )
    pex: Annotated[bool, Field(description="Find peers by peer exchange (BEP 11).")] = True
    lsd: Annotated[bool, Field(description="Find peers on the local network (BEP 14).")] = True
    port_forwarding: Annotated[
        bool, Field(description="Ask the router to forward the port (UPnP and NAT-PMP).")
    ] = False
    utp: Annotated[bool, Field(description="Speak uTP (BEP 29) besides TCP.")] = True
    encryption: Annotated[
        Literal["off", "preferred", "required"],
        Field(description="Protocol encryption towards peers."),
    ] = "preferred"
    upload_limit: Annotated[
        BytesPerSecond, Field(description="Most bytes sent per second; 0 for no limit.")
    ] = 0
    download_limit: Annotated[
        BytesPerSecond, Field(description="Most bytes received per second; 0 for no limit.")
    ] = 0
    connections: Annotated[int, Field(ge=2, description="Most peers in all.")] = 200
    upload_slots: Annotated[
        int, Field(ge=1, description="Most peers that are given to at one time.")
    ] = 8
    stalled_after_s: Annotated[
        int,
        Field(ge=1, description="Seconds without a byte after which a download counts as stalled."),
    ] = 3600
    loopback_world: Annotated[
        bool, Field(description="Talk to 127.0.0.1 and nobody else; for the demo and tests only.")
    ] = False


class DownloaderSettings(Section):
    """Who downloads."""

    default: Annotated[
        Name,
        Field(
            description="The client that new downloads go to: `embedded`, or a name among "
            "`downloaders`."
        ),
    ] = EMBEDDED
    embedded: Annotated[EmbeddedSettings, Field(description="The embedded torrent client.")] = (
        EmbeddedSettings()
    )


class OtherDownloaderSettings(Section):
    """One download client that runs by itself."""

    name: Annotated[Name, Field(description="What the client is called here; every name once.")]
    kind: Annotated[
        DownloaderKind, Field(description="What it is: `qbittorrent` or `transmission`.")
    ]
    address: Annotated[Address, Field(description="The address of its web interface.")]
    user: Annotated[
        str, Field(max_length=200, description="Whom it is entered as, where it asks for that.")
    ] = ""
    password: Annotated[
        Secret | None, Field(description="The user's password, where it asks for one.")
    ] = None
    stalled_after_s: Annotated[
        int,
        Field(
            ge=1,
            description="Seconds without a byte and a peer after which a download counts as "
            "stalled.",
        ),
    ] = 3600
    paths: Annotated[
        FolderNames,
        Field(
            default_factory=dict,
            description="What it calls our folders, where that is another path: ours to its own. "
            "The longest one that fits counts.",
        ),
    ]

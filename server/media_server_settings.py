"""What the owner may set of the media servers."""

from typing import Annotated, Literal

from pydantic import Field

from server.setting_types import Address, FolderNames, Name, Secret, Section

MediaServerKind = Literal["jellyfin", "emby", "plex", "kodi"]
Library = Literal["films", "series"]


class MediaServerSettings(Section):
    """One media server, told of new files and asked whether it sees them."""

    name: Annotated[Name, Field(description="What the server is called here; every name once.")]
    kind: Annotated[
        MediaServerKind, Field(description="What it is: `jellyfin`, `emby`, `plex` or `kodi`.")
    ]
    address: Annotated[Address, Field(description="Its base address.")]
    key: Annotated[
        Secret | None,
        Field(
            description="An API key (Jellyfin, Emby), a token (Plex), or the password of its web "
            "server (Kodi)."
        ),
    ] = None
    user: Annotated[
        str, Field(min_length=1, description="The user of Kodi's web server; others have none.")
    ] = "kodi"
    shows: Annotated[
        tuple[Library, ...],
        Field(
            min_length=1,
            description="Which of our libraries it is to show; it is told of their files only.",
        ),
    ] = ("films", "series")
    paths: Annotated[
        FolderNames,
        Field(
            default_factory=dict,
            description="What it calls our folders, where that is another path: ours to its own. "
            "The longest one that fits counts.",
        ),
    ]

"""The settings, and what they leave unconfigured."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home
from server.media_server_settings import MediaServerSettings
from server.metadata_settings import MetadataSettings
from server.setting_types import path_map
from server.settings import Settings
from server.settings_loading import SettingsError, load_settings

TMDB_KEY = "metadata.tmdb.key"
_SOURCES: Final = {"tmdb": "TMDB", "tvmaze": "TVmaze", "anilist": "AniList"}


def settings_of(home: Home) -> tuple[Settings | None, list[Finding]]:
    """The settings that hold, and what is wrong with them; None where they cannot be used."""
    try:
        settings = load_settings(home.root)
    except SettingsError as wrong:
        faults = str(wrong).splitlines()
        return None, [Finding("settings", Severity.ERROR, fault) for fault in faults]
    return settings, [ok("settings", "The settings can be used.")]


def outside_systems(settings: Settings, sealed: Collection[str] = ()) -> Iterator[Finding]:
    """Which outside systems are configured, by settings and sealed secrets; none is contacted."""
    yield _configured(
        "indexers",
        [indexer.name for indexer in settings.indexers],
        "No indexer is configured: no release can be found.",
        "Add an [[indexers]] table to settings.toml.",
    )
    yield _metadata(settings.metadata, sealed)
    yield _download_clients(settings, sealed)
    yield _media_servers(settings.media_servers, sealed)
    yield _configured(
        "upstreams",
        [upstream.name for upstream in settings.upstreams],
        "No model is configured: `matinee ask` cannot work, all else can.",
        "Add an [[upstreams]] table to settings.toml.",
    )


def _metadata(settings: MetadataSettings, sealed: Collection[str]) -> Finding:
    keyed = settings.tmdb.key is not None or TMDB_KEY in sealed
    names = [_SOURCES[each] for each in settings.sources if keyed or each != "tmdb"]
    if "TMDB" in names:
        return ok("metadata", f"Configured: {', '.join(names)}.")
    missing = "No metadata source is configured: no film or series can be looked up."
    if names:
        missing = f"Configured: {', '.join(names)}, but not TMDB: films cannot be looked up."
    fix = f"Seal a key with `matinee secret set {TMDB_KEY}`"
    named = "." if "tmdb" in settings.sources else " and name it in metadata.sources."
    return Finding("metadata", Severity.NOTICE, missing, fix + named)


def _download_clients(settings: Settings, sealed: Collection[str]) -> Finding:
    names = settings.download_clients()
    if not names:
        return Finding(
            "downloaders",
            Severity.NOTICE,
            "No download client is configured: nothing can be downloaded.",
            "Set downloader.embedded.enabled, or add a [[downloaders]] table to settings.toml.",
        )
    configured = (
        f"Configured: {', '.join(names)}; new downloads go to {settings.downloader.default}."
    )
    for client in settings.downloaders:
        name = f"downloaders.{client.name}.password"
        if client.user and client.password is None and name not in sealed:
            return Finding(
                "downloaders",
                Severity.WARNING,
                f"{configured} {client.name} has a user and no password, so it lets nobody in.",
                f"Seal it with `matinee secret set {shlex.quote(name)}`.",
            )
    return _folder_names(settings, configured)


def _folder_names(settings: Settings, configured: str) -> Finding:
    """What clients elsewhere call our download folder; whether it is the same is not looked at."""
    ours = settings.folders.downloads
    told = configured
    for client in settings.downloaders:
        if ours is None or not client.paths:
            continue
        if not any(ours.is_relative_to(folder) for folder in client.paths):
            return Finding(
                "downloaders",
                Severity.WARNING,
                f"{configured} The paths of {client.name} name no folder that holds "
                "folders.downloads, so it is told our own name of it.",
                f"Add folders.downloads to the paths of {client.name} in settings.toml.",
            )
        told += f" {client.name} is told {path_map(client.paths).to_theirs(str(ours))}."
    return ok("downloaders", told)


def _media_servers(servers: Sequence[MediaServerSettings], sealed: Collection[str]) -> Finding:
    names = ", ".join(server.name for server in servers)
    if not servers:
        return ok("media_servers", "No media server is configured: none is told of new files.")
    for server in servers:
        name = f"media_servers.{server.name}.key"
        if server.kind != "kodi" and server.key is None and name not in sealed:
            return Finding(
                "media_servers",
                Severity.WARNING,
                f"Configured: {names}. {server.name} has no key: nothing that it is to show can "
                "be verified.",
                f"Seal a key with `matinee secret set {shlex.quote(name)}`.",
            )
    return ok("media_servers", f"Configured: {names}.")


def _configured(id_: str, names: list[str], missing: str, fix: str) -> Finding:
    if names:
        return ok(id_, f"Configured: {', '.join(names)}.")
    return Finding(id_, Severity.NOTICE, missing, fix)

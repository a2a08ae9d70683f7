"""The settings, and what they leave unconfigured."""

from collections.abc import Collection, Iterator
from typing import Final

from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home
from server.metadata_settings import MetadataSettings
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


def _configured(id_: str, names: list[str], missing: str, fix: str) -> Finding:
    if names:
        return ok(id_, f"Configured: {', '.join(names)}.")
    return Finding(id_, Severity.NOTICE, missing, fix)

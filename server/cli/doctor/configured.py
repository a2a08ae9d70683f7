"""The settings, and what they leave unconfigured."""

from collections.abc import Collection, Iterator

from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.home import Home
from server.settings import Settings
from server.settings_loading import SettingsError, load_settings

TMDB_KEY = "metadata.tmdb.key"


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
    yield _configured(
        "metadata",
        ["TMDB"] if settings.metadata.tmdb.key is not None or TMDB_KEY in sealed else [],
        "No metadata source is configured: no film or series can be looked up.",
        f"Seal a key with `matinee secret set {TMDB_KEY}`.",
    )
    yield _configured(
        "upstreams",
        [upstream.name for upstream in settings.upstreams],
        "No model is configured: `matinee ask` cannot work, all else can.",
        "Add an [[upstreams]] table to settings.toml.",
    )


def _configured(id_: str, names: list[str], missing: str, fix: str) -> Finding:
    if names:
        return ok(id_, f"Configured: {', '.join(names)}.")
    return Finding(id_, Severity.NOTICE, missing, fix)

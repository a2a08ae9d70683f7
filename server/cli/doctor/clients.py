"""Whether each download client saves where we look: proven with a small file, when asked for."""

import tempfile
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import anyio
import anyio.to_thread

from capabilities.adapters.downloader.embedded import open_embedded
from capabilities.adapters.downloader.embedded_profile import LoopbackProfile
from capabilities.adapters.downloader.path_proof import PathProof, prove
from capabilities.adapters.downloader.port import Downloader
from capabilities.adapters.outbound import Outbound
from capabilities.kernel.faults import WorldFaultError
from ledger.sealing import SealBrokenError
from ledger.stores.sealed_secrets import SealedSecret
from server.cli.doctor.finding import Finding, Severity, ok
from server.cli.doctor.sealing import sealed_rows
from server.cli.home import Home
from server.download_clients import other_clients
from server.downloader_settings import EMBEDDED
from server.protocol.handshake import VERSION
from server.secrets_at_rest.keys import sealing_keys
from server.secrets_at_rest.names import with_sealed
from server.secrets_at_rest.sealed import UNOPENED
from server.settings import Settings
from server.ways import Ways


def clients(home: Home, settings: Settings) -> Iterator[Finding]:
    """A finding for each client; it adds a torrent to each, and takes it away again."""
    downloads = settings.folders.downloads
    if downloads is None:
        yield Finding(
            "downloaders.folder",
            Severity.NOTICE,
            "No download folder is set, so there is nothing that a client could find.",
            "Set folders.downloads in settings.toml.",
        )
        return
    yield from anyio.run(_proven, home, settings, downloads)


async def _proven(home: Home, settings: Settings, downloads: Path) -> list[Finding]:
    rows = await sealed_rows(home, settings)
    values = await anyio.to_thread.run_sync(_opened, home, settings, rows)
    shut = {row.name for row in rows if row.name not in values}
    found: list[Finding] = []
    async with (
        Outbound(version=VERSION) as opened,
        Outbound(version=VERSION, shut=UNOPENED) as closed,
        _all(with_sealed(settings, values), downloads, Ways(opened, closed, shut)) as each,
    ):
        for client in each:
            try:
                proof = await prove(client, downloads)
            except WorldFaultError as fault:
                proof = PathProof(None, f"{fault}")
            found.append(_finding(client.name, proof))
    return found


@asynccontextmanager
async def _all(
    settings: Settings, downloads: Path, ways: Ways
) -> AsyncGenerator[tuple[Downloader, ...]]:
    """Every client; the embedded one with a state of its own, for the house's is in use."""
    async with AsyncExitStack() as stack:
        others = await stack.enter_async_context(other_clients(settings.downloaders, ways))
        if not settings.downloader.embedded.enabled:
            yield others
            return
        state = stack.enter_context(tempfile.TemporaryDirectory(prefix="matinee-doctor-"))
        opened = open_embedded(Path(state), downloads, LoopbackProfile(), name=EMBEDDED)
        yield (await stack.enter_async_context(opened), *others)


def _finding(name: str, proof: PathProof) -> Finding:
    id_, said = f"downloaders.{name}.folder", f"{name}: {proof.sentence}"
    match proof.proven:
        case True:
            return ok(id_, said)
        case False:
            return Finding(
                id_,
                Severity.ERROR,
                said,
                f"Correct the paths of {name} in settings.toml, or have its machine or container"
                " see the same folder there, readable by the user it runs as.",
            )
        case None:
            return Finding(
                id_,
                Severity.WARNING,
                f"{said} Whether it saves where we look was not proven.",
                "Do what is said, then look again.",
            )


def _opened(home: Home, settings: Settings, rows: Sequence[SealedSecret]) -> dict[str, str]:
    """The sealed secrets that open, by name; blocking."""
    values: dict[str, str] = {}
    if not rows:
        return values
    keys = sealing_keys(home.root, keyring=settings.secrets.keyring).openers().keys
    for row in rows:
        if row.key_id in keys:
            with suppress(SealBrokenError):
                values[row.name] = keys[row.key_id].open(row.name, row.seal)
    return values

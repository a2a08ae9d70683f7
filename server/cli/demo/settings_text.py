"""The settings of the demo's home: the loopback world in place of the internet."""

from pathlib import Path

from server.cli.demo.client_programs import ClientProgram
from world.stage import Stage

MODEL = "scripted"


def settings_text(stage: Stage, folder: Path, client: ClientProgram | None = None) -> str:
    """A ``settings.toml`` that points at the staged world, with all folders below ``folder``.

    Downloads go to ``client``, or to the embedded one.
    """
    return f"""\
[folders]
downloads = "{folder / "downloads"}"
films = "{folder / "library" / "films"}"
series = "{folder / "library" / "series"}"

[metadata]
sources = ["tmdb"]

[metadata.tmdb]
address = "{stage.metadata.address}"
key = "{stage.metadata.token}"

[[indexers]]
name = "loopback"
address = "{stage.indexer.address}"
key = "{stage.indexer.api_key}"

[[upstreams]]
name = "scripted"
address = "{stage.model.base_url}"
key = "{stage.model.key}"
model = "{MODEL}"

[downloader.embedded]
loopback_world = true

[policy]
min_free_bytes = 0
{"" if client is None else _client_text(client)}"""


def _client_text(client: ClientProgram) -> str:
    return f"""
[downloader]
default = "{client.kind}"

[[downloaders]]
name = "{client.kind}"
kind = "{client.kind}"
address = "{client.address}"
user = "{client.user}"
password = "{client.password}"
"""

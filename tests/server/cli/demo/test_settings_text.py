from pathlib import Path

import pytest

from server.cli.demo.client_programs import ClientProgram
from server.cli.demo.settings_text import settings_text
from server.settings_loading import load_settings
from world.scripts import say
from world.stage import staged


@pytest.mark.anyio
async def test_the_demos_settings_load_and_point_at_the_staged_world(tmp_path: Path) -> None:
    world, home = tmp_path / "world", tmp_path / "home"
    world.mkdir()
    home.mkdir()
    async with staged(world, say("hello"), size=200_000) as stage:
        (home / "settings.toml").write_text(settings_text(stage, tmp_path), encoding="utf-8")

        settings = load_settings(home, {})

        assert settings.indexers[0].address == stage.indexer.address
        assert settings.metadata.tmdb.address == stage.metadata.address
        assert settings.upstreams[0].address == stage.model.base_url
        assert settings.folders.films == tmp_path / "library" / "films"
        assert settings.downloader.embedded.loopback_world


@pytest.mark.anyio
async def test_a_program_beside_is_the_default_download_client(tmp_path: Path) -> None:
    world, home = tmp_path / "world", tmp_path / "home"
    world.mkdir()
    home.mkdir()
    client = ClientProgram("qbittorrent", "http://127.0.0.1:1", "admin", "a pass")
    async with staged(world, say("hello"), size=200_000) as stage:
        text = settings_text(stage, tmp_path, client)
    (home / "settings.toml").write_text(text, encoding="utf-8")
    settings = load_settings(home, {})
    [held] = settings.downloaders

    assert settings.downloader.default == held.name == held.kind == "qbittorrent"
    assert held.password is not None
    assert (held.address, held.user) == ("http://127.0.0.1:1", "admin")
    assert held.password.get_secret_value() == "a pass"

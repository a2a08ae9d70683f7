"""Debian's Kodi under Xvfb, with a library of our folders, for the time of a block.

Its web server listens on every address of the machine and asks for a password. What kind of works
a folder holds can be told by no question, so it is written into Kodi's own database.
"""

import os
import secrets
import shutil
import socket
import sqlite3
import subprocess
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import anyio
import httpx2
import pytest

START_S = 60.0
END_S = 15.0
USER = "kodi"
FILMS = "movies"
SERIES = "tvshows"
_INTO_EVERY_FOLDER = 2147483647


@dataclass(frozen=True)
class RunningKodi:
    """Where it is, and what its web server wants."""

    address: str
    password: str


@asynccontextmanager
async def kodi_at_work(home: Path, sources: Mapping[Path, str]) -> AsyncGenerator[RunningKodi]:
    """Start it in an empty home, with each source holding `FILMS` or `SERIES`.

    The test is skipped where Kodi or Xvfb is not installed.
    """
    for program in ("kodi", "Xvfb"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (scripts/services proof)")
    running = RunningKodi(f"http://127.0.0.1:{_free_port()}", secrets.token_hex(8))
    _settings(home, running, sources)
    screen, display = await anyio.to_thread.run_sync(_screen, home)
    kodi = _kodi(home, display)
    try:
        await _until_it_answers(running, kodi)
        _contents(home, sources)
        yield running
    finally:
        with anyio.CancelScope(shield=True):
            await _ended(running, kodi)
            screen.terminate()
            screen.wait(timeout=END_S)


def _screen(home: Path) -> tuple["subprocess.Popen[bytes]", str]:
    """A display without a monitor; it chooses a free number and tells which."""
    reading, writing = os.pipe()
    with (home / "screen.log").open("wb") as log:
        size = ["-screen", "0", "640x360x24", "-nolisten", "tcp"]
        screen = subprocess.Popen(
            [str(shutil.which("Xvfb")), "-displayfd", str(writing), *size],
            pass_fds=[writing],
            stdout=log,
            stderr=log,
        )
    os.close(writing)
    with os.fdopen(reading, encoding="ascii") as numbers:
        return screen, f":{numbers.readline().strip()}"


def _kodi(home: Path, display: str) -> "subprocess.Popen[bytes]":
    surroundings = {"HOME": str(home), "DISPLAY": display, "LIBGL_ALWAYS_SOFTWARE": "1"}
    with (home / "kodi.log").open("wb") as log:
        return subprocess.Popen(
            [str(shutil.which("kodi")), "--windowing=x11", "--audio-backend=null"],
            env={**os.environ, **surroundings, "LANG": "C.UTF-8"},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _settings(home: Path, running: RunningKodi, sources: Mapping[Path, str]) -> None:
    folder = home / ".kodi" / "userdata"
    folder.mkdir(parents=True)
    settings = ET.Element("settings", version="2")
    for name, value in {
        "services.webserver": "true",
        "services.webserverport": running.address.rpartition(":")[2],
        "services.webserverauthentication": "true",
        "services.webserverusername": USER,
        "services.webserverpassword": running.password,
        "services.zeroconf": "false",
        "services.upnp": "false",
        "services.airplay": "false",
        "services.esenabled": "false",
        "general.addonupdates": "2",
    }.items():
        ET.SubElement(settings, "setting", id=name).text = value
    ET.ElementTree(settings).write(folder / "guisettings.xml")
    listed = ET.Element("sources")
    videos = ET.SubElement(listed, "video")
    for source in sources:
        one = ET.SubElement(videos, "source")
        ET.SubElement(one, "name").text = source.name
        ET.SubElement(one, "path", pathversion="1").text = f"{source}/"
        ET.SubElement(one, "allowsharing").text = "true"
    ET.ElementTree(listed).write(folder / "sources.xml")


def _contents(home: Path, sources: Mapping[Path, str]) -> None:
    """Write down what the sources hold, as its dialogue for that would."""
    (database,) = (home / ".kodi/userdata/Database").glob("MyVideos*.db")
    with closing(sqlite3.connect(database, timeout=10)) as connection, connection:
        connection.executemany(
            "INSERT INTO path (strPath, strContent, strScraper, scanRecursive, useFolderNames) "
            "VALUES (?, ?, 'metadata.local', ?, 1)",
            [
                (f"{source}/", content, _INTO_EVERY_FOLDER if content == FILMS else 0)
                for source, content in sources.items()
            ],
        )


async def _until_it_answers(running: RunningKodi, kodi: "subprocess.Popen[bytes]") -> None:
    with anyio.move_on_after(START_S):
        while kodi.poll() is None:
            if await _call(running, "JSONRPC.Ping"):
                return
            await anyio.sleep(0.25)
    pytest.fail("Kodi did not start")


async def _ended(running: RunningKodi, kodi: "subprocess.Popen[bytes]") -> None:
    await _call(running, "Application.Quit")
    try:
        await anyio.to_thread.run_sync(lambda: kodi.wait(timeout=END_S))
    except subprocess.TimeoutExpired:
        os.killpg(kodi.pid, 9)  # a script started it, which would leave it behind
        kodi.wait(timeout=END_S)


async def answer(running: RunningKodi, method: str, **given: object) -> Any:
    """What Kodi itself answers, past every adapter of ours."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}
    async with httpx2.AsyncClient(trust_env=False, auth=(USER, running.password)) as client:
        told = await client.post(f"{running.address}/jsonrpc", json=body, timeout=10)
    return told.json()["result"]


async def _call(running: RunningKodi, method: str) -> bool:
    body = {"jsonrpc": "2.0", "id": 1, "method": method}
    async with httpx2.AsyncClient(trust_env=False, auth=(USER, running.password)) as client:
        try:
            answer = await client.post(f"{running.address}/jsonrpc", json=body, timeout=5)
        except httpx2.TransportError:
            return False
    return answer.is_success


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])

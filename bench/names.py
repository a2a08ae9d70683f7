"""Release names: how fast they are read beside three other parsers, and how rightly."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import anyio.to_thread

from bench.measured import Figure
from tests.capabilities.rules.names.test_named import ROWS

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SCORER = SHARED / "tools" / "score_parsers.py"
CORPORA = SHARED / "corpora"
PEERS_HOME = ROOT / ".results" / "peers"
PEERS = ("guessit==4.4.0", "parsett==1.8.5", "parse-torrent-title==2.8.2")
OURS = "module:capabilities.rules.names.facts:facts"
NEUTRAL = (
    *("sonarr", "radarr", "video-filename-parser", "rls", "moviepilot", "moviepilot-groups"),
    *("autobangumi", "thcolin", "scene-release-parser", "autobrr", "flexget"),
)
"""Collections of names that belong to none of the parsers measured."""
BARS = {
    "title": 92,
    "release_group": 90,
    "source": 95,
    "episodes": 92,
    "absolute_episodes": 93,
    "languages": 80,
    "edition": 85,
}
"""Percent of the names that say a field whose field is read rightly."""
KINDS = {"path": 92, "anime": 85}
CORE = 85
FASTER = ">= 3.00"
ROUNDS = 3
SAMPLE = 7
"""Every seventh name of a collection: the slowest parser needs a second for a hundred."""


async def measure() -> list[Figure]:
    """Names per CPU second beside each peer, and percent read rightly beside each bar.

    The peers stand in an environment of their own, which is made at the first run. What is read
    rightly can only be told where the collections of names lie beside the repository.
    """
    return await anyio.to_thread.run_sync(_measured)


def _measured() -> list[Figure]:
    figures = _speeds(_peers())
    return [*figures, *_accuracy()] if SCORER.exists() and CORPORA.is_dir() else figures


def _peers() -> Path:
    """The interpreter that has the other parsers."""
    python = PEERS_HOME / "bin" / "python"
    uv = str(Path(sys.executable).parent / "uv")
    if not python.exists():
        _run(uv, "venv", "--quiet", "--python", sys.executable, str(PEERS_HOME))
    _run(uv, "pip", "install", "--quiet", "--python", str(python), *PEERS)
    return python


def _speeds(peers: Path) -> list[Figure]:
    names = json.dumps(_names())
    found: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for parser in ("matinee", *(peer.partition("==")[0] for peer in PEERS)):
            python = sys.executable if parser == "matinee" else str(peers)
            said = _run(python, "-m", "bench.name_speed", parser, stdin=names)
            found.setdefault(parser, []).append(float(said))
    best = {parser: max(speeds) for parser, speeds in found.items()}
    return [
        Figure(f"names read, beside {peer}", "names/s", best["matinee"], best[peer], FASTER)
        for peer in found
        if peer != "matinee"
    ]


def _names() -> list[str]:
    """What is read: a sample of the collections, or else our own table."""
    lines = [
        line
        for path in sorted(CORPORA.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [json.loads(line)["input"] for line in lines[::SAMPLE]] or [row.text for row in ROWS]


def _accuracy() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "ours.json"
        _run(
            *(sys.executable, str(SCORER), "run", "--parser", OURS, "--path", str(ROOT)),
            *("--corpora", str(CORPORA), "--out", str(out)),
        )
        scored: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    origins = [scored["origin"][name] for name in NEUTRAL if name in scored["origin"]]
    fields: dict[str, tuple[int, int]] = scored["field"]
    return [
        _rightly("names, whole, neutral", *_totals(origins), CORE),
        *(_rightly(f"names, {field}", *fields[field], bar) for field, bar in BARS.items()),
        *(
            _rightly(f"names, whole, {kind}", *_totals([scored["kind"][kind]]), bar)
            for kind, bar in KINDS.items()
        ),
    ]


def _totals(counts: list[dict[str, int]]) -> tuple[int, int]:
    return sum(one.get("core", 0) for one in counts), sum(one.get("core_n", 0) for one in counts)


def _rightly(name: str, right: int, asked: int, bar: int) -> Figure:
    return Figure(name, "%", 100 * right / asked, float(bar), ">= 1.00")


def _run(*command: str, stdin: str = "") -> str:
    done = subprocess.run(  # noqa: S603  # our own commands
        command, cwd=ROOT, input=stdin, capture_output=True, text=True, check=True
    )
    return done.stdout

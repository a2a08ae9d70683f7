"""The bars of the parser, on the collections of names where these lie beside the repository."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bench.names import BARS, CORE, CORPORA, KINDS, NEUTRAL, OURS, ROOT, SCORER
from tests.needed import beside

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    scorer, corpora = beside(SCORER), beside(CORPORA)
    out = tmp_path_factory.mktemp("scored") / "ours.json"
    subprocess.run(
        [
            *(sys.executable, str(scorer), "run", "--parser", OURS, "--path", str(ROOT)),
            *("--corpora", str(corpora), "--out", str(out)),
        ],
        check=True,
        capture_output=True,
        cwd=ROOT,
    )
    return json.loads(Path(out).read_text(encoding="utf-8"))


def percent(right: int, asked: int) -> float:
    return 100 * right / asked


def whole(counts: Sequence[dict[str, int]]) -> float:
    return percent(sum(one["core"] for one in counts), sum(one["core_n"] for one in counts))


def test_names_of_collections_that_are_nobodys_own_are_read_whole(scored: dict[str, Any]) -> None:
    counts = [scored["origin"][name] for name in NEUTRAL if name in scored["origin"]]
    assert whole(counts) >= CORE


@pytest.mark.parametrize("field", BARS)
def test_a_field_is_read_rightly(scored: dict[str, Any], field: str) -> None:
    assert percent(*scored["field"][field]) >= BARS[field]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_names_is_read_whole(scored: dict[str, Any], kind: str) -> None:
    assert whole([scored["kind"][kind]]) >= KINDS[kind]


def test_no_name_breaks_the_parser(scored: dict[str, Any]) -> None:
    assert scored["errors"] == 0

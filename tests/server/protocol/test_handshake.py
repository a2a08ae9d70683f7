import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.protocol import handshake

ROOT = Path(__file__).parents[3]


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == handshake.VERSION


def test_both_sides_read_what_the_other_says() -> None:
    assert handshake.parsed(handshake.greeting("k")) == {
        "matinee": handshake.VERSION,
        "key": "k",
    }
    assert handshake.parsed(handshake.admission(7)) == {
        "ok": True,
        "version": handshake.VERSION,
        "pid": 7,
    }
    assert handshake.parsed(handshake.refusal("No.", stopping=True)) == {
        "ok": False,
        "error": "No.",
        "stopping": True,
    }


@given(line=st.binary(max_size=200))
def test_any_line_can_be_looked_at(line: bytes) -> None:
    held = handshake.parsed(line)
    assert held is None or isinstance(held, dict)


def test_a_deep_line_is_no_object() -> None:
    assert handshake.parsed(b"[" * handshake.LONGEST_LINE) is None


@pytest.mark.parametrize(
    ("one", "other", "is_newer"),
    [
        ("0.2.0", "0.1.9", True),
        ("0.10.0", "0.9.0", True),
        ("1.0", "0.9.9", True),
        ("0.1.0", "0.1.0", False),
        ("0.1.0", "0.2.0", False),
        ("0.1.0rc1", "0.1.0", False),
        ("unknown", "0.1.0", False),
    ],
)
def test_versions_are_compared_by_their_numbers(one: str, other: str, *, is_newer: bool) -> None:
    assert handshake.newer(one, other) is is_newer

"""Real videos that say that they last as long as a test wants."""

import struct
from pathlib import Path

from world.samples import Sample, stretched

_DURATION = b"\x44\x89\x88"
"""A Matroska segment's length, as a double of milliseconds (RFC 9559, section 5.1.2.10)."""


def lasting(file: Path, seconds: float, size: int, *, sample: Sample = Sample.EPISODE_720P) -> None:
    """Write a readable video of this many bytes that lasts so long."""
    file.parent.mkdir(parents=True, exist_ok=True)
    stretched(sample, file, size)
    raw = file.read_bytes()
    at = raw.index(_DURATION) + len(_DURATION)
    file.write_bytes(raw[:at] + struct.pack(">d", seconds * 1000) + raw[at + 8 :])

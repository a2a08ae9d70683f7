"""Tiny real videos, and the same ones grown to any size.

The films and episodes of the loopback world are our own encodings of generated pictures
(`scripts/make_samples`), a few kilobytes each, that say they last as long as a film. Grown ones
carry an EBML Void element (RFC 8794, section 11.3.2) inside the Matroska segment (RFC 9559), which
every player skips, so they stay valid and readable.
"""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

FOLDER = Path(__file__).with_name("samples")
_EBML = 0x1A45DFA3
_SEGMENT = 0x18538067
_VOID = b"\xec"
_WIDE = 8
_PIECE = 1 << 20


class Sample(StrEnum):
    """The videos there are, by file name without its ending."""

    FILM_1080P = "film-1080p"
    FILM_2160P_HDR10 = "film-2160p-hdr10"
    FILM_CAM = "film-cam"
    EPISODE_720P = "episode-720p"


def original(name: str) -> Path:
    """Where the small file of a `Sample` lies; an unknown name raises `ValueError`."""
    return FOLDER / f"{Sample(name)}.mkv"


def stretched(name: str, destination: Path, size: int, *, seed: int = 0) -> None:
    """Write the sample `name` to `destination`, padded to exactly `size` bytes.

    The padding looks random and has no hole, so that all pieces of a torrent differ, and is the
    same for the same size and seed, so that the info-hash is.

    Raises:
        ValueError: no sample has that name, or it does not fit into `size`.
    """
    video = original(name).read_bytes()
    padding = size - len(video)
    if 0 < padding <= len(_VOID) + _WIDE or padding < 0:
        raise ValueError(f"{name} has {len(video)} bytes and cannot be padded to {size}")
    with destination.open("wb") as file:
        if not padding:
            file.write(video)
            return
        file.write(_with_longer_segment(video, padding))
        filling = padding - len(_VOID) - _WIDE
        file.write(_VOID + _wide_size(filling))
        for start in range(0, filling, _PIECE):
            piece = hashlib.shake_128(f"{seed} {size} {start}".encode())
            file.write(piece.digest(min(_PIECE, filling - start)))


@dataclass(frozen=True, slots=True)
class _Element:
    """Where an EBML element's size field and content begin, and how long the content is."""

    size_at: int
    start: int
    length: int


def _element(data: bytes, at: int, expected: int) -> _Element:
    if int.from_bytes(data[at : at + 4]) != expected:
        raise ValueError("a sample does not begin like a Matroska file")
    size_at = at + 4
    width = 9 - data[size_at].bit_length()
    start = size_at + width
    return _Element(size_at, start, int.from_bytes(data[size_at:start]) & ((1 << 7 * width) - 1))


def _with_longer_segment(video: bytes, more: int) -> bytes:
    header = _element(video, 0, _EBML)
    segment = _element(video, header.start + header.length, _SEGMENT)
    if segment.start - segment.size_at != _WIDE or segment.start + segment.length != len(video):
        raise ValueError("a sample's segment cannot be made longer")
    longer = _wide_size(segment.length + more)
    return video[: segment.size_at] + longer + video[segment.start :]


def _wide_size(length: int) -> bytes:
    return (1 << 7 * _WIDE | length).to_bytes(_WIDE)

import shutil
import time
from hashlib import sha256
from pathlib import Path

import pytest
from anyio import run_process

from capabilities.adapters.media.facts import DynamicRange, MediaFacts
from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf.roots import Root
from world.samples import FOLDER, Sample, original, stretched

MIB = 1 << 20
PIECE = 16 << 10


async def facts_of(path: Path) -> MediaFacts:
    with Root(path.parent, "the samples") as root:
        facts = await inspect(root, path.name)
    assert facts is not None
    return facts


def test_the_samples_are_small_enough_to_be_kept_with_the_source() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(Sample)
    assert all(original(sample).stat().st_size <= 20_000 for sample in Sample)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("sample", "height", "minutes", "ranges"),
    [
        (Sample.FILM_1080P, 1080, 82, {DynamicRange.SDR}),
        (Sample.FILM_2160P_HDR10, 2160, 82, {DynamicRange.HDR10}),
        (Sample.FILM_CAM, 272, 82, {DynamicRange.SDR}),
        (Sample.EPISODE_720P, 720, 24, {DynamicRange.SDR}),
    ],
)
async def test_each_sample_is_a_video_of_its_kind_and_a_films_length(
    sample: Sample, height: int, minutes: int, ranges: set[DynamicRange]
) -> None:
    facts = await facts_of(original(sample))
    assert facts.height == height
    assert facts.dynamic_range == ranges
    assert facts.duration_s == pytest.approx(minutes * 60, abs=1)


@pytest.mark.anyio
@pytest.mark.parametrize("sample", Sample)
async def test_a_stretched_sample_has_the_size_asked_for_and_the_same_facts(
    tmp_path: Path, sample: Sample
) -> None:
    grown = tmp_path / "grown.mkv"
    small = original(sample).stat().st_size
    for size in (small, small + 10, small + 11, 3 * MIB + 1):
        stretched(sample, grown, size)
        assert grown.stat().st_size == size
        assert await facts_of(grown) == await facts_of(original(sample))


@pytest.mark.anyio
async def test_a_stretched_sample_that_is_cut_is_truncated(tmp_path: Path) -> None:
    grown = tmp_path / "grown.mkv"
    stretched(Sample.FILM_1080P, grown, MIB)
    grown.write_bytes(grown.read_bytes()[:-PIECE])
    assert (await facts_of(grown)).truncated


def top_level(content: bytes) -> list[bytes]:
    """The identities of the outermost EBML elements, each of which must end inside the file."""
    identities: list[bytes] = []
    at = 0
    while at < len(content):
        identities.append(content[at : at + 4])
        width = 9 - content[at + 4].bit_length()
        size = int.from_bytes(content[at + 4 : at + 4 + width]) - (1 << 7 * width)
        at += 4 + width + size
    assert at == len(content)
    return identities


def test_the_padding_lies_inside_the_segment(tmp_path: Path) -> None:
    grown = tmp_path / "grown.mkv"
    stretched(Sample.EPISODE_720P, grown, MIB)
    assert top_level(grown.read_bytes()) == [b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"]


def test_the_padding_is_no_hole_and_no_two_pieces_are_alike(tmp_path: Path) -> None:
    grown = tmp_path / "grown.mkv"
    stretched(Sample.FILM_1080P, grown, 4 * MIB)
    content = grown.read_bytes()
    pieces = {sha256(content[at : at + PIECE]).digest() for at in range(0, len(content), PIECE)}
    assert len(pieces) == 4 * MIB // PIECE
    assert grown.stat().st_blocks * 512 >= 4 * MIB


def test_one_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    first, again, other = (tmp_path / name for name in ("first", "again", "other"))
    stretched(Sample.FILM_CAM, first, MIB)
    stretched(Sample.FILM_CAM, again, MIB)
    stretched(Sample.FILM_CAM, other, MIB, seed=1)
    assert first.read_bytes() == again.read_bytes()
    assert first.read_bytes() != other.read_bytes()


def test_the_bytes_are_the_same_on_every_machine(tmp_path: Path) -> None:
    grown = tmp_path / "grown.mkv"
    stretched(Sample.FILM_CAM, grown, 10_000)
    assert sha256(grown.read_bytes()[-7000:]).hexdigest() == (
        "e9b26832dae65979cf30431382d108bd41a5a7fa56c2bbdac1602b6e341f559b"
    )


def test_64_mebibytes_are_written_in_a_moment(tmp_path: Path) -> None:
    begun = time.process_time()
    stretched(Sample.FILM_1080P, tmp_path / "grown.mkv", 64 * MIB)
    assert time.process_time() - begun < 2


def test_what_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    small = original(Sample.FILM_CAM).stat().st_size
    for size in (0, small - 1, small + 1, small + 9):
        with pytest.raises(ValueError, match="cannot be padded"):
            stretched(Sample.FILM_CAM, tmp_path / "x", size)
    with pytest.raises(ValueError, match="film-8k"):
        stretched("film-8k", tmp_path / "x", MIB)
    assert not (tmp_path / "x").exists()


@pytest.mark.proof
@pytest.mark.anyio
async def test_the_samples_can_be_encoded_anew(tmp_path: Path) -> None:
    if not shutil.which("ffmpeg"):
        pytest.skip("ffmpeg is not installed (scripts/services proof)")
    await run_process([str(FOLDER.parents[1] / "scripts/make_samples"), str(tmp_path)])
    for sample in Sample:
        rebuilt = tmp_path / f"{sample}.mkv"
        assert rebuilt.stat().st_size <= 20_000
        assert await facts_of(rebuilt) == await facts_of(original(sample))


@pytest.mark.proof
@pytest.mark.anyio
@pytest.mark.parametrize("sample", Sample)
async def test_another_program_decodes_a_stretched_sample_to_its_end(
    tmp_path: Path, sample: Sample
) -> None:
    if not shutil.which("ffmpeg"):
        pytest.skip("ffmpeg is not installed (scripts/services proof)")
    grown = tmp_path / "grown.mkv"
    stretched(sample, grown, MIB)
    decode = ["ffmpeg", "-nostdin", "-v", "error", "-xerror", "-i", str(grown), "-f", "null", "-"]
    assert not (await run_process(decode)).stderr

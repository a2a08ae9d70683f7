import pytest

from capabilities.adapters.metadata.file_candidates import NotAsked
from capabilities.adapters.metadata.pack_reading import PackFile
from capabilities.release.file_facts import FILES_SHOWN, MOST_TARGETS, file_facts, fitting
from capabilities.rules.episode_counting import AS_SAID, Counted, Unsettled
from capabilities.rules.episode_orders import Place
from capabilities.rules.evidence import Clue, Contradiction, Grade, Identity
from capabilities.rules.names.parsing import parse
from capabilities.rules.pack_identity import FileIdentity
from capabilities.rules.recognition.lines import words_from
from tests.capabilities.rules.shelf import PIONEER, SINTEL


def episodes(*numbers: int) -> tuple[Counted, ...]:
    return tuple(Counted(Place(1, number), None, None, AS_SAID) for number in numbers)


def seen(path: str, identity: Identity, numbers: tuple[Counted, ...] | Unsettled = ()) -> PackFile:
    return PackFile(FileIdentity(path, parse(path), identity), numbers)


def test_a_film_is_named_with_its_grade() -> None:
    told = file_facts(
        "Sintel.2010.mkv", 700_000_000, seen("Sintel.2010.mkv", Identity(Grade.B, SINTEL)), ()
    )
    assert (told.reads_as, told.size_mb) == ("Sintel (2010)", 700.0)
    assert (told.grade, told.work, told.title) == ("B", "tmdb:film:45745", "Sintel (2010)")
    assert (told.target, told.open, told.danger) == ("film", None, None)


@pytest.mark.parametrize(
    ("numbers", "target"),
    [
        (episodes(1, 2), "S01E01+S01E02"),
        (
            episodes(*range(1, MOST_TARGETS + 3)),
            "S01E01+S01E02+S01E03+S01E04+S01E05+S01E06 and 2 more",
        ),
        ((), None),
    ],
)
def test_a_series_is_named_with_its_episodes(
    numbers: tuple[Counted, ...], target: str | None
) -> None:
    path = "Pioneer.One.S01E01.mkv"
    told = file_facts(path, 1, seen(path, Identity(Grade.A, PIONEER), numbers), ())
    assert told.target == target


def test_what_keeps_it_open_is_told() -> None:
    path = "Pioneer.One.99.mkv"
    unsettled = seen(path, Identity(Grade.C, PIONEER), Unsettled("number 99 is in no season"))
    assert file_facts(path, 1, unsettled, ()).open == "number 99 is in no season"
    against = Contradiction(Clue.YEAR, SINTEL.key, "the years differ\x1b")
    disputed = seen(path, Identity(Grade.D, None, contradictions=(against,)))
    told = file_facts(path, 1, disputed, ())
    assert (told.work, told.target, told.open) == (None, None, "the years differ")


@pytest.mark.parametrize("why", NotAsked)
def test_a_file_whose_title_was_not_asked_for_has_no_grade_and_says_why(why: NotAsked) -> None:
    left = PackFile(seen("Sintel.2010.mkv", Identity(Grade.E, None)).file, (), why)
    told = file_facts("Sintel.2010.mkv", 1, left, ())
    assert (told.grade, told.work, told.reads_as) == (None, None, "Sintel (2010)")
    assert told.open == why.value


def test_a_name_is_read_after_its_owners_words() -> None:
    words = words_from(["replace: Durian => Sintel.2010"])
    held = seen("x", Identity(Grade.E, None))
    assert file_facts("a/Durian.mkv", 1, held, words).reads_as == "Sintel (2010)"


def test_what_was_not_identified_is_told_by_its_path_and_danger() -> None:
    told = file_facts("a/\u202esetup.exe", 5, None, ())
    assert told.danger
    assert told.model_dump(exclude_none=True).keys() == {"path", "size_mb", "danger"}
    assert "\u202e" not in told.path


def test_only_as_many_files_are_told_as_there_is_room() -> None:
    files = [file_facts(f"{number}.srt", 1, None, ()) for number in range(100)]
    assert len(fitting(files, 1_000_000)) == FILES_SHOWN
    some = fitting(files, 500)
    assert 0 < len(some) < FILES_SHOWN
    assert sum(len(each.model_dump_json(exclude_none=True)) for each in some) <= 500
    assert fitting(files, 0) == []

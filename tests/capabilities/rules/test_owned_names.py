from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.owned_names import owned_identity, owned_name, owned_path
from capabilities.rules.policy_json import from_json
from tests.capabilities.rules.shelf import PIONEER, SINTEL


def policy(**body: list[str]) -> IdentityPolicy:
    return from_json(IdentityPolicy, body)


def test_without_words_a_name_is_read_as_it_is() -> None:
    owned = owned_name("Sintel.2010.1080p", ())
    assert (owned.name.title, owned.name.text) == ("Sintel", "Sintel.2010.1080p")
    assert owned_identity(owned, {}, [SINTEL], policy()).grade is Grade.B


def test_the_owners_words_come_first() -> None:
    held = policy(words=["replace: Durian => Sintel"])
    owned = owned_name("Durian.2010.1080p", held.words)
    assert owned.name.title == "Sintel"
    assert len(owned.reworded.hits) == 1


def test_a_forced_work_is_certain_whatever_else_speaks() -> None:
    held = policy(words=["force: Anything => tmdb:film:45745"])
    owned = owned_name("Anything.1994.1080p", held.words)
    identity = owned_identity(owned, {"tmdb": "1"}, [PIONEER, SINTEL], held)
    assert (identity.grade, identity.work) == (Grade.A, SINTEL)
    assert owned_identity(owned, {}, [PIONEER], held).work is None


def test_a_forced_season_and_episode_stand_in_the_name() -> None:
    held = policy(words=["force: Anything => tmdb:series:4711 season 2"])
    name = owned_name("[G] Anything - 01 [720p]", held.words).name
    assert (name.seasons, name.episodes, name.absolute_episodes) == ((2,), (1,), ())


def test_the_owners_offsets_take_a_contradiction_away() -> None:
    owned = owned_name("Pioneer.One.2010.S03E01.720p", ())
    assert owned_identity(owned, {}, [PIONEER], policy()).grade is Grade.C
    held = policy(offsets=["tmdb:series:4711 S03E01 = S02E01"])
    assert owned_identity(owned, {}, [PIONEER], held).grade is Grade.B


def test_in_a_path_the_owners_words_come_first_in_each_part() -> None:
    words = policy(words=["replace: Durian => Sintel", "force: Extra => tmdb:film:1"]).words
    owned = owned_path("/films/Durian (2010)/Durian.1080p.mkv", words)
    assert owned.reworded.text == "/films/Sintel (2010)/Sintel.1080p.mkv"
    assert (owned.name.title, owned.name.year, len(owned.reworded.hits)) == ("Sintel", 2010, 2)

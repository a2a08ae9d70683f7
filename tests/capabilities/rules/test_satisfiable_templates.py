import pytest

from capabilities.rules.naming import PRESETS, Naming, NamingPreset, Templates
from capabilities.rules.organize_policy import OrganizePolicy
from capabilities.rules.policy_json import from_json, to_json
from capabilities.rules.problems import Problem, UnsatisfiableError
from capabilities.rules.satisfiable_templates import template_problems


def problems(field: str, template: str) -> tuple[Problem, ...]:
    return template_problems(Naming(NamingPreset.PLEX, Templates(**{field: template})))


@pytest.mark.parametrize("preset", NamingPreset)
def test_an_owner_may_write_what_a_preset_says(preset: NamingPreset) -> None:
    own = Templates(**{named.value: text for named, text in PRESETS[preset].items()})
    assert template_problems(Naming(preset, own)) == ()


@pytest.mark.parametrize(
    ("field", "template"),
    [
        ("episode_file", "{title} - S{season:02}E{episode:02}< - {episode_title}>"),
        ("episode_file", "{title} {season}x{episode:02}"),
        ("episode_file", "{title} - {episode_code}< [{air_date}]>"),
        ("daily_file", "{title}< - {air_date}>< - {episode_title}>"),
        ("anime_file", "{title} - {episode_code}< - {absolute:03}>< - {episode_title}>"),
        ("film_file", "{title_the}< ({year})>< [{imdb}]>< [{audio}]>< [{languages}]>"),
        ("film_file", "{clean_title}< ({year})>< - {original_name}>"),
        ("film_folder", "{title}< ({year})>< [tvdbid-{tvdb}]>"),
        ("season_folder", "Staffel {season}"),
        ("specials_folder", "Specials"),
    ],
)
def test_a_template_that_servers_read_is_taken(field: str, template: str) -> None:
    assert problems(field, template) == ()


@pytest.mark.parametrize(
    ("field", "template", "why"),
    [
        ("episode_file", "{tittle} {episode_code}", '"tittle" is no token'),
        ("film_file", "{title} {episode_code}", '"episode_code" is no token'),
        ("episode_file", "{title", "not closed"),
        ("episode_file", "{title:02} {episode_code}", "no number"),
        ("film_folder", "{title} ({year})", "would leave a gap"),
        ("episode_file", "{title}/{episode_code}", "no name can hold '/'"),
        ("film_file", "{title}: cut", "no name can hold ':'"),
        ("episode_file", "{title}< - {episode_title}>", "tells one episode from another"),
        ("episode_file", "{title} E{episode:02}", "only behind its season"),
        ("film_file", "Film< ({year})>", "lacks the title"),
        ("film_folder", "{title}", "two works of one title"),
        ("series_folder", "{title}", "two works of one title"),
        ("season_folder", "Season", "all seasons would share a folder"),
        ("specials_folder", "Extras", "not read as that of season 0"),
        ("season_folder", "Nr {season}", "not read as that of season"),
        ("episode_file", "{title} - {episode_code}< - {air_date}>", "as a range of episodes"),
        ("episode_file", "{title} - {episode_code}-{season}", "as a range of episodes"),
        ("episode_file", "{title} - {episode_code}<-{episode_title}>", "as a range of episodes"),
        ("episode_file", "{title} {episode_code} S{season:02}E{episode:02}", "episode twice"),
        ("episode_file", "<{absolute:03} - >{title} - {episode_code}", "the bare number"),
        ("anime_file", "{title}< - {absolute:03}>", "the bare number"),
        ("episode_file", f"{{title}} {'x' * 150} {{episode_code}}", "is read as season"),
        ("episode_file", "{title}< - {episode_code} [{air_date}]>", "read as season"),
        ("anime_file", "{title}< - {episode_code} - {absolute}>", "read as season"),
        ("daily_file", "{title}<{year}>", "tells one episode from another"),
    ],
)
def test_a_template_whose_names_would_mislead_is_refused_with_field_and_cure(
    field: str, template: str, why: str
) -> None:
    (problem, *_) = problems(field, template)
    assert why in problem.why
    assert problem.field == f"templates.{field}"
    assert problem.cure


@pytest.mark.parametrize(
    "template",
    ["{title} - {episode_code}-{season}", "<{absolute:03} - >{title} - {episode_code}"],
    ids=["arr-53 digits behind", "arr-53 number in front"],
)
def test_a_policy_with_such_a_template_cannot_be_saved(template: str) -> None:
    with pytest.raises(UnsatisfiableError, match=r"templates\.episode_file"):
        OrganizePolicy(templates=Templates(episode_file=template))


def test_templates_survive_their_json_and_are_changed_one_by_one() -> None:
    policy = OrganizePolicy(templates=Templates(specials_folder="Specials"))
    body = to_json(policy)
    assert body["templates"]["specials_folder"] == "Specials"
    assert body["templates"]["film_file"] is None
    assert from_json(OrganizePolicy, body) == policy
    assert from_json(OrganizePolicy, {"templates": {}}) == OrganizePolicy()


def test_a_template_for_nothing_is_refused_by_its_name() -> None:
    with pytest.raises(UnsatisfiableError, match=r"templates\.film"):
        from_json(OrganizePolicy, {"templates": {"film": "{title}"}})

"""What the works of the loopback metadata server are made of: titles, episodes, other orders."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

Json = Mapping[str, object]


class Part(BaseModel):
    """A piece of `works.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class CountryTitle(Part):
    """A title by country."""

    iso_3166_1: str
    title: str
    type: str = ""


class Words(Part):
    """A translation; what is empty is as in the original."""

    iso_639_1: str
    iso_3166_1: str
    title: str = ""
    overview: str = ""


class KnownEpisode(Part):
    """An episode; an empty date is one that nobody knows yet."""

    episode_number: int
    name: str
    air_date: str
    runtime: int | None


class KnownSeason(Part):
    """A season with its episodes."""

    season_number: int
    name: str
    air_date: str
    episodes: tuple[KnownEpisode, ...]


class GroupedEpisode(Part):
    """An episode in an order, by its season and number."""

    season_number: int
    episode_number: int


class KnownGroup(Part):
    """A part of an order."""

    name: str
    order: int
    episodes: tuple[GroupedEpisode, ...]


class KnownOrder(Part):
    """An episode group: another order of a series' episodes."""

    id: str
    name: str
    type: int
    groups: tuple[KnownGroup, ...]

    def row(self) -> Json:
        """As in `/tv/{id}/episode_groups`."""
        count = sum(len(group.episodes) for group in self.groups)
        return {
            **self.model_dump(exclude={"groups"}),
            "description": "",
            "episode_count": count,
            "group_count": len(self.groups),
            "network": None,
        }

    def details(self) -> Json:
        """As `/tv/episode_group/{id}`; the parts come in no order of theirs."""
        parts = [
            {
                "id": f"{self.id}{group.order}",
                "name": group.name,
                "order": group.order,
                "locked": True,
                "episodes": [
                    {**episode.model_dump(), "order": order}
                    for order, episode in enumerate(group.episodes)
                ],
            }
            for group in reversed(self.groups)
        ]
        return {**self.row(), "groups": parts}


class KnownCollection(Part):
    """A collection of films."""

    id: int
    name: str
    films: tuple[int, ...]

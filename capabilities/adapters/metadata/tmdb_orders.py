"""TMDB's episode groups as orders (https://developer.themoviedb.org/reference/tv-episode-group-details)."""

from typing import Final

from capabilities.adapters.metadata.tmdb_answers import EpisodeGroupDetails
from capabilities.rules.episode_orders import EpisodeOrder, OrderGroup, OrderKind, Place

KINDS: Final = {
    1: OrderKind.AIRED,
    2: OrderKind.ABSOLUTE,
    3: OrderKind.DVD,
    4: OrderKind.DIGITAL,
    5: OrderKind.STORY,
    6: OrderKind.PRODUCTION,
    7: OrderKind.TV,
}


def order_from(details: EpisodeGroupDetails) -> EpisodeOrder:
    """An order, its groups and their episodes in the sequence that TMDB numbers them in."""
    groups = sorted(details.groups, key=lambda group: group.order)
    return EpisodeOrder(
        source="tmdb",
        id=details.id,
        kind=KINDS[details.type],
        title=details.name,
        groups=tuple(
            OrderGroup(
                number=group.order,
                title=group.name,
                places=tuple(
                    Place(each.season_number, each.episode_number)
                    for each in sorted(group.episodes, key=lambda each: each.order)
                    if each.season_number >= 0 and each.episode_number >= 0
                ),
            )
            for group in groups
        ),
    )

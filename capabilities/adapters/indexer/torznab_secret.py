"""Keeping an indexer's key out of what it says: links and guids carry it, tables must not."""

from dataclasses import replace

from capabilities.rules.found import Found

PLACEHOLDER = "{matinee:api-key}"


def without_key(found: Found, key: str) -> Found:
    """The offer with a placeholder wherever the key stood in an address."""
    if not key:
        return found
    return replace(
        found,
        guid=found.guid.replace(key, PLACEHOLDER),
        link=None if found.link is None else found.link.replace(key, PLACEHOLDER),
        magnet=None if found.magnet is None else found.magnet.replace(key, PLACEHOLDER),
    )


def with_key(found: Found, key: str) -> Found:
    """The offer as the indexer made it, for the moment of fetching."""
    link = None if found.link is None else found.link.replace(PLACEHOLDER, key)
    return replace(found, link=link)

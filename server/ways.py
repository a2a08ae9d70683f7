"""The ways out to other systems: an open one, and one for those whose key does not open."""

from collections.abc import Collection
from dataclasses import dataclass

from pydantic import SecretStr

from capabilities.adapters.outbound import Outbound


@dataclass(frozen=True, slots=True)
class Ways:
    """Which way a system is asked.

    Attributes:
        opened: sends.
        closed: sends nothing and says why.
        shut: names of the secrets that are sealed and do not open.
    """

    opened: Outbound
    closed: Outbound
    shut: Collection[str] = ()

    def lacks(self, key: SecretStr | None, name: str) -> bool:
        """Whether the settings hold no key, and the sealed one of this name does not open."""
        return key is None and name in self.shut

    def out(self, key: SecretStr | None, name: str) -> Outbound:
        """The way to whoever wants this key."""
        return self.closed if self.lacks(key, name) else self.opened

"""The one place where time and chance come from."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """Wall time for people and a monotonic clock for decisions; tests pass their own."""

    now: Callable[[], datetime] = _utc_now
    monotonic: Callable[[], float] = time.monotonic


def new_id(prefix: str) -> str:
    """A fresh identity like ``plan_3f9c…``: 128 random bits, so it can serve as a handle."""
    return f"{prefix}_{secrets.token_hex(16)}"


def new_token() -> str:
    """A fencing token or a secret to hand out once: 256 random bits, URL-safe."""
    return secrets.token_urlsafe(32)

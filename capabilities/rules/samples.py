"""Whether a video is a sample by how long it lasts."""

from typing import Final

_LIMITS: Final = ((3, 15.0), (10, 90.0), (30, 300.0))
"""Minutes of a whole one, and seconds below which a video is a sample of it."""
_OTHERWISE_S: Final = 600.0


def sample_limit_s(minutes: int) -> float:
    """Seconds below which a video is a sample of what lasts so long."""
    return next((limit for most, limit in _LIMITS if minutes <= most), _OTHERWISE_S)


def sample_problem(duration_s: float | None, minutes: int | None) -> str | None:
    """Why a video is a sample, as a sentence; None where it is none, or nobody can say.

    Args:
        duration_s: of the video; None where it is not known, 0 where it holds nothing.
        minutes: of the film, or of the file's own episodes together; None where it is not known,
            as for most specials.
    """
    if duration_s is None or minutes is None or duration_s >= sample_limit_s(minutes):
        return None
    return f"it is a sample: it lasts {duration_s:.0f} s where {minutes} min are expected"

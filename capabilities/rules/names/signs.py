"""The punctuation of names: brackets, dashes and separators, East Asian forms included."""

from typing import Final

ROUND_OPENING: Final = "(\uff08"
SQUARE_OPENING: Final = "[{\uff3b\u3010\u300c\u300e\u3014\u300a"
ROUND_CLOSING: Final = ")\uff09"
SQUARE_CLOSING: Final = "]}\uff3d\u3011\u300d\u300f\u3015\u300b"
OPENING: Final = ROUND_OPENING + SQUARE_OPENING
CLOSING: Final = ROUND_CLOSING + SQUARE_CLOSING
BRACKETS: Final = OPENING + CLOSING

DASHES: Final = "-\u2010\u2011\u2013\u2014"
TILDES: Final = "~\u301c\uff5e"
BARS: Final = "|\uff5c"
COMMAS: Final = ",;\uff0c\u3001"
ORNAMENTS: Final = "\u2605\u2606\u2022\u00b7="
QUOTES: Final = "'\"`\u2018\u2019\u201c\u201d"
TIMES: Final = "x\u00d7"

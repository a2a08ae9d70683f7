"""Words around season and episode numbers, and folders that name no work."""

from typing import Final

from capabilities.rules.names.tables.rows import word_set

SEASON_WORDS: Final = word_set(
    "season seasons saison saisons staffel temporada temporadas tem stagione stagioni seizoen"
    " сезон сезоны сезони sezon sezonul sæson säsong sesong évad kausi sezóna série"
)
NUMBERED_SEASON_WORDS: Final = word_set("series se ser seas temp")
"""Words that speak of a season only in front of its number."""
PLURAL_SEASON_WORDS: Final = word_set("seasons saisons temporadas stagioni сезоны")
EPISODE_WORDS: Final = word_set(
    "episode episodes ep eps episodio episodios episódio épisode épisodes folge afl aflevering"
    " серия серии серій эпизод odc odcinek avsnitt"
)
COUNTED_EPISODE_WORDS: Final = word_set(
    "серия серии серий bolum bölüm bolüm blm epizoda rész эпизод"
)
"""Words that stand behind the number of an episode."""
CHAPTER_WORDS: Final = word_set("cap capitulo capítulo")
RANGE_WORDS: Final = word_set("to a à bis thru")
LIST_WORDS: Final = word_set("& + and et und en y e")
OF_WORDS: Final = word_set("of из iz z von de")
ORDINALS: Final = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
}
ORDINAL_ENDINGS: Final = word_set("й я ый ий ой ая \u0433\u043e st nd rd th")
ROMANS: Final = {
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10,
    "\u2170": 1, "\u2171": 2, "\u2172": 3, "\u2173": 4, "\u2174": 5,
    "\u2175": 6, "\u2176": 7, "\u2177": 8, "\u2178": 9, "\u2179": 10,
}  # fmt: skip
NUMBER_WORDS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "un": 1, "deux": 2, "trois": 3,
}  # fmt: skip
PART_WORDS: Final = word_set("part parts pt parte partie teil")
VOLUME_WORDS: Final = word_set("vol volume")
ENDINGS: Final = word_set("完 end fin final 完结 完結 batch 合集 全集")
SUBTITLE_WORDS: Final = word_set(
    "sub subs subbed subtitle subtitles subtitled subtitulado softsubs st"
    " legendado legendas legenda subforced"
)
SHELVES: Final = word_set(
    "movies movie films film tv tvshows shows series video videos media downloads download complete"
    " completed anime bangumi share sample samples subs subtitles extras temp tmp mnt data"
    " postprocessing season seasons specials featurettes bonus mkv avi mp4"
)
"""Folders that sort files and say nothing about them."""
SUBTITLE_SUFFIXES: Final = word_set("srt ass ssa sub idx sup vtt smi")
OTHER_SUFFIXES: Final = SUBTITLE_SUFFIXES | word_set(
    "nfo txt jpg jpeg png gif webp rar zip 7z tar gz arj r00 nzb torrent part par2 sfv"
)
"""Suffixes of files that are no videos and stand beside them."""

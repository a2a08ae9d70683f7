"""Words around season and episode numbers, and folders that name no work."""

from typing import Final

from capabilities.rules.names.tables.rows import word_set

SEASON_WORDS: Final = word_set(
    "season seasons saison saisons staffel temporada temporadas stagione seizoen сезон sezon"
)
EPISODE_WORDS: Final = word_set(
    "episode episodes ep eps episodio episódio épisode folge afl серия серии эпизод odc"
)
CHAPTER_WORDS: Final = word_set("cap capitulo capítulo")
RANGE_WORDS: Final = word_set("to a bis thru")
LIST_WORDS: Final = word_set("& + and et und")
ORDINALS: Final = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
}
ENDINGS: Final = word_set("完 end fin final 完结 完結 batch")
SUBTITLE_WORDS: Final = word_set("sub subs subbed subtitle subtitles subtitled")
SHELVES: Final = word_set(
    "movies movie films film tv tvshows shows series video videos media downloads download complete"
    " completed anime bangumi share sample samples subs subtitles extras temp tmp mnt data"
    " postprocessing season seasons specials"
)
"""Folders that sort files and say nothing about them."""
OTHER_SUFFIXES: Final = word_set(
    "srt ass ssa sub idx sup vtt nfo txt jpg jpeg png gif webp rar zip 7z tar gz arj r00 nzb"
    " torrent part par2 sfv"
)
"""Suffixes of files that are no videos and stand beside them."""

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
ALL_WORDS: Final = word_set("all full complete todas tutte toutes alle все")
EPISODE_WORDS: Final = word_set(
    "episode episodes ep eps episodio episodios episódio épisode épisodes folge afl aflevering"
    " серия серии серій эпизод odc odcinek avsnitt"
)
COUNTED_EPISODE_WORDS: Final = word_set(
    "серия серии серий seriya seriia serija serya serii bolum bölüm bolüm blm epizoda rész эпизод"
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
ENDINGS: Final = word_set("完 end fin final 完结 完結 batch 合集 全集 全 全话 全話 全部")
ADDITIONS: Final = word_set("sp sps special specials ova ovas oad oads ona 特典 番外 剧场版 劇場版")
"""What packs hold besides their episodes: ``01-12+SP``."""
SUBTITLE_WORDS: Final = word_set(
    "sub subs subbed subtitle subtitles subtitled subtitulado softsubs st"
    " legendado legendas legenda subforced"
)
_EASTERN_KINDS: Final = word_set(
    "电影 電影 影片 电视剧 電視劇 剧集 劇集 剧 连续剧 短剧 动漫 動漫 动画 動畫 动画片 番剧 番劇"
    " 动画电影 综艺 綜藝 纪录片 紀錄片"
    " 映画 洋画 邦画 アニメ アニメ映画 ドラマ バラエティ ドキュメンタリー 영화 드라마 애니"
    " 애니메이션 예능 다큐멘터리"
)
_EASTERN_ORIGINS: Final = word_set(
    "国产 國產 华语 華語 中国 大陆 内地 港台 香港 台湾 外语 外国 海外 欧美 歐美 美国 英国 日本 日韩"
    " 日韓 韩国 韓国 亚洲 国内 国语 粤语 经典 儿童 한국 해외 일본"
)
_EASTERN_SHELVES: Final = word_set(
    "下载 下載 已下载 下载完成 正在下载 完成 已完成 完结 完結 已完结 连载 連載 连载中 未分类 未分類"
    " 其他 其它 媒体 媒體 媒体库 视频 視頻 影视 影視 影音"
    " 美剧 英剧 日剧 韩剧 国剧 港剧 台剧 国漫 日漫 美漫 日番 国番 新番 旧番 儿童 少儿 特典 花絮"
    " 字幕 合集 收藏"
    " ダウンロード 完了 動画 ビデオ 未分類 放送中 特撮 다운로드 완결 방영중 비디오 자막"
)
LIBRARIES: Final = (
    word_set("movies films tvshows shows series anime bangumi")
    | _EASTERN_KINDS
    | {origin + kind for origin in _EASTERN_ORIGINS for kind in _EASTERN_KINDS}
)
"""Folders that hold the works of one kind, so that no folder above them names a work."""
SHELVES: Final = (
    word_set(
        "movie film tv video videos media downloads download complete completed share sample"
        " samples subs subtitles extras temp tmp mnt data postprocessing season seasons specials"
        " featurettes bonus mkv avi mp4"
    )
    | _EASTERN_SHELVES
    | LIBRARIES
)
"""Folders that sort files and say nothing about them, by kind, by origin and kind, or by state."""
SUBTITLE_SUFFIXES: Final = word_set("srt ass ssa sub idx sup vtt smi")
OTHER_SUFFIXES: Final = SUBTITLE_SUFFIXES | word_set(
    "nfo txt jpg jpeg png gif webp rar zip 7z tar gz arj r00 nzb torrent part par2 sfv"
)
"""Suffixes of files that are no videos and stand beside them."""

"""Names of sites and marks of reposters, which stand around a release name."""

from typing import Final

from capabilities.rules.names.tables.rows import word_set

DOMAINS: Final = word_set(
    "com org net to cc me info tv io fi eu se nl uk ru ws li ag pro vip club xyz mx biz in is it"
    " pl ro fr es de lt cx re nu tel la link top site live fun pw gs st ca au hu za cz dk no hair"
    " im rs am bz"
)
SITES: Final = word_set(
    "rarbg rartv tgx eztv eztvx ettv publichd yts yify torrentcounter glotv glodls"
    " torrentgalaxy cttv katmoviehd tamilmv tamilrockers oxtorrent torrent9 1337x"
)
HOUSES: Final = word_set("yts yify")
"""Sites that release under their own name."""
REPOSTS: Final = word_set(
    "postbot obfuscated obfuscation repackpost nzbgeek z0ids3n asrequested whiterev buymore xpost"
    " scrambled chamele0n gerov sample pre rp 4p 4planet altezachen alternativetorequested"
)
"""Suffixes that posters hang behind a group's name."""
UMBRELLAS: Final = word_set("taoe qxr utr")
"""Names under which several encoders release; the encoder's own name stands in front."""
COMPOUNDS: Final = word_set("man men woman women boy girl day")
"""Words that end a hyphened title rather than follow a group."""
BY_WORDS: Final = word_set("by par from por")
"""Words in front of whoever made or spread a release."""

"""Spellings that are tags without being facts of ours: networks, scene words."""

from capabilities.rules.names.tables.rows import row, weak
from capabilities.rules.names.vocabulary import Field

ROWS = (
    row(
        "amzn nflx dsnp hmax atvp pcok pmtp cruncyroll crunchyroll hulu dsny dcu stan aptv itunes"
        " abematv b-global bglobal baha viutv linetv kktv hidive adn funi wakanim vrv bilibili",
        (Field.NETWORK, "yes"),
    ),
    weak(
        "nf amazon netflix hbo max cr ma ip red now atv disney disney+ peacock paramount+"
        " paramount starz showtime sho roku tubi vudu iqiyi friday mytvsuper bbc itv abc cbs nbc"
        " fox fx cw starz+ all4 my5 crav crkl hotstar jc zee5 sonyliv aha hs yt tvnz cbc ptv skst"
        " sky skygo rte cntv hunantv mgtv youku wetv tving wavve vix canal+ movistar+",
        (Field.NETWORK, "yes"),
    ),
    weak(
        "internal int readnfo read-nfo nfofix nfo-fix dirfix samplefix sample-fix retail dubbed dub"
        " subbed subs sub softsub softsubs hardsub hardsubs hardcoded hc sync line md ld dl ml dual"
        " 2audio 3audio 2audios hybrid ws fs widescreen fullscreen oar colorized hq"
        " lq upscaled upscale ai-upscaled 60fps 50fps 30fps 24fps 25fps 23-976fps hfr 3d half-sbs"
        " hsbs h-sbs sbs half-ou hou h-ou hdlight mhd 1audio 4audio 5audio 6audio pal ntsc mux"
        " muxed rip hdd hd sd raw raws nfo obfuscated extras bonus disc disk subpack sample qc crf"
        " vfr encode reencode opt batch season-pack pack tvpack box boxset mini-series miniseries"
        " ost ova oad ona movie the-movie 劇場版 剧场版 untouched custom"
        " lossless uncompressed cd1 cd2 cd3 diy 24-bit 16-bit 24bit 16bit 高码 高码率"
        " 无水印 nordisub v-ost",
        (Field.OTHER, "yes"),
    ),
)

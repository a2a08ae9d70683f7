"""Spellings that are tags without naming a quality: scene words, shapes, part and extra marks."""

from capabilities.rules.names.tables.rows import row, weak
from capabilities.rules.names.vocabulary import Field

_YES = "yes"

ROWS = (
    weak(
        "subtitle subtitles subtitled subtitulado"
        " internal int readnfo read-nfo nfofix nfo-fix dirfix samplefix sample-fix retail"
        " sub subs subbed softsub softsubs sync line md ld dual preair dxva dxva2"
        " 2audio 3audio 2audios hybrid ws fs widescreen fullscreen oar colorized hq"
        " lq upscaled upscale ai-upscaled 60fps 50fps 30fps 24fps 25fps 23-976fps hfr"
        " hdlight mhd 1audio 4audio 5audio 6audio pal ntsc mux"
        " muxed rip hdd hd sd raw raws nfo obfuscated bonus disc disk subpack sample qc crf"
        " vfr encode reencode opt batch season-pack pack tvpack box boxset mini-series miniseries"
        " ost ova oad ona movie the-movie untouched custom audio audios doku docu documentary"
        " lossless uncompressed cd1 cd2 cd3 diy 24-bit 16-bit 24bit 16bit 高码 高码率 高码版"
        " 无水印 nordisub v-ost audiopack digital kino rental exclusive uncompressed-audio"
        " line-audio mvo dvo avo vo profile bt2020 madvr kbps regraded extras-only print"
        " airing coffret re-enc re-encoded re-encode subforced stv nordic dual-subtitulos"
        " subtitulos",
        (Field.OTHER, _YES),
    ),
    weak(
        "3d half-sbs hsbs h-sbs sbs full-sbs fsbs half-ou hou h-ou full-ou side-by-side sidebyside"
        " half-sidebyside overunder half-overunder half-over-under mvc",
        (Field.THREE_D, _YES),
    ),
    weak("dl", (Field.OTHER, "dl")),
    weak("ml", (Field.OTHER, "ml")),
    row("vr180 vr360 vr-180 vr-360", (Field.OTHER, _YES)),
    weak(
        "dubbed dub dubs fandub fan-dub dubbing",
        (Field.DUBBED, _YES),
    ),
    weak("hc hardsub hardsubs hardcoded hardsubbed", (Field.HARDCODED, _YES)),
    weak("extras", (Field.EXTRA, "extras")),
    row("ncop nced ncop1 ncop2 nced1 nced2 creditless", (Field.EXTRA, "credits")),
)

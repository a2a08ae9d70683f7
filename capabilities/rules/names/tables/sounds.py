"""Spellings of audio codecs and channels."""

from capabilities.rules.names.tables.rows import row, weak
from capabilities.rules.names.vocabulary import AudioCodec, Field

_A, _C = Field.AUDIO, Field.CHANNELS

ROWS = (
    row("aac heaac he-aac qaac aac-lc aaclc he-aacv2", (_A, AudioCodec.AAC)),
    row("ac3 ac-3 ac3d dolby-digital dolbydigital dolbyd ddex dd-ex dd", (_A, AudioCodec.AC3)),
    row(
        "eac3 e-ac3 e-ac-3 eac-3 ddp dd+ ddplus dd-plus ddp+ dolby-digital-plus eac3d",
        (_A, AudioCodec.EAC3),
    ),
    row("ddpa ddp-a ddp-atmos dd-atmos ddpatmos", (_A, AudioCodec.EAC3), (_A, AudioCodec.ATMOS)),
    weak("atmos", (_A, AudioCodec.ATMOS)),
    row("dolby-atmos dolbyatmos dda", (_A, AudioCodec.ATMOS)),
    row("truehd true-hd dolby-truehd", (_A, AudioCodec.TRUEHD)),
    row("truehdatmos truehd-atmos", (_A, AudioCodec.TRUEHD), (_A, AudioCodec.ATMOS)),
    row("dts", (_A, AudioCodec.DTS)),
    row("dts-es dtses", (_A, AudioCodec.DTS_ES)),
    row(
        "dts-hd dtshd dts-ma dtsma dts-hd-ma dts-hdma dtshdma dtshd-ma dts-hd-hra dts-hd-hr dts-hra"
        " dts-hdhra dtshd-hra dtsmad dtshdd dts-hd-hi-res dts-hd-master dts-hd-master-audio hd-ma",
        (_A, AudioCodec.DTS_HD),
    ),
    row("dts-x dtsx dts:x", (_A, AudioCodec.DTS_X)),
    row("flac flac2", (_A, AudioCodec.FLAC)),
    weak("opus", (_A, AudioCodec.OPUS)),
    row("vorbis ogg", (_A, AudioCodec.VORBIS)),
    row("mp2", (_A, AudioCodec.MP2)),
    row("mp3 lame", (_A, AudioCodec.MP3)),
    row("lpcm pcm l-pcm", (_A, AudioCodec.PCM)),
    row("alac", (_A, AudioCodec.ALAC)),
    row("wma", (_A, AudioCodec.WMA)),
    weak("5-1 5-1ch 6ch 6chan", (_C, "5.1")),
    weak("7-1 7-1ch 8ch", (_C, "7.1")),
    weak("2-0 2-0ch 2ch stereo", (_C, "2.0")),
    weak("1-0 1ch mono", (_C, "1.0")),
    weak("2-1", (_C, "2.1")),
    weak("5-0", (_C, "5.0")),
    weak("6-1", (_C, "6.1")),
    weak("6-0", (_C, "6.0")),
    weak("4-0", (_C, "4.0")),
)

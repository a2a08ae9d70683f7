"""Spellings of languages, as BCP 47 tags; ``mul`` says several without saying which."""

from capabilities.rules.names.tables.rows import Row, faint, row, weak
from capabilities.rules.names.vocabulary import Field

SPELLINGS = {
    "mul": "multi multi-lang multilang multi-language multilingual dual-lang dual-language",
    "en": "english eng engl ingles inglês inglés anglais 英语 英語",
    "de": "german ger deu deutsch swissgerman",
    "fr": "french fre fra francais français vff vf vfq vf2 vfi vof truefrench 法语",
    "es": "spanish spa esp espanol español castellano castilian espanol-castellano"
    " español-castellano",
    "es-419": "latino latinoamericano latin-spanish latin-american spanish-latino"
    " spanish-latin-america spanish-latin spanish-latam latam es-la español-latino"
    " espanol-latino latin-american-es latin-american-spa",
    "it": "italian ita italiano",
    "pt": "portuguese por portugues português portuguesa pt-pt dublado",
    "pt-br": "brazilian dublado-br pt-br ptbr por-br portuguese-br portuguese-brazil"
    " portuguese-brazilian brazilian-portuguese português-br",
    "ru": "russian rus russkij",
    "uk": "ukrainian ukr",
    "pl": "polish pol lektor lektor-pl lektorpl lekpl plk pldub dubpl dubbing-pl pl-dub dub-pl",
    "cs": "czech cze ces cesky",
    "sk": "slovak slk slo",
    "hu": "hungarian hun hundub",
    "ro": "romanian rum ron rom rodubbed rodub ro-dubbed",
    "bg": "bulgarian bul bgaudio bg-audio",
    "el": "greek gre ell",
    "tr": "turkish tur turkce türkçe",
    "sv": "swedish swe svensk",
    "no": "norwegian nor norsk bokmal bokmål nob nynorsk nno",
    "da": "danish dan dansk",
    "fi": "finnish fin-audio suomi",
    "is": "icelandic ice",
    "nl": "dutch dut nld nederlands",
    "nl-be": "flemish vlaams",
    "he": "hebrew heb hebdub heb-dub hebdubbed",
    "ar": "arabic ara arab",
    "fa": "persian farsi",
    "hi": "hindi hin",
    "ta": "tamil tam",
    "te": "telugu tel",
    "ml": "malayalam mal",
    "kn": "kannada kan",
    "bn": "bengali ben bangla",
    "mr": "marathi",
    "pa": "punjabi",
    "gu": "gujarati",
    "ur": "urdu",
    "zh": "chinese chi zho mandarin 国语 國語 中文 国配 中配",
    "yue": "cantonese 粤语 粵語",
    "ja": "japanese jpn jap 日语 日語",
    "ko": "korean kor 韩语 韓語",
    "th": "thai tha",
    "vi": "vietnamese vie",
    "id": "indonesian",
    "ms": "malay",
    "tl": "tagalog filipino",
    "ca": "catalan catala català cat",
    "eu": "basque euskera",
    "gl": "galician gallego",
    "lv": "latvian lav",
    "lt": "lithuanian lit",
    "et": "estonian est",
    "sl": "slovenian slv slosinh",
    "hr": "croatian hrv",
    "sr": "serbian srp",
    "bs": "bosnian",
    "mk": "macedonian",
    "sq": "albanian",
    "ka": "georgian geo",
    "hy": "armenian",
    "az": "azerbaijani",
    "uz": "uzbek uzbekistan uzb",
    "kk": "kazakh",
    "be": "belarusian",
    "mn": "mongolian",
    "af": "afrikaans",
    "rm": "romansh romansch",
    "ga": "irish gaelic",
    "cy": "welsh cymraeg",
}

CODES = {
    "en": "en",
    "de": "de",
    "fr": "fr",
    "es": "es",
    "it": "it",
    "pt": "pt",
    "pt-br": "br",
    "ru": "ru",
    "uk": "ua",
    "pl": "pl",
    "cs": "cz",
    "sk": "sk",
    "bg": "bg",
    "no": "no",
    "sv": "se sv",
    "da": "dk",
    "fi": "fi",
    "nl": "nl",
    "ja": "jp ja",
    "ko": "kr",
    "zh": "cn zh",
    "hi": "hi",
    "ta": "ta",
    "te": "te",
    "tr": "tr",
    "el": "gr",
    "hu": "hu",
    "ro": "ro",
    "lt": "lt",
    "lv": "lv",
    "ka": "ka",
}

SIGNS = {
    "英": "en", "日": "ja", "韩": "ko", "韓": "ko", "法": "fr", "德": "de", "俄": "ru", "西": "es",
    "意": "it", "葡": "pt", "泰": "th",
}  # fmt: skip
"""Languages by the one sign that Chinese words name them with."""
SPOKEN_SIGNS = {"国": "zh", "國": "zh", "台": "zh", "粤": "yue", "粵": "yue"}
WRITTEN_SIGNS = {"中": "zh", "简": "zh-hans", "簡": "zh-hans", "繁": "zh-hant"}

CERTAIN_SUBTITLES = {
    "fr": "vostfr subfrench vosta subfr frsub frsubs",
}
"""Words that mean nothing else."""

SUBTITLES = {
    "fr": "vost fastsub stfr",
    "en": "engsub engsubs ensub ensubs ensubbed engsubbed esub esubs"
    " eng-sub eng-subs english-sub english-subs subeng",
    "es": "vose subesp vos subspanish",
    "it": "subita itasub",
    "pt": "legendas legendado legenda leg",
    "nl": "nlsub nlsubs nlsubbed subbednl",
    "sv": "swesub swesubs svsub svsubs subsv swe-sub subswe",
    "da": "danishsubs dksub dksubs",
    "fi": "fisub finsub finsubs",
    "no": "norsub norsubs nosub",
    "ko": "korsub korsubs kor-sub hardkor",
    "he": "hebsub hebsubs",
    "ro": "rosub rosubbed rosubs",
    "pl": "plsub plsubs napisy",
    "hu": "hunsub hunsubs",
    "de": "subger gersub gersubs subgerman",
    "vi": "vietsub",
    "ru": "rusub russub rus-sub",
    "zh-hans": "chs gb 简体 简中 简体中文 简日双语 简体内嵌 简日内嵌 简日 简体双语",
    "zh-hant": "cht big5 tc-subs 繁体 繁體 繁中 繁體中文 繁日雙語 繁日双语 繁體內嵌 繁体内嵌 繁日",
    "zh": "中字 中文字幕 内嵌中字 简繁 简繁字幕 中英字幕 中英双字 字幕 双语 内封 内嵌 双字"
    " 简繁内封 简繁外挂 简繁日内封 简繁内封字幕 简繁日内封字幕 国语中字 简繁日 简繁双语 内嵌字幕",
    "mul": "multisub multisubs multi-sub multi-subs multiple-subtitle multiple-subs msubs",
}


MIXED = (
    weak(
        "dual-audio multi-audio multiaudio dualaudio dual-áudio triple-audio",
        (Field.LANGUAGE, "mul"),
        (Field.DUBBED, "yes"),
    ),
    weak("orig original", (Field.ORIGINAL, "yes")),
    weak("chs-jpn chs&jpn gb-jp gb&jp", (Field.SUBTITLE, "zh-hans"), (Field.SUBTITLE, "ja")),
    weak("cht-jpn cht&jpn big5-jp big5&jp", (Field.SUBTITLE, "zh-hant"), (Field.SUBTITLE, "ja")),
    weak("german-dubbed german-dub", (Field.LANGUAGE, "de"), (Field.DUBBED, "yes")),
    weak(
        "english-dub eng-dub english-dubbed engdub", (Field.LANGUAGE, "en"), (Field.DUBBED, "yes")
    ),
    weak("hindi-dubbed hindi-dub", (Field.LANGUAGE, "hi"), (Field.DUBBED, "yes")),
    weak(
        "hc-eng-sub hc-eng-subs hc-esub hc-esubs", (Field.SUBTITLE, "en"), (Field.HARDCODED, "yes")
    ),
)
"""Words that speak of more than one thing."""


def _rows() -> tuple[Row, ...]:
    spoken = (weak(words, (Field.LANGUAGE, tag)) for tag, words in SPELLINGS.items())
    codes = (faint(words, (Field.LANGUAGE, tag)) for tag, words in CODES.items())
    read = (row(words, (Field.SUBTITLE, tag)) for tag, words in CERTAIN_SUBTITLES.items())
    told = (weak(words, (Field.SUBTITLE, tag)) for tag, words in SUBTITLES.items())
    return (*spoken, *codes, *read, *told, *MIXED)


ROWS = _rows()

"""Works of reported cases, which several tests of identities speak about."""

from dataclasses import replace

from capabilities.rules.works import Season, Title, TitleKind, Work
from tests.capabilities.rules.shelf import film, series


def called(work: Work, *titles: str, kind: TitleKind = TitleKind.TRANSLATION) -> Work:
    return replace(work, titles=tuple(Title(text, kind) for text in titles))


def long(title: str, year: int, *sizes: int, number: str = "100") -> Work:
    seasons = tuple(Season(n, year + n - 1, size) for n, size in enumerate(sizes, start=1))
    return series(title, year, number, seasons=seasons)


HOME_ALONE_2 = film("Home Alone 2: Lost in New York", 1992, "772")
SERIES_772 = series("Kung Fu", 1972, "772")
PRESTIGE = film("The Prestige", 2006, "1124")
NEVERLAND = called(long("The Promised Neverland", 2019, 12, 11, number="83097"), "约定的梦幻岛")
NEVERLAND_FILM = called(film("The Promised Neverland", 2020, "83097"), "约定的梦幻岛")
WEATHERING = called(
    film("Weathering with You", 2019, "568160"), "天气之子", "天気の子", "Tenki no Ko"
)
PERFECT = replace(
    long("完美世界", 2021, 182, number="1"),
    titles=(Title("Perfect World", TitleKind.ALTERNATIVE),),
)
PERFECT_DRAMA = long("Perfect World", 2019, 10, number="2")
MASHLE = long("Mashle: Magic and Muscles", 2023, 24, number="204832")
JUJUTSU = long("Jujutsu Kaisen", 2020, 24, 23, number="95479")
RE_ZERO = long("Re:ZERO", 2016, 66, number="65942")
SWALLOWED = long("吞噬星空", 2020, 210, number="112886")
AFFAIRS = (
    film("Infernal Affairs", 2002, "10775"),
    film("Infernal Affairs II", 2003, "11647"),
    film("Infernal Affairs III", 2003, "11638"),
)
GHOSTS = (
    called(film("A Chinese Ghost Story", 1987, "30421"), "倩女幽魂"),
    called(film("A Chinese Ghost Story II", 1990, "37185"), "倩女幽魂Ⅱ：人间道"),
    called(film("A Chinese Ghost Story III", 1991, "25673"), "倩女幽魂3：道道道"),
)
TINTIN = film("The Adventures of Tintin", 2011, "17578")
TINTIN_1972 = called(film("Tintin and the Lake of Sharks", 1972, "21835"), "丁丁历险记")
SLAYER = long("Goblin Slayer", 2018, 12, 12, number="82591")
TENSEI = long("Mushoku Tensei", 2021, 23, 24, number="94664")
PEACH = called(long("Eternal Love", 2017, 58, number="70453"), "三生三世十里桃花")
PEACH_OTHER = called(long("Pillow Book", 2020, 56, number="98165"), "三生三世十里桃花之枕上书")

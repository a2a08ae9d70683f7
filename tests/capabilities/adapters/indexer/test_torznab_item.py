from datetime import UTC, datetime, timedelta, timezone
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capabilities.adapters.indexer.torznab_item import magnet_info_hash, read_item
from capabilities.rules.found import Found

HASH = "08ada5a7a6183aae1e09d831df6748d566095a10"
NAMES = ("size", "seeders", "tmdbid", "imdbid", "infohash", "tag", "downloadvolumefactor")


def item(body: str = "", *, title: str = "<title>A.Release</title>", handle: str = "") -> Element:
    handle = handle or "<link>https://i.example/1.torrent</link>"
    return fromstring(  # noqa: S314  written here
        '<item xmlns:torznab="http://torznab.com/schemas/2015/feed" '
        'xmlns:newznab="http://www.newznab.com/DTD/2010/feeds/attributes/">'
        f"{title}{handle}{body}</item>"
    )


def attr(name: str, value: str, prefix: str = "torznab") -> str:
    return f'<{prefix}:attr name="{name}" value="{value}"/>'


def read(body: str = "", *, handle: str = "") -> Found:
    found = read_item(item(body, handle=handle), "loopback")
    assert found is not None
    return found


def test_an_item_that_says_little_leaves_all_else_unknown() -> None:
    assert read() == Found(
        title="A.Release",
        indexer="loopback",
        guid="https://i.example/1.torrent",
        link="https://i.example/1.torrent",
    )


def test_an_item_that_says_everything_is_read_whole() -> None:
    found = read(
        "<guid>g1</guid><pubDate>Sun, 06 Jun 2010 17:29:23 +0100</pubDate>"
        "<category>2000</category><category>Movies</category>"
        + attr("category", "2000")
        + attr("category", "2040")
        + attr("size", "4294967296")
        + attr("seeders", "0")
        + attr("peers", "7")
        + attr("infohash", HASH.upper())
        + attr("magneturl", "magnet:?xt=urn:btih:" + HASH)
        + attr("downloadvolumefactor", "0")
        + attr("uploadvolumefactor", "2.0")
        + attr("tmdbid", "45745")
        + attr("imdbid", "tt1727587")
        + attr("tvdbid", "123")
    )

    assert found == Found(
        title="A.Release",
        indexer="loopback",
        guid="g1",
        link="https://i.example/1.torrent",
        magnet="magnet:?xt=urn:btih:" + HASH,
        info_hash=HASH,
        size=4294967296,
        seeders=0,
        peers=7,
        published=datetime(2010, 6, 6, 17, 29, 23, tzinfo=timezone(timedelta(hours=1))),
        categories=(2000, 2040),
        download_factor=0.0,
        upload_factor=2.0,
        flags=("freeleech", "double_upload"),
        external_ids={"tmdb": "45745", "imdb": "tt1727587", "tvdb": "123"},
    )


def test_newznabs_prefix_and_spelling_are_read_too() -> None:
    found = read(attr("Seeders", "4", "newznab") + attr("imdb", "0063350", "newznab"))

    assert (found.seeders, found.external_ids) == (4, {"imdb": "tt0063350"})


@pytest.mark.parametrize(
    ("title", "handle"),
    [
        ("", ""),
        ("<title> </title>", ""),
        ("<title>A</title>", "<link/>"),
        ("<title>A</title>", "<link>/relative</link>"),
        ("<title>A</title>", "<link>file:///x</link>"),
        ("<title>A</title>", attr("infohash", "abc")),
        ("<title>A</title>", attr("magneturl", "javascript:x")),
    ],
)
def test_an_item_without_title_or_handle_is_broken(title: str, handle: str) -> None:
    assert read_item(item(title=title, handle=handle), "loopback") is None


def test_the_enclosure_wins_over_the_link() -> None:
    enclosure = '<link>https://i.example/page</link><enclosure url="https://i.example/file"/>'

    assert read(handle=enclosure).link == "https://i.example/file"


@pytest.mark.parametrize(
    "handle",
    [
        f"<link>magnet:?xt=urn:btih:{HASH}</link>",
        f'<enclosure url="magnet:?xt=urn:btih:{HASH}" type="application/x-bittorrent"/>',
        attr("magneturl", f"magnet:?xt=urn:btih:{HASH}"),
    ],
)
def test_a_magnet_is_one_wherever_it_stands_and_names_the_hash(handle: str) -> None:
    found = read(handle=handle)

    assert (found.link, found.magnet) == (None, f"magnet:?xt=urn:btih:{HASH}")
    assert (found.info_hash, found.guid) == (HASH, HASH)


def test_a_bare_hash_is_handle_enough() -> None:
    assert read(handle=attr("infohash", HASH)).info_hash == HASH


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("<size>5</size>", 5),
        ('<enclosure url="https://i.example/f" length="6"/>', 6),
        (attr("size", "7") + "<size>5</size>", 7),
        (attr("size", "0") + "<size>5</size>", 5),
        (attr("size", "-1"), None),
        (attr("size", "0"), None),
        (attr("size", str(10**14)), 10**14),
        (attr("size", str(10**14 + 1)), None),
        (attr("size", "9223372036854775808") + "<size>5</size>", 5),
        (attr("size", "1" * 5000), None),
        (attr("size", "1.5 GB"), None),
        (attr("size", "١٢"), None),
    ],
)
def test_the_size_is_the_first_that_makes_sense(body: str, size: int | None) -> None:
    assert read(body).size == size


@pytest.mark.parametrize(
    ("body", "peers"),
    [
        (attr("seeders", "3") + attr("leechers", "4"), 7),
        (attr("seeders", "3"), None),
        (attr("seeders", "3") + attr("leechers", "4") + attr("peers", "9"), 9),
        (attr("peers", "many"), None),
    ],
)
def test_peers_are_seeders_and_leechers_together(body: str, peers: int | None) -> None:
    assert read(body).peers == peers


@pytest.mark.parametrize(
    ("text", "factor"),
    [("0.5", 0.5), ("nan", None), ("inf", None), ("-1", None), ("free", None), ("", None)],
)
def test_a_factor_that_is_no_number_is_unknown(text: str, factor: float | None) -> None:
    assert read(attr("downloadvolumefactor", text)).download_factor == factor


@pytest.mark.parametrize("text", ["", "yesterday", "Sun, 99 Jun 2010 17:29:23 +0100", "0"])
def test_a_date_that_cannot_be_read_is_unknown(text: str) -> None:
    assert read(f"<pubDate>{text}</pubDate>").published is None


def test_a_date_without_zone_is_taken_as_utc() -> None:
    found = read("<pubDate>Sun, 06 Jun 2010 17:29:23 -0000</pubDate>")

    assert found.published == datetime(2010, 6, 6, 17, 29, 23, tzinfo=UTC)


@pytest.mark.parametrize("text", ["0", "tt0", "none", "-5", "tt"])
def test_an_id_of_zero_or_nonsense_is_no_id(text: str) -> None:
    assert read(attr("tmdbid", text) + attr("imdbid", text)).external_ids == {}


def test_a_hash_in_base32_is_one() -> None:
    found = read(attr("infohash", "BCW2LJ5GDA5K4HQJ3AY56Z2I2VTASWQQ"))

    assert (found.info_hash, found.doubts) == (HASH, ())


def test_an_item_that_contradicts_itself_says_so_in_every_point() -> None:
    magnet = f"magnet:?xt=urn:btih:{'ab' * 20}"
    found = read(
        attr("infohash", HASH)
        + attr("size", "5000000000")
        + "<size>700000000</size>"
        + attr("tmdbid", "45745")
        + attr("tmdbid", "133701")
        + attr("downloadvolumefactor", "1")
        + attr("tag", "freeleech"),
        handle=attr("magneturl", magnet),
    )

    assert set(found.doubts) == {
        f"its info-hash is {HASH}, and its magnet is of {'ab' * 20}; the first counts",
        "its tags say freeleech, its download factor 1; the factor counts",
        "it says two sizes, 5000000000 and 700000000 bytes; the first counts",
        "it claims several tmdb ids, 45745 and 133701; none of them counts",
    }
    assert (found.info_hash, found.size, found.download_factor) == (HASH, 5_000_000_000, 1.0)
    assert (found.external_ids, found.flags) == ({}, ())


@pytest.mark.parametrize(
    ("body", "doubt"),
    [
        (attr("infohash", "abc"), 'its info-hash "abc" is none, with 3 signs'),
        (attr("infohash", "zz" * 20), f'its info-hash "{"zz" * 20}" is none, with 40 signs'),
        (attr("size", "-5"), 'its size "-5" cannot be'),
        (attr("size", "1" * 5000), f'its size "{"1" * 79}…" cannot be'),
        (attr("seeders", "99999999"), 'its number of seeders "99999999" cannot be'),
        (attr("peers", "-1"), 'its number of peers "-1" cannot be'),
        (attr("tmdbid", "tt1727587"), 'its tmdb id "tt1727587" is none'),
        (attr("tvdbid", "9" * 12), f'its tvdb id "{"9" * 12}" is none'),
        (attr("imdbid", "nm0000001"), 'its imdb id "nm0000001" is none'),
        (
            attr("imdbid", "tt1") + attr("imdb", "2"),
            "it claims several imdb ids, 1 and 2; none of them counts",
        ),
        (attr("downloadvolumefactor", "-1"), 'its downloadvolumefactor "-1" is no share'),
        (attr("uploadvolumefactor", "1e9"), 'its uploadvolumefactor "1e9" is no share'),
    ],
)
def test_what_cannot_be_is_left_out_and_named(body: str, doubt: str) -> None:
    found = read(body)

    assert found.doubts == (doubt,)
    left = (found.info_hash, found.size, found.seeders, found.peers, found.download_factor)
    assert (*left, found.upload_factor, found.external_ids) == (*(None,) * 6, {})


@pytest.mark.parametrize("name", ["size", "seeders", "peers", "tmdbid", "tvdbid", "imdbid"])
@pytest.mark.parametrize("text", ["0", "none", "N/A"])
def test_what_is_not_known_is_no_lie(name: str, text: str) -> None:
    assert read(attr(name, text)).doubts == ()


def test_sizes_that_were_rounded_and_hashes_of_two_versions_agree() -> None:
    magnet = f"magnet:?xt=urn:btmh:1220{'ab' * 32}"
    body = attr("size", "5000000000") + "<size>5368709120</size>" + attr("infohash", HASH)

    assert read(body, handle=attr("magneturl", magnet)).doubts == ()


@pytest.mark.parametrize(
    ("magnet", "info_hash"),
    [
        (f"magnet:?xt=urn:btih:{HASH.upper()}&dn=x", HASH),
        ("magnet:?dn=x&xt=urn:btih:BCW2LJ5GDA5K4HQJ3AY56Z2I2VTASWQQ", HASH),
        ("magnet:?xt=urn:btmh:1220" + "ab" * 32, "ab" * 32),
        ("magnet:?xt=urn:btih:" + "zz" * 20, None),
        ("magnet:?xt=urn:sha1:" + HASH, None),
        ("magnet:?xt=", None),
        ("magnet:", None),
        ("", None),
    ],
)
def test_a_magnet_names_its_hash_in_either_spelling(magnet: str, info_hash: str | None) -> None:
    assert magnet_info_hash(magnet) == info_hash


@given(st.text())
def test_no_magnet_breaks_the_reader(text: str) -> None:
    info_hash = magnet_info_hash(f"magnet:?xt=urn:btih:{text}")
    assert info_hash is None or len(info_hash) in {40, 64}


@given(st.dictionaries(st.sampled_from(NAMES), st.text()))
def test_no_attribute_value_breaks_an_item(values: dict[str, str]) -> None:
    element = item()
    for name, value in values.items():
        element.append(Element("attr", name=name, value=value))

    found = read_item(element, "loopback")

    assert found is not None
    assert found.size is None or 0 < found.size <= 10**14
    assert all(len(doubt) < 400 for doubt in found.doubts)

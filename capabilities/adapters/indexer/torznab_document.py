"""A Torznab answer as an XML tree, or the fault that it stands for.

Errors come as `<error code="..." description="..."/>`, mostly with HTTP 200 (Newznab API,
section "Error codes"; 429, 501 and 910 as indexers send them). The description is somebody
else's text and may repeat the key, so only the code is used.
"""

from xml.etree.ElementTree import Element

import defusedxml.ElementTree
from defusedxml.common import DefusedXmlException

from capabilities.kernel.faults import (
    DeclinedError,
    ThrottledError,
    UnreachableError,
    WorldFaultError,
)

_CREDENTIALS = range(100, 200)
_LIMITS = frozenset({429, 500, 501})
_OWN_TROUBLE = range(900, 1000)
_MEANINGS = {
    101: "the account is suspended",
    102: "the account may not do this",
    200: "a parameter is missing",
    201: "a parameter is wrong",
    202: "it has no such function",
    203: "it does not offer this function",
    300: "it no longer has this item",
}


def read_document(system: str, body: bytes) -> Element:
    """The root of an answer.

    Document types, entities and external references are refused, so nothing expands and nothing
    is fetched; the size is bounded where the body is read.

    Raises:
        DeclinedError: an error about credentials or the request.
        ThrottledError: an error about limits.
        UnreachableError: an error of the indexer's own, or no XML at all.
    """
    try:
        root = defusedxml.ElementTree.fromstring(body, forbid_dtd=True)
    except (defusedxml.ElementTree.ParseError, DefusedXmlException, ValueError, LookupError):
        raise garbled(system) from None
    if root.tag == "error":
        raise _fault(system, root.get("code", ""))
    return root


def garbled(system: str) -> UnreachableError:
    """The fault for an answer that is not Torznab."""
    return UnreachableError(
        system,
        "What came back is no Torznab answer. Check its address in the settings and whether "
        "a sign-in page stands in between.",
    )


def refused_credentials(system: str) -> DeclinedError:
    """The fault for a key that is not accepted."""
    return DeclinedError(
        system, "It does not accept the API key. Enter the right key in the settings."
    )


def local_name(tag: str) -> str:
    """A tag without its namespace; prefixes for Torznab's differ between indexers."""
    return tag.rpartition("}")[2]


def _fault(system: str, text: str) -> WorldFaultError:
    if not (text.isascii() and text.isdigit() and len(text) <= len("999")):
        return UnreachableError(system, "It answered with an error that names no known code.")
    code = int(text)
    if code in _LIMITS:
        return ThrottledError(system, "Its limit for requests or downloads is reached for now.")
    if code in _OWN_TROUBLE:
        return UnreachableError(system, f"It answered with error {code}, one of its own.")
    if code in _CREDENTIALS and code not in _MEANINGS:
        return refused_credentials(system)
    meaning = _MEANINGS.get(code, "it gives no known reason")
    return DeclinedError(system, f"It refused with error {code}: {meaning}.")

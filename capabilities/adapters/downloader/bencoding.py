"""Bencoding (BEP 3) by libtorrent, with types that say what it does."""

from collections.abc import Callable
from typing import cast

import libtorrent as lt

decode = cast("Callable[[bytes], object]", lt.bdecode)  # pyright: ignore[reportUnknownMemberType]  # the stub's list has no items
encode = cast("Callable[[object], bytes]", lt.bencode)  # pyright: ignore[reportUnknownMemberType]  # same

"""Bencoding (BEP 3) by libtorrent, with a type that says what it does."""

from collections.abc import Callable
from typing import cast

import libtorrent as lt

encode = cast("Callable[[object], bytes]", lt.bencode)  # pyright: ignore[reportUnknownMemberType]  # the stub's list has no items
decode = cast("Callable[[bytes], dict[bytes, object]]", lt.bdecode)  # pyright: ignore[reportUnknownMemberType]  # same

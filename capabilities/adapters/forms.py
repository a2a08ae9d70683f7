"""Bodies of requests as HTML forms send them."""

from collections.abc import Mapping

import httpx2

_NOWHERE = "http://form.invalid/"


def form_body(
    fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]] | None = None
) -> tuple[bytes, str]:
    """A body and its media type: URL-encoded, or multipart (RFC 7578) where there are files.

    Args:
        fields: values by name.
        files: file name and content by name.
    """
    request = httpx2.Request("POST", _NOWHERE, data=dict(fields), files=dict(files or {}) or None)
    return request.read(), request.headers.get("Content-Type", "application/octet-stream")

"""Addresses made fit for logs: where a request went, without what opens the door there.

Keys travel in query strings (Torznab `apikey`, TMDB `api_key`), in user information and, at
trackers, as long path segments; the HTTP client writes whole addresses into its log.
"""

import logging
import re

import httpx2

_HIDDEN = "***"
_TOKEN = re.compile(r"[0-9A-Za-z_\-]{20,}")


def redacted(address: str | httpx2.URL) -> str:
    """The address with every query value, the user information and token-like segments hidden.

    Parameter names, host and short path segments stay, so that a log line still tells calls
    apart. An address that cannot be read is hidden whole.
    """
    try:
        url = httpx2.URL(address)
    except httpx2.InvalidURL:
        return _HIDDEN
    path = _TOKEN.sub(_HIDDEN, url.raw_path.partition(b"?")[0].decode("ascii"))
    names = "&".join(f"{name}={_HIDDEN}" for name, _ in url.params.multi_items())
    return f"{url.scheme}://{url.netloc.decode('ascii')}{path}{'?' if names else ''}{names}"


class _RedactedAddresses(logging.Filter):
    """Hides what is secret in every address among a record's arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass, made safe."""
        if isinstance(record.args, tuple):
            record.args = tuple(
                redacted(argument) if isinstance(argument, httpx2.URL) else argument
                for argument in record.args
            )
        return True


_FILTER = _RedactedAddresses()


def redact_client_log() -> None:
    """Make the HTTP client's own log lines safe; doing it twice changes nothing.

    The trace of its wire is turned off: it shows headers whole, and they hold keys and cookies.
    """
    logging.getLogger("httpx2").addFilter(_FILTER)
    logging.getLogger("httpcore2").setLevel(logging.INFO)

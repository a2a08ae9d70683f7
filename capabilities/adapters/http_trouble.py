"""What an HTTP exchange came to, where that is no answer: another address, or a fault."""

import httpx2

_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


def named_location(response: httpx2.Response) -> str | None:
    """The address that a redirect names; other schemes are passed on as they are."""
    if not response.has_redirect_location:
        return None
    location = response.headers["Location"]
    try:
        target = httpx2.URL(location)
        return location if target.scheme else str(response.url.join(target))
    except httpx2.InvalidURL:
        return location


def was_sent(error: httpx2.HTTPError) -> bool:
    """Whether something of the request may have been sent."""
    return not isinstance(error, _NOT_SENT)


def reason_of(error: httpx2.HTTPError) -> str:
    """What happened, as a sentence without addresses."""
    if isinstance(error, (httpx2.ConnectError, httpx2.ConnectTimeout)):
        return (
            "It could not be reached, so nothing was sent. It may be off, its address may be "
            "wrong, or its certificate may not be trusted."
        )
    if isinstance(error, httpx2.TimeoutException):
        return "It did not answer in time."
    return "Its answer was cut short or could not be read."

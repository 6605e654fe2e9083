"""Where the exceptions of the network become leadline's own."""

import ssl
from typing import Final

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp_socks import ProxyConnectionError, ProxyError, ProxyTimeoutError

from leadline.errors import (
    AddressRefusedError,
    BadResponseError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    TooLargeError,
)
from leadline.web.unpack import BombError, UnpackError

FOREIGN: Final = (
    aiohttp.ClientError,
    HttpProcessingError,
    ProxyConnectionError,
    ProxyError,
    ProxyTimeoutError,
    OSError,
    ValueError,
    UnpackError,
    BombError,
    AddressRefusedError,
)
"""All that sending a request and reading its answer may raise, cancellation aside."""


class ConnectionLostError(aiohttp.ClientError):
    """The connection broke before an answer began."""


# The first row that fits decides, so special cases stand above their families.
# TimeoutError is an OSError, InvalidURL and CertificateError are ValueErrors.
_TABLE: Final[tuple[tuple[tuple[type[Exception], ...], type[FetchError], str], ...]] = (
    ((AddressRefusedError,), AddressRefusedError, ""),
    ((aiohttp.ConnectionTimeoutError, ProxyTimeoutError), FetchTimeoutError, "no connection"),
    ((aiohttp.ServerTimeoutError,), FetchTimeoutError, "no more bytes came"),
    ((TimeoutError,), FetchTimeoutError, "the answer took too long"),
    ((aiohttp.ClientConnectorDNSError,), ConnectionFailedError, "no such host"),
    ((aiohttp.ClientSSLError, ssl.SSLError), ConnectionFailedError, "TLS failed"),
    ((aiohttp.ClientHttpProxyError,), ConnectionFailedError, "the proxy refused"),
    ((ProxyConnectionError, ProxyError), ConnectionFailedError, "the proxy failed"),
    ((BombError,), TooLargeError, ""),
    ((UnpackError,), BadResponseError, "bad packing"),
    ((aiohttp.ClientPayloadError,), BadResponseError, "the body broke off or breaks its framing"),
    ((aiohttp.ClientResponseError, HttpProcessingError), BadResponseError, "no valid HTTP"),
    ((ConnectionLostError,), ConnectionFailedError, "the connection broke"),
    ((aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError), FetchError, "no usable URL"),
    ((aiohttp.ClientError, OSError), ConnectionFailedError, "no connection"),
    ((ValueError,), FetchError, "no valid request"),
)

_MAX_DETAIL_CHARS = 200
"""A site's own bytes may be quoted in a message: keep it short."""


def translate(error: Exception, url: str) -> FetchError:
    """The FetchError for anything in FOREIGN."""
    for foreign, ours, text in _TABLE:
        if isinstance(error, foreign):
            return ours(url, _reason(error, text))
    raise TypeError(f"{type(error).__name__} is not in the table of foreign errors") from error


def _reason(error: Exception, text: str) -> str:
    detail = error.reason if isinstance(error, FetchError) else _first_line(error)
    return ": ".join(part for part in (text, detail[:_MAX_DETAIL_CHARS]) if part)


def _first_line(error: Exception) -> str:
    text = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
    return text.partition("\n")[0].strip() or type(error).__name__


async def no_silent_retry(
    request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    """A middleware that keeps aiohttp from sending again on its own.

    Its second try would come without pause and uncounted; ours goes through the gate.
    """
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise ConnectionLostError(_first_line(error)) from error

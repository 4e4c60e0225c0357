"""httpx's transports over the host's HTTP: no connection pool, no TLS settings, no proxies; these belong to the host."""

import asyncio
import errno
import socket
import ssl

import httpx._exceptions as failures
from httpx._models import Response
from httpx._transports.base import AsyncBaseTransport, BaseTransport
from httpx._types import AsyncByteStream, SyncByteStream

from .link import _PROXY
from .web import deadline_of, remaining
from .web_errors import Incomplete
from .web_local import begin


def _mapped(error, request, reading=False):
    """The exception of httpx for one of ours."""
    text = str(error)
    if isinstance(error, TimeoutError):
        kind = failures.ConnectTimeout if error.errno == errno.ETIMEDOUT else failures.ReadTimeout
    elif isinstance(error, Incomplete):
        kind, text = failures.RemoteProtocolError, "Server disconnected without sending a complete response."
    elif isinstance(error, (PermissionError, ConnectionRefusedError, socket.gaierror, ssl.SSLError)):
        kind = failures.ConnectError
    elif error.errno == errno.EFBIG:
        kind = failures.ReadError
    elif error.errno == errno.EINVAL:
        kind = failures.LocalProtocolError
    else:
        kind = failures.ReadError if reading else failures.ConnectError
    return kind(text, request=request)


def _begin(request):
    """The exchange of a request, and its timeouts."""
    timeouts = request.extensions.get("timeout", {})
    scheme = request.url.scheme
    if scheme not in ("http", "https"):
        raise failures.UnsupportedProtocol(f"Request URL has an unsupported protocol '{scheme}://'.", request=request)
    authority = request.url.netloc.decode("ascii")
    asked = request.headers.get("host", authority)
    if asked.lower() != authority.lower():
        text = f"refused by wisp: the header Host is the host's, it is {authority}; ask a URL of {asked}"
        raise failures.LocalProtocolError(text, request=request)
    sends = "content-length" in request.headers or "transfer-encoding" in request.headers
    headers = [(name.decode("ascii"), value) for name, value in request.headers.raw]
    target = request.url.raw_path.decode("ascii")
    exchange = begin(request.method, scheme, authority, target, headers, sends, timeouts.get("connect"))
    return exchange, timeouts, sends


def _response(answer, stream):
    status, headers = answer
    pairs = [(name.encode("ascii"), value) for name, value in headers if name != "Transfer-Encoding"]
    return Response(status, headers=pairs, stream=stream, extensions={"http_version": b"HTTP/1.1"})


class _Stream(SyncByteStream):
    def __init__(self, exchange, request, timeout):
        self._exchange, self._request, self._timeout = exchange, request, timeout

    def __iter__(self):
        try:
            while data := self._exchange.read(deadline=deadline_of(self._timeout)):
                yield data
        except OSError as error:
            raise _mapped(error, self._request, reading=True) from error

    def close(self):
        """Release the response."""
        self._exchange.close()


class HTTPTransport(BaseTransport):
    """`httpx.HTTPTransport`."""

    def __init__(self, verify=True, cert=None, trust_env=True, http1=True, http2=False, limits=None, proxy=None,
                 uds=None, local_address=None, retries=0, socket_options=None):
        _refuse(proxy, uds, local_address, cert)
        self._retries = retries

    def handle_request(self, request):
        """Send a request; the body of its response is still to be read."""
        try:
            exchange, timeouts, sends = _begin(request)
            if sends:
                for piece in request.stream:
                    exchange.write(piece, deadline_of(timeouts.get("write")))
                exchange.finish()
            answer = exchange.response(deadline_of(timeouts.get("read")))
        except OSError as error:
            raise _mapped(error, request) from error
        return _response(answer, _Stream(exchange, request, timeouts.get("read")))


async def _ready(subject, deadline):
    """Wait on the event loop until a handle of the host is ready."""
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()
    loop._selector.watch(subject, lambda: waiter.done() or waiter.set_result(None))
    try:
        async with asyncio.timeout(remaining(deadline)):
            await waiter
    except TimeoutError:
        raise TimeoutError("timed out") from None
    finally:
        loop._selector.unwatch(subject)


class _AsyncStream(AsyncByteStream):
    def __init__(self, exchange, request, timeout):
        self._exchange, self._request, self._timeout = exchange, request, timeout

    async def __aiter__(self):
        exchange = self._exchange
        try:
            while True:
                deadline = deadline_of(self._timeout)
                while (data := exchange.try_read()) is None:
                    await _ready(exchange.awaited(), deadline)
                if not data:
                    return
                yield data
        except OSError as error:
            raise _mapped(error, self._request, reading=True) from error

    async def aclose(self):
        """Release the response."""
        self._exchange.close()


class AsyncHTTPTransport(AsyncBaseTransport):
    """`httpx.AsyncHTTPTransport`: requests of one program run concurrently."""

    __init__ = HTTPTransport.__init__

    async def handle_async_request(self, request):
        """Send a request; the body of its response is still to be read."""
        try:
            exchange, timeouts, sends = _begin(request)
            if sends:
                async for piece in request.stream:
                    await self._write(exchange, piece, timeouts.get("write"))
                exchange.finish()
            deadline = deadline_of(timeouts.get("read"))
            while (answer := exchange.try_response()) is None:
                await _ready(exchange.awaited(), deadline)
        except OSError as error:
            raise _mapped(error, request) from error
        return _response(answer, _AsyncStream(exchange, request, timeouts.get("read")))

    @staticmethod
    async def _write(exchange, data, timeout):
        view, deadline = memoryview(data), deadline_of(timeout)
        while view and (room := exchange.room()) is not None:
            if room:
                view = view[exchange.write_some(view, min(room, 1 << 16)) :]
            elif exchange.is_answered():
                return
            else:
                await _ready(exchange.writable(), deadline)


def _refuse(proxy, uds, local_address, cert):
    for value, reason in (
        (proxy, _PROXY),
        (uds, "there are no sockets in the sandbox"),
        (local_address, "which address is used is the host's to decide"),
        (cert, "TLS is the host's; it has no client certificates"),
    ):
        if value is not None:
            raise ValueError(f"refused by wisp: {reason}")


def replace(module):
    """Put ours in place of those in `httpx._transports.default`."""
    for kind in (HTTPTransport, AsyncHTTPTransport):
        kind.__module__ = "httpx"
        setattr(module, kind.__name__, kind)

"""Stands in for the socket of an HTTP connection: it takes the bytes of HTTP/1.1 requests, has the host send them, and
returns the bytes of the responses. `http.client` and the libraries built on it work on it unchanged."""

import errno
import http
import io
import socket

from .web import deadline_of
from .web_errors import Incomplete
from .web_local import begin

_PROXY = "wisp connects to the host itself and knows no proxies: ask the URL directly"
_NO_BODY = (204, 304)


class Link:
    """One connection, as far as a program can tell."""

    def __init__(self, host, port, timeout=None, secure=False):
        self._host, self._port, self._secure = host, port, secure
        self._timeout = socket.getdefaulttimeout() if timeout is socket._GLOBAL_DEFAULT_TIMEOUT else timeout
        self._connect_timeout = self._timeout
        self._received = bytearray()  # of a head, or of the frame of a chunk
        self._exchange = None
        self._method = None
        self._left = None  # bytes of the body that remain; "chunk" if each chunk gives its own size; None: a head
        self._failure = None  # the connection ended before a response
        self._ended = 0.0  # timeouts are counted from here
        self._closed = False

    def secure(self):
        """Speak TLS: the host does it, and verifies the certificate."""
        self._secure = True
        return self

    # --- sending

    def sendall(self, data, flags=0):
        """Take more of a request."""
        if self._closed:
            raise OSError(errno.EBADF, "the connection is closed")
        data = memoryview(data).cast("B")
        while data:
            if self._left is None:
                data = self._head(data)
            elif self._left == "chunk":
                data = self._chunk(data)
            else:
                piece, data = data[: self._left], data[self._left :]
                self._body(piece)
                self._left -= len(piece)
                if not self._left:
                    self._end()

    def send(self, data, flags=0):
        """As `sendall`; return how much was taken."""
        self.sendall(data)
        return len(data)

    def _head(self, data):
        """Take more of a head and return the bytes that follow it."""
        before = len(self._received)
        self._received += data
        end = self._received.find(b"\r\n\r\n", max(before - 3, 0))
        if end < 0:
            return data[:0]
        head = bytes(self._received[:end])
        self._received.clear()
        self._begin(head)
        return data[end + 4 - before :]

    def _begin(self, head):
        """Begin a request: its request line and headers are complete."""
        line, *rest = head.decode("latin-1").split("\r\n")
        method, target, _ = line.split(" ", 2)
        if method == "CONNECT" or not (target.startswith("/") or target == "*"):
            raise OSError(errno.EOPNOTSUPP, f"refused by wisp: {_PROXY}")
        headers = [(name.strip(), value.strip()) for name, _, value in (entry.partition(":") for entry in rest)]
        named = {name.lower(): value for name, value in headers}
        authority = self._authority()
        asked = named.get("host", authority).lower()
        if asked not in (authority.lower(), f"{authority}:{self._port}".lower()):
            raise OSError(
                errno.EINVAL, f"refused by wisp: the header Host is the host's, it is {authority}; ask a URL of {asked}"
            )
        chunked = "chunked" in named.get("transfer-encoding", "").lower()
        length = int(named.get("content-length") or 0)
        if self._exchange is not None:
            self._exchange.close()
        self._method, self._failure = method, None
        self._exchange = begin(
            method,
            "https" if self._secure else "http",
            authority,
            target,
            [(name, value.encode("latin-1")) for name, value in headers],
            chunked or "content-length" in named,
            self._connect_timeout,
        )
        self._left = "chunk" if chunked else length
        if not self._left:
            self._end()

    def _authority(self):
        host = self._host
        if ":" in host and not host.startswith("["):
            host = f"[{host}]"
        elif not host.isascii():
            host = host.encode("idna").decode("ascii")
        standard = 443 if self._secure else 80
        return host if self._port == standard else f"{host}:{self._port}"

    def _chunk(self, data):
        """Take more of a chunked body: each chunk is a line with its size, the bytes, and a line end."""
        self._received += data
        while True:
            end = self._received.find(b"\r\n")
            if end < 0:
                return data[:0]
            size = int(bytes(self._received[:end]).split(b";")[0], 16)
            if len(self._received) < end + 2 + size + 2:
                return data[:0]
            if not size:
                del self._received[: end + 4]
                self._end()
                return memoryview(bytes(self._received))
            self._body(memoryview(self._received)[end + 2 : end + 2 + size].tobytes())
            del self._received[: end + 2 + size + 2]

    def _body(self, data):
        if self._exchange is not None:
            self._exchange.write(data, deadline_of(self._timeout))

    def _end(self):
        """End the request. Callers expect an unreachable host to be reported now, so this waits for the response; the time that
        it takes is limited by the reader."""
        self._left = None
        self._ended = deadline_of(0.0)
        try:
            self._exchange.finish()
            self._exchange.response(self._deadline())
        except Incomplete as failure:
            self._failure = failure
        except TimeoutError as failure:
            if failure.errno is not None:
                raise
            # The reader waits again, with a timeout of its own.

    def _deadline(self):
        """The deadline for the head of the response, counted from the end of the request."""
        return None if self._timeout is None else self._ended + self._timeout

    # --- receiving

    def makefile(self, mode="r", buffering=None, **options):
        """The response as a file."""
        return io.BufferedReader(_Response(self), 65536) if buffering != 0 else _Response(self)

    def _response_head(self):
        """The head of the response as bytes, without its last line; empty if the connection ended before it."""
        if self._exchange is None:
            return b""
        if self._failure is not None:
            return b""
        try:
            status, headers = self._exchange.response(self._deadline())
        except Incomplete:
            return b""
        try:
            phrase = http.HTTPStatus(status).phrase
        except ValueError:
            phrase = ""
        lines = [f"HTTP/1.1 {status} {phrase}".encode("latin-1")]
        lines += [name.encode("latin-1") + b": " + value for name, value in headers]
        return b"\r\n".join(lines) + b"\r\n"

    # --- being a socket

    def settimeout(self, timeout):
        """How long one step may take."""
        self._timeout = timeout

    def gettimeout(self):
        """How long one step may take."""
        return self._timeout

    def setblocking(self, flag):
        """Set the timeout: wait, or do not wait at all."""
        self._timeout = None if flag else 0.0

    def setsockopt(self, *arguments):
        """There is nothing to set: the socket is the host's."""

    def shutdown(self, how):
        """End the exchange."""
        self.close()

    def close(self):
        """End the connection; a response that is being read stays open until its reader is closed."""
        self._closed = True

    def abandon(self, exchange):
        """Called when the reader of a response is closed."""
        if exchange is not None and exchange is self._exchange:
            self._exchange = None
            exchange.close()

    def fileno(self):
        """There is no descriptor."""
        return -1

    def getpeername(self):
        """The name that was requested: only the host knows the address."""
        return self._host, self._port

    def getpeercert(self, binary_form=False):
        """The certificate stays with the host, which verified it."""
        return b"" if binary_form else {}

    def version(self):
        """TLS's version is the host's."""
        return "TLS" if self._secure else None

    def selected_alpn_protocol(self):
        """HTTP/1.1 is all there is."""
        return None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class _Response(io.RawIOBase):
    """The bytes of one response: head, then body. The host decodes chunked bodies without reporting the chunks; a body without
    a length is passed on in chunks of our own, because their end is what distinguishes a whole body from a truncated one."""

    def __init__(self, link):
        self._link = link
        self._exchange = link._exchange
        self._pending = None
        self._bodiless = link._method == "HEAD"
        self._chunked = False

    def readable(self):
        """Always."""
        return True

    def readinto(self, buffer):
        """Read once."""
        if self._pending is None:
            self._pending = self._head()
        if not self._pending and not self._bodiless:
            self._pending = self._body(len(buffer))
        data, self._pending = self._pending[: len(buffer)], self._pending[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def _head(self):
        """The head of the response; b"" if there is none."""
        head = self._link._response_head()
        self._bodiless |= not head or any(head.startswith(b"HTTP/1.1 %d " % status) for status in _NO_BODY)
        self._chunked = not self._bodiless and b"\r\ncontent-length:" not in head.lower()
        if self._chunked:
            head += b"Transfer-Encoding: chunked\r\n"
        return head and head + b"\r\n"

    def _body(self, size):
        """More of the body; b"" where it ends or was truncated: the reader counts bytes, or misses the last chunk."""
        try:
            data = None if self._exchange.closed else self._exchange.read(size, deadline_of(self._link._timeout))
        except Incomplete:
            data = None
        if data:
            return b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data
        self._bodiless = True
        return b"0\r\n\r\n" if self._chunked and data is not None else b""

    def close(self):
        """Release the response."""
        if not self.closed:
            super().close()
            self._link.abandon(self._exchange)

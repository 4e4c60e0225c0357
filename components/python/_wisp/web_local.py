"""HTTP to a server of this session: the same as an exchange through the host's gate (`web.Exchange`), over a socket at localhost. Nothing
leaves the session, so no policy decides, and a placeholder of a secret stays a placeholder."""

import weakref

from . import descriptors, names, sockets, web
from .errors import call
from .web_errors import Incomplete, title

_PIECE = 1 << 16

#: The largest head of a response, in bytes.
_LARGEST_HEAD = 1 << 18


def begin(method, scheme, authority, target, headers, sends, connect_timeout=None):
    """An exchange: with a server of this session if one listens at the address, else through the gate."""
    host, port = _place(authority)
    own = scheme == "http" and names.own(host)
    handle = sockets.connected(host, port) if own else None
    if handle is not None:
        return LocalExchange(handle, method, authority, target, headers, sends)
    try:
        return web.Exchange(method, scheme, authority, target, headers, sends, connect_timeout)
    except PermissionError as error:
        if own:
            error = PermissionError(error.errno, f"{error.strerror} (and nothing in this session listens at {authority})")
        failure = error
    raise failure


def _place(authority):
    host, colon, port = authority.rpartition(":")
    return (host, int(port)) if colon and port.isdecimal() else (authority, 80)


class _Reading:
    """Something to wait for: the connection can be read."""

    def __init__(self, exchange):
        self._handle = exchange._handle

    def subscribe(self):
        """The host's pollable."""
        return self._handle.subscribe_read()


class _Writing(_Reading):
    """The connection can be written."""

    def subscribe(self):
        """The host's pollable."""
        return self._handle.subscribe_write()


class LocalExchange(web.Sender):
    """A request that is being sent and a response that arrives. The connection serves this one request."""

    def __init__(self, handle, method, authority, target, headers, sends):
        self.place = authority
        self._handle = descriptors.keep(handle)
        self._finalizer = weakref.finalize(self, descriptors.drop, handle)
        self._finalizer.atexit = False
        self._method = method
        self._received, self._ended, self._broken = bytearray(), False, False
        self._status = None
        self._left = None  # bytes of the body that remain; "chunk" before one, "line" after one, "all" up to the end
        lines = [f"{method} {target} HTTP/1.1", f"Host: {authority}", "Connection: close"]
        given = [(name, value) for name, value in headers if name.lower() not in web.HOST_HEADERS]
        self._chunked = sends and not any(name.lower() == "content-length" for name, _ in given)
        head = bytearray("\r\n".join(lines).encode("latin-1"))
        for name, value in given:
            head += b"\r\n" + name.encode("latin-1") + b": " + bytes(value)
        self._sending = head + (b"\r\nTransfer-Encoding: chunked" if self._chunked else b"") + b"\r\n\r\n"
        web.alive.add(self)
        self._flush()

    @property
    def closed(self):
        """Whether the connection is closed."""
        return not self._finalizer.alive

    def close(self):
        """Close the connection."""
        self._finalizer()
        web.alive.discard(self)

    # --- sending

    def _flush(self):
        """Send what fits of what is to be sent."""
        while self._sending and not self._broken and not self.closed:
            try:
                written = call(self._handle.write_some, bytes(self._sending[:_PIECE]))
            except ConnectionError:
                self._broken = True  # the response gives the reason
                self._sending.clear()
                return
            if not written:
                return
            del self._sending[:written]

    def room(self):
        """The number of bytes that can be written now; None if no more will be taken."""
        self._flush()
        if self._broken or self.closed:
            return None
        return 0 if self._sending else _PIECE

    def write_some(self, data, room):
        """Write what fits; return how much that was."""
        piece = bytes(data[:room])
        if self._chunked:
            piece = b"%x\r\n%b\r\n" % (len(piece), piece) if piece else b""
        self._sending += piece
        self._flush()
        return min(len(data), room)

    def news(self):
        """What can be waited for until there is room, or a response."""
        return [_Writing(self), _Reading(self)]

    def is_answered(self):
        """Whether something of the response is there."""
        return self._fill() or bool(self._received) or self._ended

    def finish(self):
        """Mark the body as complete."""
        if self._chunked:
            self._sending += b"0\r\n\r\n"
        self._flush()

    # --- receiving

    def _fill(self):
        """Take what has arrived; return whether there was something."""
        if self._ended or self.closed or len(self._received) > _LARGEST_HEAD:
            return False
        ready = self._handle.subscribe_read()
        try:
            if not ready.ready():
                return False
        finally:
            descriptors.drop(ready)
        try:
            data = call(self._handle.read, _PIECE)
        except ConnectionError:
            data = b""
        self._received += data
        self._ended = not data
        return True

    def _line(self):
        """The next line without its end, or None."""
        end = self._received.find(b"\n")
        if end < 0:
            return None
        line = bytes(self._received[:end]).rstrip(b"\r")
        del self._received[: end + 1]
        return line

    def _cut_short(self):
        self.close()
        return Incomplete("the server in this session ended the connection within its response")

    def try_response(self):
        """Status and headers, or None while they have not arrived."""
        while self._status is None:
            self._flush()
            end = min((at for at in (self._received.find(b"\r\n\r\n"), self._received.find(b"\n\n")) if at >= 0), default=-1)
            if end >= 0:
                self._head()
            elif self._ended or len(self._received) > _LARGEST_HEAD:
                raise self._cut_short()
            elif not self._fill():
                return None
        return self._status

    def _head(self):
        """Take the head, which is complete."""
        line = self._line()
        headers = []
        while field := self._line():
            if field[:1] in (b" ", b"\t"):  # it goes on with the line before (RFC 9112, 5.2)
                if headers:
                    headers[-1] = headers[-1][0], (headers[-1][1] + b" " + field.strip()).strip()
                continue
            name, colon, value = field.partition(b":")
            if colon:
                headers.append((title(name.decode("latin-1").strip().lower()), value.strip()))
        parts = line.split(None, 2)
        if len(parts) < 2 or not line.startswith(b"HTTP/") or not parts[1].isdigit():
            raise self._cut_short()
        status = int(parts[1])
        if 100 <= status < 200:
            return
        length = next((value for name, value in headers if name == "Content-Length"), b"")
        dropped = {"Transfer-Encoding"}
        if self._method == "HEAD" or status in (204, 304):
            self._left = 0
        elif any(name == "Transfer-Encoding" and b"chunked" in value.lower() for name, value in headers):
            self._left = "chunk"
            dropped.add("Content-Length")  # a body in chunks ends with the last of them (RFC 9112, 6.3)
        else:
            self._left = int(length) if length.isdigit() else "all"
        self._status = status, [pair for pair in headers if pair[0] not in dropped]

    def response(self, deadline=None):
        """Wait for status and headers."""
        while (answer := self.try_response()) is None:
            web.wait([self.awaited()], deadline)
        return answer

    def try_read(self, size=_PIECE):
        """Some bytes of the body, b"" at its end, or None if there are none yet."""
        while True:
            self._frame()
            if self._left == 0:
                self.close()
                return b""
            counted = isinstance(self._left, (int, tuple))
            if self._received and (counted or self._left == "all"):
                return self._take(min(size, _PIECE))
            if self._ended:
                if self._left != "all":
                    raise self._cut_short()
                self.close()
                return b""
            if not self._fill():
                return None

    def _frame(self):
        """Read the lines around chunks. Within one, `_left` is a tuple of what remains of it."""
        while self._left in ("chunk", "line") and (line := self._line()) is not None:
            if self._left == "line":
                if line:
                    raise self._cut_short()
                self._left = "chunk"
                continue
            try:
                size = int(line.split(b";")[0], 16)
            except ValueError:
                raise self._cut_short() from None
            if size < 0:
                raise self._cut_short()
            self._left = (size,) if size else 0

    def _take(self, size):
        left = self._left[0] if isinstance(self._left, tuple) else self._left
        count = size if left == "all" else min(size, left)
        data = bytes(self._received[:count])
        del self._received[:count]
        if isinstance(self._left, tuple):
            self._left = (left - len(data),) if left > len(data) else "line"
        elif left != "all":
            self._left = left - len(data)
        return data

    def read(self, size=_PIECE, deadline=None):
        """Wait for some bytes of the body; b"" at its end."""
        while (data := self.try_read(size)) is None:
            web.wait([self.awaited()], deadline)
        return data

    def awaited(self):
        """What to wait for next."""
        return _Writing(self) if self._sending else _Reading(self)

    def writable(self):
        """What to wait for before more can be written."""
        return _Writing(self)

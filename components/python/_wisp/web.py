"""One HTTP request and its response over the host's `wasi:http`, which applies the gate of the session's policy.

What the libraries use is built on this: `link.py` (http.client, urllib, urllib3, requests) and `web_httpx.py`.
"""

import errno
import os
import weakref

from componentize_py_types import Err, Ok
from wit_world.imports import monotonic_clock, outgoing_handler
from wit_world.imports import wasi_http_types as http
from wit_world.imports.streams import StreamError_Closed

from . import descriptors, signals
from .web_errors import exception, title

#: Headers that belong to the connection and not to the message: the host sends them itself, or refuses them.
HOST_HEADERS = frozenset(
    "host connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding "
    "upgrade http2-settings expect".split()
)

_METHODS = {
    name: getattr(http, f"Method_{name.title()}")
    for name in ("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH")
}

_PIECE = 1 << 16

#: The exchanges that hold handles of the host.
alive = weakref.WeakSet()


class Handles:
    """The handles of an exchange, released in the order that the host requires: a part before its whole."""

    _ORDER = ("writer", "sending", "reader", "receiving", "response", "answer")

    def __init__(self):
        for name in self._ORDER:
            setattr(self, name, None)

    def close(self):
        """Release all that are left."""
        for name in self._ORDER:
            handle = getattr(self, name)
            setattr(self, name, None)
            if handle is not None:
                descriptors.drop(handle)


def _keep(handle):
    return descriptors.keep(handle)


def remaining(deadline):
    """Seconds until a deadline; None for no end."""
    if deadline is None:
        return None
    left = deadline - monotonic_clock.now() / 1e9
    if left <= 0:
        raise TimeoutError("timed out")
    return left


def deadline_of(timeout):
    """The deadline for a timeout in seconds; None for none."""
    return None if timeout is None else monotonic_clock.now() / 1e9 + timeout


def wait(subjects, deadline):
    """Wait until one of these is ready."""
    descriptors.hold_root()
    left = remaining(deadline)
    pollables = [subject.subscribe() for subject in subjects]
    if left is not None:
        pollables.append(monotonic_clock.subscribe_duration(int(left * 1e9)))
    try:
        signals.wait(pollables)
    finally:
        for pollable in pollables:
            descriptors.drop(pollable)


class Sender:
    """What sends a request's body in pieces, as there is room. A subclass has `room`, `write_some`, `is_answered` and `news`."""

    def write(self, data, deadline=None):
        """Send all of `data`."""
        view = memoryview(data).cast("B")
        while view:
            room = self.room()
            if room is None:
                return
            if room:
                view = view[self.write_some(view, min(room, _PIECE)) :]
                continue
            if self.is_answered():
                return
            wait(self.news(), deadline)


class Exchange(Sender):
    """A request that is being sent and a response that arrives."""

    def __init__(self, method, scheme, authority, target, headers, sends, connect_timeout=None):
        """`headers` are pairs of text and bytes; `sends` says whether a body follows."""
        descriptors.hold_root()
        self.place = authority
        self._asked = (method, scheme, authority)
        self._handles = handles = Handles()
        self._status = None
        self._failure = None  # the reason why there will be no response
        self._finalizer = weakref.finalize(self, handles.close)
        self._finalizer.atexit = False
        fields = http.Fields()
        for name, value in headers:
            if name.lower() not in HOST_HEADERS:
                try:
                    fields.append(name, value)
                except Err as error:
                    raise OSError(errno.EINVAL, f"{name}: {value!r} is no header that can be sent") from error
        request = http.OutgoingRequest(fields)
        shown = f"{method} {scheme}://{authority}{target}"
        try:
            request.set_method(_METHODS[method]() if method in _METHODS else http.Method_Other(method))
            request.set_scheme(http.Scheme_Https() if scheme == "https" else http.Scheme_Http())
            request.set_authority(authority)
            request.set_path_with_query(target)
        except Err as error:
            descriptors.drop(request)
            raise OSError(errno.EINVAL, f"this is no request of HTTP: {shown}") from error
        options = http.RequestOptions()
        if connect_timeout is not None:
            options.set_connect_timeout(int(connect_timeout * 1e9))
        if sends:
            handles.sending = _keep(request.body())
        try:
            handles.answer = _keep(outgoing_handler.handle(request, options))
        except Err as error:
            failure = exception(error.value, *self._asked)
            self.close()
            raise failure from None
        alive.add(self)
        if sends:
            handles.writer = _keep(handles.sending.write())

    @property
    def closed(self):
        """Whether all handles are released."""
        return not self._finalizer.alive

    def close(self):
        """Release everything; a transfer in progress is abandoned."""
        self._finalizer()
        alive.discard(self)

    # --- sending

    def room(self):
        """The number of bytes that can be written now; None if no more will be taken, because a response is there or will
        be."""
        handles = self._handles
        if handles.writer is None:
            return None
        try:
            return handles.writer.check_write()
        except Err:
            return None

    def write_some(self, data, room):
        """Write what fits; return how much that was."""
        piece = bytes(data[:room])
        try:
            self._handles.writer.write(piece)
        except Err:
            pass  # the response gives the reason
        return len(piece)

    def news(self):
        """What can be waited for until there is room, or a response."""
        return [self._handles.writer, self._handles.answer]

    def is_answered(self):
        """Whether the head of the response is there."""
        pollable = self._handles.answer.subscribe()
        try:
            return pollable.ready()
        finally:
            descriptors.drop(pollable)

    def finish(self):
        """Mark the body as complete."""
        handles = self._handles
        if handles.sending is None:
            return
        descriptors.drop(handles.writer)
        sending, handles.writer, handles.sending = handles.sending, None, None
        try:
            http.OutgoingBody.finish(sending, None)
        except Err as error:
            raise exception(error.value, *self._asked) from None

    # --- receiving

    def try_response(self):
        """Status and headers, or None while they have not arrived."""
        handles = self._handles
        if self._status is not None:
            return self._status
        if self._failure is not None:
            raise self._failure
        answer = handles.answer.get()
        if answer is None:
            return None
        if not isinstance(answer, Ok) or not isinstance(answer.value, Ok):
            unknown = OSError(errno.EIO, os.strerror(errno.EIO))
            self._failure = exception(answer.value.value, *self._asked) if isinstance(answer, Ok) else unknown
            self.close()
            raise self._failure
        handles.response = _keep(answer.value.value)
        fields = handles.response.headers()
        entries = fields.entries()
        descriptors.drop(fields)
        handles.receiving = _keep(handles.response.consume())
        handles.reader = _keep(handles.receiving.stream())
        self._status = handles.response.status(), [(title(name), bytes(value)) for name, value in entries]
        return self._status

    def response(self, deadline=None):
        """Wait for status and headers."""
        while (answer := self.try_response()) is None:
            wait([self._handles.answer], deadline)
        return answer

    def try_read(self, size=_PIECE):
        """Some bytes of the body, b"" at its end, or None if there are none yet."""
        handles = self._handles
        if handles.reader is None:
            return b""
        try:
            return handles.reader.read(min(size, _PIECE)) or None
        except Err as error:
            problem = error.value
        if isinstance(problem, StreamError_Closed):
            self.close()
            return b""
        code = http.http_error_code(problem.value)
        text = problem.value.to_debug_string()
        descriptors.drop(problem.value)
        failure = exception(code, *self._asked) if code is not None else OSError(errno.EIO, text)
        self.close()
        raise failure

    def read(self, size=_PIECE, deadline=None):
        """Wait for some bytes of the body; b"" at its end."""
        while (data := self.try_read(size)) is None:
            wait([self._handles.reader], deadline)
        return data

    def awaited(self):
        """What to wait for next: the head, or more of the body."""
        return self._handles.answer if self._status is None else self._handles.reader

    def writable(self):
        """What to wait for before more can be written."""
        return self._handles.writer

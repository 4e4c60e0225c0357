"""The sockets of this Python: the C part of `socket`, on the host's `loopback`. They connect processes of this session, and
nothing else: TCP at localhost, and Unix sockets. `install` comes before anything that imports `socket`."""

import _socket
import errno
import operator
import os
import struct
import sys
import warnings

from wit_world.imports import files, loopback

from . import descriptors, names, spelling
from .errors import Failure, call, code_of, os_error
from .handles import drop, keep
from .socket_waits import Deadline, Idle

#: libc's number for Unix sockets, which the module lacks.
_AF_UNIX = 3

_INET, _INET6 = _socket.AF_INET, _socket.AF_INET6
_STREAM = _socket.SOCK_STREAM

#: Flags of `socket`'s type, and of `recv`.
_NONBLOCK, _CLOEXEC = _socket.SOCK_NONBLOCK, _socket.SOCK_CLOEXEC
_PEEK, _DONTWAIT, _WAITALL = _socket.MSG_PEEK, _socket.MSG_DONTWAIT, _socket.MSG_WAITALL

_NO_DATAGRAMS = "wisp has stream sockets only (SOCK_STREAM)"

#: Bytes that a connection buffers in each direction, whatever SO_SNDBUF and SO_RCVBUF ask for.
_BUFFER = 65536

_PIECE = 1 << 20

_DIRECTIONS = {
    _socket.SHUT_RD: loopback.Direction.RECEIVE,
    _socket.SHUT_WR: loopback.Direction.SEND,
    _socket.SHUT_RDWR: loopback.Direction.BOTH,
}


def _error(number, reason=None):
    text = os.strerror(number)
    return OSError(number, text if reason is None else f"{text}: {reason}")


class Socket:
    """`_socket.socket`: what `socket.socket` is built on."""

    __slots__ = ("_bound", "_family", "_listens", "_number", "_options", "_path", "_proto", "_timeout")

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        self._number, self._path, self._bound, self._listens, self._options = -1, None, False, False, {}
        family, type, proto = (operator.index(value) for value in (family, type, proto))
        self._timeout = _socket.getdefaulttimeout()
        if fileno is None:
            family, kind = _INET if family == -1 else family, _STREAM if type == -1 else type & ~(_NONBLOCK | _CLOEXEC)
            if family not in (_INET, _INET6, _AF_UNIX) or kind != _STREAM:
                raise names.refused(family, kind, f"; {_NO_DATAGRAMS}" if kind == _socket.SOCK_DGRAM else "")
            self._number = descriptors.install(Idle())
            if type != -1 and type & _NONBLOCK:
                self._timeout = 0.0
        else:
            self._take(operator.index(fileno))
            family = self._family_of_handle() if family == -1 else family
        self._family, self._proto = family, max(proto, 0)
        self._note_blocking()

    def _take(self, number):
        """Use an existing descriptor."""
        if number < 0:
            raise ValueError("negative file descriptor")
        handle, fresh = descriptors.facts_of(number)
        if not isinstance(handle, Idle):
            try:
                call(loopback.local_address, handle)
            except OSError:
                if fresh:
                    drop(handle)
                raise
            self._bound = self._is_bound(handle)
        if fresh:  # a standard stream, which another process made a socket
            descriptors.install(handle, number)
        self._number = number

    @staticmethod
    def _is_bound(handle):
        try:
            loopback.peer_address(handle)
        except Failure:
            return True
        return False

    def _family_of_handle(self):
        handle = descriptors.lookup(self._number)
        if isinstance(handle, Idle):
            return _INET
        where = call(loopback.local_address, handle)
        if not isinstance(where, loopback.Address_Tcp):
            return _AF_UNIX
        return _INET6 if ":" in where.value.ip else _INET

    family = property(lambda self: self._family)
    type = property(lambda self: _STREAM)
    proto = property(lambda self: self._proto)
    timeout = property(lambda self: self._timeout)

    def __del__(self):
        if getattr(self, "_number", -1) != -1 and not sys.is_finalizing():
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)
            self._release()

    def __repr__(self):
        return f"<socket object, fd={self._number}, family={self._family}, type={_STREAM}, proto={self._proto}>"

    # --- the descriptor

    def _handle(self):
        handle = descriptors.lookup(self._number)
        if handle is None:
            raise descriptors.bad_descriptor()
        return handle

    def _connection(self):
        handle = self._handle()
        if self._bound or isinstance(handle, Idle):
            raise _error(errno.ENOTCONN)
        return handle

    def _replace(self, handle):
        """Make our descriptor refer to what the host made."""
        old = self._handle()
        descriptors._table[self._number] = keep(handle)
        drop(old)

    def _release(self):
        number, self._number = self._number, -1
        if descriptors.lookup(number) is not None:
            descriptors.forget(number)

    def fileno(self):
        """The descriptor's number; -1 once it is closed."""
        return self._number

    def detach(self):
        """Give the descriptor away."""
        number, self._number = self._number, -1
        return number

    def close(self):
        """Close the socket; copies of its descriptor keep the connection open."""
        if self._number != -1:
            self._release()

    def settimeout(self, value, /):
        """How long an operation may wait, in seconds."""
        if value is not None:
            value = float(value)
            if value < 0:
                raise ValueError("Timeout value out of range")
        self._timeout = value
        self._note_blocking()

    def _note_blocking(self):
        waits = self._timeout is None
        (descriptors.non_blocking.discard if waits else descriptors.non_blocking.add)(self._number)

    def gettimeout(self):
        """How long an operation may wait; None for ever."""
        return self._timeout

    def setblocking(self, flag, /):
        """Wait for ever, or never."""
        self.settimeout(None if flag else 0.0)

    def getblocking(self):
        """Whether an operation waits."""
        return self._timeout != 0

    # --- addresses

    def _address(self, address, caller):
        """The host's form of an address of ours."""
        if self._family == _AF_UNIX:
            path = os.fsdecode(address) if isinstance(address, (str, bytes)) else _wrong(caller, "a path", address)
            if "\0" in path:
                raise _error(errno.EINVAL, "wisp has no abstract Unix sockets: use a path")
            return loopback.Address_Unix(spelling.spell(os.path.join(os.getcwd(), path)))
        if not isinstance(address, tuple):
            _wrong(caller, "a tuple", address)
        if not 2 <= len(address) <= (2 if self._family == _INET else 4):
            raise TypeError(f"{caller}(): AF_INET address must be a pair (host, port)")
        port = operator.index(address[1])
        if not 0 <= port <= 0xFFFF:
            raise OverflowError(f"{caller}(): port must be 0-65535.")
        return loopback.Address_Tcp(loopback.Endpoint(names.one_ip(address[0], self._family), port))

    def _told(self, address):
        """Our form of an address of the host's."""
        if isinstance(address, loopback.Address_Tcp):
            ip, port = address.value.ip, address.value.port
            if self._family != _INET6:
                return ip, port
            return (ip if ":" in ip else f"::ffff:{ip}"), port, 0, 0
        return spelling.read(address.value) if isinstance(address, loopback.Address_Unix) else ""

    def bind(self, address, /):
        """Take an address of this session."""
        where = self._address(address, "bind")
        if not isinstance(self._handle(), Idle):
            raise _error(errno.EINVAL)
        only = bool(self._options.get((_socket.IPPROTO_IPV6, _socket.IPV6_V6ONLY)))
        self._replace(_call(loopback.bind, where, only))
        self._bound = True
        if self._family == _AF_UNIX:
            self._path = os.fsdecode(address)

    def listen(self, backlog=128, /):
        """Take connections from now on."""
        if isinstance(self._handle(), Idle):
            if self._family == _AF_UNIX:
                raise _error(errno.EINVAL)
            self.bind(("", 0))
        call(loopback.listen, self._handle(), min(max(operator.index(backlog), 0), 1 << 16))
        self._listens = True

    def _accept(self):
        """Wait for a connection; return its descriptor and the peer's address."""
        deadline = Deadline(self._timeout)
        while True:
            handle = self._handle()
            if isinstance(handle, Idle):
                raise _error(errno.EINVAL)
            try:
                found = loopback.accept(handle)
            except Failure as failure:
                code = code_of(failure)
            else:
                return descriptors.install(found), self._told(call(loopback.peer_address, found))
            if code != files.ErrorCode.WOULD_BLOCK:
                raise _failure(code)
            deadline.wait(handle.subscribe_read())

    def connect(self, address, /):
        """Connect to a socket of this session; this never waits."""
        where = self._address(address, "connect")
        handle = self._handle()
        idle = isinstance(handle, Idle)
        if not idle and not self._bound:
            raise _error(errno.EISCONN)
        made = _call(loopback.connect, where, None if idle else handle, about=where)
        self._replace(made)
        self._bound = False

    def connect_ex(self, address, /):
        """As `connect`; return the error's number."""
        try:
            self.connect(address)
        except OSError as error:
            if error.errno is None:
                raise
            return error.errno
        return 0

    def getsockname(self):
        """The address of this end."""
        handle = self._handle()
        if isinstance(handle, Idle):
            return {_INET: ("0.0.0.0", 0), _INET6: ("::", 0, 0, 0)}.get(self._family, "")
        return self._told(call(loopback.local_address, handle)) if self._path is None else self._path

    def getpeername(self):
        """The address of the other end."""
        return self._told(call(loopback.peer_address, self._connection()))

    def shutdown(self, how, /):
        """End one direction, or both."""
        if how not in _DIRECTIONS:
            raise _error(errno.EINVAL)
        handle = self._handle()
        if isinstance(handle, Idle):
            raise _error(errno.ENOTCONN)
        call(loopback.shutdown, handle, _DIRECTIONS[how])

    # --- receiving

    def recv(self, bufsize, flags=0, /):
        """Some bytes; b"" once the peer has ended."""
        if bufsize < 0:
            raise ValueError("negative buffersize in recv")
        deadline = Deadline(0 if flags & _DONTWAIT else self._timeout)
        data = self._receive(bufsize, flags & _PEEK, deadline)
        if flags & _WAITALL and not flags & _PEEK:
            while len(data) < bufsize and (more := self._receive(bufsize - len(data), 0, deadline)):
                data += more
        return data

    def _receive(self, size, peek, deadline):
        handle = self._connection()
        if not size:
            return b""
        deadline.wait(handle.subscribe_read())
        return call(loopback.peek, handle, min(size, _PIECE)) if peek else call(handle.read, min(size, _PIECE))

    def recv_into(self, buffer, nbytes=0, flags=0):
        """As `recv`, into a buffer; return how many bytes that were."""
        view = memoryview(buffer).cast("B")
        if nbytes < 0:
            raise ValueError("negative buffersize in recv_into")
        if nbytes > len(view):
            raise ValueError("buffer too small for requested bytes")
        data = self.recv(nbytes or len(view), flags)
        view[: len(data)] = data
        return len(data)

    def recvfrom(self, bufsize, flags=0, /):
        """As `recv`; a stream's bytes have no address of their own."""
        return self.recv(bufsize, flags), None

    def recvfrom_into(self, buffer, nbytes=0, flags=0):
        """As `recv_into`."""
        return self.recv_into(buffer, nbytes, flags), None

    def recvmsg(self, bufsize, ancbufsize=0, flags=0, /):
        """As `recv`; there is no ancillary data."""
        return self.recv(bufsize, flags), [], 0, None

    def recvmsg_into(self, buffers, ancbufsize=0, flags=0, /):
        """As `recv_into`, into the first buffer that has room."""
        room = [view for view in map(memoryview, buffers) if view.nbytes]
        return (self.recv_into(room[0], 0, flags) if room else 0), [], 0, None

    # --- sending

    def send(self, data, flags=0, /):
        """Send bytes; return how many that were: all of them, unless there is a timeout."""
        view = memoryview(data).cast("B")
        timeout = 0 if flags & _DONTWAIT else self._timeout
        if timeout is None:
            self._send_all(view, None)
            return len(view)
        return self._send_some(view, Deadline(timeout))

    def sendall(self, data, flags=0, /):
        """Send all bytes."""
        self._send_all(memoryview(data).cast("B"), 0 if flags & _DONTWAIT else self._timeout)

    def _send_all(self, view, timeout):
        deadline = Deadline(timeout)
        self._connection()
        while view:
            view = view[self._send_some(view, deadline) :]

    def _send_some(self, view, deadline):
        while True:
            handle = self._connection()
            written = call(handle.write_some, bytes(view[:_PIECE]))
            if written or not view:
                return written
            deadline.wait(handle.subscribe_write())

    def sendto(self, data, *flags_and_address):
        """As `send`: the socket is connected already."""
        return self.send(data, flags_and_address[0] if len(flags_and_address) > 1 else 0)

    def sendmsg(self, buffers, ancdata=(), flags=0, address=None, /):
        """Send the buffers one after the other."""
        if len(tuple(ancdata)):
            raise _error(errno.EOPNOTSUPP, "wisp's sockets carry bytes only; give a new process descriptors with pass_fds")
        return self.send(b"".join(map(bytes, map(memoryview, buffers))), flags)

    # --- options

    def setsockopt(self, level, option, value, length=None, /):
        """Remember an option. Most mean nothing here, where nothing is lost or delayed."""
        if value is None:
            value = bytes(length)
        self._handle()
        self._options[level, option] = value if isinstance(value, int) else bytes(value)

    def getsockopt(self, level, option, length=0, /):
        """An option: what is true of this socket, or what was set."""
        self._handle()
        facts = {
            _socket.SO_ACCEPTCONN: int(self._listens),
            _socket.SO_TYPE: _STREAM,
            _socket.SO_ERROR: 0,
            _socket.SO_DOMAIN: self._family,
            _socket.SO_PROTOCOL: self._proto,
            _socket.SO_RCVBUF: _BUFFER,
            _socket.SO_SNDBUF: _BUFFER,
        }
        if level == _socket.SOL_SOCKET and option in facts:
            value = facts[option]
        else:
            value = self._options.get((level, option), 0)
        if not length:
            return int.from_bytes(value[:4], sys.byteorder) if isinstance(value, bytes) else int(value)
        return (value if isinstance(value, bytes) else struct.pack("i", value))[:length]


def _wrong(caller, wanted, address):
    raise TypeError(f"{caller}(): address must be {wanted}, not {type(address).__name__}")


def _failure(code, about=None):
    """The exception for an error of the host's, with what a refused connection asked for."""
    if code == files.ErrorCode.CONNECTION_REFUSED and isinstance(about, loopback.Address_Tcp):
        return _error(errno.ECONNREFUSED, f"nothing in this session listens at {about.value.ip} port {about.value.port}")
    return os_error(code)


def _call(function, *arguments, about=None):
    """Call a function of the host."""
    try:
        return function(*arguments)
    except Failure as failure:
        code = code_of(failure)
    raise _failure(code, about)


def connected(host, port):
    """A handle of a connection to a server of this session at `host`, which may be a name or an address; None if there is
    none."""
    descriptors.hold_root()
    for ip in names.own(host):
        try:
            return loopback.connect(loopback.Address_Tcp(loopback.Endpoint(ip, port)), None)
        except Failure as failure:
            code = code_of(failure)
        if code != files.ErrorCode.CONNECTION_REFUSED:
            raise _failure(code)
    return None


def _socketpair(family=_AF_UNIX, type=_STREAM, proto=0):
    """`_socket.socketpair`."""
    if family != _AF_UNIX or type & ~(_NONBLOCK | _CLOEXEC) != _STREAM:
        raise _error(errno.EOPNOTSUPP, f"socketpair makes Unix sockets; {_NO_DATAGRAMS}")
    descriptors.hold_root()
    return tuple(Socket(family, type, proto, descriptors.install(handle)) for handle in call(loopback.pair))


def _dup(number, /):
    """`_socket.dup`."""
    return os.dup(number)


def _close(number, /):
    """`_socket.close`."""
    os.close(number)


def install():
    """Put them into `_socket`, from which `socket` takes everything."""
    _socket.AF_UNIX = _AF_UNIX
    Socket.__name__ = Socket.__qualname__ = "socket"
    Socket.__module__ = "_socket"
    _socket.socket = _socket.SocketType = Socket
    _socket.socketpair, _socket.dup, _socket.close = _socketpair, _dup, _close
    names.install()

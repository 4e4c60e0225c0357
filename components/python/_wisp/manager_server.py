"""The server of `multiprocessing.managers` in an image without threads. CPython serves each connection in a thread; here each is a generator
(`_Client.talk`) that goes on when there is something to read. One request is done at a time. A request that has to wait is parked
(`manager_waits`) and tried again after every other request, and when its time is up. It runs when a program imports the module.
"""

import os
import selectors
import sys
import time
from traceback import format_exc

from . import locks, modules, threads

#: `multiprocessing.managers`, once `install` has changed it.
library = None

#: What `accept_connection` returns: the requests of a proxy follow.
_PROXY_FOLLOWS = object()


class _Client:
    """A connection, and what CPython's thread for it would do. It owns the locks that it acquires, as a thread does (`thread`)."""

    def __init__(self, server, conn):
        self.server, self.conn, self.early, self.gone = server, conn, [], False
        self.thread = threads.Thread(-1, id(self))
        self.talk = self._talk()

    def _talk(self):
        """All that is said. What it yields says when to go on: None for when there is something to read, or when a request is to be tried
        again, as `manager_waits` says it."""
        server, conn = self.server, self.conn
        try:
            yield from self._greet()
            yield None
            _, name, args, kwds = conn.recv()
            assert name in server.public, f"{name!r} unrecognized"
            if name == "create":
                args, kwds = _own_locks(server, args, kwds)
            result = getattr(server, name)(conn, *args, **kwds)
        except Exception:
            self._send(("#TRACEBACK", format_exc()), "#TRACEBACK")
            return
        if result is _PROXY_FOLLOWS:
            yield from self._serve()
        elif not server.stop_event.is_set():  # `shutdown` has answered
            self._send(("#RETURN", result), "#TRACEBACK")

    def _greet(self):
        """Both sides prove that they know the key: `deliver_challenge` and `answer_challenge`, without waiting."""
        conn, key, protocol = self.conn, self.server.authkey, library.connection
        challenge = b"{sha256}" + os.urandom(protocol.MESSAGE_LENGTH)
        conn.send_bytes(protocol._CHALLENGE + challenge)
        yield None
        try:
            protocol._verify_challenge(key, challenge, conn.recv_bytes(256))
        except protocol.AuthenticationError:
            conn.send_bytes(protocol._FAILURE)
            raise
        conn.send_bytes(protocol._WELCOME)
        yield None
        message = conn.recv_bytes(256)
        theirs = message.removeprefix(protocol._CHALLENGE)
        if theirs == message or len(theirs) < protocol._MD5ONLY_MESSAGE_LENGTH:
            raise protocol.AuthenticationError(f"Protocol error, expected challenge: {message=}")
        conn.send_bytes(protocol._create_response(key, theirs))
        yield None
        if conn.recv_bytes(256) != protocol._WELCOME:
            raise protocol.AuthenticationError("digest sent was rejected")

    def _serve(self):
        """Answer the requests of a process's proxies."""
        while not self.server.stop_event.is_set():
            if not self.early:
                yield None
            try:
                request = self.early.pop(0) if self.early else self.conn.recv()
            except EOFError:
                return
            except Exception:
                message = "#TRACEBACK", format_exc()
            else:
                message = yield from self.answer(request)
            if not self._send(message, "#UNSERIALIZABLE"):
                return

    def answer(self, request):
        """The answer to one request of a proxy."""
        server, thing, method = self.server, None, None
        try:
            ident, method, args, kwds = request
            found = server.id_to_obj.get(ident) or server.id_to_local_proxy_obj.get(ident)
            if found is None:
                raise KeyError(ident)
            thing, exposed, made = found
            if method not in exposed:
                raise AttributeError(f"method {method!r} of {type(thing)!r} object is not in exposed={exposed!r}")
            kind, result = yield from self._call(getattr(thing, method), args, kwds)
            typeid = made and made.get(method)
            if kind == "#ERROR" or not typeid:
                return kind, result
            ident, exposed = server.create(self.conn, typeid, result)
            return "#PROXY", (exposed, library.Token(typeid, server.address, ident))
        except AttributeError:
            if method is None:
                return "#TRACEBACK", format_exc()
            try:
                return "#RETURN", server.fallback_mapping[method](server, self.conn, ident, thing, *args, **kwds)
            except Exception:
                return "#TRACEBACK", format_exc()
        except Exception:
            return "#TRACEBACK", format_exc()

    def _call(self, function, args, kwds):
        """What a function returns or raises; yields as long as it would wait."""
        owner = getattr(function, "__self__", None)
        waits = _waits.get(getattr(function, "__func__", None))
        try:
            if waits is None:
                if not isinstance(owner, (locks.RLock, library.threading.Condition)):
                    return "#RETURN", function(*args, **kwds)
                return "#RETURN", self._as_owner(function, *args, **kwds)
            operation = waits(owner, *args, **kwds)
            try:
                while (wanted := self._as_owner(next, operation, self)) is not self:
                    yield wanted
            finally:
                self._as_owner(operation.close)
        except Exception as error:
            over = isinstance(error, RuntimeError) and isinstance(error.__cause__, StopIteration)  # that is for the other side
            return "#ERROR", error.__cause__ if over else error
        return "#RETURN", operation.result

    def _as_owner(self, function, *args, **kwds):
        """Call a function that does not wait, as the thread that this client is to locks."""
        before, threads.current = threads.current, self.thread
        try:
            return function(*args, **kwds)
        finally:
            threads.current = before

    def _send(self, message, otherwise):
        """Send a message, or why it cannot be sent. Returns whether either went."""
        try:
            self.conn.send(message)
            return True
        except Exception as error:
            try:
                self.conn.send((otherwise, format_exc()))
                return True
            except Exception:
                library.util.info("Failure to send message: %r", message)
                library.util.info(" ... exception was %r", error)
                return False


def _own_locks(server, args, kwds):
    """The arguments of `create`: a condition of this server gets the lock itself, and not its proxy."""
    if not args or server.registry.get(args[0], (None,))[0] is not library.threading.Condition:
        return args, kwds

    def own(value):
        is_ours = isinstance(value, library.BaseProxy) and value._token.address == server.address
        return server.id_to_obj[value._id][0] if is_ours else value

    return [own(value) for value in args], {name: own(value) for name, value in kwds.items()}


class _Loop:
    """All clients of a server."""

    def __init__(self, server):
        self.server, self.selector = server, selectors.DefaultSelector()
        self.selector.work = self.can_go_on
        self.parked = {}  # client → (when it is too late, what says that it may go on), the longest first
        self.selector.register(server.listener._listener._socket, selectors.EVENT_READ)

    def run(self):
        """Serve until the server is told to stop."""
        stop = self.server.stop_event
        while not stop.is_set():
            ends = [end for end, _ in self.parked.values() if end is not None]
            left = max(min(ends) - time.monotonic(), 0) if ends else None
            for key, _ in self.selector.select(left):
                if key.data is None:
                    self.accept()
                elif key.data in self.parked:
                    self.read_early(key.data)
                elif not key.data.gone and not stop.is_set():
                    self.go_on(key.data)
                    self.retry()
            self.retry()

    def can_go_on(self):
        """Whether a parked request may go on because of something other than a request."""
        return any(ready is not None and ready() for _, ready in self.parked.values())

    def accept(self):
        """Take a new connection."""
        try:
            conn = self.server.listener.accept()
        except OSError:
            return
        client = _Client(self.server, conn)
        self.selector.register(conn, selectors.EVENT_READ, client)
        self.go_on(client)

    def read_early(self, client):
        """A client whose request is parked has ended, or, against the protocol, sent another request."""
        try:
            client.early.append(client.conn.recv())
        except Exception:
            self.forget(client)

    def go_on(self, client):
        """Let a client go on; returns whether its request is no longer parked."""
        try:
            wanted = next(client.talk)
        except (StopIteration, SystemExit):
            self.forget(client)
            return True
        if wanted is None:
            self.parked.pop(client, None)
            return True
        self.parked[client] = wanted
        return False

    def retry(self):
        """Try the parked requests again, until none can go on."""
        while any(self.try_again(client) for client in list(self.parked)):
            pass

    def try_again(self, client):
        """Let a client go on whose request is parked, unless it has ended."""
        if client in self.parked and client.conn.poll():
            self.read_early(client)
        return client in self.parked and self.go_on(client)

    def forget(self, client):
        """A client has ended: so does its request, if it is parked."""
        client.gone = True
        self.parked.pop(client, None)
        client.talk.close()
        self.selector.unregister(client.conn)
        client.conn.close()

    def close(self):
        """Forget all: the server must not outlive the modules that its end needs."""
        for key in list(self.selector.get_map().values()):
            if key.data is not None:
                self.forget(key.data)
        self.selector.work = None
        self.selector.close()


class _Self:
    """The connection of proxies to the server in its own process: an object of the server holds another."""

    def __init__(self, server):
        self.client, self.reply = _Client(server, None), None

    def send(self, request):
        """Do a request at once."""
        copy = library.reduction.ForkingPickler
        operation = self.client.answer(copy.loads(copy.dumps(request)))
        try:
            next(operation)
        except StopIteration as end:
            self.reply = bytes(copy.dumps(end.value))
            return
        operation.close()
        raise RuntimeError(f"deadlock: a manager's server would wait in {request[1]}() for what only it can do")

    def recv(self):
        """The answer."""
        return library.reduction.ForkingPickler.loads(self.reply)


def _serve_forever(self):
    """`Server.serve_forever`."""
    self.stop_event = library.threading.Event()
    library.process.current_process()._manager_server = self
    try:
        loop = _Loop(self)
        try:
            loop.run()
        except (KeyboardInterrupt, SystemExit):
            pass
        loop.close()
    finally:
        library.process.current_process()._manager_server = None
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        sys.exit(0)


def _accept_connection(self, c, name):
    """`Server.accept_connection`."""
    c.send(("#RETURN", None))
    return _PROXY_FOLLOWS


def install(module):
    """Change `multiprocessing.managers`."""
    global library, _waits
    library = module
    _waits = modules.load_later("manager_waits").waits(module)
    module.Server.serve_forever, module.Server.accept_connection = _serve_forever, _accept_connection
    standard = module.BaseProxy._connect

    def _connect(self):
        server = getattr(module.process.current_process(), "_manager_server", None)
        if server is None or server.address != self._token.address:
            standard(self)
        else:
            self._tls.connection = _Self(server)

    module.BaseProxy._connect = _connect

"""asyncio on the host's pollables, without a self-pipe: the loop sees what another thread gave it (`HostSelector.work`)."""

import asyncio
import asyncio.unix_events
import errno
import importlib
import inspect
import selectors
import signal
import socket

from . import names, processes, signals, threads, wait_status
from .selector import HostSelector


class _ChildWatcher:
    """Tells the loop when a child has ended."""

    def add_child_handler(self, pid, callback, *arguments):
        """Call `callback(pid, returncode, *arguments)` when the child has ended."""
        loop = asyncio.get_running_loop()

        def ended():
            status = processes.waitpid(pid, 0)[1]
            loop.call_soon(callback, pid, wait_status.waitstatus_to_exitcode(status), *arguments)

        loop._selector.watch(processes.child(pid), ended)


def _nothing(self, *arguments):
    """For the parts of the loop that serve the self-pipe."""


def _wake(self):
    """Another thread, or a handler, gave the loop something to do."""
    threads.poke()


def _own_selector(self):
    """Replaces the creation of the self-pipe when a loop is made."""
    self._selector.work = lambda: self._ready


def _add_signal_handler(self, sig, callback, *arguments):
    """`loop.add_signal_handler`: the handler records the signal, and the loop checks for it when it waits."""
    if asyncio.iscoroutine(callback) or inspect.iscoroutinefunction(callback):
        raise TypeError("coroutines cannot be used with add_signal_handler()")
    self._check_signal(sig)
    self._check_closed()
    self._signal_handlers[sig] = asyncio.events.Handle(callback, arguments, self, None)
    try:
        signal.signal(sig, signals.for_loop(lambda number, frame: self._handle_signal(number)))
    except OSError as error:
        del self._signal_handlers[sig]
        if error.errno == errno.EINVAL:
            raise RuntimeError(f"sig {sig} cannot be caught") from None
        raise


def _without_threads(loop):
    """Let the tasks of executors run when the loop turns, one at each turn."""
    from . import caller_pool

    turn = loop._run_once

    def _run_once(self):
        caller_pool.run_one()
        turn(self)

    def _make_self_pipe(self):
        self._selector.work = lambda: self._ready or caller_pool.pending()

    async def shutdown_default_executor(self, timeout=None):
        self._executor_shutdown_called = True
        if self._default_executor is not None:
            self._default_executor.shutdown()

    caller_pool.install(importlib.import_module("concurrent.futures.thread"))
    loop._run_once, loop._make_self_pipe, loop.shutdown_default_executor = _run_once, _make_self_pipe, shutdown_default_executor


async def _no_datagrams(self, *arguments, **options):
    """`loop.create_datagram_endpoint`."""
    raise PermissionError(errno.EACCES, names.NO_SOCKETS)


async def _getaddrinfo(self, host, port, *, family=0, type=0, proto=0, flags=0):
    """`loop.getaddrinfo`: nothing is waited for, because only names of this session are known."""
    return socket.getaddrinfo(host, port, family, type, proto, flags)


async def _getnameinfo(self, sockaddr, flags=0):
    """`loop.getnameinfo`."""
    return socket.getnameinfo(sockaddr, flags)


def install():
    """Make the standard event loop work here."""
    selectors.DefaultSelector = HostSelector
    loop = asyncio.unix_events._UnixSelectorEventLoop
    loop._make_self_pipe = _own_selector
    loop._close_self_pipe = _nothing
    loop._write_to_self = _wake
    loop.add_signal_handler = _add_signal_handler
    if not threads.available:
        _without_threads(loop)
    loop.create_datagram_endpoint = _no_datagrams
    loop.getaddrinfo, loop.getnameinfo = _getaddrinfo, _getnameinfo
    asyncio.unix_events.can_use_pidfd = lambda: False
    asyncio.unix_events._ThreadedChildWatcher = _ChildWatcher

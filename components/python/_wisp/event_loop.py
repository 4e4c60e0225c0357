"""asyncio on the host's pollables: no self-pipe (nothing else runs that could write to it), no threads."""

import asyncio
import asyncio.unix_events
import selectors

from . import processes
from .selector import HostSelector

_NO_EXECUTOR = (
    "can't start new thread: wisp runs one thread per process, so asyncio has no executor; "
    "call the function directly, or run it as a process with asyncio.create_subprocess_exec"
)


class _ChildWatcher:
    """Tells the loop when a child has ended."""

    def add_child_handler(self, pid, callback, *arguments):
        """Call `callback(pid, returncode, *arguments)` when the child has ended."""
        loop = asyncio.get_running_loop()

        def ended():
            status = processes.waitpid(pid, 0)[1]
            loop.call_soon(callback, pid, processes.waitstatus_to_exitcode(status), *arguments)

        loop._selector.watch(processes.child(pid), ended)


def _nothing(self, *arguments):
    """For the parts of the loop that serve the self-pipe."""


def _add_signal_handler(self, sig, callback, *arguments):
    """`loop.add_signal_handler`."""
    raise NotImplementedError("wisp delivers no signals to a running program; a signal from outside ends it")


def _run_in_executor(self, executor, function, *arguments):
    """`loop.run_in_executor`."""
    if executor is None:
        raise RuntimeError(_NO_EXECUTOR)
    return _standard_run_in_executor(self, executor, function, *arguments)


_standard_run_in_executor = asyncio.base_events.BaseEventLoop.run_in_executor


def install():
    """Make the standard event loop work here."""
    selectors.DefaultSelector = HostSelector
    loop = asyncio.unix_events._UnixSelectorEventLoop
    loop._make_self_pipe = _nothing
    loop._close_self_pipe = _nothing
    loop._write_to_self = _nothing
    loop.add_signal_handler = _add_signal_handler
    loop.run_in_executor = _run_in_executor
    asyncio.unix_events.can_use_pidfd = lambda: False
    asyncio.unix_events._ThreadedChildWatcher = _ChildWatcher

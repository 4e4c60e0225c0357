"""Before a snapshot of a living process: releases what memory cannot hold, and restores it afterwards.

Files of the C library are closed and opened again at the same offset: a snapshot has the paths, not the handles. Pipes
(also those with a name), child processes and databases stay behind, each named. The directory `/`, which the C library
holds from the first path on, stays: it is the first handle of the process, and a process that continues from the
snapshot receives it first.
"""

import gc
import io
import os
import posix
import sqlite3
import stat
import sys

from . import descriptors, host_calls, paths, processes, threads, web
from .errors import call

#: The first descriptor of the C library that a program can have: the standard ones and `/` come before it.
_FIRST, _LAST = 4, 1024

_BUFFERED = (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom)

#: What `resume` opens again.
_parked = []


class _Parked:
    """A file that is closed temporarily."""

    def __init__(self, raw):
        self.raw = raw
        self.number = raw.fileno()
        self.path = os.path.join(posix.getcwd(), os.fsdecode(raw.name))
        self.offset = _offset(self.number)  # before the file is closed, with what the host has of it
        self.identity = _identity(posix.fstat(self.number))
        self.lock = _lock(self.number)

    def is_there(self):
        """Whether the path still leads to this file."""
        try:
            return _identity(posix.stat(self.path)) == self.identity
        except OSError:
            return False

    def is_pipe(self):
        """Whether it is a named pipe: opening it again would wait for another process."""
        return stat.S_ISFIFO(os.stat(self.path).st_mode)

    def reopen(self):
        """Open it again, at the same offset."""
        self.raw.__init__(self.raw.name, self.raw.mode, opener=self._open)
        vars(self.raw).pop("__IOBase_closed", None)
        if self.offset is not None:
            posix.lseek(self.raw.fileno(), self.offset, os.SEEK_SET)

    def relock(self):
        """Take its lock again, if it had one; return whether it has its lock."""
        if self.lock is None:
            return True
        try:
            handle, ours = descriptors.facts_of(self.raw.fileno())  # the number may be a different one now
            try:
                call(handle.try_lock, self.lock)
            finally:
                if ours:
                    descriptors.drop(handle)
        except OSError:
            return False
        return True

    def _open(self, _, flags):
        """Open the file as it is: neither create nor truncate it."""
        return os.open(self.path, flags & ~(os.O_CREAT | os.O_EXCL | os.O_TRUNC))


def _identity(facts):
    return facts.st_dev, facts.st_ino


def _lock(number):
    """The lock that an open file holds; devices that cannot be adopted hold none."""
    try:
        handle, ours = descriptors.facts_of(number)
    except OSError:
        return None
    try:
        return handle.held_lock()
    finally:
        if ours:
            descriptors.drop(handle)


def _offset(number):
    """The offset of a file; None for one without an offset."""
    try:
        return os.lseek(number, 0, os.SEEK_CUR)
    except OSError:
        return None


def park():
    """Release every handle except that of `/`; return what will be missing, one line each."""
    descriptors.hold_root()  # a copy is given this one handle, whether the cells used it or not
    lost = _drop_children() + _drop_handles()
    if next(_open_numbers(), None) is not None:
        things = gc.get_objects()
        lost += _close_databases(things)
        lost += _close_files(things)
        del things  # it kept statements of the databases alive, which are closed with them
        lost += [_close_number(number) for number in _open_numbers()]
    return lost


def resume():
    """Open the files again; return what could not be restored."""
    lost = []
    for file in sorted(_parked, key=lambda file: file.number):
        try:
            if not file.is_there():
                raise FileNotFoundError
            file.reopen()
        except OSError:
            lost.append(f"the open file {file.path}")
        else:
            if not file.relock():
                lost.append(f"the lock on the open file {file.path}")
    _parked.clear()
    return lost


def end_threads():
    """End the threads of an evaluation: their stacks are not in memory, so no snapshot could have them. Returns a line for each. Idle ones
    of a pool are nothing to miss: it makes new ones."""
    for _ in range(2):
        threads.give()  # one that has just done its work waits for more afterwards, or has ended
    names = {thread: threads.name_of(thread) for thread in threads.others.values()}
    pools = _Pools()
    left = threads.end_all(pools.idle)
    pools.renew()
    lost = [f"the thread {name}, which ended with its evaluation" for thread, name in names.items() if thread not in pools.idle and thread not in left]
    return lost + [f"the thread {threads.name_of(thread)}, which would not end with its evaluation" for thread in left]


class _Pools:
    """The pools (`concurrent.futures.thread`) whose threads end: as if they were shut down, until the threads have ended."""

    def __init__(self):
        self.idle = set()
        self._pools, self._queues = {}, {}
        for thread in threads.others.values():
            known = sys.modules["threading"]._active.get(thread.ident)
            if known is None or getattr(getattr(known, "_target", None), "__module__", None) != "concurrent.futures.thread":
                continue
            pool, queue = known._args[0](), known._args[-1]
            if pool is not None:
                self._pools[pool] = self._pools.get(pool, pool._shutdown)
                pool._shutdown = True
            self._queues[id(queue)] = queue
            queue.put(None)  # `SystemExit` would be logged as "Exception in worker"
            frame = thread.frame
            while frame is not None and frame.f_code.co_filename.startswith(paths.OWN):
                frame = frame.f_back
            if frame is not None and frame.f_code is known._target.__code__:
                self.idle.add(thread)

    def renew(self):
        """Let the pools make new threads for what is still to be done."""
        for queue in self._queues.values():
            for _ in range(queue.qsize()):
                item = queue.get_nowait()
                if item is not None:
                    queue.put(item)
        for pool, was_shut_down in self._pools.items():
            pool._shutdown = was_shut_down
            pool._threads.clear()
            pool._idle_semaphore = sys.modules["threading"].Semaphore(0)


def _open_numbers():
    """The descriptors of the C library that are open."""
    for number in range(_FIRST, _LAST):
        try:
            posix.fstat(number)
        except OSError:
            continue
        yield number


def _close_number(number):
    """Close a descriptor that cannot be opened again; return its line."""
    os.close(number)
    return f"the open file of descriptor {number}"


def _close_files(things):
    """Close what `open` opened; a file that no path leads to is lost."""
    for stream in things:
        if isinstance(stream, _BUFFERED) and not stream.closed and stream.writable():
            _flush(stream)
    lost = []
    for raw in things:
        if not isinstance(raw, io.FileIO) or raw.closed or raw.fileno() < _FIRST or not raw.closefd:
            continue
        if isinstance(raw.name, int):  # from `os.fdopen`, or a file without a name
            lost.append(f"the open file of descriptor {raw.fileno()}")
        elif not (file := _Parked(raw)).is_there():
            lost.append(f"the open file {file.path}")
        elif file.is_pipe():
            lost.append(f"the open named pipe {file.path}")
        else:
            _parked.append(file)
        io.FileIO.close(raw)
    return lost


def _flush(stream):
    """Write what is buffered: a file that is lost keeps at least that."""
    try:
        stream.flush()
    except (OSError, ValueError):
        pass  # it fails again when the program closes it


def _close_databases(things):
    """Close databases in files: SQLite cannot be told that its file has been replaced. It holds a file and its locks as long as a statement
    has not come to its end, also behind a closed connection; so the program's cursors let go of theirs."""
    lost, kept = [], set()
    for connection in things:
        if not isinstance(connection, sqlite3.Connection):
            continue
        try:
            places = [row[2] for row in connection.execute("PRAGMA database_list") if row[2]]
            if places:
                connection.close()
                lost += [f"the open database {place}" for place in places]
            else:
                kept.add(id(connection))
        except sqlite3.Error:
            pass  # closed already
    for cursor in things:
        if isinstance(cursor, sqlite3.Cursor) and cursor.description and id(cursor.connection) not in kept:
            sqlite3.Cursor.__init__(cursor, cursor.connection)  # `close` would refuse, because the connection is closed
    return lost


def _drop_children():
    """Release child processes: those that have ended keep their status."""
    lost = []
    for pid, (child, name) in list(processes._children.items()):
        if isinstance(child, processes.Remembered):
            continue
        status = child.try_wait()
        descriptors.drop(child)
        if status is None:
            lost.append(f"the running child process {pid} ({name})")
        processes._children[pid] = (processes.Remembered(status), name)
    return lost


def _drop_handles():
    """Release pipes and descriptors that the host supplied."""
    lost = []
    for number in list(descriptors._table):
        if number < 3:
            lost.append(f"what descriptor {number} was redirected to")
        elif descriptors.is_pipe(number):
            lost.append(f"the pipe of descriptor {number}")
        elif descriptors.is_socket(number):
            lost.append(f"the socket of descriptor {number}")
        else:
            lost.append(f"the open file of descriptor {number}")
        descriptors.forget(number)
    for exchange in list(web.alive):
        lost.append(f"the connection to {exchange.place}")
        exchange.close()
    for running in list(host_calls.alive):
        lost.append(f"the running call of the host's function {running.name}")
        running.close()
    return lost

"""What of `multiprocessing` is the system's: the library's modules are CPython's, and `adapt` changes each after its import.

Processes are children of the host's, started afresh (`spawn`); they inherit descriptors under the same numbers. It runs when a program
first imports `multiprocessing`.
"""

import os
import posix
import sys
import tempfile
import types
import warnings

from wit_world.imports import files, process

from . import descriptors, modules, processes, threads
from .errors import call

_NO_FORK = "a WebAssembly program cannot fork; the start method is 'spawn', as on macOS and Windows, which needs `if __name__ == \"__main__\":`"


def adapt(module):
    """Change one of the library's modules, by its name."""
    _PARTS[module.__name__.rpartition(".")[2]](module)


class _Contexts(dict):
    """The start methods that there are."""

    def __missing__(self, method):
        if method in ("fork", "forkserver"):
            raise ValueError(f"cannot find context for {method!r}: {_NO_FORK}")
        raise KeyError(method)


def _context(module):
    """`multiprocessing.context`: `spawn` and nothing else."""
    spawn = module._concrete_contexts["spawn"]
    module._concrete_contexts = _Contexts(spawn=spawn)
    module._default_context._default_context = spawn


def _spawnv_passfds(path, args, passfds):
    """`multiprocessing.util.spawnv_passfds`."""
    numbers = processes.standard()
    numbers.update((int(number), int(number)) for number in passfds if number is not None)
    where = os.path.join(posix.getcwd(), os.fsdecode(path))
    words = [os.fsencode(word) for word in args]
    return processes.start(where, words, processes.environment_block(), posix.getcwd(), numbers, report_as=os.fsdecode(path))


def _util(module):
    """`multiprocessing.util`."""
    module.spawnv_passfds = _spawnv_passfds


def _popen_spawn_posix(module):
    """`multiprocessing.popen_spawn_posix`: it opens a pipe by its number."""
    module.open = os.fdopen


def _reduction(module):
    """`multiprocessing.reduction`: sockets carry bytes only, so a process has the descriptors that it was started with."""
    standard = module.DupFd

    def DupFd(fd):
        if module.context.get_spawning_popen() is None:
            raise ValueError("wisp's sockets carry bytes only: give a process its connections when it starts, as arguments of Process")
        return standard(fd)

    module.DupFd = DupFd


def _resource_tracker(module):
    """`multiprocessing.resource_tracker`: no process, but a file that all write to. The first one removes at its end what is left."""
    tracker = type(module._resource_tracker)
    tracker.ensure_running, tracker._send = _ensure_running, _note
    tracker.__del__ = tracker._stop = lambda self, use_blocking_lock=True: None
    module.ensure_running = module._resource_tracker.ensure_running


def _ensure_running(self):
    """Have a file for the names of shared memory, which children inherit."""
    if self._fd is not None:
        return
    descriptors.hold_root()
    path = f"/tmp/.resources-{process.pid()}"
    flags = files.OpenFlags
    handle = call(files.open, path, flags.READ | flags.WRITE | flags.APPEND | flags.CREATE, 0o600, path=path)
    posix.unlink(path)
    self._fd = descriptors.install(handle)
    util = sys.modules["multiprocessing.util"]
    util.Finalize(None, _remove_left, (self._fd,), exitpriority=-1000)


def _note(self, command, name, kind):
    """Write that a name is registered, or no longer. Only shared memory has names."""
    self.ensure_running()
    os.write(self._fd, f"{command} {name.encode().hex()}\n".encode())


def _remove_left(number):
    """Remove the shared memory that nobody has removed, and say so as the tracker does elsewhere."""
    handle = descriptors.lookup(number)
    if handle is None:
        return
    call(handle.seek, files.Whence.START, 0)
    text = b""
    while piece := call(handle.read, 1 << 20):
        text += piece
    left = set()
    for line in text.decode().splitlines():
        command, name = line.split(" ")
        (left.add if command == "REGISTER" else left.discard)(bytes.fromhex(name).decode())
    if left:
        names = f"{{{', '.join(map(repr, sorted(left)))}}}"
        text = f"resource_tracker: There appear to be {len(left)} leaked shared_memory objects to clean up at shutdown: {names}"
        main = sys.modules["multiprocessing.resource_tracker"].main.__code__
        warnings.warn_explicit(text, UserWarning, main.co_filename, main.co_firstlineno)
    import _posixshmem

    for name in left:
        try:
            _posixshmem.shm_unlink(name)
        except OSError:
            pass


def _shared():
    return modules.load_later("shared_memory")


def _heap(module):
    """`multiprocessing.heap`: what it maps is a file that each access reads or writes."""
    module.Arena.__init__ = _make_arena
    module.memoryview = _shared().View


def _make_arena(self, size, fd=-1):
    """`Arena.__init__`. Children inherit a copy of the descriptor whose number their C library never uses."""
    self.size, self.fd = size, fd
    if fd != -1:
        self.buffer = _shared().Shared.inherited(fd, size)
        return
    file, name = tempfile.mkstemp(prefix=".shm-", dir="/tmp")
    os.unlink(name)
    os.ftruncate(file, size)
    self.fd, self.buffer = os.dup(file), _shared().Shared.own(file, size)
    sys.modules["multiprocessing.util"].Finalize(self, os.close, (self.fd,))


def _shared_memory(module):
    """`multiprocessing.shared_memory`: likewise."""
    shared = _shared()
    module.mmap = types.SimpleNamespace(mmap=shared.Shared)
    module.memoryview, module.struct = shared.View, shared.Struct


def _sharedctypes(module):
    """`multiprocessing.sharedctypes`: it clears memory by its address."""
    if not hasattr(module.ctypes, "Array"):  # the data image
        modules.load_later("shared_values").install(module, _clear)
        return
    names = {name: value for name, value in vars(module.ctypes).items() if name[:2] != "__"}
    module.ctypes = types.SimpleNamespace(**names | {"addressof": lambda thing: thing, "memset": _clear})


def _clear(thing, byte, count):
    thing._data[:count] = bytes([byte]) * count


def _pool(module):
    """`multiprocessing.pool`: where there are no threads, its work is done in the program's waits."""
    if not threads.available:
        modules.load_later("pools").pool(module)


def _process(module):
    """`concurrent.futures.process`: likewise."""
    if not threads.available:
        modules.load_later("process_pool").process(module)


def _managers(module):
    """`multiprocessing.managers`: where there are no threads, one loop serves all clients."""
    if not threads.available:
        modules.load_later("manager_server").install(module)


def _queues(module):
    """`multiprocessing.queues`: where there are no threads, `put` writes to the pipe itself, and waits while it is full."""
    if threads.available:
        return

    def put(self, obj, block=True, timeout=None):
        if self._closed:
            raise ValueError(f"Queue {self!r} is closed")
        data = module._ForkingPickler.dumps(obj)
        if not self._sem.acquire(block, timeout):
            raise module.Full
        if isinstance(self, module.JoinableQueue):
            with self._cond:
                self._unfinished_tasks.release()
        with self._wlock:
            self._send_bytes(data)

    module.Queue.put = module.JoinableQueue.put = put


_PARTS = {
    "context": _context, "heap": _heap, "managers": _managers, "pool": _pool, "popen_spawn_posix": _popen_spawn_posix, "process": _process,
    "queues": _queues, "reduction": _reduction, "resource_tracker": _resource_tracker, "shared_memory": _shared_memory,
    "sharedctypes": _sharedctypes, "util": _util,
}

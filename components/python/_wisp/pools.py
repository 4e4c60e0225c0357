"""Pools of processes in an image without threads: what the library's threads do elsewhere is done where the program waits.

A wait looks at what the workers send too (`_wait`, `_idle`), so `get`, `result`, `as_completed`, `join`, `time.sleep` and an event loop
carry the pools on; and so do the calls that bring work. While the program computes, workers finish what they have. Each has one task at a
time, so writing to one never waits for a reader that waits itself. It runs when a program imports `multiprocessing.pool` or
`concurrent.futures.process` (`process_pool`).
"""

import os
import sys
import types

from wit_world.imports import monotonic_clock

from . import caller_pool, descriptors, signals, threads
from .handles import drop

#: What is carried on: the pools that work, and the managers of executors.
running = {}

#: Whether they are being carried on, and whether work was brought meanwhile.
_within = _again = False

standard_wait, _standard_idle = signals.wait, threads._idle


def carry_on():
    """Do what can be done for all pools without waiting."""
    global _within, _again
    _again = True
    if _within:
        return
    _within = True
    try:
        while _again:
            _again = False
            for each in list(running):
                each.step()
    finally:
        _within = False


def _subscribe():
    """What the host says of the workers that have work."""
    handles = [descriptors.lookup(number) for each in list(running) for number in each.numbers()]
    return [handle.subscribe_read() for handle in handles if handle is not None]


def _wait(pollables, once=False, done=None):
    """As `signals.wait`."""
    while not _within and (own := _subscribe()):
        try:
            ready = standard_wait([*pollables, *own], once, done)
        finally:
            for pollable in own:
                drop(pollable)
        others = [index for index in ready if index < len(pollables)]
        if len(others) < len(ready):
            carry_on()
        if others or not ready:
            return others
    return standard_wait(pollables, once, done)


def _idle():
    """As `threads._idle`: the only thread waits, for a lock or a time. It looks again afterwards."""
    if caller_pool.went_on():
        return
    own = [] if _within else _subscribe()
    if not own:
        _standard_idle()
        return
    waits = threads.first.waits
    if waits.end is not None:
        own.append(monotonic_clock.subscribe_duration(max(waits.end - monotonic_clock.now(), 0)))
    try:
        standard_wait([*own, *waits.pollables], True, waits.done)
    finally:
        for pollable in own:
            drop(pollable)
    carry_on()
    threads.wake(threads.first)


signals.wait, threads._idle = _wait, _idle


class _Worker:
    """A process of a pool, the pipes to it and from it, and the task that it has. `left`: how many more it may get."""

    def __init__(self, process, send, receive, left):
        self.process, self.send, self.receive, self.left = process, send, receive, left
        self.task, self.did = None, 0


class _Crew(caller_pool.Works):
    """The workers and the work of a `Pool`."""

    def __init__(self, pool, processes, options):
        super().__init__()
        self.library = sys.modules["multiprocessing.pool"]
        self.make, self.context, self.count = pool.Process, pool._ctx, processes
        self.options = options
        self.processes, self.workers = pool._pool, []
        try:
            for _ in range(processes):
                self.add()
        except BaseException:
            self.terminate()
            raise
        running[self] = None

    def add(self):
        """Start a worker."""
        theirs, ours = self.context.Pipe(False)
        receive, send = self.context.Pipe(False)
        ends = types.SimpleNamespace(get=theirs.recv), types.SimpleNamespace(put=send.send)
        process = self.make(self.context, target=self.library.worker, args=(*ends, *self.options))
        process.name = process.name.replace("Process", "PoolWorker")
        process.daemon = True
        process.start()
        theirs.close()
        send.close()
        self.processes[:] = [*(worker.process for worker in self.workers), process]  # without those that have ended
        self.workers.append(_Worker(process, ours, receive, self.options[2] or sys.maxsize))

    def put(self, work):
        """Take tasks, and the function that takes their number; `Pool._taskqueue.put`."""
        self.works.append(work)
        carry_on()

    def numbers(self):
        """The descriptors by which a worker that has a task says something, or that it ends after its last one."""
        return [worker.receive.fileno() for worker in self.workers if worker.task is not None or not worker.left]

    def step(self):
        """Take results, and give tasks to workers that are free."""
        for worker in list(self.workers):
            self.take(worker)
        while (worker := self.free()) is not None and (task := self.following()) is not None:
            self.give(worker, task)
        if self.closed and not self.cache:
            self.end()

    def take(self, worker):
        """Take what a worker sends, if there is anything."""
        task = worker.task
        try:
            if not worker.receive.poll():
                return
            job, place, result = worker.receive.recv()
        except (EOFError, OSError):
            self.remove(worker)
            if task is not None:
                code = worker.process.exitcode
                self.give_result(*task[:2], (False, RuntimeError(f"a process of the pool ended amid a task, with the exit code {code}")))
            return
        except Exception as error:  # it cannot be unpickled here
            job, place, result = *task[:2], (False, error)
        worker.task = None
        worker.did += 1
        self.give_result(job, place, result)

    def remove(self, worker):
        """Forget a worker that has ended, or ends."""
        self.workers.remove(worker)
        worker.send.close()
        worker.receive.close()
        worker.process.join()

    def free(self):
        """A worker without a task, a new one if one has ended and there is work."""
        for worker in self.workers:
            if worker.task is None and worker.left:
                return worker
        if len(self.workers) < self.count and (self.works or self.tasks):
            self.add()
            return self.workers[-1]
        return None

    def give(self, worker, task):
        """Send a task to a worker."""
        worker.task = task
        worker.left -= 1
        try:
            worker.send.send(task)
        except BrokenPipeError:
            if worker.did:  # it had ended before: the task is for another
                worker.task = None
                self.remove(worker)
                self.works.appendleft(([task], None))
        except Exception as error:  # it cannot be pickled
            worker.task = None
            worker.left += 1
            self.give_result(*task[:2], (False, error))

    def close(self):
        """Take no more work: the workers end when all is done."""
        self.closed = True
        carry_on()

    def end(self):
        """All is done."""
        running.pop(self, None)
        for worker in self.workers:
            worker.send.close()
        for worker in list(self.workers):
            worker.process.join()
            worker.receive.close()
        self.workers.clear()
        self.over.set()

    def terminate(self):
        """End all workers now."""
        for worker in self.workers:
            worker.process.terminate()
        self.end()


def pool(module):
    """Change `multiprocessing.pool`."""

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        self._pool, self._state = [], module.INIT
        self._ctx = context or module.get_context()
        if processes is None:
            processes = os.process_cpu_count() or 1
        if processes < 1:
            raise ValueError("Number of processes must be at least 1")
        if maxtasksperchild is not None and (not isinstance(maxtasksperchild, int) or maxtasksperchild <= 0):
            raise ValueError("maxtasksperchild must be a positive int or None")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._processes = processes
        kind = caller_pool.Crew if isinstance(self, module.ThreadPool) else _Crew
        crew = self._taskqueue = kind(self, processes, (initializer, initargs, maxtasksperchild, self._wrap_exception))
        self._cache = crew.cache
        self._terminate = module.util.Finalize(self, crew.terminate, exitpriority=15)
        self._state = module.RUN

    def close(self):
        module.util.debug("closing pool")
        if self._state == module.RUN:
            self._state = module.CLOSE
            self._taskqueue.close()

    def join(self):
        module.util.debug("joining pool")
        if self._state == module.RUN:
            raise ValueError("Pool is still running")
        if self._state not in (module.CLOSE, module.TERMINATE):
            raise ValueError("In unknown state")
        self._taskqueue.over.wait()

    module.Pool.__init__, module.Pool.close, module.Pool.join = __init__, close, join
    module.ApplyResult.ready = asking(caller_pool.asking(module.ApplyResult.ready))


def asking(function):
    """A function that says whether something is done: a program may ask again and again."""

    def asked(self):
        carry_on()
        return function(self)

    asked.__name__, asked.__qualname__, asked.__doc__ = function.__name__, function.__qualname__, function.__doc__
    return asked

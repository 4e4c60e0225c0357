"""Pools of processes in an image without threads: what the library's threads do there is done where the program waits.

A wait looks at what the workers send too (`_wait`, `_idle`), so `get`, `result`, `as_completed`, `join`, `time.sleep` and an event loop
carry the pools on; and so do the calls that bring work. While the program computes, workers finish what they have. Each has one task at a
time, so writing to one never waits for a reader that waits itself. It runs when a program imports `multiprocessing.pool` or
`concurrent.futures.process`.
"""

import collections
import os
import struct
import sys
import threading
import types

from wit_world.imports import monotonic_clock

from . import descriptors, signals, threads
from .errors import call
from .handles import drop

#: What is carried on: the pools that work, and the managers of executors.
_running = {}

#: Whether they are being carried on, and whether work was brought meanwhile.
_within = _again = False

_standard_wait, _standard_idle = signals.wait, threads._idle


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
            for each in list(_running):
                each.step()
    finally:
        _within = False


def _subscribe():
    """What the host says of the workers that have work."""
    handles = [descriptors.lookup(number) for each in list(_running) for number in each.numbers()]
    return [handle.subscribe_read() for handle in handles if handle is not None]


def _wait(pollables, once=False, done=None):
    """As `signals.wait`."""
    while not _within and (own := _subscribe()):
        try:
            ready = _standard_wait([*pollables, *own], once, done)
        finally:
            for pollable in own:
                drop(pollable)
        others = [index for index in ready if index < len(pollables)]
        if len(others) < len(ready):
            carry_on()
        if others or not ready:
            return others
    return _standard_wait(pollables, once, done)


def _idle():
    """As `threads._idle`: the only thread waits, for a lock or a time. It looks again afterwards."""
    own = [] if _within else _subscribe()
    if not own:
        _standard_idle()
        return
    waits = threads.first.waits
    if waits.end is not None:
        own.append(monotonic_clock.subscribe_duration(max(waits.end - monotonic_clock.now(), 0)))
    try:
        _standard_wait([*own, *waits.pollables], True, waits.done)
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


class _Crew:
    """The workers and the work of a `Pool`: in place of its queues and threads."""

    def __init__(self, pool, processes, options):
        self.library = sys.modules["multiprocessing.pool"]
        self.make, self.context, self.count = pool.Process, pool._ctx, processes
        self.options = options
        self.processes, self.workers, self.cache = pool._pool, [], {}
        self.works, self.tasks, self.set_length, self.last = collections.deque(), None, None, None
        self.closed, self.over = False, threading.Event()
        try:
            for _ in range(processes):
                self.add()
        except BaseException:
            self.terminate()
            raise
        _running[self] = None

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
        """Take tasks, and the function that is told how many they were; `Pool._taskqueue.put`."""
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

    def give_result(self, job, place, result):
        """Hand a result over."""
        taker = self.cache.get(job)
        if taker is not None:
            taker._set(place, result)

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

    def following(self):
        """The next task."""
        while self.tasks is not None or self.works:
            if self.tasks is None:
                tasks, self.set_length = self.works.popleft()
                self.tasks, self.last = iter(tasks), -1
            task = next(self.tasks, None)
            if task is not None:
                self.last = task[1]
                return task
            self.tasks = None
            if self.set_length:
                self.set_length(self.last + 1)
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
        _running.pop(self, None)
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
        crew = self._taskqueue = _Crew(self, processes, (initializer, initargs, maxtasksperchild, self._wrap_exception))
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
    module.ApplyResult.ready = _asking(module.ApplyResult.ready)


def _asking(function):
    """A function that says whether something is done: a program may ask again and again."""

    def asked(self):
        carry_on()
        return function(self)

    asked.__name__, asked.__qualname__, asked.__doc__ = function.__name__, function.__qualname__, function.__doc__
    return asked


class _Later(BaseException):
    """Nothing has come."""


def process(module):
    """Change `concurrent.futures.process`: what its thread does are steps, each until it would wait."""
    connection = sys.modules["multiprocessing.connection"]
    base = module._base.Future

    class _ExecutorManagerThread(module._ExecutorManagerThread):
        def __init__(self, executor):
            super().__init__(executor)
            self.over = threading.Event()
            self.call_queue.full, self.call_queue._send_bytes = self.is_full, self.send

        def send(self, data):
            """Write a call, for as long as there is a worker to read it."""
            handle = descriptors.lookup(self.call_queue._writer.fileno())
            rest = memoryview(struct.pack("!i", len(data)) + bytes(data))
            while rest:
                count = call(handle.write_some, bytes(rest[:65536]))
                rest = rest[count:]
                ends = [process.sentinel for process in self.processes.values()]
                left = set(ends) - set(connection.wait(ends, 0)) if not count else ends
                if not left:
                    return
                if not count:
                    waits = [handle.subscribe_write(), *(descriptors.lookup(number).subscribe_read() for number in left)]
                    try:
                        _standard_wait(waits)
                    finally:
                        for pollable in waits:
                            drop(pollable)

        def is_full(self):
            """Whether every worker has a task."""
            return len(self.pending_work_items) - self.work_ids_queue.qsize() >= len(self.processes)

        def start(self):
            """It is carried on from now on."""
            _running[self] = None

        def is_alive(self):
            """Whether it has something to do."""
            return not self.over.is_set()

        def join(self, timeout=None):
            """Wait for its end."""
            carry_on()
            self.over.wait(timeout)

        def sources(self):
            """What its thread waits for elsewhere. While its executor changes (`shutdown_lock`), it has to stand still."""
            if self.shutdown_lock.locked() or self.thread_wakeup._closed:
                return []
            return [self.result_queue._reader, self.thread_wakeup._reader, *(process.sentinel for process in self.processes.values())]

        def numbers(self):
            """The descriptors of that, if there is work."""
            if not self.pending_work_items and not self.is_shutting_down():
                return []
            return [source if isinstance(source, int) else source.fileno() for source in self.sources()]

        def wait_result_broken_or_wakeup(self):
            """Do not wait."""
            if not connection.wait(self.sources(), 0):
                raise _Later
            return super().wait_result_broken_or_wakeup()

        def step(self):
            """Do what can be done."""
            if self.shutdown_lock.locked():
                return
            try:
                self.run()
            except _Later:
                return
            _running.pop(self, None)
            self.over.set()

    def put(self, obj, block=True, timeout=None):
        try:
            super(module._SafeQueue, self).put(obj, block, timeout)
        except module.queue.Full:
            raise
        except Exception as error:  # it cannot be pickled
            self._on_queue_feeder_error(error, obj)

    standard = module.ProcessPoolExecutor.submit

    def submit(self, fn, /, *args, **kwargs):
        future = standard(self, fn, *args, **kwargs)
        carry_on()
        return future

    submit.__doc__ = standard.__doc__
    module._ExecutorManagerThread = _ExecutorManagerThread
    module._SafeQueue.put, module.ProcessPoolExecutor.submit = put, submit
    base.done = _asking(base.done)

"""Pools of threads in an image without threads: `ThreadPool` of `multiprocessing`, `ThreadPoolExecutor` of `concurrent.futures`.

Their tasks run in the program's only thread, one after the other, in the order in which they came: where it waits for a lock (a result, an
event, a queue), asks whether a result is there, ends a pool, and at each turn of an event loop. That is what a pool with one thread may do
as well. A time-out is looked at between tasks. Where a task waits, the next one begins; if nothing is left that could end its wait, it is a
deadlock as any other (`threads`).
"""

import collections
import contextvars
import sys
import threading

from . import signals, threads

#: The workers that may have something to do.
_working = {}


def pending():
    """Whether a task may be waiting."""
    return bool(_working)


def run_one():
    """Run the next task. Returns whether there was one."""
    return any(worker.step() for worker in list(_working))


def went_on():
    """Run the next task, where the only thread waits for a lock. Returns whether it has to look again."""
    if run_one() or threads._ready:  # that there are no more tasks may be what it waits for
        threads.wake(threads.first)
        return True
    return False


def asking(function):
    """A method that says whether a result is there: a program may ask again and again."""

    def asked(self):
        found = function(self)
        return found if found or not run_one() else function(self)

    asked.__name__, asked.__qualname__, asked.__doc__ = function.__name__, function.__qualname__, function.__doc__
    return asked


class Worker:
    """The thread that a pool does not have. `make` makes the object that stands for it in `threading`."""

    def __init__(self, make):
        self.make, self.context = make, contextvars.Context()
        self.thread, self.busy = None, False

    def work(self, function, *arguments):
        """Call a function as this thread would."""
        if self.thread is None:
            self.thread = self.make()
            self.thread._ident = threads.current.ident
            self.thread._started.set()
        context = self.context.copy() if self.busy else self.context  # a task runs in another's wait
        known, ident = threading._active, threads.current.ident
        outer, busy = known.get(ident), self.busy
        loops = sys.modules.get("asyncio.events")
        loop = loops and loops._get_running_loop()
        waits = signals.waits(False)
        known[ident], self.busy = self.thread, True
        try:
            if loop:
                loops._set_running_loop(None)
            return context.run(function, *arguments)
        finally:
            known[ident], self.busy = outer, busy
            if loop:
                loops._set_running_loop(loop)
            signals.waits(waits)


class Works:
    """The work of a `Pool`, in place of its queues and threads."""

    def __init__(self):
        self.cache = {}
        self.works, self.tasks, self.set_length, self.last = collections.deque(), None, None, None
        self.closed, self.over = False, threading.Event()

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

    def give_result(self, job, place, result):
        """Hand a result over."""
        taker = self.cache.get(job)
        if taker is not None:
            taker._set(place, result)


class Crew(Works):
    """The work of a `ThreadPool`."""

    def __init__(self, pool, processes, options):
        super().__init__()
        self.worker = Worker(lambda: threading.Thread(target=sys.modules["multiprocessing.pool"].worker, daemon=True))
        self.initializer, self.initargs = options[:2]
        pool._pool[:] = [self.worker] * processes  # by their number, `map` makes its chunks

    def put(self, work):
        """Take tasks, and the function that takes their number; `Pool._taskqueue.put`."""
        self.works.append(work)
        _working[self] = None

    def step(self):
        """Do the next task. Returns whether there was one."""
        task = self.following()
        if task is None:
            _working.pop(self, None)
            if self.closed:
                self.over.set()
            return False
        self.worker.work(self._do, *task)
        return True

    def _do(self, job, place, function, arguments, keywords):
        try:
            initializer, self.initializer = self.initializer, None
            if initializer is not None:
                initializer(*self.initargs)
            result = True, function(*arguments, **keywords)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            result = False, error
        self.give_result(job, place, result)

    def close(self):
        """Take no more work."""
        self.closed = True
        _working[self] = None

    def terminate(self):
        """Forget what is not done."""
        self.works.clear()
        self.tasks = None
        _working.pop(self, None)
        self.over.set()


class _Executor:
    """The work of a `ThreadPoolExecutor`."""

    def __init__(self, executor):
        self.executor, self.context = executor, None
        name = f"{executor._thread_name_prefix or executor}_0"
        self.worker = Worker(lambda: threading.Thread(name=name))

    def step(self):
        """Do the next task. Returns whether there was one."""
        queue = self.executor._work_queue
        if self.context is None and not queue.empty():
            self.worker.work(self._begin)
        while not queue.empty():
            item = queue.get_nowait()
            if item is not None:
                self.worker.work(item.run, self.context)
                return True
        _working.pop(self, None)
        return False

    def _begin(self):
        """Call the initializer, which fails for all."""
        context = self.executor._create_worker_context()
        try:
            context.initialize()
            self.context = context
        except BaseException:
            sys.modules["concurrent.futures._base"].LOGGER.critical("Exception in initializer:", exc_info=True)
            self.executor._initializer_failed()


_standard_idle = threads._idle


def _idle():
    """As `threads._idle`."""
    if not went_on():
        _standard_idle()


def install(module):
    """Change `concurrent.futures.thread`, and what happens where the program waits."""
    registered, kind, future, standard = [], module.ThreadPoolExecutor, module._base.Future, module.ThreadPoolExecutor.shutdown

    def finish():
        module._shutdown = True
        while run_one():
            pass

    def _adjust_thread_count(self):
        worker = self.__dict__.get("_worker")
        if worker is None:
            worker = self._worker = _Executor(self)
        _working[worker] = None
        if not registered:
            registered.append(threading._register_atexit(finish))

    def shutdown(self, wait=True, *, cancel_futures=False):
        standard(self, False, cancel_futures=cancel_futures)
        worker = self.__dict__.get("_worker")
        while wait and worker is not None and worker.step():
            pass

    shutdown.__doc__ = standard.__doc__
    kind._adjust_thread_count, kind.shutdown, future.done = _adjust_thread_count, shutdown, asking(future.done)
    threads._idle = _idle

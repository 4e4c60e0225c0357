"""What waits in a manager's server, without waiting: generators in the place of methods that do. Each yields when it has to wait, until when
(None: for ever) and, if something else than a request can end it, a function that says whether it has. It runs with `manager_server`.
"""

import time

from . import locks


def _end(timeout):
    return None if timeout is None else time.monotonic() + timeout


def _late(end):
    return end is not None and time.monotonic() >= end


class _Operation:
    """A generator, and what it returned."""

    def __init__(self, steps):
        self._steps, self.result = steps, None
        self.close = steps.close

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return next(self._steps)
        except StopIteration as end:
            self.result = end.value
            raise


def _lock(lock, blocking=True, timeout=-1):
    """`Lock.acquire`, `RLock.acquire`."""
    if not blocking or (timeout < 0 and timeout != -1):
        return lock.acquire(blocking, timeout)
    end = None if timeout == -1 else _end(timeout)
    while not lock.acquire(False):
        if _late(end):
            return False
        yield end, None
    return True


def _semaphore(semaphore, blocking=True, timeout=None):
    """`Semaphore.acquire`."""
    if not blocking:
        return semaphore.acquire(blocking, timeout)
    end = _end(timeout)
    while not semaphore.acquire(False):
        if _late(end):
            return False
        yield end, None
    return True


def _event(event, timeout=None):
    """`Event.wait`."""
    end = _end(timeout)
    while not event.is_set() and not _late(end):
        yield end, None
    return event.is_set()


def _condition(condition, timeout=None):
    """`Condition.wait`."""
    if not condition._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")
    end, lock, waiter = _end(timeout), condition._lock, locks.Lock()
    waiter.acquire()
    condition._waiters.append(waiter)
    saved = condition._release_save()
    try:
        while not (notified := waiter.acquire(False)) and not _late(end):
            yield end, None
    finally:
        if waiter in condition._waiters:
            condition._waiters.remove(waiter)
    while not lock.acquire(False):
        yield None, None
    if isinstance(lock, locks.RLock):
        lock._count, lock._owner = saved
    return notified


def _barrier(broken):
    #: `Barrier._state`: 0 while it fills, 1 while it empties, -1 while it is reset, -2 when it is broken.
    def wait(barrier, timeout=None):
        """`Barrier.wait`."""
        end = _end(barrier._timeout if timeout is None else timeout)
        while barrier._state in (-1, 1):
            yield None, None
        if barrier._state < 0:
            raise broken
        index = barrier._count
        barrier._count += 1
        try:
            if index + 1 == barrier._parties:
                with barrier._cond:
                    barrier._release()
            while barrier._state == 0:
                if _late(end):
                    with barrier._cond:
                        barrier._break()
                    break
                yield end, None
            if barrier._state < 0:
                raise broken
            return index
        finally:
            barrier._count -= 1
            with barrier._cond:
                barrier._exit()

    return wait


def _get(empty):
    def get(queue, block=True, timeout=None):
        """`Queue.get`."""
        if block and timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        end = _end(timeout)
        while True:
            try:
                return queue.get(False)
            except empty:
                if not block or _late(end):
                    raise
            yield end, None

    return get


def _put(full):
    def put(queue, item, block=True, timeout=None):
        """`Queue.put`."""
        if block and timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        end = _end(timeout)
        while True:
            try:
                return queue.put(item, False)
            except full:
                if not block or _late(end):
                    raise
            yield end, None

    return put


def _join(queue):
    """`Queue.join`."""
    while queue.unfinished_tasks:
        yield None, None


def _through(name):
    """`Pool.map` by `Pool.map_async`, and so on."""

    def wait(pool, *args, **kwds):
        result = getattr(pool, name)(*args, **kwds)
        while not result._event.is_set():
            yield None, result._event.is_set
        return result.get()

    return wait


def _pool_join(pool):
    """`Pool.join`, which raises if the pool still takes work."""
    over = pool._taskqueue.over
    while pool._taskqueue.closed and not over.is_set():
        yield None, over.is_set
    return pool.join()


def _result(name):
    def wait(result, timeout=None):
        """`AsyncResult.get`, `AsyncResult.wait`."""
        end, done = _end(timeout), result._event.is_set
        while not done() and not _late(end):
            yield end, done
        return getattr(result, name)(0)

    return wait


def _following(iterator, timeout=None):
    """`IMapIterator.next`."""

    def ready():
        return bool(iterator._items) or iterator._index == iterator._length

    end = _end(timeout)
    while not ready() and not _late(end):
        yield end, ready
    return iterator.next(0)


def waits(library):
    """The generators, by the method in whose place each is."""
    threading, queue, pool = library.threading, library.queue, library.pool
    put, get = _put(queue.Full), _get(queue.Empty)
    found = {
        locks.Lock.acquire: _lock, locks.RLock.acquire: _lock, threading.Semaphore.acquire: _semaphore, threading.Event.wait: _event,
        threading.Condition.wait: _condition, threading.Barrier.wait: _barrier(threading.BrokenBarrierError),
        queue.Queue.get: get, queue.Queue.put: put, queue.Queue.join: _join, queue.SimpleQueue.get: get,
        pool.Pool.apply: _through("apply_async"), pool.Pool.map: _through("map_async"), pool.Pool.starmap: _through("starmap_async"),
        pool.Pool.join: _pool_join, pool.ApplyResult.get: _result("get"), pool.ApplyResult.wait: _result("wait"),
        pool.IMapIterator.next: _following, pool.IMapIterator.__next__: _following,
    }
    for method, steps in found.items():
        steps.__name__, steps.__qualname__ = method.__name__, method.__qualname__  # for what a TypeError says
    return {method: lambda *args, _steps=steps, **kwds: _Operation(_steps(*args, **kwds)) for method, steps in found.items()}

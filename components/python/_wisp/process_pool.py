"""`ProcessPoolExecutor` in an image without threads: what its manager's thread does elsewhere is done in steps, by `pools`. It runs when a
program imports `concurrent.futures.process`.
"""

import struct
import sys
import threading

from . import descriptors, modules
from .errors import call
from .handles import drop

pools = modules.load_later("pools")


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
                        pools.standard_wait(waits)
                    finally:
                        for pollable in waits:
                            drop(pollable)

        def is_full(self):
            """Whether every worker has a task."""
            return len(self.pending_work_items) - self.work_ids_queue.qsize() >= len(self.processes)

        def start(self):
            """It is carried on from now on."""
            pools.running[self] = None

        def is_alive(self):
            """Whether it has something to do."""
            return not self.over.is_set()

        def join(self, timeout=None):
            """Wait for its end."""
            pools.carry_on()
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
            pools.running.pop(self, None)
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
        pools.carry_on()
        return future

    submit.__doc__ = standard.__doc__
    module._ExecutorManagerThread = _ExecutorManagerThread
    module._SafeQueue.put, module.ProcessPoolExecutor.submit = put, submit
    base.done = pools.asking(base.done)

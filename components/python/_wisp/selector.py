"""A selector on the host's pollables, for `subprocess`, `selectors` and the event loop of asyncio."""

import selectors

from wit_world.imports import monotonic_clock, process

from . import descriptors, numbers, signals
from .errors import call


class HostSelector(selectors._BaseSelectorImpl):
    """Waits on pipes, inherited descriptors and, through `watch`, on children and other pollable handles of the host.
    Regular files are always ready."""

    def __init__(self):
        super().__init__()
        self._children = {}
        #: Set by an event loop: whether something must be done before it waits.
        self.work = None

    def watch(self, subject, callback):
        """Call `callback` from `select` once a pollable handle is ready: a child, a stream, a response."""
        self._children[subject] = callback

    def unwatch(self, subject):
        """Stop waiting for it."""
        self._children.pop(subject, None)

    def select(self, timeout=None):
        """Wait until something is ready, for at most `timeout` seconds."""
        waits, meanings, ready = [], [], []
        try:
            for key in self._fd_to_key.values():
                self._subscribe(key, waits, meanings, ready)
            for child in self._children:
                waits.append(child.subscribe())
                meanings.append((child, 0))
            if ready or (timeout is not None and timeout <= 0):
                indices = [index for index, pollable in enumerate(waits) if pollable.ready()]
            else:
                # Nothing to wait for and no timeout: as elsewhere, the program waits until its limits end it.
                if timeout is not None:
                    waits.append(monotonic_clock.subscribe_duration(int(timeout * 1e9)))
                indices = signals.wait(waits, done=self.work)
        finally:
            for pollable in waits:
                descriptors.drop(pollable)
        for index in indices:
            if index < len(meanings):
                subject, event = meanings[index]
                if event:
                    ready.append((subject, event))
                else:
                    callback = self._children.pop(subject, None)
                    if callback is not None:
                        callback()
        return ready

    def _subscribe(self, key, waits, meanings, ready):
        """Add the pollables of one registration, or report it ready at once."""
        handle = descriptors.lookup(key.fd)
        borrowed = handle is not None
        if handle is None:
            if not numbers.is_standard(key.fd):
                ready.append((key, key.events))
                return
            handle = call(process.inherited, key.fd)
        if key.events & selectors.EVENT_READ and key.fd not in descriptors.write_ends:
            waits.append(handle.subscribe_read())
            meanings.append((key, selectors.EVENT_READ))
        if key.events & selectors.EVENT_WRITE:
            waits.append(handle.subscribe_write())
            meanings.append((key, selectors.EVENT_WRITE))
        if not borrowed:
            descriptors.drop(handle)

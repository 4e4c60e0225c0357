"""The module `select`, on the host's pollables: the C library's does not support pipes and inherited descriptors."""

import errno
import operator
import os
import select as module
import selectors

from . import descriptors
from .selector import HostSelector

_IN, _PRI, _OUT, _ERR, _HUP, _NVAL = 1, 2, 4, 8, 16, 32


def _check_open(number):
    if number > 2 and descriptors.lookup(number) is None:
        os.fstat(number)


def select(rlist, wlist, xlist, timeout=None, /):
    """`select.select`."""
    if timeout is not None:
        if not isinstance(timeout, (int, float)) and not hasattr(timeout, "__float__"):
            raise TypeError("timeout must be a float or None")
        timeout = float(timeout)
        if timeout < 0:
            raise ValueError("timeout must be non-negative")
    wanted = {}
    reading, writing = list(rlist), list(wlist)
    for file in xlist:
        descriptors.number_of(file)  # there are no exceptional conditions here
    for files, event in ((reading, selectors.EVENT_READ), (writing, selectors.EVENT_WRITE)):
        for file in files:
            number = descriptors.number_of(file)
            _check_open(number)
            wanted[number] = wanted.get(number, 0) | event
    ready = _wait(wanted, timeout)
    return (
        [file for file in reading if ready.get(descriptors.number_of(file), 0) & selectors.EVENT_READ],
        [file for file in writing if ready.get(descriptors.number_of(file), 0) & selectors.EVENT_WRITE],
        [],
    )


def _wait(wanted, timeout):
    """Wait for {number: events}; return those that are ready."""
    with HostSelector() as selector:
        for number, events in wanted.items():
            selector.register(number, events)
        ready = {}
        for key, events in selector.select(timeout):
            ready[key.fd] = ready.get(key.fd, 0) | events
        return ready


class poll:
    """`select.poll`."""

    def __init__(self):
        self._wanted = {}

    def register(self, fd, eventmask=_IN | _PRI | _OUT, /):
        """Watch a descriptor."""
        self._wanted[descriptors.number_of(fd)] = operator.index(eventmask)

    def modify(self, fd, eventmask, /):
        """Watch for other events."""
        number = descriptors.number_of(fd)
        if number not in self._wanted:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._wanted[number] = operator.index(eventmask)

    def unregister(self, fd, /):
        """Stop watching a descriptor."""
        del self._wanted[descriptors.number_of(fd)]

    def poll(self, timeout=None, /):
        """Wait, for a time in milliseconds."""
        wanted, ready = {}, []
        for number, mask in self._wanted.items():
            try:
                _check_open(number)
            except OSError:
                ready.append((number, _NVAL))
                continue
            events = (selectors.EVENT_READ if mask & _IN else 0) | (selectors.EVENT_WRITE if mask & _OUT else 0)
            if events:
                wanted[number] = events
        seconds = 0 if ready else None if timeout is None or timeout < 0 else timeout / 1000
        for number, events in _wait(wanted, seconds).items():
            ready.append((number, (_IN if events & selectors.EVENT_READ else 0) | (_OUT if events & selectors.EVENT_WRITE else 0)))
        return ready


def install():
    """Install the replacements."""
    module.select = select
    poll.__module__ = "select"
    module.poll = poll
    values = {"POLLIN": _IN, "POLLPRI": _PRI, "POLLOUT": _OUT, "POLLERR": _ERR, "POLLHUP": _HUP, "POLLNVAL": _NVAL}
    for name, value in values.items():
        setattr(module, name, value)
    # They took the C library's functions when they were defined.
    selectors.SelectSelector = selectors.PollSelector = HostSelector

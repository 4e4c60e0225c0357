"""What SQLite needs of Python.

In the everyday image it is that of components/sqlite: other threads run while it waits, and its randomness is new in each copy of a
process. The data image has one without a source of randomness: `random()` would start with the same numbers in every process. So we supply
its two functions there, on a generator that is seeded from the operating system at its first use."""

import os
import random
import sqlite3

from wit_world.imports import monotonic_clock

from . import threads

try:
    import _wisp_sqlite as native
except ImportError:  # the data image
    native = None

#: The generator, or None before its first use.
_generator = None

#: The largest blob that SQLite can make.
_LARGEST = 1_000_000_000


def renew():
    """Seed again at the next use: no other copy of this process sees the same numbers."""
    global _generator
    _generator = None
    if native:
        native.reseed()


def _pause(microseconds):
    """Let other threads run for a time; False if there are none. An exception that is meant for this thread comes at its next wait."""
    if not threads.others:
        return False
    end = monotonic_clock.now() + microseconds * 1000
    try:
        while monotonic_clock.now() < end:
            threads.block(end=end)
    except BaseException as error:
        threads.current.error = error
    return True


def _seeded():
    global _generator
    if _generator is None:
        _generator = random.Random(os.urandom(32))
    return _generator


def _random():
    """SQL's `random()`: any 64-bit number except the smallest."""
    return max(_seeded().getrandbits(64) - (1 << 63), 1 - (1 << 63))


def _randomblob(size):
    """SQL's `randomblob(N)`."""
    try:
        size = int(size or 0)
    except (TypeError, ValueError):
        size = 0
    if size > _LARGEST:
        raise OverflowError("string or blob too big")
    return _seeded().randbytes(max(size, 1))


class Connection(sqlite3.Connection):
    """`sqlite3.Connection`."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.create_function("random", 0, _random)
        self.create_function("randomblob", 1, _randomblob)


def _connect(database, *arguments, **options):
    """Open a connection to an SQLite database; see `sqlite3.Connection`."""
    if len(arguments) < 5:
        options.setdefault("factory", Connection)
    return _standard_connect(database, *arguments, **options)


_standard_connect = sqlite3.connect


def install():
    """Install the replacements."""
    if native:
        native.pause(_pause)
        return
    Connection.__module__, Connection.__qualname__ = "sqlite3", "Connection"
    _connect.__name__ = "connect"
    for module in (sqlite3, sqlite3.dbapi2):
        module.Connection, module.connect = Connection, _connect

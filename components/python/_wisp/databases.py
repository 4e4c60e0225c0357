"""Randomness in SQLite: the library is built without a source of it (`random()` would start with the same numbers in every
process), so we supply its two functions, on a generator that is seeded from the operating system at its first use."""

import os
import random
import sqlite3

#: The generator, or None before its first use.
_generator = None

#: The largest blob that SQLite can make.
_LARGEST = 1_000_000_000


def renew():
    """Seed again at the next use: no other copy of this process sees the same numbers."""
    global _generator
    _generator = None


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
    Connection.__module__, Connection.__qualname__ = "sqlite3", "Connection"
    _connect.__name__ = "connect"
    for module in (sqlite3, sqlite3.dbapi2):
        module.Connection, module.connect = Connection, _connect

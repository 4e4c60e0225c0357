"""Persistent collections: what the package `rpds-py`, which is written in Rust, offers to programs, in Python.

An operation that changes a collection copies it. That is quick enough for what uses it here (`referencing`, `jsonschema`);
a program that builds a large map one key at a time is better off with a `dict`.
"""

from collections import deque
from collections.abc import ItemsView, KeysView, Mapping, Set, ValuesView

__all__ = ["HashTrieMap", "HashTrieSet", "ItemsView", "KeysView", "List", "Queue", "ValuesView"]


class HashTrieMap(Mapping):
    """A map that does not change: `insert`, `remove`, `discard` and `update` return another one."""

    __slots__ = ("_hash", "_items")

    def __init__(self, value=(), **more):
        self._items = dict(value, **more)

    @classmethod
    def convert(cls, value):
        """The value itself if it is a map of this kind, else a map of it."""
        return value if isinstance(value, cls) else cls(value)

    @classmethod
    def fromkeys(cls, keys, value=None):
        """A map with the same value for all keys."""
        return cls(dict.fromkeys(keys, value))

    def _with(self, items):
        made = object.__new__(type(self))
        made._items = items
        return made

    def __getitem__(self, key):
        return self._items[key]

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __hash__(self):
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self._items.items()))
            return self._hash

    def __repr__(self):
        return f"HashTrieMap({self._items!r})"

    def __reduce__(self):
        return type(self), (self._items,)

    def keys(self):
        """The keys."""
        return self._items.keys()

    def values(self):
        """The values."""
        return self._items.values()

    def items(self):
        """The pairs of key and value."""
        return self._items.items()

    def get(self, key, default=None):
        """The value of a key, or `default`."""
        return self._items.get(key, default)

    def insert(self, key, value):
        """This map with one more key, or another value for it."""
        return self._with({**self._items, key: value})

    def remove(self, key):
        """This map without a key, which must be in it."""
        items = dict(self._items)
        del items[key]
        return self._with(items)

    def discard(self, key):
        """This map without a key."""
        return self.remove(key) if key in self._items else self

    def update(self, *others, **more):
        """This map with all the keys of others."""
        items = dict(self._items)
        for other in others:
            items.update(other)
        items.update(more)
        return self._with(items)


class HashTrieSet(Set):
    """A set that does not change: `insert`, `remove`, `discard` and `update` return another one."""

    __slots__ = ("_values",)

    def __init__(self, value=()):
        self._values = frozenset(value)

    @classmethod
    def _from_iterable(cls, values):
        return cls(values)

    def __contains__(self, value):
        return value in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __hash__(self):
        return hash(self._values)

    def __repr__(self):
        return f"HashTrieSet({{{', '.join(map(repr, self._values))}}})"

    def __reduce__(self):
        return type(self), (list(self._values),)

    def insert(self, value):
        """This set with one more value."""
        return type(self)(self._values | {value})

    def remove(self, value):
        """This set without a value, which must be in it."""
        if value not in self._values:
            raise KeyError(value)
        return type(self)(self._values - {value})

    def discard(self, value):
        """This set without a value."""
        return type(self)(self._values - {value})

    def update(self, *others):
        """This set with all the values of others."""
        return type(self)(self._values.union(*others))


class _Sequence:
    """What lists and queues have in common: equal if their values are."""

    __slots__ = ()

    def __len__(self):
        return sum(1 for _ in self)

    def __eq__(self, other):
        return tuple(self) == tuple(other) if isinstance(other, type(self)) else NotImplemented

    def __hash__(self):
        return hash(tuple(self))

    def __repr__(self):
        return f"{type(self).__name__}([{', '.join(map(repr, self))}])"

    def __reduce__(self):
        return type(self), (list(self),)


def _all(value, more):
    return (value, *more) if more else value


class List(_Sequence):
    """A linked list that does not change: both operations take the same time for any length."""

    __slots__ = ("_cells",)

    def __init__(self, value=(), *more):
        self._cells = None
        for one in reversed(list(_all(value, more))):
            self._cells = (one, self._cells)

    def _at(self, cells):
        made = object.__new__(type(self))
        made._cells = cells
        return made

    def __iter__(self):
        cells = self._cells
        while cells is not None:
            yield cells[0]
            cells = cells[1]

    @property
    def first(self):
        """The first value."""
        if self._cells is None:
            raise IndexError("empty list has no first element")
        return self._cells[0]

    @property
    def rest(self):
        """The list without its first value."""
        return self if self._cells is None else self._at(self._cells[1])

    def push_front(self, value):
        """The list with one more value in front."""
        return self._at((value, self._cells))

    def drop_first(self):
        """The list without its first value, which must be there."""
        if self._cells is None:
            raise IndexError("empty list has no first element")
        return self._at(self._cells[1])


class Queue(_Sequence):
    """A queue that does not change."""

    __slots__ = ("_values",)

    def __init__(self, value=(), *more):
        self._values = deque(_all(value, more))

    def __iter__(self):
        return iter(self._values)

    @property
    def is_empty(self):
        """Whether nothing is in it."""
        return not self._values

    @property
    def peek(self):
        """The value that is next."""
        if not self._values:
            raise IndexError("peeked an empty queue")
        return self._values[0]

    def enqueue(self, value):
        """The queue with one more value at its end."""
        return type(self)((*self._values, value))

    def dequeue(self):
        """The queue without the value that is next."""
        if not self._values:
            raise IndexError("dequeued an empty queue")
        return type(self)(list(self._values)[1:])

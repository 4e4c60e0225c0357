"""The end of objects that are deep within each other, in the main thread and in another, and of deep recursions."""
import collections
import functools
import gc
import itertools
import sys
import threading

DEPTH = 200_000


class Node:
    __slots__ = ("next",)

    def __init__(self, next):
        self.next = next


class Open:
    def __init__(self, next):
        self.next = next

    def method(self):
        pass


def caused(cause):
    error = ValueError()
    error.__context__ = cause
    return error


def generator(inner):
    def run():
        yield inner

    made = run()
    next(made)
    return made


MAKERS = {
    "list": lambda inner: [inner],
    "tuple": lambda inner: (inner,),
    "dict": lambda inner: {1: inner},
    "set": lambda inner: frozenset([inner]),
    "deque": lambda inner: collections.deque([inner]),
    "slots": Node,
    "object": Open,
    "method": lambda inner: Open(inner).method,
    "closure": lambda inner: lambda: inner,
    "partial": lambda inner: functools.partial(print, inner),
    "exception": caused,
    "generator": generator,
    "iterator": lambda inner: itertools.chain(inner or ()),
    "map": lambda inner: map(str, inner or ()),
}


def chains():
    for name, make in MAKERS.items():
        inner = None
        for _ in range(DEPTH):
            inner = make(inner)
        del inner
        print(name, end=" ")
    ring = []
    inner = ring
    for _ in range(DEPTH):
        inner = [inner]
    ring.append(inner)
    del ring, inner
    print("ring", gc.collect() > DEPTH)


def recursion(depth):
    """Tracebacks and frames are chains too."""
    sys.setrecursionlimit(depth + 100)

    def deep(left):
        return sys._getframe() if left == 0 else deep(left - 1)

    def endless():
        return endless()

    frame = deep(depth)
    del frame
    try:
        endless()
    except RecursionError as error:
        print(error)


chains()
other = threading.Thread(target=chains)
other.start()
other.join()
recursion(DEPTH)
kept = None
for _ in range(DEPTH):
    kept = [kept]
print("the end of the process, without losing this")

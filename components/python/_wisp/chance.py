"""Randomness after the snapshot: the generator of the module `random` is seeded at its first use, not at every start,
because its state is 2.5 KB of memory that few programs touch."""

import os
import random
import tempfile

from . import databases

#: The functions of the module that are methods of its one generator, and the other names that refer to that generator.
_hidden = {}

#: The source of the next seed; None means the operating system.
_entropy = None

#: componentize-py looks up `random.seed` after the snapshot is warm and calls it at every start; it gets this instead.
_not_now = int
_taken = True


def prepare():
    """Before the snapshot: give all builds the same state, and hide the generator until it is seeded."""
    global _taken
    generator = random._inst
    generator.seed(0)
    names = vars(random)
    for name, value in list(names.items()):
        if value is generator or getattr(value, "__self__", None) is generator:
            _hidden[name] = names.pop(name)
    for name in ("main", "_test", "_test_generator"):  # these call the others by name
        _hidden[name] = names.pop(name)
    random.__getattr__ = _reveal
    random.__dir__ = _names
    tempfile._name_sequence = None
    _taken = False


def forget():
    """Before the snapshot: undo the renewal that a rehearsal made."""
    global _entropy
    _entropy = None


def _reveal(name):
    """`random.__getattr__`: the first use of the generator."""
    global _taken
    if name == "seed" and not _taken:
        _taken = True
        return _not_now
    if name not in _hidden:
        raise AttributeError(f"module 'random' has no attribute {name!r}", name=name, obj=random)
    value = _hidden[name]
    _show()
    return value


def _names():
    """`random.__dir__`."""
    _show()
    return sorted(vars(random))


def _show():
    """Put the functions back and seed their generator."""
    global _entropy
    del random.__getattr__, random.__dir__
    vars(random).update(_hidden)
    _hidden.clear()
    random.seed(os.urandom(2500) if _entropy is None else _entropy)
    _entropy = None


def renew(entropy):
    """Seed again from now on: no other copy of this process sees the same numbers."""
    global _entropy
    databases.renew()
    if _hidden:
        _entropy = entropy
    else:
        random.seed(entropy)
    tempfile._name_sequence = None

"""Which numbers descriptors have: the lowest that is free.

The C library gives its files their numbers itself, also where C code opens them. So a descriptor of the host holds a number of the C
library's, by a directory that is open under it. A free number is taken again in the order in which the C library noted it as free, the last
one first; `settle` puts the lowest first.
"""

import os
import posix

#: The C library holds `/` under this number. No program sees that, so a descriptor of the host may have the number.
ROOT = 3

#: Higher numbers are not held back: the C library would have to open as many files before it came to them.
MOST = 100

#: The last number that the C library may use.
LAST = 1024

#: The standard descriptors that the program closed: under their numbers it may have files of the C library.
closed = set()

_held = set()

#: The numbers that are free again, and some that have been used since; and whether the C library uses the lowest first.
_free = set()
_in_order = True


def is_standard(number):
    """Whether this is standard input, output or error, as the process was started with it or redirected it."""
    return 0 <= number <= 2 and number not in closed


def is_hidden(number):
    """Whether the program has nothing open under this number, although the C library has."""
    return number == ROOT and ROOT not in _held


def take():
    """Hold the lowest free number and return it."""
    if ROOT not in _held and not closed:
        _held.add(ROOT)
        return ROOT
    settle()
    number = _hold_next()
    _held.add(number)
    _free.discard(number)
    return number


def hold(number):
    """Hold this number, which is free, if it is not too high."""
    if is_standard(number) or number in _held or number > MOST:
        return
    if number == ROOT:
        _held.add(number)
        return
    settle()
    found = []
    try:
        while number not in found and len(found) <= MOST:
            found.append(_hold_next())
    except OSError:
        pass  # no more files can be opened, so the C library does not come to this number either
    if number in found:
        found.remove(number)
        _held.add(number)
    _give_back(found)


def keep(number):
    """Hold a number that the C library has just used, for a descriptor of the host that has it already."""
    posix.close(number)
    if _hold_next() == number:
        _held.add(number)


def let_go(number):
    """Free a number that was held."""
    if number in _held:
        _held.discard(number)
        if number != ROOT:
            posix.close(number)
            freed(number)


def was_closed(number):
    """Note that C code has closed what held a number."""
    _held.discard(number)
    freed(number)


def was_taken(number):
    """Note that the C library has used a number."""
    _free.discard(number)


def freed(number):
    """Note that the C library has freed a number."""
    global _in_order
    _in_order = _in_order and (not _free or number <= min(_free))
    _free.add(number)


def settle():
    """Make the C library use the lowest free number next."""
    global _in_order
    if _in_order:
        return
    found, highest = [], max(_free)
    _free.clear()
    try:
        while not found or found[-1] <= highest:
            found.append(_hold_next())
    except OSError:
        pass  # no more files can be opened
    _give_back(found)
    _free.update(found)
    _in_order = True


def _hold_next():
    return posix.open("/", os.O_RDONLY)


def _give_back(numbers):
    """Close directories, so that the lowest number comes next."""
    for number in sorted(numbers, reverse=True):
        posix.close(number)

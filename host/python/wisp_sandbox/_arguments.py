"""Checks of arguments: an error says what was given, and what is taken. None shows the value of a variable, of a secret or of a file."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat, SupportsIndex

# Some thirty years.
_LONGEST = 1_000_000_000
# The largest number that the module in Rust takes.
MOST = (1 << 63) - 1
_BYTES = (bytes, bytearray, memoryview)


def wrong(name: str, given: object, takes: str) -> TypeError:
    """Returns the error of an argument that has another type."""
    what = "None" if given is None else f"of the type `{type(given).__name__}`"
    return TypeError(f"`{name}` is {what}: pass {takes}")


def text(name: str, given: Any, takes: str = "a text (`str`)") -> str:
    """Returns a text."""
    if not isinstance(given, str):
        raise wrong(name, given, takes)
    if not given.isascii() and not _is_unicode(given):
        raise ValueError(f"`{name}` is no text: it has half of a surrogate pair, as `os.fsdecode` makes of a byte that is not UTF-8")
    return given


def optional_text(name: str, given: Any) -> str | None:
    """Returns a text, or None."""
    return None if given is None else text(name, given)


def texts(name: str, given: Any, takes: str = "a list of texts (`str`)") -> list[str]:
    """Returns a list of texts."""
    return [text(f"{name}[{place}]", one) for place, one in enumerate(items(name, given, takes))]


def items(name: str, given: Any, takes: str) -> list[Any]:
    """Returns what a list has, or something that is like one."""
    if is_a(given, str, *_BYTES, Mapping) or not is_a(given, Iterable):
        raise wrong(name, given, takes)
    return list(given)


def path(name: str, given: Any, takes: str) -> str:
    """Returns a path on the host."""
    if not is_a(given, str, os.PathLike):
        raise wrong(name, given, takes)
    return os.fsdecode(given)


def contents(name: str, given: Any) -> bytes:
    """Returns what belongs in a file or a pipe: text as UTF-8, and bytes as they are."""
    if isinstance(given, str):
        return text(name, given).encode()
    view = _view(given)
    if view is None:
        raise wrong(name, given, "text (`str`), `bytes`, or an object that has bytes, such as a `bytearray`")
    return view.tobytes()


def variables(name: str, given: Any) -> dict[str, str]:
    """Returns variables with their values."""
    if given is None:
        return {}
    if not is_a(given, Mapping):
        raise wrong(name, given, "a dict of texts: the values by the names of the variables")
    for variable in given:
        text(f"a name in {name}", variable)
    return {variable: text(f"{name}[{variable!r}]", value) for variable, value in given.items()}


def seconds(name: str, given: Any) -> float | None:
    """Returns a time, or None."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, float, SupportsFloat)):
        raise wrong(name, given, "a number of seconds, such as 2.5")
    try:
        found = float(given)
    except (OverflowError, ValueError):
        found = math.inf
    if not 0 <= found <= _LONGEST:
        raise ValueError(f"`{name}` is {found:g}: pass a number of seconds, such as 2.5, of at most {_LONGEST:,}")
    return found


def number(name: str, given: Any, least: int, most: int = MOST) -> int:
    """Returns a whole number between these."""
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        raise wrong(name, given, "a whole number")
    found = operator.index(given)
    if not least <= found <= most:
        takes = f"of at least {least}" if least > found else f"of at most {most:,}"
        raise ValueError(f"`{name}` is {found}: pass a whole number {takes}")
    return found


def flag(name: str, given: Any) -> bool:
    """Returns True or False."""
    if not isinstance(given, bool):
        raise wrong(name, given, "True or False")
    return given


def receiver(name: str, given: Any) -> None:
    """Refuses what cannot be called, unless it is None."""
    if given is not None and not callable(given):
        raise wrong(name, given, "a function that takes each piece")


def is_a(given: Any, *kinds: Any) -> bool:
    """Returns whether something is an instance of one of these classes; nothing else is concluded about its type."""
    return isinstance(given, kinds)


def _is_unicode(given: str) -> bool:
    # An error of the codec would have the text.
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return True


def _view(given: Any) -> memoryview | None:
    try:
        return memoryview(given)
    except TypeError:
        return None

"""Whether values of JSON fit types, and what a guest reads if they do not: both within bounds, whatever it sends."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Schema = dict[str, Any]

WORDS: dict[Any, str] = {
    str: "text", int: "an integer", float: "a number", bool: "true or false", type(None): "null", list: "a list", dict: "an object",
}
# Maximum characters of a message, of a place in the arguments, and of a name in it.
_MESSAGE, _PLACE, _NAME = 1000, 200, 80


class Kind(NamedTuple):
    """A type: its schema, and what makes a value of it of a value of JSON. Without that, any value is one."""

    schema: Schema
    read: Callable[[Any, Reading], Any] | None = None


def is_a(value: Any, *kinds: Any) -> bool:
    """Returns whether a value is an instance of one of these classes; nothing else is concluded about its type."""
    return isinstance(value, kinds)


class Misfit(TypeError):
    """A value of JSON is none of the type that is asked for. `place` is where in the arguments."""

    def __init__(self, message: str, place: str = "") -> None:
        self.message = _cut(message, _MESSAGE)
        self.place = _cut(place, _PLACE)
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"`{self.place}`: {self.message}" if self.place else self.message

    def within(self, name: str) -> Misfit:
        """Returns it, within something with this name."""
        between = "." if name and self.place and not self.place.startswith("[") else ""
        return Misfit(self.message, f"{_cut(name, _NAME)}{between}{self.place}")


class Within:
    """A type that may be within itself, which is known when it is made."""

    def __init__(self) -> None:
        self.kind = Kind({})
        self.is_made = False
        self.is_recursive = False

    def read(self, value: Any, reading: Reading) -> Any:
        """Makes a value of it."""
        return reading.once(self, value)


class Reading:
    """One reading of arguments.

    Of a value that may be one of several types within themselves, all parts would be read again for each of them, and again at each level:
    so what came of a part is remembered.
    """

    def __init__(self) -> None:
        # By the types and the values, which live as long as this: whether it fits, and the result, or the message and the place.
        self._known: dict[tuple[int, int], tuple[bool, Any, str]] = {}

    def fit(self, kind: Kind, value: Any, name: str = "") -> Any:
        """Makes a value of this type of a value of JSON, which has this name.

        Raises `Misfit` if it is none.
        """
        if kind.read is None:
            return value
        try:
            return kind.read(value, self)
        except Misfit as misfit:
            raise misfit.within(name) from None
        except (TypeError, ValueError) as error:
            # What a class of the program's own says.
            raise Misfit(str(error)).within(name) from None

    def once(self, within: Within, value: Any) -> Any:
        """Does the same for a type that may be within itself, once for each object and list: other values of JSON may be one object."""
        if not is_a(value, dict, list):
            return self.fit(within.kind, value)
        key = id(within), id(value)
        known = self._known.get(key)
        if known is None:
            try:
                known = True, self.fit(within.kind, value), ""
            except Misfit as misfit:
                known = False, misfit.message, misfit.place
            self._known[key] = known
        fits, found, place = known
        if not fits:
            raise Misfit(found, place)
        return found

    def fields(
        self, value: Mapping[str, Any], kinds: Mapping[str, Kind], required: Sequence[str], others: Kind | None = None
    ) -> dict[str, Any]:
        """Returns the fields of an object, as their types ask. Only with `others` it may have more.

        Raises `Misfit` if one is missing, is none of its type, or is not known.
        """
        for name in required:
            if name not in value:
                raise Misfit("it is missing", name)
        unknown = others or Kind({})
        for name in value:
            if name not in kinds and others is None:
                there = f"there {'are' if len(kinds) > 1 else 'is'} {', '.join(kinds) or 'none'}"
                raise Misfit(f"there is no such name: {there}").within(name)
        return {name: self.fit(kinds.get(name, unknown), one, name) for name, one in value.items()}


def shown(value: Any) -> str:
    """Returns a value of JSON in a message, which a guest reads: short."""
    if is_a(value, dict, list):
        return WORDS[type(value)]
    text = json.dumps(value[:_NAME] if isinstance(value, str) else value, ensure_ascii=False)
    return _cut(text, 40)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"

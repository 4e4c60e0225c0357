"""JSON Schemas of types, and the way back: arguments of the types that a function asks for."""

from __future__ import annotations

import base64
import binascii
import collections.abc
import dataclasses
import enum
import functools
import inspect
import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Schema = dict[str, Any]

_ABC = collections.abc
_ARRAYS: dict[Any, Callable[[list[Any]], Any]] = {
    list: list, _ABC.Sequence: list, _ABC.MutableSequence: list, _ABC.Iterable: list, _ABC.Collection: list,
    tuple: tuple, set: set, _ABC.Set: set, _ABC.MutableSet: set, frozenset: frozenset,
}
_OBJECTS = (dict, _ABC.Mapping, _ABC.MutableMapping)
_BYTES = (bytes, bytearray, memoryview)
_WORDS: dict[Any, str] = {
    str: "text", int: "an integer", float: "a number", bool: "true or false", type(None): "null", list: "a list", dict: "an object",
}
_NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}


class Kind(NamedTuple):
    """A type: its schema, and what makes a value of it of a value of JSON. Without that, any value is one."""

    schema: Schema
    read: Callable[[Any], Any] | None = None


def is_a(value: Any, *kinds: Any) -> bool:
    """Returns whether a value is an instance of one of these classes; nothing else is concluded about its type."""
    return isinstance(value, kinds)


class Misfit(TypeError):
    """A value of JSON is none of the type that is asked for. `place` is where in the arguments."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        return f"`{self.place}`: {self.message}" if self.place else self.message

    def within(self, name: str) -> Misfit:
        """Returns it, within something with this name."""
        between = "." if name and self.place and not self.place.startswith("[") else ""
        return Misfit(self.message, f"{name}{between}{self.place}")


def kind_of(annotation: Any, above: tuple[Any, ...] = ()) -> Kind:
    """Returns the type of an annotation. `above` are the classes in whose fields it stands.

    Raises `TypeError` if JSON has no such values.
    """
    if annotation in (Any, object):
        return Kind({})
    if annotation is None:
        annotation = type(None)
    if inspect.isclass(annotation) and annotation in _NAMES:
        return Kind({"type": _NAMES[annotation]}, functools.partial(_plain, annotation))
    if annotation in _BYTES:
        return Kind({"type": "string", "contentEncoding": "base64"}, functools.partial(_bytes, annotation))
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _annotated(kind_of(arguments[0], above), arguments[1:])
    if origin in (typing.Required, typing.NotRequired):
        return kind_of(arguments[0], above)
    if origin in (typing.Union, types.UnionType):
        return _union([kind_of(choice, above) for choice in arguments])
    if origin is typing.Literal:
        return _one_of(arguments, lambda value: value)
    if (origin or annotation) in _ARRAYS:
        return _array(origin or annotation, arguments, above)
    if (origin or annotation) in _OBJECTS:
        return _object(arguments, above)
    # Of `NewType`, and of `type Name = …`.
    for other in ("__supertype__", "__value__"):
        if not inspect.isclass(annotation) and hasattr(annotation, other):
            return kind_of(getattr(annotation, other), above)
    return _class(origin or annotation, above)


def _class(kind: Any, above: tuple[Any, ...]) -> Kind:
    if kind in above:
        # It is within itself: its schema has no end.
        def read(value: Any) -> Any:
            return _fit(kind_of(kind), value)

        return Kind({"type": "object"}, read)
    if is_a(kind, enum.EnumType):
        return _one_of([member.value for member in kind], kind)
    if hasattr(kind, "model_json_schema"):
        return Kind(kind.model_json_schema(), kind.model_validate)
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind):
        return _dataclass(kind, (*above, kind))
    if typing.is_typeddict(kind):
        return _typed_dict(kind, (*above, kind))
    name = getattr(kind, "__qualname__", None) or repr(kind)
    other = "take str, int, float, bool, list, dict, a dataclass or an Enum, and make it of that"
    raise TypeError(f"JSON has no values of the type {name}: {other}")


def _plain(kind: type, value: Any) -> Any:
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    fits = is_a(value, int, float) if kind is float else is_a(value, kind)
    # True is no number.
    if not fits or (kind in (int, float) and is_a(value, bool)):
        raise Misfit(f"{_WORDS[kind]} is needed, not {_shown(value)}")
    return value


def _bytes(kind: type, value: Any) -> Any:
    if isinstance(value, bytes):
        return kind(value)
    try:
        return kind(base64.b64decode(_plain(str, value), validate=True))
    except (binascii.Error, ValueError):
        raise Misfit(f"bytes are needed, as base64, not {_shown(value)}") from None


def _annotated(kind: Kind, notes: Sequence[Any]) -> Kind:
    """The first text among the notes is the description; what pydantic notes has one too."""
    for note in notes:
        text = note if isinstance(note, str) else getattr(note, "description", None)
        if isinstance(text, str):
            return Kind({**kind.schema, "description": text}, kind.read)
    return kind


def _union(choices: list[Kind]) -> Kind:
    def read(value: Any) -> Any:
        misfits: list[Misfit] = []
        for choice in choices:
            try:
                return _fit(choice, value)
            except Misfit as misfit:
                if choice.schema != {"type": "null"}:
                    misfits.append(misfit)
        # That it may be null explains nothing.
        raise misfits[0] if len(misfits) == 1 else Misfit("; or ".join(map(str, misfits)))

    return Kind({"anyOf": [choice.schema for choice in choices]}, read)


def _one_of(values: Sequence[Any], made: Callable[[Any], Any]) -> Kind:
    """One of these values of JSON."""
    if not all(is_a(value, *_NAMES) for value in values):
        raise TypeError(f"JSON does not have all of these values: {', '.join(map(repr, values))}")

    def read(value: Any) -> Any:
        # 1 and True are equal in Python.
        if not any(value == one and is_a(value, bool) == is_a(one, bool) for one in values):
            raise Misfit(f"{' or '.join(map(_shown, values))} is needed, not {_shown(value)}")
        return made(value)

    names = {_NAMES[type(value)] for value in values if type(value) in _NAMES}
    schema: Schema = {"enum": list(values)}
    return Kind({"type": names.pop(), **schema} if len(names) == 1 else schema, read)


def _array(origin: Any, arguments: tuple[Any, ...], above: tuple[Any, ...]) -> Kind:
    made = _ARRAYS[origin]
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        kinds = [kind_of(one, above) for one in arguments]

        def read_tuple(value: Any) -> Any:
            if len(_plain(list, value)) != len(kinds):
                raise Misfit(f"{len(kinds)} values are needed, not {len(value)}")
            return tuple(_fit(kind, one, f"[{place}]") for place, (kind, one) in enumerate(zip(kinds, value, strict=True)))

        size = {"minItems": len(kinds), "maxItems": len(kinds)}
        return Kind({"type": "array", "prefixItems": [kind.schema for kind in kinds], **size}, read_tuple)
    item = kind_of(arguments[0] if arguments else Any, above)

    def read(value: Any) -> Any:
        found = [_fit(item, one, f"[{place}]") for place, one in enumerate(_plain(list, value))]
        return found if made is list else made(found)

    schema: Schema = {"type": "array", "items": item.schema}
    return Kind({**schema, "uniqueItems": True} if made in (set, frozenset) else schema, read)


def _object(arguments: tuple[Any, ...], above: tuple[Any, ...]) -> Kind:
    key, item = arguments or (str, Any)
    if key not in (str, Any):
        raise TypeError("the keys of an object of JSON are texts: use dict[str, …]")
    value_kind = kind_of(item, above)

    def read(value: Any) -> Any:
        return {name: _fit(value_kind, one, name) for name, one in _plain(dict, value).items()}

    return Kind({"type": "object", "additionalProperties": value_kind.schema or True}, read)


def _dataclass(kind: Any, above: tuple[Any, ...]) -> Kind:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = [field for field in dataclasses.fields(kind) if field.init]
    kinds = {field.name: kind_of(hints[field.name], above) for field in fields}
    missing = dataclasses.MISSING
    required = [field.name for field in fields if field.default is missing and field.default_factory is missing]
    defaults = {field.name: field.default for field in fields if field.default is not missing}
    schema = object_schema(kinds, required, defaults)

    def read(value: Any) -> Any:
        return kind(**fields_of(_plain(dict, value), kinds, required))

    return Kind(schema, read)


def _typed_dict(kind: Any, above: tuple[Any, ...]) -> Kind:
    hints = typing.get_type_hints(kind, include_extras=True)
    kinds = {name: kind_of(hint, above) for name, hint in hints.items()}
    # The class itself does not see through annotations that are texts.
    marks = {name: typing.get_origin(hint) for name, hint in hints.items()}
    said = {name: mark is typing.Required for name, mark in marks.items() if mark in (typing.Required, typing.NotRequired)}
    required = [name for name in kinds if said.get(name, name in kind.__required_keys__)]

    def read(value: Any) -> Any:
        return fields_of(_plain(dict, value), kinds, required)

    return Kind(object_schema(kinds, required, {}), read)


def object_schema(kinds: Mapping[str, Kind], required: list[str], defaults: Mapping[str, Any]) -> Schema:
    """Returns the schema of an object with these fields. Defaults that JSON does not have are left out."""
    properties = {}
    for name, kind in kinds.items():
        properties[name] = dict(kind.schema)
        if name in defaults:
            try:
                properties[name]["default"] = json.loads(encoded(defaults[name]))
            except (TypeError, ValueError):
                continue
    return {"type": "object", "properties": properties, "required": required}


def fields_of(value: Mapping[str, Any], kinds: Mapping[str, Kind], required: Sequence[str], others: Kind | None = None) -> dict[str, Any]:
    """Returns the fields of an object, as their types ask. Only with `others` it may have more.

    Raises `TypeError` if one is missing, is none of its type, or is not known.
    """
    for name in required:
        if name not in value:
            raise Misfit("it is missing", name)
    unknown = others or Kind({})
    for name in value:
        if name not in kinds and others is None:
            raise Misfit(f"there is no such name: there {'are' if len(kinds) > 1 else 'is'} {', '.join(kinds) or 'none'}", name)
    return {name: _fit(kinds.get(name, unknown), one, name) for name, one in value.items()}


def _fit(kind: Kind, value: Any, name: str = "") -> Any:
    """Makes a value of this type of a value of JSON."""
    if kind.read is None:
        return value
    try:
        return kind.read(value)
    except Misfit as misfit:
        raise misfit.within(name) from None
    except (TypeError, ValueError) as error:
        # What a class of the program's own says.
        raise Misfit(str(error)).within(name) from None


def _shown(value: Any) -> str:
    """A value of JSON in a message, which a guest reads: short."""
    if is_a(value, dict, list):
        return _WORDS[type(value)]
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:40]}…"


def encoded(value: Any) -> str:
    """Returns a value as JSON: dataclasses, models of pydantic, enums, tuples and sets too.

    Raises `TypeError` or `ValueError` if it has something that JSON does not have.
    """
    return json.dumps(value, default=_simpler, allow_nan=False, separators=(",", ":"))


def _simpler(value: Any) -> Any:
    if is_a(value, enum.Enum):
        return value.value
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if not is_a(value, type) and dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if is_a(value, _ABC.Set, _ABC.ValuesView):
        return list(value)
    if is_a(value, _ABC.Mapping):
        return dict(value)
    if is_a(value, *_BYTES):
        raise TypeError("bytes can only be a whole result or a whole item: encode them (base64), or return nothing else")
    raise TypeError(f"JSON has no values of the type {type(value).__qualname__}: make a dict, a list or a text of it")

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
from typing import Any

from ._reading import WORDS, Kind, Misfit, Reading, Schema, Within, is_a, shown

_ABC = collections.abc
_ARRAYS: dict[Any, Callable[[list[Any]], Any]] = {
    list: list, _ABC.Sequence: list, _ABC.MutableSequence: list, _ABC.Iterable: list, _ABC.Collection: list,
    tuple: tuple, set: set, _ABC.Set: set, _ABC.MutableSet: set, frozenset: frozenset,
}
_OBJECTS = (dict, _ABC.Mapping, _ABC.MutableMapping)
_BYTES = (bytes, bytearray, memoryview)
_NAMES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}

# The types that were met, by their classes and names.
Met = dict[Any, Within]


def kind_of(annotation: Any, met: Met | None = None) -> Kind:
    """Returns the type of an annotation. `met` are the types that were met before it: those of one function.

    Raises `TypeError` if JSON has no such values.
    """
    met = {} if met is None else met
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
        return _annotated(kind_of(arguments[0], met), arguments[1:])
    if origin in (typing.Required, typing.NotRequired):
        return kind_of(arguments[0], met)
    if origin in (typing.Union, types.UnionType):
        return _union([kind_of(choice, met) for choice in arguments])
    if origin is typing.Literal:
        return _one_of(arguments, lambda value: value)
    # `Tuple` alone is any; `tuple[()]` is empty.
    if origin is tuple and hasattr(annotation, "__args__") and arguments[-1:] != (Ellipsis,):
        return _tuple([kind_of(one, met) for one in arguments])
    if (origin or annotation) in _ARRAYS:
        return _array(_ARRAYS[origin or annotation], kind_of(arguments[0] if arguments else Any, met))
    if (origin or annotation) in _OBJECTS:
        return _object(arguments, met)
    if hasattr(annotation, "__supertype__") and not inspect.isclass(annotation):
        return kind_of(annotation.__supertype__, met)
    # That of `type Name = …` may be within itself, as that of a class.
    if hasattr(annotation, "__value__") and not inspect.isclass(annotation):
        return _named(annotation, {}, met, lambda: kind_of(annotation.__value__, met))
    kind = origin or annotation
    return _named(kind, {"type": "object"}, met, lambda: _class(kind, met))


def _named(name: Any, inner: Schema, met: Met, make: Callable[[], Kind]) -> Kind:
    """A type that may be within itself: there its schema is `inner`, since it would have no end.

    So it is in another one that is within itself, from the second time on: it would double with each such type.
    """
    there = met.get(name)
    if there is None:
        there = met[name] = Within()
        there.kind = make()
        there.is_made = True
    elif not there.is_made:
        there.is_recursive = True
        return Kind(inner, there.read)
    elif there.is_recursive and any(other.is_recursive and not other.is_made for other in met.values()):
        return Kind(inner, there.read)
    return Kind(there.kind.schema, there.read) if there.is_recursive else there.kind


def _class(kind: Any, met: Met) -> Kind:
    if is_a(kind, enum.EnumType):
        return _one_of([member.value for member in kind], kind)
    if hasattr(kind, "model_json_schema"):

        def validated(value: Any, _: Reading) -> Any:
            return kind.model_validate(value)

        return Kind(kind.model_json_schema(), validated)
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind):
        return _dataclass(kind, met)
    if typing.is_typeddict(kind):
        return _typed_dict(kind, met)
    name = getattr(kind, "__qualname__", None) or repr(kind)
    other = "take str, int, float, bool, list, dict, a dataclass or an Enum, and make it of that"
    raise TypeError(f"JSON has no values of the type {name}: {other}")


def _plain(kind: type, value: Any, _reading: Reading | None = None) -> Any:
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    fits = is_a(value, int, float) if kind is float else is_a(value, kind)
    # True is no number.
    if not fits or (kind in (int, float) and is_a(value, bool)):
        raise Misfit(f"{WORDS[kind]} is needed, not {shown(value)}")
    return value


def _bytes(kind: type, value: Any, _reading: Reading) -> Any:
    if isinstance(value, bytes):
        return kind(value)
    try:
        return kind(base64.b64decode(_plain(str, value), validate=True))
    except (binascii.Error, ValueError):
        raise Misfit(f"bytes are needed, as base64, not {shown(value)}") from None


def _annotated(kind: Kind, notes: Sequence[Any]) -> Kind:
    """The first text among the notes is the description; what pydantic notes has one too."""
    for note in notes:
        text = note if isinstance(note, str) else getattr(note, "description", None)
        if isinstance(text, str):
            return Kind({**kind.schema, "description": text}, kind.read)
    return kind


def _union(choices: list[Kind]) -> Kind:
    def read(value: Any, reading: Reading) -> Any:
        misfits: list[Misfit] = []
        for choice in choices:
            try:
                return reading.fit(choice, value)
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

    def read(value: Any, _reading: Reading) -> Any:
        for one in values:
            # What is equal may be of another type: 1.0 is 1. True is it in Python only.
            if value == one and is_a(value, bool) == is_a(one, bool):
                return made(one)
        raise Misfit(f"{' or '.join(map(shown, values))} is needed, not {shown(value)}")

    names = {_NAMES[type(value)] for value in values if type(value) in _NAMES}
    schema: Schema = {"enum": list(values)}
    return Kind({"type": names.pop(), **schema} if len(names) == 1 else schema, read)


def _tuple(kinds: list[Kind]) -> Kind:
    def read(value: Any, reading: Reading) -> Any:
        if len(_plain(list, value)) != len(kinds):
            number = f"{len(kinds)} {'value is' if len(kinds) == 1 else 'values are'}" if kinds else "an empty list is"
            raise Misfit(f"{number} needed, not {len(value)}")
        return tuple(reading.fit(kind, one, f"[{place}]") for place, (kind, one) in enumerate(zip(kinds, value, strict=True)))

    if not kinds:
        return Kind({"type": "array", "maxItems": 0}, read)
    size = {"minItems": len(kinds), "maxItems": len(kinds)}
    return Kind({"type": "array", "prefixItems": [kind.schema for kind in kinds], **size}, read)


def _array(made: Callable[[list[Any]], Any], item: Kind) -> Kind:
    def read(value: Any, reading: Reading) -> Any:
        found = [reading.fit(item, one, f"[{place}]") for place, one in enumerate(_plain(list, value))]
        return found if made is list else made(found)

    schema: Schema = {"type": "array", "items": item.schema}
    return Kind({**schema, "uniqueItems": True} if made in (set, frozenset) else schema, read)


def _object(arguments: tuple[Any, ...], met: Met) -> Kind:
    key, item = arguments or (str, Any)
    if key not in (str, Any):
        raise TypeError("the keys of an object of JSON are texts: use dict[str, …]")
    value_kind = kind_of(item, met)

    def read(value: Any, reading: Reading) -> Any:
        return {name: reading.fit(value_kind, one, name) for name, one in _plain(dict, value).items()}

    return Kind({"type": "object", "additionalProperties": value_kind.schema or True}, read)


def _dataclass(kind: Any, met: Met) -> Kind:
    hints = typing.get_type_hints(kind, include_extras=True)
    own = {field.name for field in dataclasses.fields(kind)}
    for_init = {name: _for_init(hint) for name, hint in hints.items() if hint is dataclasses.InitVar or is_a(hint, dataclasses.InitVar)}
    # In the order in which they are written.
    fields = {name: field for name, field in kind.__dataclass_fields__.items() if field.init and (name in own or name in for_init)}
    kinds = {name: kind_of(for_init.get(name, hints[name]), met) for name in fields}
    missing = dataclasses.MISSING
    required = [name for name, field in fields.items() if field.default is missing and field.default_factory is missing]
    defaults = {name: field.default for name, field in fields.items() if field.default is not missing}

    def read(value: Any, reading: Reading) -> Any:
        return kind(**reading.fields(_plain(dict, value), kinds, required))

    return Kind(object_schema(kinds, required, defaults), read)


def _for_init(hint: Any) -> Any:
    """The type of what only `__post_init__` gets."""
    return Any if hint is dataclasses.InitVar else hint.type


def _typed_dict(kind: Any, met: Met) -> Kind:
    hints = typing.get_type_hints(kind, include_extras=True)
    kinds = {name: kind_of(hint, met) for name, hint in hints.items()}
    # The class itself does not see through annotations that are texts.
    marks = {name: typing.get_origin(hint) for name, hint in hints.items()}
    said = {name: mark is typing.Required for name, mark in marks.items() if mark in (typing.Required, typing.NotRequired)}
    required = [name for name in kinds if said.get(name, name in kind.__required_keys__)]

    def read(value: Any, reading: Reading) -> Any:
        return reading.fields(_plain(dict, value), kinds, required)

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

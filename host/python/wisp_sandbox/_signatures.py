"""What guests see of a function, and how what they send becomes its arguments."""

from __future__ import annotations

import collections.abc
import functools
import inspect
import json
import keyword
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from ._arguments import wrong
from ._reading import Kind, Misfit, Reading, Schema, is_a
from ._schemas import Met, encoded, kind_of, object_schema

# Names that a policy can allow have at most so many characters.
_LONGEST = 64
# What the module `host` of the sandbox has itself: `from host import call` is that.
_TAKEN = frozenset((
    "Denied", "Error", "Failed", "Limited", "NotFound", "call", "functions",
    "functools", "inspect", "json", "keyword", "operator", "typing",
))
# A function in more wrappers is none.
_WRAPPERS = 1000
# How JSON has half of a pair of surrogates.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ITEMS = (collections.abc.Iterator, collections.abc.Generator, collections.abc.AsyncIterator, collections.abc.AsyncGenerator)
_ITERABLES = (collections.abc.Iterable, collections.abc.AsyncIterable)
_BYTES = (bytes, bytearray, memoryview)


class Signature:
    """The name, the documentation and the types of a function.

    Raises `TypeError` or `ValueError` if guests could not call it.
    """

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        outer, target = _targets(function)
        self.name = _checked(getattr(_whole(function), "__name__", "") if name is None else name)
        self.documentation = inspect.getdoc(target) or ""
        hints = _hints(target)
        self._parameters: list[inspect.Parameter] = []
        self._kinds: dict[str, Kind] = {}
        self._others: Kind | None = None
        self._met: Met = {}
        parameters, bound = inspect.signature(function).parameters, _bound(function)
        for parameter in parameters.values():
            if parameter.name in bound and parameter.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
                # The program has said what it is: that is not for the guest to see, and not to change.
                continue
            self._take(parameter, hints.get(parameter.name, parameter.annotation))
        self._bound = bound.difference(self._kinds)
        self._required = [one.name for one in self._parameters if one.default is inspect.Parameter.empty]
        self._bytes = self._only_bytes(hints)
        self.parameters = None if self._bytes else self._schema()
        result = hints.get("return", inspect.Signature.empty)
        self.items = _gives_items(outer, result)
        self.is_async = inspect.iscoroutinefunction(outer) or inspect.isasyncgenfunction(outer)
        self.returns = self._result(result)

    def _take(self, parameter: inspect.Parameter, annotation: Any) -> None:
        name = parameter.name
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            raise TypeError(f"`{self.name}` takes `*{name}`, and what guests send has names: take a list, or name each parameter")
        try:
            kind = kind_of(Any if annotation is inspect.Parameter.empty else annotation, self._met)
        except TypeError as error:
            raise TypeError(f"`{self.name}` takes `{name}`: {error}") from None
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            self._others = kind
        else:
            self._parameters.append(parameter)
            self._kinds[name] = kind

    def _only_bytes(self, hints: Mapping[str, Any]) -> str | None:
        """The parameter, if it is the only one and takes bytes: guests send them as they are."""
        if len(self._parameters) != 1 or self._others is not None:
            return None
        name = self._parameters[0].name
        hint = hints.get(name)
        hint = typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint
        return name if hint in _BYTES else None

    def _schema(self) -> Schema:
        defaults = {one.name: one.default for one in self._parameters if one.default is not inspect.Parameter.empty}
        schema = object_schema(self._kinds, self._required, defaults)
        schema["additionalProperties"] = False if self._others is None else self._others.schema or True
        return with_definitions(schema)

    def _result(self, annotation: Any) -> Schema | None:
        """The schema of the result, or of an item; none if it is not known, or bytes."""
        arguments = typing.get_args(annotation)
        if self.items:
            annotation = arguments[0] if arguments and typing.get_origin(annotation) in (*_ITEMS, *_ITERABLES) else Any
        if annotation in (inspect.Signature.empty, Any, *_BYTES):
            return None
        try:
            return with_definitions(kind_of(annotation).schema) or None
        except TypeError:
            # What it returns can have a form in JSON all the same.
            return None

    def described(self) -> tuple[str, str | None]:
        """Returns it as the module in Rust takes it: what it is, and the schema of its parameters, in their order."""
        found = {"name": self.name, "documentation": self.documentation, "returns": self.returns, "items": self.items, "rule": ""}
        return json.dumps(found), None if self.parameters is None else json.dumps(self.parameters)

    def read(self, sent: str | bytes) -> tuple[list[Any], dict[str, Any]]:
        """Returns the arguments that a guest has sent, as JSON or as bytes: those by position, and those by name.

        Raises `TypeError` if they do not fit.
        """
        try:
            given = self._given(sent)
            named = Reading().fields(given, self._kinds, self._required, self._others)
        except Misfit as misfit:
            raise TypeError(f"{self.name}: {misfit}") from None
        except RecursionError:
            raise TypeError(f"{self.name}: the arguments are nested too deeply") from None
        positional: list[Any] = []
        for parameter in self._parameters:
            if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
                positional.append(named.pop(parameter.name, parameter.default))
        return positional, named

    def _given(self, sent: str | bytes) -> dict[str, Any]:
        if isinstance(sent, bytes):
            if self._bytes is None:
                raise TypeError(f"{self.name} takes arguments with names, not bytes")
            return {self._bytes: sent}
        try:
            given: Any = _DECODER.decode(sent)
        except json.JSONDecodeError:
            given = None
        except ValueError:
            # Python makes no longer ones of texts: it takes too long.
            raise Misfit(f"there is an integer of more than {sys.get_int_max_str_digits()} digits") from None
        if not is_a(given, dict):
            raise TypeError(f"{self.name} takes arguments with names: a JSON object")
        if _SURROGATE.search(sent) and not _is_text(given):
            raise Misfit("there is a text with half of a pair of surrogates, which is no character")
        for name in given:
            if name in self._bound and self._others is not None:
                raise Misfit("the program has set it").within(name)
        return dict(given)


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Misfit(f"there is a number that is too large: {text[:20]}")
    return number


def _no_number(text: str) -> Any:
    raise Misfit(f"there is {text}, which is no number of JSON")


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_number)


def _is_text(given: Any) -> bool:
    """Is all text in a value of JSON of whole characters?"""
    try:
        json.dumps(given, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def result_of(name: str, value: Any) -> str | bytes:
    """Returns a result as a guest gets it: bytes as they are, everything else as JSON.

    Raises `TypeError` if JSON has no such value.
    """
    if is_a(value, *_BYTES):
        return bytes(value)
    if is_a(value, types.CoroutineType):
        value.close()
        raise TypeError(f"{name} returned a coroutine: define the function with `async def`")
    try:
        return encoded(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"the result of {name} is no JSON: {error}") from None


def with_definitions(schema: Schema) -> Schema:
    """Returns a schema whose `$defs` stand at its top, where references look for them."""
    definitions: Schema = {}
    whole = _moved(schema, {}, definitions)
    return {**whole, "$defs": definitions} if definitions else whole


def _moved(part: Any, names: Mapping[str, str], definitions: Schema) -> Any:
    """A part of a schema, without its `$defs`, which become `definitions`; `names` are the names that these have there."""
    if is_a(part, list):
        return [_moved(one, names, definitions) for one in part]
    if not is_a(part, dict):
        return part
    own: Any = part.get("$defs")
    if is_a(own, dict):
        # Definitions of two classes can have one name.
        names = {**names, **{name: _free(name, one, definitions) for name, one in own.items()}}
        for name, one in own.items():
            definitions[names[name]] = _moved(one, names, definitions)
    found: Schema = {key: _moved(one, names, definitions) for key, one in part.items() if key != "$defs"}
    reference = found.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix("#/$defs/")
        found["$ref"] = f"#/$defs/{names.get(name, name)}"
    return found


def _free(name: str, one: Any, definitions: Schema) -> str:
    """The name, with a number if another definition has it."""
    number, chosen = 1, name
    while definitions.get(chosen, one) != one:
        number += 1
        chosen = f"{name}_{number}"
    return chosen


def _whole(function: Any) -> Any:
    """The function of which this is a `partial`."""
    while is_a(function, functools.partial):
        function = function.func
    return function


def _bound(function: Any) -> frozenset[str]:
    """The names of what the program has set, in each `partial` on the way to what was written."""
    names: set[str] = set()
    way: list[Any] = []
    while not any(function is one for one in way) and len(way) < _WRAPPERS:
        way.append(function)
        method: Any = getattr(function, "__partialmethod__", None) or getattr(function, "_partialmethod", None)
        if is_a(method, functools.partialmethod):
            names.update(method.keywords)
            function = method.func
        elif is_a(function, functools.partial):
            names.update(function.keywords)
            function = function.func
        elif is_a(function, types.MethodType):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif not bool(inspect.isroutine(function)):  # as a `bool`, it says nothing of the type of what comes next
            function = type(function).__call__
    return frozenset(names)


def _targets(function: Any) -> tuple[Any, Any]:
    """What is called, and what was written, if that is a wrapper of it. The call of an object is one of a method."""
    found = _whole(function)
    if not callable(found) or inspect.isclass(found):
        raise TypeError(f"{found!r} is no function: pass a function, a method or a callable object")
    outer: Any = found if inspect.isroutine(found) or hasattr(found, "__wrapped__") else type(found).__call__
    target = outer
    while target is not (inner := inspect.unwrap(_whole(target))):
        target = inner
    return outer, target


def _hints(target: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(target, include_extras=True)
    except NameError as error:
        raise TypeError(f"the types of `{getattr(target, '__name__', target)}` are not known where it is defined: {error}") from None


def _checked(name: Any) -> str:
    if not isinstance(name, str):
        raise wrong("name", name, "a text (`str`)")
    if not (name.isidentifier() and name.isascii() and len(name) <= _LONGEST):
        other = f"give it one with `name=`, of letters, digits and `_`, at most {_LONGEST}"
        raise ValueError(f"a function cannot have the name `{name}` in a sandbox: {other}")
    why = ""
    if name.startswith("_"):
        why = "it begins with `_`"
    elif name in _TAKEN:
        why = "the module `host` has it itself"
    elif keyword.iskeyword(name):
        why = "it is a word of Python"
    if why:
        raise ValueError(f"code in a sandbox could not import a function with the name `{name}`: {why}; give it another one with `name=`")
    return name


def _gives_items(outer: Any, result: Any) -> bool:
    generates = inspect.isgeneratorfunction(outer) or inspect.isasyncgenfunction(outer)
    return generates or typing.get_origin(result) in _ITEMS or result in _ITEMS

"""Functions of the program that runs this sandbox, as ordinary functions of Python.

    import host

    host.functions()                          # their names
    from host import search                   # one of them; `from host import *` imports all
    help(search)                              # what it does, and its parameters
    search(query="wisp", limit=3)             # call it and wait
    await search.aio(query="wisp")            # call it in a coroutine; many run at once with asyncio.gather
    host.call("search", {"query": "wisp"})    # call it by name

A function that returns items gives an iterator; with `aio`, an asynchronous iterator. Arguments and results are JSON
(dict, list, str, int, float, bool, None), or bytes. The policy decides which functions there are, how often they may be
called, and for how long; a call that fails raises a subclass of `host.Error`.
"""

import functools
import inspect
import json
import keyword
import operator
import typing

from wit_world.imports import host as _host

from _wisp import host_calls as _calls


class Error(RuntimeError):
    """A call of a function of the host failed. `name` is the kind of the failure, `message` says what went wrong."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message}")
        self.name, self.message = name, message


class Denied(Error):
    """The policy does not allow the call; `rule` is the rule that refused it."""

    rule = None


class NotFound(Error):
    """The policy allows the function, but the program that runs the sandbox does not have it."""


class Limited(Error):
    """A limit of the policy refused or ended the call; `limit`, `value` and `rule` name it."""

    limit = value = rule = None


class Failed(Error):
    """The function itself failed; `name` is its own name for the failure."""


_NO_FUNCTIONS = 'the policy grants no function of the host; add `[host]` with `allow = ["NAME"]` to it'

_TYPES = {"string": str, "integer": int, "number": float, "boolean": bool, "null": type(None), "array": list, "object": dict}

#: The functions that were looked up, by name.
_known = {}

#: Reads the JSON that begins at a place of a text; `json.loads` first looks for space around it.
_scan = json.JSONDecoder().scan_once


def _encoder():
    """What `json.dumps` makes for each call: a function from an object and a level to pieces of compact JSON."""
    return json.encoder.c_make_encoder(
        {}, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ":", ",", False, False, False
    )


_pieces = _encoder()


def _encode(arguments):
    """JSON, without NaN and infinities."""
    global _pieces
    try:
        return "".join(_pieces(arguments, 0))
    except BaseException:
        _pieces = _encoder()  # the old one remembers the objects within which it stopped, and would take them for circles
        raise


def _decode(text):
    """The value of JSON."""
    try:
        found, end = _scan(text, 0)
    except StopIteration:
        end = None
    return found if end == len(text) else json.loads(text)


def _exception(called, failure):
    """The exception for an error of the host."""
    kind, about = type(failure).__name__.removeprefix("Error_"), getattr(failure, "value", None)
    if kind == "Failed":
        return Failed(about.name, about.message)
    if kind == "Denied":
        found = Denied(about.name, f"denied by wisp: {about.reason} ({about.rule}); {about.help}")
        found.rule = about.rule
    elif kind == "Limited":
        found = Limited(called, f"stopped by wisp: {about.limit} = {about.value} (set by {about.rule})")
        found.limit, found.value, found.rule = about.limit, about.value, about.rule
    elif kind == "NotFound":
        found = NotFound(called, "the program that runs this sandbox has no such function")
    else:
        found = Denied(called, f"denied by wisp: {_NO_FUNCTIONS}")
    return found


def _value(found):
    """A value of the host as one of Python."""
    return _decode(found.value) if type(found) is _host.Value_Json else bytes(found.value)


def _begin(name, arguments):
    """Call a function with JSON or bytes: a value of the host, or a running call."""
    if type(arguments) is dict or not isinstance(arguments, (bytes, bytearray, memoryview)):
        sent = _host.Value_Json(_encode(arguments))
    else:
        sent = _host.Value_Bytes(bytes(arguments))
    try:
        return _calls.call(name, sent)
    except _calls.Failure as failure:
        error = failure.value
    raise _exception(name, error)


def _wait(name, answer):
    """The result of a call."""
    if type(answer) is not _calls.Running:
        return _value(answer)
    try:
        found = answer.wait()
    except _calls.Failure as failure:
        found = failure
    return _result(name, answer, found)


async def _await(name, answer):
    """The result of a call, in a coroutine."""
    if type(answer) is not _calls.Running:
        return _value(answer)
    try:
        found = await answer.ready()
    except _calls.Failure as failure:
        found = failure
    return _result(name, answer, found)


def _result(name, running, found):
    """The result of a call that ran, from what it gave: a value of the host, ENDED or a failure."""
    running.close()
    if isinstance(found, _calls.Failure):
        raise _exception(name, found.value)
    if found is _calls.ENDED:
        raise Failed("Ended", f"the call of {name} was ended by a snapshot")
    return _value(found)


def _items(name, running):
    """The items of a call."""
    try:
        while True:
            try:
                found = running.wait()
            except _calls.Failure as failure:
                error = failure.value
                break
            if found is _calls.ENDED:
                return
            yield _value(found)
    finally:
        running.close()
    raise _exception(name, error)


async def _async_items(name, running):
    """The items of a call, in a coroutine."""
    try:
        while True:
            try:
                found = await running.ready()
            except _calls.Failure as failure:
                error = failure.value
                break
            if found is _calls.ENDED:
                return
            yield _value(found)
    finally:
        running.close()
    raise _exception(name, error)


def _annotation(schema):
    """The type of Python that a schema describes."""
    if not isinstance(schema, dict):
        return typing.Any
    for word in ("anyOf", "oneOf"):
        if choices := schema.get(word):
            return functools.reduce(operator.or_, map(_annotation, choices))
    if (values := schema.get("enum")) and all(isinstance(value, (str, int, bool, type(None))) for value in values):
        return typing.Literal[tuple(values)]
    kind = schema.get("type")
    if isinstance(kind, list):
        return functools.reduce(operator.or_, (_annotation(schema | {"type": one}) for one in kind)) if kind else typing.Any
    if kind == "array" and "items" in schema:
        return list[_annotation(schema["items"])]
    return _TYPES.get(kind, typing.Any)


def _schema(text):
    """A schema; None if there is none, or it is not one that this module understands."""
    try:
        found = json.loads(text) if text else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _others(properties):
    """`**others`, under a name that no parameter has."""
    name = "others"
    while name in properties:
        name += "_"
    return inspect.Parameter(name, inspect.Parameter.VAR_KEYWORD)


def _parameters(schema):
    """The parameters by a schema of arguments: required ones first, in the order of `required`. There are others only if the
    schema has `additionalProperties`, or names that are none in Python."""
    properties = schema.get("properties") or {}
    required = [name for name in schema.get("required") or () if name in properties]
    parameters = []
    for name in (*required, *(name for name in properties if name not in required)):
        about = properties[name] if isinstance(properties[name], dict) else {}
        if not name.isidentifier() or keyword.iskeyword(name):
            continue  # it can be given as `**{name: value}`
        default = inspect.Parameter.empty if name in required else about.get("default")
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=_annotation(about)))
    if schema.get("additionalProperties") or len(parameters) < len(properties):
        parameters.append(_others(properties))
    return parameters


def _signature(parameters, returns, streams):
    """The signature of a function, by its schemas."""
    if parameters is None:
        kind = inspect.Parameter.POSITIONAL_ONLY
        found = [inspect.Parameter("arguments", kind, default=None, annotation=dict | bytes)]
        found.append(_others(()))
    else:
        found = _parameters(parameters)
    result = _annotation(returns)
    return inspect.Signature(found, return_annotation=typing.Iterator[result] if streams else result)


def _documentation(about, schema):
    """The documentation of a function, with what its schema says about its parameters."""
    lines = [about.documentation.strip()] if about.documentation.strip() else []
    described = []
    for name, value in ((schema or {}).get("properties") or {}).items():
        if isinstance(value, dict) and isinstance(value.get("description"), str):
            described.append(f"    {name}: {value['description']}")
    if described:
        lines.append("Parameters:\n" + "\n".join(described))
    how = f"async for item in {about.name}.aio(...)" if about.streams else f"await {about.name}.aio(...)"
    lines.append(f"In a coroutine: `{how}`.")
    return "\n\n".join(lines)


def _function(about):
    """A function of Python that calls a function of the host."""
    name, streams, schema = about.name, about.streams, _schema(about.parameters)
    signature = _signature(schema, _schema(about.returns), streams)
    names = tuple(name for name, one in signature.parameters.items() if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = frozenset(name for name in names if signature.parameters[name].default is inspect.Parameter.empty)
    closed = all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in signature.parameters.values())
    known = frozenset(names)

    def bind(arguments, named):
        """What is sent."""
        if not arguments and needed <= named.keys() and (not closed or named.keys() <= known):
            return named
        if schema is None:
            if len(arguments) == 1 and not named:
                return arguments[0]
            raise TypeError(f"{name}() takes one positional argument, or named ones")
        if arguments:
            if len(arguments) > len(names) or any(one in named for one in names[: len(arguments)]):
                signature.bind(*arguments, **named)  # says what is wrong
            named = dict(zip(names, arguments), **named)
        if not needed <= named.keys() or (closed and not named.keys() <= known):
            signature.bind(**named)  # says what is wrong
        return named

    if streams:

        def function(*arguments, **named):
            return _items(name, _begin(name, bind(arguments, named)))

        def aio(*arguments, **named):
            return _async_items(name, _begin(name, bind(arguments, named)))

    else:

        def function(*arguments, **named):
            return _wait(name, _begin(name, bind(arguments, named)))

        async def aio(*arguments, **named):
            return await _await(name, _begin(name, bind(arguments, named)))

    annotations = {one.name: one.annotation for one in signature.parameters.values() if one.annotation is not one.empty}
    for made, called in ((function, name), (aio, f"{name}.aio")):
        made.__name__, made.__qualname__, made.__module__ = called.rpartition(".")[2], called, __name__
        made.__doc__, made.__signature__ = _documentation(about, schema), signature
        made.__annotations__ = annotations | {"return": signature.return_annotation}
    function.aio = aio
    return function


def _described():
    """What the host says about the functions that this process may call."""
    try:
        return _host.functions()
    except _calls.Failure as failure:
        error = failure.value
    raise _exception("host", error)


def functions():
    """The names of the functions that this process may call."""
    try:
        return [about.name for about in _described()]
    except Denied:
        return []


def call(name, arguments=None):
    """Call a function by its name, with a dict or bytes, and return its result; for a function that returns items, an iterator."""
    answer = _begin(name, {} if arguments is None else arguments)
    if isinstance(answer, _calls.Running) and any(about.name == name and about.streams for about in _described()):
        return _items(name, answer)
    return _wait(name, answer)


def __getattr__(name):
    if name == "__all__":
        return functions()
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = _known.get(name)
    if function is None:
        try:
            described = {about.name: about for about in _described()}
        except Denied as error:
            raise ImportError(f"cannot import name {name!r} from 'host': {error.message}", name=__name__) from None
        if name not in described:
            there = ", ".join(described) or "none"
            raise ImportError(f"cannot import name {name!r} from 'host': this session's functions are {there}", name=__name__)
        function = _known[name] = _function(described[name])
    return function


def __dir__():
    return sorted({*(name for name in globals() if not name.startswith("_")), *functions()})

"""The module `host` without a host: signatures, arguments, results and errors."""

import dataclasses
import importlib.util
import inspect
import json
import pathlib
import sys
import typing
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import fake_host

fake_host.install()

from componentize_py_types import Err  # noqa: E402
from wit_world.imports import host as bindings  # noqa: E402


def _case(name):
    """A case of a variant."""
    made = dataclasses.make_dataclass(name, [("value", object, None)])
    setattr(bindings, name, made)
    return made


for _name in (
    "Value_Json Value_Bytes Answer_Done Answer_Running Progress_Waiting Progress_Item Progress_Ended "
    "Error_AccessDenied Error_Denied Error_NotFound Error_Failed Error_Limited"
).split():
    _case(_name)

from _wisp import descriptors, host_calls, signals  # noqa: E402


def _module():
    """A new `host`."""
    place = pathlib.Path(__file__).parents[1] / "lib/host.py"
    specification = importlib.util.spec_from_file_location("host", place)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@dataclasses.dataclass
class About:
    """A description of a function."""

    name: str
    documentation: str = ""
    parameters: str = ""
    returns: str = ""
    streams: bool = False


@dataclasses.dataclass
class Fields:
    """What an error says."""

    name: str = ""
    message: str = ""
    reason: str = ""
    rule: str = ""
    help: str = ""
    limit: str = ""
    value: str = ""


class Handle:
    """A running call that has these answers."""

    finalizer = None

    def __init__(self, *answers):
        self.answers = list(answers)

    def next(self):
        """The next of them."""
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def subscribe(self):
        """Ready at once."""
        return self

    def ready(self):
        """Always."""
        return True


def _failure(kind, **fields):
    """An error of the host."""
    failure = Err()
    failure.value = getattr(bindings, kind)(Fields(**fields))
    return failure


SEARCH = About(
    "search",
    "Searches the web.",
    json.dumps(
        {
            "type": "object",
            "properties": {
                "limit": {"type": "integer", "default": 10, "description": "how many"},
                "query": {"type": "string"},
                "kind": {"enum": ["a", "b"]},
                "since": {"type": ["string", "null"]},
            },
            "required": ["query"],
        }
    ),
    json.dumps({"type": "array", "items": {"type": "string"}}),
)


class Host(unittest.TestCase):
    """`import host`."""

    def setUp(self):
        self.sent, self.answer = [], bindings.Answer_Done(bindings.Value_Json("null"))
        self.there = [SEARCH, About("raw"), About("items", streams=True)]
        bindings.functions = lambda: self.there
        bindings.call = self._call
        descriptors.hold_root = lambda: None
        descriptors.keep = lambda handle: handle
        descriptors.drop = lambda handle: None
        signals.wait_for = lambda pollable: None
        host_calls.Failure = Err
        self.host = _module()

    def _call(self, name, arguments):
        self.sent.append((name, arguments.value))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def test_a_function_has_a_signature_and_documentation(self):
        """Required parameters come first."""
        search = self.host.search
        self.assertEqual(list(inspect.signature(search).parameters), ["query", "limit", "kind", "since"])
        self.assertEqual(inspect.get_annotations(search)["return"], list[str])
        self.assertEqual(inspect.get_annotations(search)["kind"], typing.Literal["a", "b"])
        self.assertEqual(inspect.get_annotations(search)["since"], str | None)
        self.assertTrue(search.__doc__.startswith("Searches the web."))
        self.assertIn("limit: how many", search.__doc__)
        self.assertTrue(inspect.isroutine(search) and inspect.iscoroutinefunction(search.aio))
        self.assertIs(search, self.host.search)

    def test_arguments(self):
        """By name, by position, bytes; mistakes are Python's."""
        self.answer = bindings.Answer_Done(bindings.Value_Json('["x"]'))
        self.assertEqual(self.host.search("é", limit=2), ["x"])
        self.host.search(query="q")
        self.host.raw(b"\0\xff")
        self.host.raw({"a": [1]})
        self.host.raw(a=1)
        self.assertEqual(
            self.sent,
            [
                ("search", '{"query":"\\u00e9","limit":2}'),
                ("search", '{"query":"q"}'),
                ("raw", b"\0\xff"),
                ("raw", '{"a":[1]}'),
                ("raw", '{"a":1}'),
            ],
        )
        for wrong in (lambda f: f(), lambda f: f("a", query="b"), lambda f: f("a", 1, "a", "b", 2), lambda f: f("a", other=1)):
            with self.assertRaises(TypeError):
                wrong(self.host.search)
        with self.assertRaises(ValueError):
            self.host.search(float("nan"))
        self.assertEqual(len(self.sent), 5)

    def test_a_call_that_runs(self):
        """It is waited for; items come one by one."""
        item = bindings.Progress_Item
        self.answer = bindings.Answer_Running(Handle(bindings.Progress_Waiting(), item(bindings.Value_Bytes(b"x"))))
        self.assertEqual(self.host.raw(), b"x")
        handle = Handle(item(bindings.Value_Json("1")), bindings.Progress_Waiting(), item(bindings.Value_Json("2")), bindings.Progress_Ended())
        self.answer = bindings.Answer_Running(handle)
        self.assertEqual(list(self.host.items()), [1, 2])
        handle = Handle(item(bindings.Value_Json("1")), _failure("Error_Failed", name="Gone", message="no more"))
        self.answer = bindings.Answer_Running(handle)
        found = self.host.items()
        self.assertEqual(next(found), 1)
        with self.assertRaises(self.host.Failed) as caught:
            next(found)
        self.assertEqual((caught.exception.name, caught.exception.message), ("Gone", "no more"))
        self.assertEqual(list(host_calls.alive), [])

    def test_errors_have_a_name_a_message_and_the_rule(self):
        """One class for each kind."""
        for kind, fields, expected, text in (
            ("Error_Denied", {"name": "raw", "reason": "no", "rule": "p.toml:3", "help": "add it"}, "Denied", "raw: denied by wisp: no (p.toml:3); add it"),
            ("Error_Limited", {"limit": "host.timeout", "value": "1s", "rule": "p.toml:4"},
             "Limited", "raw: stopped by wisp: host.timeout = 1s (set by p.toml:4)"),
            ("Error_NotFound", {}, "NotFound", "raw: the program that runs this sandbox has no such function"),
        ):
            self.answer = _failure(kind, **fields)
            with self.assertRaises(getattr(self.host, expected)) as caught:
                self.host.raw()
            self.assertEqual(str(caught.exception), text)
            self.assertIsInstance(caught.exception, self.host.Error)

    def test_what_is_not_there(self):
        """The import says why."""
        with self.assertRaisesRegex(ImportError, "functions are search, raw, items"):
            self.host.__getattr__("serch")
        self.assertEqual(self.host.functions(), ["search", "raw", "items"])
        self.assertEqual(self.host.__getattr__("__all__"), ["search", "raw", "items"])
        self.assertFalse(hasattr(self.host, "__path__"))

        def none():
            raise _failure("Error_AccessDenied")

        bindings.functions = none
        with self.assertRaisesRegex(ImportError, r"grants no function of the host; add `\[host\]`"):
            _module().__getattr__("search")
        self.assertEqual(_module().functions(), [])


if __name__ == "__main__":
    unittest.main()

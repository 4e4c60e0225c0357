"""Functions of the program: how they are registered, what code in a sandbox sees of them, what it may call."""

import enum
import itertools
import threading
import unittest
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from kit import SECONDS, printed
from wisp_sandbox import DeniedError, NotFoundError, RequestError, Sandbox, WispError, _native


def search(query: Annotated[str, "what to look for"], limit: int = 3) -> list[str]:
    """Searches the pages.

    The best ones come first.
    """
    return [f"{query} {number}" for number in range(limit)]


def other() -> None:
    """Does nothing."""


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: int
    y: float = 0.5


ORIGIN = Point(1)


class Options(TypedDict):
    deep: bool


class Model:
    """What pydantic's models have of use here."""

    def __init__(self, name):
        self.name = name

    @classmethod
    def model_json_schema(cls):
        inner = {"Name": {"type": "string"}}
        return {"type": "object", "properties": {"name": {"$ref": "#/$defs/Name"}}, "required": ["name"], "$defs": inner}

    @classmethod
    def model_validate(cls, value):
        if not isinstance(value.get("name"), str):
            raise ValueError("name: a string is needed")
        return cls(value["name"])

    def model_dump(self, mode):
        return {"name": self.name, "mode": mode}


class Called(unittest.TestCase):
    def setUp(self):
        self.seen = []

    def sandbox(self, *functions, policy="offline"):
        sandbox = Sandbox.create(policy, functions=functions)
        self.addCleanup(sandbox.close)
        return sandbox

    def test_what_the_code_sees(self):
        sandbox = self.sandbox(search)
        self.assertEqual(printed(sandbox, "from host import search\nprint(search('wisp', limit=2), search(query='w'))"),
                         "['wisp 0', 'wisp 1'] ['w 0', 'w 1', 'w 2']\n")
        said = printed(sandbox, "help(search)")
        self.assertIn("search(query: str, limit: int = 3) -> list[str]", said)
        self.assertIn("Searches the pages.", said)
        self.assertIn("query: what to look for", said)
        shell = sandbox.commands.run("host --help search; host search --query pears --limit 1").stdout
        self.assertIn("Usage: host search --query STRING [--limit INTEGER]\nSearches the pages.\n", shell)
        self.assertIn("--query  what to look for", shell)
        self.assertTrue(shell.endswith('\n["pears 0"]\n'), shell)
        self.assertIn("search", sandbox.explain(for_model=True))

    def test_parameters_keep_their_order(self):
        def order(z: int = 1, a: int = 2, /, *, m: int = 3) -> list[int]:
            return [z, a, m]

        sandbox = self.sandbox(order)
        self.assertEqual(printed(sandbox, "from host import order\nprint(order(), order(5), order(5, 6, m=7), order(a=8))"),
                         "[1, 2, 3] [5, 2, 3] [5, 6, 7] [1, 8, 3]\n")

    def test_types_become_those_that_are_asked_for(self):
        def take(color: Color, at: Point, options: Options, pair: tuple[int, str], kinds: set[str], raw: bytes, model: Model,
                 mode: Literal["a", "b"] = "a", more: Point | None = None, **others: float) -> dict[str, object]:
            self.seen.append((color, at, options, pair, kinds, raw, model.name, mode, more, others))
            return {"at": at, "color": color, "kinds": kinds, "pair": pair, "model": model}

        code = """
import base64, host
print(host.take(color="blue", at={"x": 1}, options={"deep": True}, pair=[1, "a"], kinds=["a", "a"], raw=base64.b64encode(b"\\xff").decode(),
                model={"name": "n"}, more={"x": 2, "y": 1}, z=2.5))
for wrong in ({"color": "green"}, {"at": {}}, {"at": {"x": "1"}}, {"at": {"x": 1, "z": 1}}, {"pair": [1]}, {"kinds": [1]}, {"mode": "c"},
              {"more": {"y": 1}}, {"others": "x"}, {"raw": "*"}, {"model": {"name": 1}}):
    try:
        host.call("take", {"color": "red", "at": {"x": 1}, "options": {"deep": False}, "pair": [1, "a"], "kinds": [], "raw": "",
                           "model": {"name": "n"}, **wrong})
    except host.Failed as error:
        print(error.name, error.message)
"""
        lines = printed(self.sandbox(take), code).splitlines()
        self.assertEqual(lines[0], "{'at': {'x': 1, 'y': 0.5}, 'color': 'blue', 'kinds': ['a'], 'pair': [1, 'a'], "
                                   "'model': {'name': 'n', 'mode': 'json'}}")
        self.assertEqual(self.seen, [(Color.BLUE, Point(1), {"deep": True}, (1, "a"), {"a"}, b"\xff", "n", "a", Point(2, 1), {"z": 2.5})])
        self.assertEqual(lines[1:], [f"TypeError take: {text}" for text in (
            '`color`: "red" or "blue" is needed, not "green"', "`at.x`: it is missing", '`at.x`: an integer is needed, not "1"',
            "`at.z`: there is no such name: there are x, y", "`pair`: 2 values are needed, not 1", "`kinds[0]`: text is needed, not 1",
            '`mode`: "a" or "b" is needed, not "c"', "`more.x`: it is missing", '`others`: a number is needed, not "x"',
            '`raw`: bytes are needed, as base64, not "*"', "`model`: name: a string is needed",
        )])

    def test_schemas(self):
        def take(model: Model, at: Point = ORIGIN, color: Color = Color.RED, ids: list[int] | None = None, any=None) -> Model:
            return model

        info, = self.sandbox(take).functions
        self.assertEqual((info.name, info.documentation, info.items, info.rule), ("take", "", False, "host program"))
        name = {"Name": {"type": "string"}}
        model = {"type": "object", "properties": {"name": {"$ref": "#/$defs/Name"}}, "required": ["name"]}
        point = {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "number", "default": 0.5}}, "required": ["x"]}
        self.assertEqual(info.parameters, {
            "type": "object",
            "properties": {
                "model": model,
                "at": {**point, "default": {"x": 1, "y": 0.5}},
                "color": {"type": "string", "enum": ["red", "blue"], "default": "red"},
                "ids": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}], "default": None},
                "any": {"default": None},
            },
            "required": ["model"],
            "additionalProperties": False,
            "$defs": name,
        })
        self.assertEqual(info.returns, {**model, "$defs": name})

    def test_what_cannot_be_called_is_refused(self):
        def rest(*words: str): ...
        def unknown(call: threading.Thread): ...
        def keys(counts: dict[int, str]): ...
        def missing(x: "Nothing"): ...  # noqa: F821

        for function, said in ((rest, r"takes `\*words`"), (unknown, "no values of the type Thread"), (keys, "are texts"),
                               (missing, "'Nothing' is not defined"), (3, "is no function"), (Point, "is no function")):
            with self.assertRaisesRegex(TypeError, said):
                Sandbox.create(functions=[function])
        with self.assertRaisesRegex(ValueError, "`<lambda>`"):
            Sandbox.create(functions=[lambda: 1])
        with self.assertRaisesRegex(ValueError, "two functions have the name `search`"):
            Sandbox.create(functions=[search, search])
        self.assertEqual(_native.live_sessions(), 0)

    def test_bytes_are_as_they_are(self):
        def turned(data: bytes) -> bytes:
            self.seen.append(data)
            return data[::-1]

        sandbox = self.sandbox(turned)
        self.assertEqual(printed(sandbox, "from host import turned\nprint(turned(b'ab\\xff'))"), "b'\\xffba'\n")
        self.assertEqual(sandbox.commands.run("printf abc | host --bytes turned").stdout, "cba")
        self.assertEqual(self.seen, [b"ab\xff", b"abc"])
        self.assertEqual(sandbox.call_function("turned", b"12"), b"21")
        said = printed(self.sandbox(search), "import host\ntry: host.call('search', b'x')\nexcept host.Failed as error: print(error)")
        self.assertEqual(said, "TypeError: search takes arguments with names, not bytes\n")

    def test_items_come_when_they_are_asked_for(self):
        closed = threading.Event()

        def numbers(start: int = 0) -> Iterator[int]:
            """Counts."""
            try:
                for number in itertools.count(start):
                    self.seen.append(number)
                    yield number
            finally:
                closed.set()

        def pages():
            yield b"one"
            yield {"two": 2}
            raise LookupError("no third")

        sandbox = self.sandbox(numbers, pages)
        self.assertEqual(printed(sandbox, "from host import numbers, pages\nit = numbers(start=5)\nprint(next(it), next(it))\nit.close()"), "5 6\n")
        self.assertTrue(closed.wait(SECONDS))
        # Some are made ahead.
        self.assertLess(len(self.seen), 20)
        code = "found = []\ntry:\n  for page in pages(): found.append(page)\nexcept Exception as error: print(found, error)"
        self.assertEqual(printed(sandbox, code), "[b'one', {'two': 2}] LookupError: no third\n")
        info = {info.name: info for info in sandbox.functions}
        self.assertEqual([(info[name].items, info[name].returns) for name in ("numbers", "pages")], [(True, {"type": "integer"}), (True, None)])
        self.assertIn("numbers(start: int = 0) -> Iterator[int]", printed(sandbox, "help(numbers)").replace("typing.", "").replace("collections.abc.", ""))

    def test_what_a_function_raises_is_the_code_s_to_catch(self):
        class NoSuchPage(Exception):
            pass

        def fail(kind: str):
            raise {"own": NoSuchPage("page 7"), "exit": SystemExit(3)}[kind]

        def odd(kind: str):
            return {"object": object(), "nan": float("nan"), "bytes": [b"x"], "keys": {(1, 2): 3}}[kind]

        sandbox = self.sandbox(fail, odd)
        code = """
import host
for call, kind in ((host.fail, "own"), (host.fail, "exit"), (host.fail, "none"), (host.odd, "object"), (host.odd, "nan"), (host.odd, "bytes"),
                   (host.odd, "keys")):
    try:
        call(kind)
    except host.Failed as error:
        print(error.name, "|", error.message)
"""
        lines = printed(sandbox, code).splitlines()
        self.assertEqual(lines[:3], ["NoSuchPage | page 7", "SystemExit | 3", "KeyError | 'none'"])
        for line, said in zip(lines[3:], ("no values of the type object", "not JSON compliant", "only be a whole result", "keys must be"), strict=True):
            self.assertRegex(line, f"TypeError \\| the result of odd is no JSON: .*{said}")
        # The guest reads what went wrong, and nothing of the program.
        error = sandbox.run_code("host.fail('own')").error
        self.assertIn("NoSuchPage: page 7", error.traceback)
        self.assertNotIn(__file__, error.traceback)

    def test_what_is_not_registered_is_refused(self):
        sandbox = self.sandbox(search)
        code = "import host\ntry: host.call('other', {})\nexcept host.Denied as error: print(error.message)"
        self.assertIn("`host.allow` does not list it", printed(sandbox, code))
        self.assertEqual(sandbox.run_code("from host import other").error.name, "ImportError")
        self.assertIn("grants no function of the host", printed(self.sandbox(), code))
        decided = [(receipt.subject, receipt.verdict, receipt.rule) for receipt in sandbox.receipts if receipt.kind == "function"]
        self.assertEqual([one[:2] for one in decided], [("other", "denied")])
        printed(sandbox, "from host import search\nsearch('a')")
        decided = [(receipt.subject, receipt.verdict, receipt.rule) for receipt in sandbox.receipts if receipt.kind == "function"]
        self.assertEqual(decided[1:], [("search", "allowed", "host program")])

    def test_it_is_called_from_outside_as_from_inside(self):
        sandbox = self.sandbox(search, policy='extends = "offline"\n[host]\nmax_calls = 2\n')
        self.assertEqual(sandbox.call_function("search", {"query": "a", "limit": 1}), ["a 0"])
        with self.assertRaises(RequestError) as wrong:
            sandbox.call_function("search")
        self.assertEqual((wrong.exception.code, str(wrong.exception)), ("function_failed", "search: TypeError: search: `query`: it is missing"))
        with self.assertRaises(DeniedError) as refused:
            sandbox.call_function("other")
        self.assertEqual(refused.exception.code, "function_refused")
        with self.assertRaises(WispError) as full:
            sandbox.call_function("search", {"query": "a"})
        self.assertEqual(full.exception.code, "function_limit")
        with Sandbox.create('extends = "offline"\n[host]\nallow = ["search"]\n') as without, self.assertRaises(NotFoundError):
            without.call_function("search", {"query": "a"})

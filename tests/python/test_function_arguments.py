"""Arguments that fit no type, and what a program has set or shares itself: a guest can change none of it."""

import functools
import unittest
from dataclasses import InitVar, dataclass, field
from typing import Literal, TypedDict

from kit import printed
from wisp_sandbox import RequestError, Sandbox


@dataclass
class Add:
    left: "Expression"
    right: "Expression"


@dataclass
class Times:
    left: "Expression"
    right: "Expression"


Expression = Add | Times | int


class Left(TypedDict, total=False):
    next: "Left | Right"
    left: int


class Right(TypedDict, total=False):
    next: "Left | Right"
    right: int


@dataclass
class Scaled:
    x: float
    factor: InitVar[float]
    unit: InitVar[str] = "m"
    text: str = field(init=False)

    def __post_init__(self, factor, unit):
        self.text = f"{self.x * factor} {unit}"


def nested(depth, leaf, name="left", **others):
    for _ in range(depth):
        leaf = {name: leaf, **others}
    return leaf


def query(text: str, *, token: str, tenant: str = "public") -> str:
    """Queries what a tenant has."""
    return f"{tenant}: {text}"


class Arguments(unittest.TestCase):
    def sandbox(self, *functions):
        sandbox = Sandbox.create(functions=functions)
        self.addCleanup(sandbox.close)
        return sandbox

    def refused(self, sandbox, name, arguments):
        with self.assertRaises(RequestError) as refused:
            sandbox.call_function(name, arguments)
        self.assertEqual(refused.exception.code, "function_failed")
        return str(refused.exception).removeprefix(f"{name}: TypeError: {name}: ")

    def test_types_within_themselves(self):
        def value(of: Expression) -> int:
            match of:
                case Add(left, right):
                    return value(left) + value(right)
                case Times(left, right):
                    return value(left) * value(right)
                case number:
                    return number

        def end(of: Left | Right) -> str:
            return end(of["next"]) if "next" in of else next(iter(of))

        sandbox = self.sandbox(value, end)
        self.assertEqual(sandbox.call_function("value", {"of": nested(60, 2, right=1)}), 62)
        self.assertEqual(sandbox.call_function("end", {"of": nested(50, {"right": 1}, "next")}), "right")
        # Each level would double the work and the message.
        said = self.refused(sandbox, "value", {"of": nested(60, "x", right=1)})
        self.assertTrue(said.startswith("`of`: `left`: `left`: ") and len(said) < 1100, said)
        said = self.refused(sandbox, "end", {"of": nested(50, {"right": "x"}, "next")})
        self.assertTrue(said.startswith("`of`: `next`: `next`: ") and len(said) < 1100, said)
        self.assertEqual(self.refused(sandbox, "value", {"of": "x"}),
                         '`of`: an object is needed, not "x"; or an object is needed, not "x"; or an integer is needed, not "x"')
        self.assertIn("nested too deeply", self.refused(sandbox, "value", {"of": nested(400, 1, right=1)}))

    def test_names_and_places_are_shown_in_short(self):
        def deep(x: dict[str, dict[str, int]]) -> None: ...

        sandbox = self.sandbox(deep)
        self.assertLess(len(self.refused(sandbox, "deep", {"x": {"a" * 10_000: {"b" * 10_000: "c" * 10_000}}})), 400)
        said = self.refused(sandbox, "deep", {"x": {}, "z" * 10_000: 1})
        self.assertTrue(said.startswith("`zzz") and said.endswith("…`: there is no such name: there is x") and len(said) < 200, said)

    def test_numbers_and_texts_that_are_none(self):
        def take(x: float = 0, text: str = "") -> str:
            return f"{x} {text}"

        sandbox = self.sandbox(take)
        cases = (
            ('{"x": NaN}', "there is NaN, which is no number of JSON"), ('{"x": -Infinity}', "there is -Infinity, which is no number of JSON"),
            ('{"x": 1e999}', "there is a number that is too large: 1e999"), ('{"x": ' + "1" * 5000 + "}", "there is an integer of more than 4300 digits"),
            ('{"text": "\\ud800"}', "there is a text with half of a pair of surrogates, which is no character"),
            ("[" * 100_000, "the arguments are nested too deeply"),
        )
        # The module itself sends nothing of this kind.
        code = "import host\nhost._encode = lambda text: text\n"
        for sent, said in cases:
            call = f"try: host.call('take', {sent!r})\nexcept host.Failed as error: print(error.message)"
            self.assertEqual(printed(sandbox, code + call), f"take: {said}\n")
        for sent, said in (("[1]", "take takes arguments with names: a JSON object"), ("{", "take takes arguments with names: a JSON object")):
            call = f"try: host.call('take', {sent!r})\nexcept host.Failed as error: print(error.message)"
            self.assertEqual(printed(sandbox, code + call), f"{said}\n")
        for sent, said in (('{"x": 1e300}', "1e+300 "), ('{"x": 2}', "2 "), ('{"text": "\\ud83d\\ude00 \\\\ud800"}', "0 \U0001f600 \\ud800")):
            self.assertEqual(printed(sandbox, code + f"print(host.call('take', {sent!r}))"), f"{said}\n")

    def test_a_declared_value_is_what_was_declared(self):
        def take(mode: Literal[1, "a"] = 1, none: tuple[()] = ()) -> str:
            return repr((mode, none))

        sandbox = self.sandbox(take)
        for arguments, said in (({"mode": 1.0}, "(1, ())"), ({"mode": "a", "none": []}, "('a', ())")):
            self.assertEqual(sandbox.call_function("take", arguments), said)
        self.assertEqual(self.refused(sandbox, "take", {"mode": True}), '`mode`: 1 or "a" is needed, not true')
        self.assertEqual(self.refused(sandbox, "take", {"none": [1]}), "`none`: an empty list is needed, not 1")

    def test_what_only_the_beginning_of_a_dataclass_gets(self):
        def take(of: Scaled) -> str:
            return of.text

        sandbox = self.sandbox(take)
        schema = sandbox.functions[0].parameters["properties"]["of"]
        self.assertEqual((set(schema["properties"]), schema["required"]), ({"x", "factor", "unit"}, ["x", "factor"]))
        self.assertEqual(sandbox.call_function("take", {"of": {"x": 2, "factor": 1.5}}), "3.0 m")
        self.assertEqual(sandbox.call_function("take", {"of": {"x": 2, "factor": 1.5, "unit": "kg"}}), "3.0 kg")
        self.assertEqual(self.refused(sandbox, "take", {"of": {"x": 2}}), "`of.factor`: it is missing")
        self.assertEqual(self.refused(sandbox, "take", {"of": {"x": 2, "factor": 1, "text": "x"}}),
                         "`of.text`: there is no such name: there are x, factor, unit")

    def test_what_a_partial_sets_is_not_the_guest_s(self):
        bound = functools.partial(functools.partial(query, token="s3cr3t"), tenant="alice")

        @functools.wraps(bound)
        def wrapped(**arguments):
            return bound(**arguments)

        wrapped.__name__ = "wrapped"

        class Tenant:
            def full(self, text: str, token: str = "") -> str:
                return f"{token}: {text}"

            query = functools.partialmethod(full, token="s3cr3t")

        sandbox = self.sandbox(bound, wrapped)
        sandbox.function(name="method")(Tenant().query)
        for name, result in (("query", "alice: x"), ("wrapped", "alice: x"), ("method", "s3cr3t: x")):
            info = next(info for info in sandbox.functions if info.name == name)
            self.assertEqual(list(info.parameters["properties"]), ["text"])
            self.assertNotIn("s3cr3t", str(info))
            for stolen in ("tenant", "token"):
                self.assertEqual(self.refused(sandbox, name, {"text": "x", stolen: "bob"}), f"`{stolen}`: there is no such name: there is text")
            self.assertEqual(sandbox.call_function(name, {"text": "x"}), result)

        def open_query(text: str, **more: str) -> str:
            return f"{sorted(more.items())}: {text}"

        sandbox = self.sandbox(functools.partial(open_query, tenant="alice"))
        self.assertEqual(self.refused(sandbox, "open_query", {"text": "x", "tenant": "bob"}), "`tenant`: the program has set it")
        self.assertEqual(sandbox.call_function("open_query", {"text": "x", "limit": "1"}), "[('limit', '1'), ('tenant', 'alice')]: x")


class Names(unittest.TestCase):
    def test_names_that_code_could_not_import(self):
        def double(x: int) -> int:
            return 2 * x

        with Sandbox.create() as sandbox:
            for name in ("match", "host", "aio", "print"):
                sandbox.function(name=name)(double)
            self.assertEqual(printed(sandbox, "from host import match, host, aio, print as p\nprint(match(1), host(2), aio(3), p(4))"), "2 4 6 8\n")
            own = printed(sandbox, "import sys\nprint(*vars(sys.modules['host']))").split()
        self.assertIn("call", own)
        with Sandbox.create() as sandbox:
            for name in (*own, "class", "None", "_private"):
                with self.assertRaisesRegex(ValueError, f"could not import a function with the name `{name}`"):
                    sandbox.function(name=name)(double)

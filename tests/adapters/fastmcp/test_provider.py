"""What wisp's provider for FastMCP's code mode does, and what it refuses."""

import asyncio
import contextvars
import json
import types

import pytest
from fastmcp import Client, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.experimental.transforms.code_mode import CodeMode

from wisp_sandbox import Engine, InfraError, PolicyError
from wisp_sandbox.adapters.fastmcp import WispSandboxProvider, _provider

WHO = contextvars.ContextVar("who", default="nobody")


async def run(code, **more):
    return await WispSandboxProvider().run(code, **more)


async def echo(*args, **kwargs):
    return {"args": args, "kwargs": kwargs}


async def test_the_code_is_python_and_not_a_part_of_it():
    code = '''
from __future__ import annotations
import abc, contextlib, dataclasses, datetime, decimal, enum, itertools, re, sqlite3, statistics

class Shape(abc.ABC):
    @property
    @abc.abstractmethod
    def area(self) -> decimal.Decimal: ...

@dataclasses.dataclass(frozen=True, order=True)
class Square(Shape):
    side: decimal.Decimal
    @property
    def area(self): return self.side ** 2

class Colour(enum.Enum):
    RED = enum.auto()

@contextlib.contextmanager
def database():
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        yield connection

def numbers():
    yield from itertools.islice(itertools.count(1), 4)

async def later():
    for number in numbers():
        yield number * 10

with database() as connection:
    connection.execute("create table t(x)")
    connection.executemany("insert into t values (?)", [(number,) for number in numbers()])
    (total,) = connection.execute("select sum(x) from t").fetchone()

match re.fullmatch(r"(?P<word>\\w+)-(\\d+)", "wisp-43"):
    case re.Match() as found:
        word = found["word"]

lambda_total = (lambda *all, **_: sum(all))(1, 2, 3)
try:
    raise ExceptionGroup("two", [ValueError("a"), KeyError("b")])
except* ValueError as group:
    caught = [str(one) for one in group.exceptions]
except* KeyError:
    pass
text = f"{Square(decimal.Decimal('1.5')).area!s:>6}|{Colour.RED.name.lower()}"
return {
    "total": total, "word": word, "text": text, "caught": caught, "lambda": lambda_total, "later": [x async for x in later()],
    "median": statistics.median([3, 1, 2]), "day": datetime.date(2026, 11, 28),
}
'''
    assert await run(code) == {
        "total": 10, "word": "wisp", "text": "  2.25|red", "caught": ["a"], "lambda": 6, "later": [10, 20, 30, 40], "median": 2, "day": "2026-11-28",
    }


@pytest.mark.parametrize(("code", "value"), [
    ("", None),
    ("# nothing", None),
    ("1 + 1", 2),
    ("'a text'", "a text"),
    ("x = 1", None),
    ("return (1, {2}, range(2))", [1, [2], [0, 1]]),
    ("try:\n    return 1\nfinally:\n    print('done')", 1),
    ("text = '''a\n  b\n'''\nreturn text", "a\n  b\n"),
    ("n = 0\ndef up():\n    global n\n    n += 1\nup()\nup()\nreturn n", 2),
    ("n: int = 0\ndef up():\n    global n\n    n += 1\nup()\nreturn n", 1),
    ("n = 0\ndef up():\n    nonlocal n\n    n += 1\nup()\nreturn n", 1),
    ("def fact(n):\n    return n and n * fact(n - 1) or 1\nreturn fact(20)", 2432902008176640000),
    ("if True:\n    return 'inner'", "inner"),
    ("import asyncio\nawait asyncio.sleep(0)\nreturn 'awaited'", "awaited"),
])
async def test_what_code_returns(code, value):
    assert await run(code) == value


async def test_inputs_are_variables():
    assert await run("return [text.upper(), n + 1, table['a']]", inputs={"text": "x", "n": 1, "table": {"a": None}}) == ["X", 2, None]
    with pytest.raises(TypeError, match="JSON"):
        await run("return x", inputs={"x": object()})


@pytest.mark.parametrize(("code", "message"), [
    ("return b'bytes'", "bytes, which JSON does not have"),
    ("return object()", "object, which JSON does not have"),
    ("x = []\nfor _ in range(100000):\n    x = [x]\nreturn x", "RecursionError"),
    ("yield 1", "'yield' outside function"),
    ("def f(:", "SyntaxError"),
    ("import sys\nsys.exit(3)", "status 3"),
    ("x = 1\nraise ValueError('boom')", 'line 2, in <module>\n    raise ValueError\\(\'boom\'\\)\nValueError: boom'),
    # What the code puts in place of its result is no more than a result that cannot be read.
    ("class V:\n    def __init__(self, v): pass\n    def _repr_mimebundle_(self, **k): return {'application/json': '{'}\n"
     "import sys\nsys.modules['_code_mode'].Value = V", "cannot be read"),
    ("class V:\n    def __init__(self, v): pass\n    def _repr_mimebundle_(self, **k): return {'application/json': '[' * 200000}\n"
     "import sys\nsys.modules['_code_mode'].Value = V", "cannot be read"),
    ("import sys\nsys.modules['_code_mode'].Value = lambda v: None", "no result"),
])
async def test_what_fails_is_an_error_of_the_tool(code, message):
    with pytest.raises(ToolError, match=message):
        await run(code)


async def test_functions_take_positions_and_names():
    assert await run("return await f(1, b=2)", external_functions={"f": echo}) == {"args": [1], "kwargs": {"b": 2}}
    assert await run("return await f(2)", external_functions={"f": lambda x: x * 2}) == 4
    assert await run("f()", external_functions={"f": lambda: "not waited for"}) == "not waited for"
    with pytest.raises(ToolError, match="NameError"):
        await run("return await f(1)")


async def test_names_that_a_sandbox_cannot_have_are_refused():
    for name in ("_hidden", "call", "class"):
        with pytest.raises(ValueError, match=name):
            await run("return 1", external_functions={name: echo})
    with pytest.raises(ToolError, match="JSON"):
        await run("return await f(object())", external_functions={"f": echo})
    with pytest.raises(ToolError, match="JSON"):
        await run("return await f()", external_functions={"f": object})


async def test_calls_run_at_once():
    second = asyncio.Event()

    async def first_call():
        await second.wait()
        return 1

    async def second_call():
        second.set()
        return 2

    functions = {"a": first_call, "b": second_call}
    assert await run("import asyncio\nreturn await asyncio.gather(a(), b())", external_functions=functions) == [1, 2]
    second.clear()
    assert await run("x = a()\ny = b()\nreturn [await x, await y]", external_functions=functions) == [1, 2]


async def test_exceptions_of_functions_have_their_names_and_texts():
    async def fails(kind):
        raise {"value": ValueError("a value"), "key": KeyError("k"), "tool": ToolError("a tool")}[kind]

    code = "try:\n    await f({!r})\nexcept {} as error:\n    return [type(error).__name__, str(error)]"
    functions = {"f": fails}
    assert await run(code.format("value", "ValueError"), external_functions=functions) == ["ValueError", "a value"]
    assert await run(code.format("key", "KeyError"), external_functions=functions) == ["KeyError", "'k'"]
    assert await run(code.format("tool", "Exception"), external_functions=functions) == ["ToolError", "a tool"]
    with pytest.raises(ToolError, match="ValueError: a value"):
        await run(code.format("value", "KeyError"), external_functions=functions)


async def test_calls_have_the_context_of_the_one_who_runs_the_code():
    async def who():
        before = WHO.get()
        WHO.set("changed")
        return before

    WHO.set("alice")
    assert await run("return [await who(), await who()]", external_functions={"who": who}) == ["alice", "alice"]
    assert WHO.get() == "alice"


async def test_a_policy_bounds_the_calls():
    code = "for number in range(count):\n    await f(number)\nreturn number"
    bounded = WispSandboxProvider('extends = "offline"\n[host]\nmax_calls = 2\n')
    assert await bounded.run(code, inputs={"count": 2}, external_functions={"f": echo}) == 1
    with pytest.raises(ToolError, match="max_calls"):
        await bounded.run(code, inputs={"count": 3}, external_functions={"f": echo})
    with pytest.raises(PolicyError):
        WispSandboxProvider('extends = "offline"\n[limits]\nmax_allocations = 1\n')


async def test_the_code_sees_nothing_of_the_machine(monkeypatch, tmp_path):
    monkeypatch.setenv("WISP_TEST_SECRET", "hunter2")
    (tmp_path / "file").write_text("hunter2")
    code = "import os, pathlib\nreturn [os.environ.get('WISP_TEST_SECRET'), pathlib.Path(path).exists()]"
    assert await run(code, inputs={"path": str(tmp_path / "file")}) == [None, False]
    with pytest.raises(ToolError, match="Error"):
        await run("import urllib.request\nreturn urllib.request.urlopen('http://127.0.0.1:1/').status")
    with pytest.raises(ToolError, match="Error"):
        await run("import subprocess\nreturn subprocess.run(['/usr/bin/git'], check=True)")
    # What a sandbox has of its own it may use.
    files = "import pathlib, subprocess\npathlib.Path('a').write_text('x')\nreturn subprocess.run(['cat', 'a'], capture_output=True, text=True).stdout"
    assert await run(files) == "x"


async def test_nothing_stays_for_the_next_code():
    assert await run("import builtins, pathlib\nbuiltins.left = 1\npathlib.Path('left').write_text('x')\nreturn 1") == 1
    assert await run("import builtins, pathlib\nreturn [hasattr(builtins, 'left'), pathlib.Path('left').exists()]") == [False, False]


async def test_code_that_does_not_end_is_ended():
    provider = WispSandboxProvider(timeout=0.5)
    with pytest.raises(ToolError, match=r"limits\.wall"):
        await provider.run("while True:\n    pass")
    with pytest.raises(ToolError, match=r"limits\.wall"):
        await provider.run("while True:\n    try:\n        while True: pass\n    except BaseException: pass")
    assert await provider.run("return 1") == 1


async def test_an_endless_result_and_too_much_memory_are_ended():
    with pytest.raises(ToolError, match=r"limits.stdout"):
        await run("return 'x' * 40_000_000")
    with pytest.raises(ToolError, match="MemoryError"):
        await run("return len(b'x' * 10**9)")
    assert len(await run("return 'x' * 4_000_000")) == 4_000_000


async def test_what_is_cancelled_leaves_nothing():
    started, ended = asyncio.Event(), asyncio.Event()

    async def waits():
        try:
            started.set()
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.set()

    # Sandboxes that stayed would have all the room for processes.
    with Engine(max_processes=2) as engine:
        provider = WispSandboxProvider(engine=engine)
        for _ in range(4):
            started.clear(), ended.clear()
            code = "f()\nimport asyncio\nawait asyncio.sleep(0)\nwhile True:\n    pass"
            task = asyncio.create_task(provider.run(code, external_functions={"f": waits}))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert ended.is_set()
        assert await provider.run("return 1") == 1


async def test_a_fault_of_the_machine_is_no_error_of_the_code():
    end = types.SimpleNamespace(kind="infra", error_code="internal", message="the disk is gone")
    with pytest.raises(InfraError, match="the disk is gone"):
        _provider._result(types.SimpleNamespace(outcome=types.SimpleNamespace(end=end)))


async def test_a_model_finds_tools_and_chains_them_in_one_block():
    server = FastMCP("Shop")
    prices = {"pear": 3, "apple": 2, "plum": 1}

    @server.tool
    def fruits() -> list[str]:
        """List the fruits of the shop."""
        return list(prices)

    @server.tool
    async def price(fruit: str) -> int:
        """Say what a fruit costs."""
        return prices[fruit]

    server.add_transform(CodeMode(sandbox_provider=WispSandboxProvider()))
    script = [
        ("search", {"query": "price of a fruit"}),
        ("get_schema", {"tools": ["price", "fruits"]}),
        ("execute", {"code": (
            "import asyncio, collections\n"
            "names = (await call_tool('fruits', {}))['result']\n"
            "costs = await asyncio.gather(*[call_tool('price', {'fruit': name}) for name in names])\n"
            "table = collections.OrderedDict(sorted((cost['result'], name) for cost, name in zip(costs, names)))\n"
            "return {'cheapest': next(iter(table.values())), 'total': sum(table)}\n"
        )}),
        ("execute", {"code": "return await call_tool('price', {'fruit': 'stone'})"}),
    ]
    async with Client(server) as client:
        assert {tool.name for tool in await client.list_tools()} == {"search", "get_schema", "execute"}
        found = [await client.call_tool(name, arguments, raise_on_error=False) for name, arguments in script]
    assert "price" in str(found[0].content) and "`fruit` (string, required)" in str(found[1].content)
    assert json.loads(found[2].content[0].text) == {"cheapest": "plum", "total": 6}
    assert found[3].is_error and "call_tool('price') failed" in found[3].content[0].text

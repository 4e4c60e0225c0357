"""The provider: a sandbox for each piece of code, and the server's functions in it."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import json
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import anyio
from fastmcp.exceptions import ToolError

from ... import AsyncSandbox, Engine, Execution, Policy
from ..._requests import policy_of
from ..._schemas import encoded
from .._common import check_host, note

# What the code is run by, in the sandbox.
_GUEST = resources.files(__package__).joinpath("_guest.py").read_text()
_BEGIN = f"import sys, types\nsys.modules['_code_mode'] = types.ModuleType('_code_mode')\nexec({_GUEST!r}, vars(sys.modules['_code_mode']))"
_RUN = "await __import__('_code_mode').run(globals(), **__import__('json').loads({!r}))"
# What a piece of code has, with what it waits for: tools may be slow. Of the processor it has `limits.cpu`.
_TIME = "5m"


class WispSandboxProvider:
    """Runs the code of `CodeMode` in sandboxes of wisp: one for each call, which is gone after it.

    `policy`: the name of one of wisp's policies, a path, TOML text, or a `Policy`; its `[host]` bounds the calls of functions. Without one it
    is `offline`, with 5 minutes for each piece of code. `timeout`: the seconds that a piece of code may take, with the time of the tools that
    it calls, in place of the policy's `limits.wall`. `engine`: one of the program's own.
    """

    def __init__(self, policy: Policy | str | None = None, *, timeout: float | None = None, engine: Engine | None = None) -> None:
        self._policy = _default() if policy is None else policy_of(policy)
        self._timeout = timeout
        self._engine = engine

    async def run(
        self, code: str, *, inputs: dict[str, Any] | None = None, external_functions: dict[str, Callable[..., Any]] | None = None
    ) -> Any:
        """Runs code and returns what it returned, or the value of its last expression: what JSON has.

        `inputs` are variables of the code, and `external_functions` functions, to which the code gives what JSON has. Raises `ToolError` with
        the code's traceback, or with the limit that ended it. However it ends, its sandbox is closed then, and no call of a function goes on.
        """
        calls = _Calls()
        functions = external_functions or {}
        cell = f"{_BEGIN}\n{_RUN.format(encoded({'code': code, 'inputs': inputs or {}, 'names': list(functions)}))}"
        sandbox = await AsyncSandbox.create(
            self._policy,
            timeout=self._timeout,
            functions=[calls.function(name, function) for name, function in functions.items()],
            engine=self._engine,
        )
        try:
            return _result(await sandbox.run_code(cell))
        finally:
            # A cancelled request of AnyIO's would not wait here.
            with anyio.CancelScope(shield=True):
                await calls.end()
                await sandbox.close()


class _Calls:
    """The calls of functions from one piece of code. They run as calls of the one who runs the code would: in its context."""

    def __init__(self) -> None:
        self._context = contextvars.copy_context()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._ended = False

    def function(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function as the sandbox takes it: with its arguments as a list and a dict."""

        async def call(args: list[Any], kwargs: dict[str, Any]) -> Any:
            if self._ended:
                raise asyncio.CancelledError
            task = asyncio.get_running_loop().create_task(_called(function, args, kwargs), context=self._context.copy())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return await task

        call.__name__ = name
        call.__doc__ = inspect.getdoc(function)
        return call

    async def end(self) -> None:
        """Cancels those that go on, and waits for their end."""
        self._ended = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _called(function: Callable[..., Any], args: list[Any], kwargs: Mapping[str, Any]) -> Any:
    found = function(*args, **kwargs)
    return await found if inspect.isawaitable(found) else found


def _default() -> Policy:
    # A call of a function may take all the time that its code has.
    return policy_of("offline").with_value("limits.wall", _TIME).with_value("host.timeout", "24h")


def _result(execution: Execution) -> Any:
    check_host(execution.outcome.end)
    if execution.error is not None:
        raise ToolError(_report(execution))
    if execution.exit is not None:
        raise ToolError(f"the code ended the interpreter, with the status {execution.exit}: use `return`")
    if execution.timed_out or not execution.success:
        raise ToolError(note(execution.outcome.end) or f"the code ended with the status {execution.outcome.exit_code}")
    for result in execution.results:
        if result.is_main_result and "application/json" in result.data:
            try:
                return json.loads(result.data["application/json"])
            except (ValueError, RecursionError) as error:
                # The code can put anything in its place.
                raise ToolError(f"the result cannot be read: {error}") from None
    raise ToolError("the code left no result")


def _report(execution: Execution) -> str:
    """The traceback, without what is not the code's."""
    error = execution.error
    assert error is not None
    lines = [
        f'  File "{frame.file}", line {frame.line}, in {frame.function}' + (f"\n    {frame.text}" if frame.text else "")
        for frame in error.frames
        if frame.file == "<code>"
    ]
    said = f"{error.name}: {error.value}" if error.value else error.name
    return "\n".join(["Traceback (most recent call last):", *lines, said]) if lines else said

"""An interpreter for DSPy: `dspy.RLM(…, interpreter_factory=WispInterpreter)`, or `dspy.configure(interpreter_factory=WispInterpreter)`."""

# It has no types that a checker reads.
# mypy: disable-error-code="import-untyped,misc"
from __future__ import annotations

import ast
import asyncio
import contextvars
import inspect
import json
import keyword
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .. import EndedError, Execution, InfraError, Mount, Policy, Sandbox, WispError
from .._requests import policy_of
from ._common import check_host, missing, note

try:
    from dspy.primitives.code_interpreter import CodeExecutionError, CodeInterpreterError, FinalOutput
except ImportError as error:
    raise missing("dspy", "dspy") from error

__all__ = ["WispInterpreter"]

_RESERVED = {"SUBMIT", "__builtins__"}
# What is in the sandbox: one function of the program calls all tools, whose names may be any.
_RUNNER = """
def _wisp_dspy():
    import ast, json
    from host import dspy_tool
    space, given = globals(), set()

    class Submission(BaseException):
        pass

    def tool(name):
        def call(*args, **kwargs):
            answer = json.loads(dspy_tool(json.dumps({"name": name, "args": args, "kwargs": kwargs}, allow_nan=False)))
            if "error" in answer:
                raise RuntimeError(answer["error"])
            return answer["value"]
        call.__name__ = name
        return call

    def submitting(fields):
        def SUBMIT(*args, **kwargs):
            if fields is None:
                if len(args) != 1 or kwargs:
                    raise TypeError("SUBMIT requires one output value")
                raise Submission({"output": args[0]})
            if args and kwargs:
                raise TypeError("SUBMIT accepts positional or keyword values, not both")
            values = dict(zip(fields, args)) if args else kwargs
            if set(values) != set(fields) or len(args) > len(fields):
                raise TypeError("SUBMIT fields do not match the configured output fields")
            raise Submission(values)
        return SUBMIT

    def plain(value):
        try:
            json.dumps(value, allow_nan=False)
            return value
        except (TypeError, ValueError, RecursionError):
            return repr(value)

    def run(request):
        request = json.loads(request)
        for name in given:
            space.pop(name, None)
        given.clear()
        given.update(request["tools"])
        space.update({name: tool(name) for name in given}, SUBMIT=submitting(request["fields"]), **request["variables"])
        try:
            tree = ast.parse(request["code"])
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "<interpreter>", "exec"), space)
            value = None if last is None else eval(compile(ast.Expression(last.value), "<interpreter>", "eval"), space)
            outcome = {"result": plain(value)}
        except Submission as submission:
            outcome = {"final": plain(submission.args[0])}
        except SyntaxError as error:
            outcome = {"syntax": str(error)}
        except SystemExit:
            raise
        except BaseException as error:
            outcome = {"error": f"{type(error).__name__}: {error}"}
        return json.dumps(outcome)

    return run
_wisp_dspy = _wisp_dspy()
"""


class WispInterpreter:
    """Python for DSPy's modules in a sandbox of wisp, whose state stays until `shutdown`.

    `tools` are functions of this program that the code may call; more may be added between two pieces of code. `output_fields` are those of
    `SUBMIT`. `policy`, `mounts` and `files` are those of `Sandbox.create`. A piece of code, with what it waits for tools, is interrupted after
    `execution_timeout` seconds.
    """

    execution_instructions = (
        "Code runs as CPython 3 in a sandbox without network, subprocesses of the machine, and packages beside the standard library. State, imports "
        "and functions persist for this session. Host tools and SUBMIT are available as global functions."
    )

    def __init__(
        self,
        tools: Mapping[str, Callable[..., Any]] | None = None,
        output_fields: Sequence[Mapping[str, Any]] | None = None,
        *,
        policy: Policy | str | os.PathLike[str] = "offline",
        mounts: Sequence[Mount] = (),
        files: Mapping[str, str | bytes] | None = None,
        execution_timeout: float = 600,
    ) -> None:
        self.tools: dict[str, Callable[..., Any]] = dict(tools or {})
        self.output_fields: list[dict[str, Any]] | None = None if output_fields is None else [dict(field) for field in output_fields]
        self.execution_timeout: float = execution_timeout
        # A call of a tool waits for a model, and the code for the call.
        self._policy = policy_of(policy).with_value("host.timeout", f"{round(execution_timeout * 1000)}ms")
        self._mounts, self._files = mounts, files
        self._sandbox: Sandbox | None = None
        self._ended = False
        self._context = contextvars.Context()
        self._running = threading.Lock()

    @property
    def sandbox(self) -> Sandbox:
        """Its sandbox, for what DSPy does not know: files, snapshots, receipts."""
        self.start()
        assert self._sandbox is not None
        return self._sandbox

    def start(self) -> None:
        """Opens its sandbox. Once more is no error, and after `shutdown` it is one."""
        if self._ended:
            raise CodeInterpreterError("the session of this interpreter has ended")
        if self._sandbox is not None:
            return
        try:
            self._sandbox = Sandbox.create(
                self._policy, mounts=self._mounts, files=self._files, timeout=self.execution_timeout + 10, functions=[self._function()]
            )
            done = self._sandbox.run_code(_RUNNER)
            check_host(done.outcome.end)
        except WispError as error:
            self._end(f"wisp opens no sandbox: {error}", error)
        if not done.success:
            self._end(f"the interpreter does not start: {done.error or done.outcome.end}")

    def _function(self) -> Callable[[str], str]:
        def dspy_tool(request: str) -> str:
            """Calls a tool."""
            asked = json.loads(request)
            try:
                value = self._context.copy().run(self._called, asked["name"], asked["args"], asked["kwargs"])
                return json.dumps({"value": value}, allow_nan=False)
            except Exception as error:
                return json.dumps({"error": f"{type(error).__name__}: {error}"})

        return dspy_tool

    def _called(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if name not in self.tools:
            raise CodeInterpreterError(f"there is no tool `{name}`")
        value = self.tools[name](*args, **kwargs)
        return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value

    def execute(self, code: str, variables: dict[str, Any] | None = None) -> Any:
        """Runs code: what it submits (`FinalOutput`), the value of its last expression, or what it printed.

        What the code does wrong is a `CodeExecutionError` or a `SyntaxError`, also a limit that interrupts it; a limit that ends the interpreter,
        and a fault of wisp, is a `CodeInterpreterError`, and ends the session.
        """
        fields = None if self.output_fields is None else [field["name"] for field in self.output_fields]
        for name in [*self.tools, *(variables or {}), *(fields or ())]:
            if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name) or name in _RESERVED:
                raise CodeInterpreterError(f"`{name}` is no name that code can have")
        if shared := set(variables or {}) & set(self.tools):
            raise CodeInterpreterError(f"variables have the names of tools: {', '.join(sorted(shared))}")
        request = {"code": code, "variables": variables or {}, "tools": list(self.tools), "fields": fields}
        try:
            text = json.dumps(request, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise CodeInterpreterError(f"variables must be JSON: {error}") from error
        if not self._running.acquire(blocking=False):
            raise CodeInterpreterError("the interpreter runs code already")
        try:
            sandbox = self.sandbox
            self._context = contextvars.copy_context()
            found = sandbox.run_code(f"_wisp_dspy({text!r})", timeout=self.execution_timeout)
            check_host(found.outcome.end)
            return self._result(found)
        except (InfraError, EndedError) as error:
            self._end(str(error), error)
        finally:
            self._running.release()

    def _result(self, found: Execution) -> Any:
        printed = "".join([*found.logs.stdout, *found.logs.stderr]).rstrip("\n")
        if not found.success or found.value is None:
            if found.error is None and found.exit is None:
                self._end(f"the interpreter has ended with the status {found.outcome.exit_code} {note(found.outcome.end)}".rstrip())
            raise CodeExecutionError(found.error.traceback if found.error is not None else f"SystemExit: {found.exit}")
        try:
            outcome = json.loads(ast.literal_eval(found.value))
            if not isinstance(outcome, dict) or not outcome.keys() & {"syntax", "error", "final", "result"}:
                raise ValueError("no outcome")
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
            # The code can put anything in the runner's place.
            raise CodeExecutionError(f"what the code came to cannot be read: {error}") from None
        if found.timed_out:
            raise CodeExecutionError(f"the code was interrupted after {self.execution_timeout:g} seconds")
        if "syntax" in outcome:
            raise SyntaxError(str(outcome["syntax"]))
        if "error" in outcome:
            raise CodeExecutionError(str(outcome["error"]))
        if "final" in outcome:
            return FinalOutput(outcome["final"])
        return outcome["result"] if outcome["result"] is not None else (printed or None)

    def _end(self, message: str, cause: BaseException | None = None) -> Any:
        self.shutdown()
        raise CodeInterpreterError(message) from cause

    def shutdown(self) -> None:
        """Closes its sandbox. Once more is no error."""
        self._ended = True
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            sandbox.close()

    def __enter__(self) -> WispInterpreter:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def __call__(self, code: str, variables: dict[str, Any] | None = None) -> Any:
        """The same as `execute`."""
        return self.execute(code, variables)


async def _awaited(value: Any) -> Any:
    return await value

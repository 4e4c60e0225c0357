"""wisp for verifiers: `WispRuntime`, the box of a rollout, and `WispAgent`, whose model works in one.

    agent = WispAgent(AgentConfig(model="…"), WispConfig(policy="offline"))
    trace = await agent.run(task)

Each run gets a fork of the checkpoint that the configuration describes.
"""

# It has no types that a checker reads.
# mypy: disable-error-code="import-untyped,misc"
from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

from .. import InfraError, NotFoundError, WispError
from ..rollouts import Limits, Session
from ._common import missing, with_note
from ._trainers import Start, here, wait

try:
    from openai import APIStatusError, AsyncOpenAI
    from pydantic import Field
    from pydantic_config import BaseConfig
    from verifiers.v1.agent import Agent, Interaction
    from verifiers.v1.clients import ModelContext
    from verifiers.v1.configs.agent import AgentConfig
    from verifiers.v1.configs.harness import HarnessConfig
    from verifiers.v1.dialects.chat import message_to_wire
    from verifiers.v1.errors import RolloutError, SandboxError
    from verifiers.v1.harness import Harness
    from verifiers.v1.runtimes import ProgramResult, Runtime, SubprocessConfig, SubprocessRuntimeInfo, register
    from verifiers.v1.task import Task, TaskData
    from verifiers.v1.trace import Trace
except ImportError as error:
    raise missing("verifiers", "verifiers") from error

__all__ = ["HostFault", "WispAgent", "WispConfig", "WispHarness", "WispRuntime"]

_NUMBERS = itertools.count()


class HostFault(RolloutError):
    """wisp or the machine failed, each time it was tried: the trace is not `ok`, and has no reward.

    It is no `SandboxError`, which the rewards of tasks catch where they read files that a model may not have written.
    """


class WispConfig(BaseConfig):
    """What the boxes of a run start from: the same checkpoint for all that are equal."""

    type: Literal["wisp"] = "wisp"
    policy: str = "offline"
    """The name of a policy of wisp's, a path, or TOML text."""
    setup: list[str] = Field(default_factory=list)
    """Cells of Python code that each box has run when it begins."""
    files: dict[str, str] = Field(default_factory=dict)
    """Texts by their paths."""
    timeout: float | None = None
    """The seconds that a command may take at most, in place of the policy's `limits.wall`."""
    seed: int = 0
    """From which the seeds of all rollouts come."""
    attempts: int = 6
    """How often something is tried that fails by a fault of wisp or the machine."""

    def start(self) -> Start:
        """Returns what boxes start from."""
        return Start(self.policy, tuple(self.setup), self.files, timeout=self.timeout, seed=self.seed, attempts=self.attempts)


class WispRuntime(Runtime):
    """A box of verifiers that is a sandbox of wisp: an episode in a fork of a checkpoint.

    Relative paths begin at `/home/user`. Its `name` is the episode's id, from which its seed comes. Other users, ports, live processes and scripts
    of uv are not there.
    """

    def __init__(self, config: WispConfig, name: str | None = None) -> None:
        super().__init__(name)
        self.config = config
        # A trace knows the types of its boxes, and cannot be read again with another: the nearest, and `id` says whose it is.
        self.info = SubprocessRuntimeInfo()
        self._session: Session | None = None

    @property
    def session(self) -> Session:
        """Its episode: for a live Python and `keep`. It is asked for on the package's own event loop (`code`)."""
        if self._session is None:
            raise SandboxError("the box has not been started")
        return self._session

    async def start(self) -> None:
        """Opens it."""
        register(self)
        with _faults():
            self._session = await self.config.start().session(self.name, Limits())
        self.info.id = f"wisp:{self._session.sandbox.id}"

    async def run(self, argv: list[str], env: dict[str, str]) -> ProgramResult:
        """Runs a program to its end. A limit of the policy that ended it is named below its error output."""
        with _faults():
            try:
                result = await here(self.session.run(argv, env=self.process_env(env)))
            except NotFoundError as error:
                return ProgramResult(127, "", f"{error}\n")
        return ProgramResult(result.exit_code, result.stdout, with_note(result.stderr, result.outcome.end))

    async def code(self, code: str) -> str:
        """Runs Python code in the box's live interpreter: what a model sees of it, the outputs, the value, or the exception."""
        with _faults():
            found = await here(self.session.run_code(code))
        shown = "".join([*found.logs.stdout, *found.logs.stderr])
        shown += found.error.traceback if found.error is not None else "" if found.value is None else f"{found.value}\n"
        return with_note(shown, found.outcome.end)

    async def alive(self) -> bool:
        """Whether it can do more."""
        return self._session is not None and self._session.is_open

    async def _read(self, path: str, max_bytes: int | None = None) -> bytes:
        async def bounded() -> bytes:
            data = b""
            async for piece in await self.session.sandbox.files.read(path, "stream"):
                data += piece
                if max_bytes is not None and len(data) >= max_bytes:
                    break
            return data[:max_bytes]

        with _faults(f"read {path!r}"):
            return await here(bounded())

    async def write(self, path: str, data: bytes) -> None:
        """Writes a file, and makes the directories above it."""
        with _faults(f"write {path!r}"):
            await here(self.session.write(path, data))

    async def prepare_uv_script(self, script: str | bytes, env: dict[str, str] | None = None, *, activate: bool = True) -> list[str]:
        """Raises `SandboxError`: there is no uv in a box of wisp."""
        raise SandboxError("wisp runs no scripts of uv, which the bundled harnesses are: use `WispAgent`, whose loop is outside the box")

    async def expose(self, port: int) -> str:
        """Raises `SandboxError`: nothing outside can reach a port in a box of wisp."""
        raise SandboxError(f"wisp publishes no ports ({port}): host the server outside the box")

    async def teardown(self) -> None:
        """Closes it. Once more is no error."""
        if self._session is not None:
            await here(self._session.close())

    def cleanup(self) -> None:
        """Closes it, without an event loop. Once more is no error."""
        if self._session is not None:
            wait(self._session.close())


@contextlib.contextmanager
def _faults(what: str | None = None) -> Iterator[None]:
    """Makes errors of wisp those of verifiers: faults of the host apart from what is not there."""
    try:
        yield
    except InfraError as error:
        raise HostFault(str(error)) from error
    except (WispError, ValueError) as error:
        raise SandboxError(f"{what}: {error}" if what else str(error)) from error


def _tool(name: str, argument: str, description: str) -> dict[str, Any]:
    properties = {argument: {"type": "string"}}
    parameters = {"type": "object", "properties": properties, "required": [argument]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


TOOLS = [
    _tool("bash", "command", "Run a bash command and return its combined stdout and stderr."),
    _tool("python", "code", "Run Python code in an interpreter whose state stays, and return what it prints and the value of its last expression."),
]


class WispHarness(Harness[HarnessConfig]):
    """A loop of a chat model with the tools `bash` and `python`, which run in the box. The loop itself runs in the trainer's process."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: ModelContext,
        trace: Trace,
        runtime: Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: TaskData,
        tool_interception_url: str | None = None,
    ) -> ProgramResult:
        """Runs the loop until the model calls no tool, or the rollout is stopped."""
        if not isinstance(runtime, WispRuntime):
            raise TypeError(f"the harness of wisp works in a `WispRuntime`, and not in `{type(runtime).__name__}`")
        if mcp_urls:
            raise ValueError("the harness of wisp has no tools of MCP servers: give the task to a harness that has")
        system, prompt = self.resolve_prompt(data)
        asked = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [message_to_wire(message) for message in prompt or ()]
        messages: list[Any] = [*([] if system is None else [{"role": "system", "content": system}]), *asked]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            try:
                while True:
                    completion = await client.chat.completions.create(model=ctx.model, messages=messages, tools=TOOLS)  # type: ignore[arg-type]
                    said = completion.choices[0].message
                    messages.append(said.model_dump(exclude_none=True))
                    if not said.tool_calls:
                        return ProgramResult(0, said.content or "", "")
                    for call in said.tool_calls:
                        answer = await _called(runtime, call.function.name, call.function.arguments)  # type: ignore[union-attr]
                        messages.append({"role": "tool", "tool_call_id": call.id, "content": answer})
            except APIStatusError as error:
                # A limit of the rollout refuses a turn so; what is none fails the harness.
                return ProgramResult(1, "", str(error))


async def _called(runtime: WispRuntime, name: str, text: str) -> str:
    """Calls a tool as a model asks for it: what is wrong with that is an answer."""
    try:
        arguments = json.loads(text)
        wanted = {"bash": "command", "python": "code"}[name]
        given = arguments[wanted]
        if not isinstance(given, str):
            raise TypeError
    except (KeyError, TypeError, ValueError):
        return f"error: there is no tool `{name}` with these arguments"
    if name == "python":
        return await runtime.code(given)
    result = await runtime.run(["bash", "-c", given], {})
    return f"{result.stdout}{result.stderr}"


class WispAgent(Agent):
    """An agent of verifiers each of whose runs works in a box of wisp of its own: a fork of the checkpoint that `box` describes.

    `config` is verifiers' own; its `harness` and `runtime` are replaced. `run(task, runtime=…)` works in a `WispRuntime` that is there.
    """

    config: AgentConfig

    def __init__(self, config: AgentConfig, box: WispConfig | None = None, **more: Any) -> None:
        # Nothing is run by that: each way to a box is below. It says that a box reaches the loop's own machine, which needs no tunnel.
        super().__init__(config.model_copy(update={"harness": None, "runtime": SubprocessConfig()}), **more)
        self.box: WispConfig = box or WispConfig()
        # A trace names its harness by a package that can be imported, which a module of this one is not: that of the loop without tools.
        self.harness = WispHarness(HarnessConfig(id="null"))
        self.config = self.config.model_copy(update={"harness": self.harness.config})

    @asynccontextmanager
    async def provision(self, task: Task | None = None, name: str | None = None) -> AsyncIterator[WispRuntime]:
        """Opens a box, for several runs after one another or to look at it. Closes it at the end of the block."""
        runtime = WispRuntime(self.box, name)
        runtime.env = dict(task.runtime_env()) if task is not None else {}
        try:
            await runtime.start()
            yield runtime
        finally:
            await runtime.stop()

    async def run(
        self,
        task: Task,
        *,
        runtime: Runtime | None = None,
        tools: Mapping[str, Any] | None = None,
        on_trace: Callable[[Trace], None] | None = None,
        collect_artifacts: bool = False,
        name: str | None = None,
    ) -> Trace:
        """Runs it on a task once, as `Agent.run` does. `name` is the episode's id; without one each has another."""
        more: dict[str, Any] = {"tools": tools, "on_trace": on_trace, "collect_artifacts": collect_artifacts}
        if runtime is not None:
            return await super().run(task, runtime=runtime, **more)
        async with self.provision(task, name or f"{task.data.idx}/{next(_NUMBERS)}") as box:
            return await super().run(task, runtime=box, **more)

    @asynccontextmanager
    async def interaction(
        self,
        task: Task,
        *,
        runtime: Runtime | None = None,
        tools: Mapping[str, Any] | None = None,
        on_trace: Callable[[Trace], None] | None = None,
        name: str | None = None,
    ) -> AsyncIterator[Interaction]:
        """Drives it turn by turn, as `Agent.interaction` does, in a box of its own or in `runtime`."""
        async with contextlib.AsyncExitStack() as stack:
            box = runtime or await stack.enter_async_context(self.provision(task, name or f"{task.data.idx}/{next(_NUMBERS)}"))
            yield await stack.enter_async_context(super().interaction(task, runtime=box, tools=tools, on_trace=on_trace))

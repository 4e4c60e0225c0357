"""Every public call of the package, as a program writes it, and the types of what it returns: `toolchain/just python --tools` has type
checkers read it, and what has no calls in typed_data.py. Nothing runs it. Each function uses all of the class that its argument is of.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, assert_type

from wisp_sandbox import (
    Artifacts,
    AsyncCommandHandle,
    AsyncCommands,
    AsyncFiles,
    AsyncPty,
    AsyncPtyHandle,
    AsyncSandbox,
    AsyncWatch,
    CommandHandle,
    CommandInfo,
    CommandResult,
    Commands,
    DeniedError,
    Diff,
    EndedError,
    Engine,
    Execution,
    FileChange,
    FileInfos,
    Files,
    Finding,
    FunctionInfo,
    InfraError,
    LimitError,
    Mount,
    NotFoundError,
    OutputChunk,
    PatchedFile,
    Policy,
    PolicyError,
    Pty,
    PtyHandle,
    Receipt,
    RequestError,
    Sandbox,
    SandboxFileExistsError,
    SandboxFileNotFoundError,
    SandboxPermissionError,
    Snapshot,
    SnapshotError,
    TimeLimitError,
    Transferred,
    Watch,
    __version__,
)

VERSION: str = __version__


class Own(Sandbox):
    """What is made by a class of the program's is of that class."""


async def receive(text: str) -> None:
    """Receives output on an event loop."""


async def receive_bytes(data: bytes) -> None:
    """Receives what a terminal shows, on an event loop."""


def add(first: int, second: int = 0) -> int:
    """Adds two numbers."""
    return first + second


async def numbers(most: int) -> AsyncIterator[int]:
    """Gives numbers."""
    for number in range(most):
        yield number


def sandboxes(sandbox: Sandbox) -> None:
    assert_type(Sandbox.create(), Sandbox)
    assert_type(Own.create(Path("policy.toml")), Own)
    assert_type(
        Sandbox.create(
            Policy.load("fetch"), mounts=[Mount("data", "/mnt/data")], env={"A": "1"}, files={"a": "1", "b": b"2"}, timeout=2.5, key="chat-7"
        ),
        Sandbox,
    )
    with sandbox as same:
        assert_type(same, Sandbox)
    assert_type(sandbox.id, str)
    assert_type(sandbox.policy, Policy)
    assert_type(sandbox.receipts, list[Receipt])
    assert_type(sandbox.functions, list[FunctionInfo])
    assert_type(sandbox.commands, Commands)
    assert_type(sandbox.files, Files)
    assert_type(sandbox.pty, Pty)
    with_functions = Sandbox.create("fetch", functions=[add, numbers], secrets={"TOKEN": "1"}, engine=Engine.default())
    assert_type(with_functions, Sandbox)
    assert_type(sandbox.run_code("1"), Execution)
    assert_type(sandbox.run_code("echo", "bash", on_stdout=print, on_stderr=[""].append, timeout=1), Execution)
    assert_type(sandbox.snapshot("before"), Snapshot)
    assert_type(sandbox.fork(), list[Sandbox])
    assert_type(Own.create().fork(2, snapshot=sandbox.snapshot()), list[Own])
    assert_type(sandbox.map(["1", "2"], timeout=1, concurrency=2), list[Execution])
    assert_type(sandbox.artifacts(), Artifacts)
    assert_type(sandbox.call_function("add", {"first": 1}), Any)
    assert_type(sandbox.call_function("keep", b"bytes"), Any)
    assert_type(sandbox.explain(for_model=True), str)
    assert_type(sandbox.is_running(), bool)
    # A decorator returns the function as it is.
    assert_type(sandbox.function(add)(1, second=2), int)

    @sandbox.function(name="twice", forks=True)
    def double(number: int) -> int:
        return number * 2

    assert_type(double(1), int)
    sandbox.restore(sandbox.snapshot())
    sandbox.reset()
    sandbox.close()
    sandbox.kill()


async def async_sandboxes(sandbox: AsyncSandbox) -> None:
    assert_type(await AsyncSandbox.create("offline", mounts=[Mount("a", "/a", "overlay")], env={}, files={}, timeout=1, key="k"), AsyncSandbox)
    async with sandbox as same:
        assert_type(same, AsyncSandbox)
    assert_type(sandbox.id, str)
    assert_type(sandbox.policy, Policy)
    assert_type(sandbox.receipts, list[Receipt])
    assert_type(sandbox.functions, list[FunctionInfo])
    assert_type(sandbox.commands, AsyncCommands)
    assert_type(sandbox.files, AsyncFiles)
    assert_type(sandbox.pty, AsyncPty)
    assert_type(await AsyncSandbox.create(functions=[add, numbers], secrets={}, engine=Engine()), AsyncSandbox)
    assert_type(await sandbox.run_code("1", on_stdout=receive, on_stderr=print, timeout=1), Execution)
    assert_type(await sandbox.snapshot(), Snapshot)
    assert_type(await sandbox.fork(2), list[AsyncSandbox])
    assert_type(await sandbox.map("12"), list[Execution])
    assert_type(await sandbox.artifacts(), Artifacts)
    assert_type(await sandbox.call_function("add", {"first": 1}), Any)
    assert_type(sandbox.function(numbers)(1), AsyncIterator[int])
    assert_type(sandbox.explain(), str)
    assert_type(await sandbox.is_running(), bool)
    await sandbox.restore(await sandbox.snapshot())
    await sandbox.reset()
    await sandbox.close()
    await sandbox.kill()


def snapshots(snapshot: Snapshot) -> None:
    assert_type(snapshot.label, str | None)
    assert_type(snapshot.memory_bytes, int)
    assert_type(snapshot.not_carried, tuple[str, ...])


def engines(engine: Engine) -> None:
    assert_type(Engine(cache_directory=Path("cache"), components="components", max_processes=10), Engine)
    assert_type(Engine.default(), Engine)
    with engine as same:
        assert_type(same, Engine)
    engine.warm("offline")
    engine.close()


def commands(commands: Commands) -> None:
    done = commands.run("cat", env={"A": "1"}, cwd="/tmp", stdin=b"1", on_stdout=print, on_stderr=print, timeout=1, tag="t")
    assert_type(done, CommandResult)
    assert_type(commands.run(["cat", "a b"]), CommandResult)
    assert_type(commands.start("cat", env={}, cwd="/", stdin="1", pipe_stdin=True, timeout=1, tag="t"), CommandHandle)
    assert_type(commands.list(), list[CommandInfo])
    assert_type(commands.connect(1), CommandHandle)
    assert_type(commands.connect("t"), CommandHandle)


async def async_commands(commands: AsyncCommands) -> None:
    done = await commands.run("cat", env={"A": "1"}, cwd="/tmp", stdin=b"1", on_stdout=receive, on_stderr=print, timeout=1, tag="t")
    assert_type(done, CommandResult)
    assert_type(await commands.start(("cat", "a b"), pipe_stdin=True), AsyncCommandHandle)
    assert_type(commands.list(), list[CommandInfo])
    assert_type(commands.connect("t"), AsyncCommandHandle)


def handles(handle: CommandHandle) -> None:
    assert_type(handle.id, int)
    assert_type(handle.info(), CommandInfo)
    assert_type(handle.wait(timeout=1), CommandResult)
    assert_type(handle.poll(), CommandResult | None)
    assert_type(handle.output("stderr", offset=1, limit=10, wait=1), OutputChunk)
    handle.send_stdin("text")
    handle.send_stdin(b"bytes")
    handle.close_stdin()
    handle.signal(15)
    handle.interrupt()
    handle.kill()


async def async_handles(handle: AsyncCommandHandle) -> None:
    assert_type(handle.id, int)
    assert_type(handle.info(), CommandInfo)
    assert_type(await handle.wait(), CommandResult)
    assert_type(await handle.poll(), CommandResult | None)
    assert_type(await handle.output(), OutputChunk)
    await handle.send_stdin("text")
    handle.close_stdin()
    handle.signal(15)
    handle.interrupt()
    handle.kill()


def terminals(pty: Pty) -> None:
    handle = pty.create("top", rows=40, columns=120, cwd="/", env={}, on_data=print, timeout=1, tag="t")
    assert_type(handle, PtyHandle)
    assert_type(pty.create(), PtyHandle)


async def async_terminals(pty: AsyncPty) -> None:
    assert_type(await pty.create(["top"], on_data=receive_bytes), AsyncPtyHandle)


def terminal_handles(handle: PtyHandle) -> None:
    assert_type(handle.read(timeout=1), bytes)
    assert_type(handle.wait(1, on_data=print), CommandResult)
    assert_type(handle.info(), CommandInfo)
    handle.send("ls\r")
    handle.send(b"\x03")
    handle.resize(40, 120)
    also: CommandHandle = handle
    also.kill()


async def async_terminal_handles(handle: AsyncPtyHandle) -> None:
    assert_type(await handle.read(), bytes)
    assert_type(await handle.wait(timeout=1, on_data=receive_bytes), CommandResult)
    await handle.send("ls\r")
    handle.resize(40, 120)
    also: AsyncCommandHandle = handle
    also.kill()


def files(files: Files) -> None:
    assert_type(files.read("a"), str)
    assert_type(files.read("a", "text"), str)
    assert_type(files.read("a", format="bytes"), bytes)
    assert_type(files.read("a", "stream"), Iterator[bytes])
    assert_type(files.list("a", depth=2), FileInfos)
    assert_type(files.exists("a"), bool)
    assert_type(files.get_info("a").name, str)
    assert_type(files.upload(Path("data")), Transferred)
    assert_type(files.upload("data", "copy"), Transferred)
    assert_type(files.download("a", Path("copy"), overwrite=True, max_bytes=1 << 20), Transferred)
    assert_type(files.diff("/", text=True, limit=10), Diff)
    assert_type(files.apply_patch(files.diff(text=True), path="a"), list[PatchedFile])
    assert_type(files.apply_patch("--- a\n+++ b\n"), list[PatchedFile])
    assert_type(files.watch("a", capacity=10), Watch)
    files.write("a", "1")
    files.write("a", b"1")
    files.write_files({"a": "1", "b": b"2"})
    files.write_files([{"path": "a", "data": "1"}, {"path": "b", "data": b"2"}])
    files.rename("a", "b")
    files.remove("b", recursive=True)
    files.make_dir("c")


async def async_files(files: AsyncFiles) -> None:
    assert_type(await files.read("a"), str)
    assert_type(await files.read("a", format="bytes"), bytes)
    assert_type(await files.list(), FileInfos)
    assert_type(await files.exists("a"), bool)
    assert_type(await files.read("a", "stream"), AsyncIterator[bytes])
    assert_type((await files.get_info("a")).name, str)
    assert_type(await files.upload("data"), Transferred)
    assert_type(await files.download("a", "copy"), Transferred)
    assert_type(await files.diff(), Diff)
    assert_type(await files.apply_patch(b"--- a\n+++ b\n"), list[PatchedFile])
    assert_type(await files.watch(), AsyncWatch)
    await files.write("a", "1")
    await files.write_files({"a": "1"})
    await files.rename("a", "b")
    await files.remove("b")
    await files.make_dir("c")


def watches(watch: Watch) -> None:
    with watch as same:
        assert_type(same, Watch)
    for change in watch:
        assert_type(change, FileChange)
    assert_type(watch.next(timeout=1), FileChange | None)
    watch.close()


async def async_watches(watch: AsyncWatch) -> None:
    async with watch as same:
        assert_type(same, AsyncWatch)
    async for change in watch:
        assert_type(change, FileChange)
    assert_type(await watch.next(), FileChange | None)
    watch.close()


def policies(policy: Policy) -> None:
    assert_type(Policy.load("offline"), Policy)
    assert_type(Policy.parse('extends = "offline"', name="mine.toml"), Policy)
    assert_type(policy.with_value("limits.memory", "64MiB"), Policy)
    assert_type(policy.with_env("A", "1"), Policy)
    assert_type(policy.with_mount(Path("data"), "/mnt/data", access="write"), Policy)
    assert_type(policy.with_allow("https://docs.example"), Policy)
    assert_type(policy.name, str)
    assert_type(policy.digest, str)
    assert_type(policy.text, str)
    assert_type(policy.grants, list[str])
    assert_type(policy.explain(for_model=True), str)
    assert_type(policy == policy, bool)
    assert_type({policy}, set[Policy])


def error_kinds(sandbox: Sandbox) -> None:
    try:
        sandbox.files.read("a")
    except (SandboxFileNotFoundError, SandboxFileExistsError, SandboxPermissionError) as error:
        also: OSError = error
        assert_type(also.errno, int | None)
    except (NotFoundError, EndedError, RequestError) as error:
        assert_type(error.code, str)
    except (DeniedError, PolicyError) as error:
        assert_type(error.findings, tuple[Finding, ...])
    except (TimeLimitError, LimitError, SnapshotError, InfraError) as error:
        assert_type(error.retryable, bool)

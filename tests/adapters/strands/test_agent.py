"""The sandbox in Strands' own agent, and what it can do."""

import asyncio
import json
from unittest import mock

import pytest
from script import Script
from strands import Agent
from strands.sandbox.errors import SandboxTimeoutError
from strands.sandbox.types import StreamChunk

from wisp_sandbox import InfraError, Policy, Sandbox
from wisp_sandbox.adapters.strands import WispSandbox


def test_an_agent_solves_a_task():
    model = Script(
        ("sandbox_file_editor", {"command": "create", "path": "/home/user/sum.py", "file_text": "print(sum([1, 2, 3]))\n"}),
        ("sandbox_shell", {"command": "python3 sum.py; exit 3"}),
        "It is 6.",
    )
    with WispSandbox() as sandbox:
        result = Agent(model=model, sandbox=sandbox, callback_handler=None)("Sum them up.")
        assert str(result).strip() == "It is 6."
        assert sandbox.sandbox.files.read("sum.py").startswith("print")
    assert {"sandbox_shell", "sandbox_file_editor"} <= set(model.tools)
    [made], [ran] = model.seen[1:]
    assert (made["status"], ran["status"]) == ("success", "success")
    assert json.loads(ran["content"][0]["text"]) == {"output": "6\n", "error": "", "exit_code": 3}


@pytest.fixture
def sandbox():
    with WispSandbox(cwd="/workspace") as found:
        yield found


async def test_output_comes_as_it_is_written(sandbox):
    await sandbox.write_file("x", b"")
    pieces, seen = sandbox.execute_streaming("echo one; while [ ! -e go ]; do :; done; echo two >&2"), []
    async for piece in pieces:
        seen.append(piece)
        if len(seen) == 1:
            assert piece == StreamChunk("one\n", "stdout")
            await sandbox.write_file("go", b"")
    assert seen[1] == StreamChunk("two\n", "stderr")
    assert (seen[-1].exit_code, seen[-1].stdout, seen[-1].stderr, len(seen)) == (0, "one\n", "two\n", 3)


async def test_what_code_leaves_in_the_output_directory_comes_along(sandbox):
    done = await sandbox.execute_code("open('/output/a.csv', 'w').write('1,2')", "python3")
    assert [(file.name, file.content, file.mime_type) for file in done.output_files] == [("/output/a.csv", b"1,2", "text/csv")]
    assert (await sandbox.execute_code("echo $0 $A", "sh", env={"A": "b"})).stdout.endswith("b\n")


async def test_it_has_what_the_policy_gives_and_no_more(sandbox, monkeypatch, tmp_path):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    (tmp_path / "mine").write_text("mine")
    assert "s3cret" not in (await sandbox.execute("env")).stdout
    with pytest.raises(FileNotFoundError):
        await sandbox.read_file(str(tmp_path / "mine"))
    assert "denied by wisp" in (await sandbox.execute("curl -sS http://127.0.0.1:1/")).stderr
    with pytest.raises(OSError):
        await sandbox.write_file("/proc/x", b"")
    await sandbox.write_file("own", b"1")
    assert await sandbox.read_file("/workspace/own") == b"1"
    with pytest.raises(IsADirectoryError):
        await sandbox.remove_file("/workspace")


async def test_limits(sandbox):
    with pytest.raises(SandboxTimeoutError) as late:
        await sandbox.execute("echo begun; while :; do :; done", timeout=1)
    assert late.value.stdout == "begun\n"
    policy = Policy.load("offline").with_value("limits.wall", "1s")
    with WispSandbox(Sandbox.create(policy)) as short:
        done = await short.execute("while :; do :; done")
    assert done.exit_code == 124 and "ended by limits.wall = 1s" in done.stderr


async def test_a_task_that_is_cancelled_ends_its_command(sandbox):
    async def run():
        async for _ in sandbox.execute_streaming("echo begun; while :; do :; done"):
            begun.set()

    begun = asyncio.Event()
    task = asyncio.create_task(run())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    while any(command.processes for command in sandbox.sandbox.commands.list()):
        await asyncio.sleep(0)


async def test_a_fault_of_the_host_is_no_result(sandbox):
    done = await sandbox._async.commands.run("true")
    object.__setattr__(done.outcome, "end", mock.Mock(kind="infra", error_code="internal", message="no memory"))
    with mock.patch.object(sandbox._async.commands, "run", return_value=done), pytest.raises(InfraError):
        await sandbox.execute("true")

"""Commands of a session: what they answer, how they end, and those that go on."""

import asyncio
import dataclasses

import pytest
from agents.sandbox import Manifest
from agents.sandbox.errors import ExecTimeoutError, ExecTransportError, PtySessionNotFoundError, WorkspaceRootNotFoundError
from agents.sandbox.manifest import Environment
from agents.sandbox.session.pty_types import PTY_PROCESSES_MAX

from wisp_sandbox import AsyncSandbox, Policy
from wisp_sandbox import _async_commands as commands
from wisp_sandbox.adapters.openai_agents import WispSandboxClient


@pytest.fixture
async def session():
    client = WispSandboxClient()
    made = await client.create()
    async with made:
        yield made
    await client.delete(made)


async def test_the_outputs_stay_bytes_and_apart(session):
    result = await session.exec(r"printf 'a\377'; printf b >&2; exit 4")
    assert (result.stdout, result.stderr, result.exit_code) == (b"a\xff", b"b", 4)
    assert (await session.exec("printf", "%s|", "a b", "$HOME", shell=False)).stdout == b"a b|$HOME|"
    assert (await session.exec("pwd")).stdout == b"/workspace\n"


async def test_what_cannot_be_started_is_what_a_shell_says(session):
    missing = await session.exec("no-such-program", shell=False)
    assert missing.exit_code == 127 and b"no-such-program" in missing.stderr
    await session.exec("echo text > text")
    assert (await session.exec("./text", shell=False)).exit_code == 126
    assert (await session.exec("true", shell=False)).exit_code == 0


async def test_the_callers_time_is_an_error_and_a_limit_of_the_policy_is_a_result(session):
    with pytest.raises(ExecTimeoutError):
        await session.exec("sleep 20", timeout=0.1)
    assert (await session.exec("sleep 0.01; echo ended", timeout=20)).stdout == b"ended\n"
    client = WispSandboxClient(Policy.load("offline").with_value("limits.stdout", "1KiB"), timeout=0.3)
    async with await client.create() as small:
        flood = await small.exec("yes")
        assert flood.exit_code != 0 and b"limits.stdout" in flood.stderr
        slow = await small.exec("sleep 20", timeout=10)
        assert slow.exit_code == 124 and b"limits.wall" in slow.stderr


async def test_a_cancelled_call_ends_its_command(session):
    task = asyncio.create_task(session.exec("trap 'echo ended > trapped; exit' INT; sleep 30 & wait"))
    while not [command for command in session._inner.sandbox.commands.list() if command.processes]:
        await asyncio.sleep(0)
    await session.exec("until pgrep sleep; do :; done")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # It is interrupted, and ended if that does not help.
    async with asyncio.timeout(20):
        while [command for command in session._inner.sandbox.commands.list() if command.processes]:
            await asyncio.sleep(0)
    assert (await session.exec("true")).ok()


async def test_a_fault_of_wisp_is_never_a_result(session, monkeypatch):
    original = commands.command_result

    def failed(parts):
        result = original(parts)
        end = dataclasses.replace(result.outcome.end, kind="infra", error_code="internal", message="the disk is gone")
        return dataclasses.replace(result, outcome=dataclasses.replace(result.outcome, end=end))

    with monkeypatch.context() as patch:
        patch.setattr(commands, "command_result", failed)
        with pytest.raises(ExecTransportError, match="the disk is gone") as caught:
            await session.exec("true")
        with pytest.raises(ExecTransportError, match="the disk is gone"):
            await session.pty_exec_start("true", yield_time_s=20)
    assert caught.value.retryable is True
    assert (await session.exec("true")).ok()
    assert (await session.pty_exec_start("true", yield_time_s=20)).exit_code == 0


async def test_a_command_whose_sandbox_is_closed_is_no_result(session):
    started = await session.pty_exec_start("sleep 30", yield_time_s=0.25)
    await session._inner.sandbox.close()
    with pytest.raises(ExecTransportError):
        for _ in range(2):
            await session.pty_write_stdin(session_id=started.process_id, chars="", yield_time_s=20)


async def test_without_its_workspace_a_command_says_so(session):
    await session._inner.sandbox.files.remove("/workspace", recursive=True)
    with pytest.raises(WorkspaceRootNotFoundError):
        await session.exec("pwd")
    await session.mkdir(".", parents=True)
    assert (await session.exec("pwd")).ok()


async def test_the_environment_is_resolved_for_each_command_and_path_is_followed():
    manifest = Manifest(environment=Environment(value={"PATH": "/workspace/bin:/usr/bin", "COLOUR": "red"}))
    async with await WispSandboxClient().create(manifest=manifest) as session:
        await session.exec("mkdir bin; printf '#!/bin/sh\\necho mine $COLOUR\\n' > bin/ls; chmod +x bin/ls")
        assert (await session.exec("ls", shell=False)).stdout == b"mine red\n"
        update = await session.pty_exec_start("ls", shell=False, yield_time_s=10)
        assert (update.output, update.exit_code) == (b"mine red\n", 0)
        assert "COLOUR" not in session._inner.sandbox.policy.text


async def test_a_command_goes_on_and_is_polled(session):
    started = await session.pty_exec_start("echo first; until [ -e go ]; do sleep 0.01; done; echo second; exit 5", yield_time_s=0.3)
    assert started.exit_code is None
    with pytest.raises(RuntimeError, match="stdin is not available for this process"):
        await session.pty_write_stdin(session_id=started.process_id, chars="x")
    await session.exec("touch go")
    ended = await session.pty_write_stdin(session_id=started.process_id, chars="", yield_time_s=10)
    assert (ended.process_id, started.output + ended.output, ended.exit_code) == (None, b"first\nsecond\n", 5)
    with pytest.raises(PtySessionNotFoundError):
        await session.pty_write_stdin(session_id=started.process_id, chars="")


async def test_ctrl_c_at_a_terminal_interrupts(session):
    started = await session.pty_exec_start("sleep", "30", shell=False, tty=True, yield_time_s=0.25)
    assert started.process_id is not None
    ended = await session.pty_write_stdin(session_id=started.process_id, chars="\x03", yield_time_s=10)
    assert ended.exit_code == 130


async def test_what_cannot_be_started_needs_no_terminal(session):
    update = await session.pty_exec_start("no-such-program", shell=False, tty=True)
    assert (update.process_id, update.exit_code) == (None, 127)


async def test_a_limit_is_named_to_who_polls():
    async with await WispSandboxClient(timeout=0.5).create() as session:
        update = await session.pty_exec_start("sleep 30", yield_time_s=20)
        assert update.exit_code == 124 and b"limits.wall" in update.output


async def test_stop_ends_what_goes_on_and_too_many_push_out_the_oldest(session):
    inner = session._inner
    started = await session.pty_exec_start("sleep 50", yield_time_s=0.25)
    for number in range(PTY_PROCESSES_MAX - 1):
        inner._processes[number] = inner._processes[started.process_id]
    more = await session.pty_exec_start("sleep 50", yield_time_s=0.25)
    assert len(inner._processes) == PTY_PROCESSES_MAX and more.process_id in inner._processes
    await session.stop()
    assert not inner._processes
    assert not [command for command in inner.sandbox.commands.list() if command.processes]


async def test_a_session_that_is_not_started_says_so():
    session = await WispSandboxClient().create()
    with pytest.raises(ExecTransportError, match="not started"):
        await session.exec("true")
    assert not await session.running()
    async with session:
        assert await session.running() and isinstance(session._inner.sandbox, AsyncSandbox)
    assert not await session.running()

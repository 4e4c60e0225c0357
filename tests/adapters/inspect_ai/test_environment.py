"""What the environment allows and refuses, and with which of Inspect's errors."""

import json
import types

import pytest
from inspect_ai.util import (
    OutputLimitExceededError,
    SandboxEnvironmentSpec,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
)
from inspect_ai.util._sandbox._cli import SANDBOX_CLI
from inspect_ai.util._sandbox.limits import override_max_exec_output_size
from inspect_ai.util._sandbox.registry import registry_find_sandboxenv

from wisp_sandbox import InfraError, PolicyError
from wisp_sandbox.adapters.inspect_ai import WispSandboxConfig, WispSandboxEnvironment, _environment


async def test_inspect_finds_it_by_its_entry_point():
    assert registry_find_sandboxenv("wisp") is WispSandboxEnvironment


async def test_commands_see_nothing_of_the_machine(sandbox_env, monkeypatch, tmp_path):
    monkeypatch.setenv("WISP_TEST_SECRET", "hunter2")
    (tmp_path / "file").write_text("hunter2")
    assert (await sandbox_env.exec(["printenv", "WISP_TEST_SECRET"])).returncode == 1
    assert (await sandbox_env.exec(["printenv", "GIVEN"], env={"GIVEN": "yes"})).stdout == "yes\n"
    assert not (await sandbox_env.exec(["cat", str(tmp_path / "file")])).success
    with pytest.raises(FileNotFoundError):
        await sandbox_env.read_file(str(tmp_path / "file"))
    await sandbox_env.write_file(str(tmp_path / "file"), "changed")
    assert (tmp_path / "file").read_text() == "hunter2" and await sandbox_env.read_file(str(tmp_path / "file")) == "changed"
    code = "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1/')"
    assert not (await sandbox_env.exec(["python3", "-c", code])).success


async def test_there_is_one_user(sandbox_env):
    assert (await sandbox_env.exec(["whoami"])).stdout == "user\n"
    assert (await sandbox_env.exec(["whoami"], user="user")).stdout == (await sandbox_env.exec(["whoami"], user="1000")).stdout == "user\n"
    for other in ("root", "0", "nobody"):
        with pytest.raises(SandboxUserUnsupportedError):
            await sandbox_env.exec(["whoami"], user=other)


async def test_a_program_that_is_not_there_is_a_result(sandbox_env):
    found = await sandbox_env.exec(["apt-get", "install", "cowsay"])
    assert not found.success and found.returncode == 127 and "apt-get" in found.stderr
    with pytest.raises(ValueError, match="embedded null byte"):
        await sandbox_env.exec(["echo", "a\0b"])
    with pytest.raises(FileNotFoundError):
        await sandbox_env.exec(["ls"], cwd="nowhere")
    await sandbox_env.write_file("file", "")
    with pytest.raises(NotADirectoryError):
        await sandbox_env.exec(["ls"], cwd="file")
    with pytest.raises(FileNotFoundError):
        await sandbox_env.read_file("file/below")


async def test_what_the_caller_ends_is_an_error_and_what_the_policy_ends_a_result(environments):
    policy = 'extends = "offline"\n[limits]\nwall = "1s"\n'
    async with environments(WispSandboxConfig(policy=policy)) as found:
        sandbox = found["default"]
        with pytest.raises(TimeoutError) as caught:
            await sandbox.exec(["sh", "-c", "echo before; sleep 60"], timeout=0.3)
        assert caught.value.truncated_output == "before\n"
        ended = await sandbox.exec(["sh", "-c", "echo before; sleep 60"], timeout=30)
        assert not ended.success and ended.returncode == 124 and ended.stdout == "before\n" and "limits.wall = 1s" in ended.stderr
    async with environments(WispSandboxConfig(policy=policy, timeout=20)) as found:
        assert (await found["default"].exec(["sleep", "1.2"])).success


async def test_programs_that_inspect_puts_into_containers_are_answered_or_refused(sandbox_env):
    async def asked(method, **params):
        found = await sandbox_env.exec([SANDBOX_CLI, "exec"], input=json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
        return json.loads(found.stdout)

    assert (await asked("exec_remote_start", command="true"))["result"]["pid"] > 0
    assert (await asked("exec_remote_start"))["error"]["code"] == -32602
    assert (await asked("exec_remote_start", command="true", cwd="/nowhere"))["error"]["code"] == -32098
    assert (await asked("exec_remote_poll", pid=12345))["error"]["message"] == "No job found with pid 12345"
    refused = await asked("mcp_launch_server", server_params={})
    assert refused["id"] == 7 and refused["error"] == {"code": -32601, "message": "the sandbox `wisp` does not have `mcp_launch_server`"}
    # Code in the sandbox that finds it gets nothing of the program's.
    found = await sandbox_env.exec(["sh", "-c", f"{SANDBOX_CLI} exec < /dev/null"])
    assert found.returncode == 1 and "outside of the sandbox" in found.stderr


async def test_an_answer_that_was_lost_is_given_again(sandbox_env):
    async def asked(method, **params):
        found = await sandbox_env.exec([SANDBOX_CLI, "exec"], input=json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
        return json.loads(found.stdout)["result"]

    pid = (await asked("exec_remote_start", command="printf one; read line; printf two", stdin_open=True))["pid"]
    lost = await asked("exec_remote_poll", pid=pid, ack_seq=0)
    again = await asked("exec_remote_poll", pid=pid, ack_seq=0)
    assert (lost["stdout"], again["stdout"], again["state"]) == ("one", "one", "running")
    after = await asked("exec_remote_close_stdin", pid=pid, ack_seq=again["seq"])
    last = await asked("exec_remote_poll", pid=pid, ack_seq=after["seq"])
    assert after["stdout"] + last["stdout"] == "two" and (last["state"], last["exit_code"]) == ("completed", 0)


async def test_outputs_and_files_have_limits(sandbox_env):
    with override_max_exec_output_size(1000):
        assert len((await sandbox_env.exec(["head", "-c", "1000", "/dev/zero"])).stdout) == 1000
        with pytest.raises(OutputLimitExceededError) as caught:
            await sandbox_env.exec(["head", "-c", "1001", "/dev/zero"])
        assert len(caught.value.truncated_output) == 1000
    with pytest.raises(OutputLimitExceededError, match="16MiB"):
        await sandbox_env.exec(["cat", "/dev/zero"])
    with pytest.raises(OutputLimitExceededError):
        await sandbox_env.read_file("/dev/zero", text=False)
    await sandbox_env.write_file("latin", b"\xe9")
    with pytest.raises(UnicodeDecodeError):
        await sandbox_env.read_file("latin")
    await sandbox_env.write_file("crlf", "a\r\nb\n")
    assert await sandbox_env.read_file("crlf") == "a\r\nb\n"


async def test_a_sample_has_sandboxes_of_its_own(environments):
    async with environments(WispSandboxConfig(names=("default", "victim"))) as first, environments() as second:
        assert list(first) == ["default", "victim"]
        await first["default"].write_file("file", "x")
        assert await first["default"].read_file("file") == "x"
        for other in (first["victim"], second["default"]):
            with pytest.raises(FileNotFoundError):
                await other.read_file("file")
    with pytest.raises(SandboxUnavailableError):
        await first["default"].exec(["true"])
    with pytest.raises(SandboxUnavailableError):
        await first["default"].read_file("file")


async def test_configurations(environments, tmp_path):
    file = tmp_path / "wisp.toml"
    file.write_text('extends = "offline"\n[env.vars]\nMARK = "from the file"\n')
    async with environments(str(file)) as found:
        assert (await found["default"].exec(["printenv", "MARK"])).stdout == "from the file\n"
    # As Inspect makes a path of `("wisp", "minimal")`.
    async with environments(str(tmp_path / "minimal")) as found:
        assert (await found["default"].exec(["python3", "-c", "1"])).returncode == 127
    for images in ("compose.yaml", "Dockerfile.x", "images/Dockerfile"):
        (tmp_path / "images").mkdir(exist_ok=True)
        (tmp_path / images).write_text("FROM scratch\n")
        with pytest.raises(ValueError, match="no images"):
            await WispSandboxEnvironment.task_init("task", str(tmp_path / images))
    with pytest.raises(PolicyError):
        await WispSandboxEnvironment.task_init("task", WispSandboxConfig(policy="[limits]\nwalls = 1\n"))
    with pytest.raises(ValueError, match="extra"):
        WispSandboxEnvironment.config_deserialize({"image": "ubuntu"})


async def test_a_configuration_goes_through_a_log_and_has_no_secrets(environments, monkeypatch):
    monkeypatch.setenv("WISP_TEST_TOKEN", "hunter2-hunter2")
    policy = """
extends = "offline"
[[network.allow]]
url = "https://api.example.test/"
[[network.secret]]
host = "api.example.test"
header = "Authorization"
value_from_env = "WISP_TEST_TOKEN"
"""
    spec = SandboxEnvironmentSpec("wisp", WispSandboxConfig(policy=policy))
    logged = spec.model_dump_json()
    assert "hunter2" not in logged
    again = SandboxEnvironmentSpec.model_validate(json.loads(logged))
    assert again == spec
    async with environments(again.config) as found:
        shown = (await found["default"].exec(["printenv", "WISP_TEST_TOKEN"])).stdout
    assert shown and "hunter2" not in shown


async def test_a_fault_of_the_machine_is_no_result():
    end = types.SimpleNamespace(kind="infra", error_code="internal", message="the disk is gone", limit=None)
    with pytest.raises(InfraError, match="the disk is gone"):
        _environment._result(types.SimpleNamespace(outcome=types.SimpleNamespace(end=end)), None)


async def test_a_shell_whose_question_took_too_long_goes_on(sandbox_env):
    async def ask(method, timeout=None, **params):
        request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        return json.loads((await sandbox_env.exec([SANDBOX_CLI, "exec"], input=request, timeout=timeout)).stdout)["result"]

    name = (await ask("bash_session_new_session"))["session_name"]
    with pytest.raises(TimeoutError):
        await ask("bash_session", 1, session_name=name, input="echo begun; read x; echo got $x\n", wait_for_output=60, idle_timeout=60)
    said = await ask("bash_session", session_name=name, input="it\n")
    assert "begun" in said and "got it" in said


async def test_a_shell_with_another_prompt_begins(sandbox_env):
    await sandbox_env.write_file("/home/user/.bashrc", "PS1='> '\n")
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "bash_session_new_session"})
    assert "session_name" in (await sandbox_env.exec([SANDBOX_CLI, "exec"], input=request, timeout=60)).stdout

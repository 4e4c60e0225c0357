"""Agents of verifiers in boxes of wisp, with a model whose answers are written down."""

import asyncio
from unittest import mock

import pytest
import verifiers.v1 as vf
from model import call, scripted, text
from verifiers.v1.clients import EvalClientConfig
from verifiers.v1.errors import RolloutError, SandboxError

import wisp_sandbox
from wisp_sandbox import InfraError
from wisp_sandbox.adapters.verifiers import HostFault, WispAgent, WispConfig, WispRuntime

SAME = 'extends = "offline"\n[determinism]\nseed = 1\n'


class SumTask(vf.Task[vf.TaskData]):
    @vf.reward(weight=1.0)
    async def wrote_the_sum(self, runtime: vf.Runtime) -> float:
        try:
            return float((await runtime.read("sum.txt")).strip() == b"6")
        except (SandboxError, OSError, ValueError):
            return 0.0


def task(idx=0, prompt="Write the sum of rows to sum.txt."):
    return SumTask(vf.TaskData(idx=idx, prompt=prompt, system_prompt="You run code."))


def solve(messages):
    """Looks, computes, writes, ends."""
    done = sum(message["role"] == "tool" for message in messages)
    return [call("python", code="rows"), call("bash", command="echo 6 >sum.txt; cat sum.txt"), text("done")][done]


def config(url, **more):
    return vf.AgentConfig(model="scripted", client=EvalClientConfig(base_url=url, api_key_var="NONE"), **more)


BOX = WispConfig(policy=SAME, setup=["rows = [1, 2, 3]"])


async def test_an_agent_solves_a_task_in_its_own_fork():
    async with scripted(solve) as (url, requests), WispAgent(config(url), BOX) as agent:
        traces = await asyncio.gather(*(agent.run(task(number)) for number in range(8)))
    assert [(trace.ok, trace.reward, trace.num_turns) for trace in traces] == [(True, 1.0, 3)] * 8
    answers = [message["content"] for message in requests[-1]["messages"] if message["role"] == "tool"]
    assert answers == ["[1, 2, 3]\n", "6\n"]
    assert {tool["function"]["name"] for tool in requests[0]["tools"]} == {"bash", "python"}
    assert traces[0].agent.runtime.id.startswith("wisp:")
    again = type(traces[0]).model_validate_json(traces[0].model_dump_json())
    assert (again.agent.runtime.id, again.reward) == (traces[0].agent.runtime.id, 1.0)


async def test_what_is_wrong_is_an_answer_and_no_reward():
    def wrong(messages):
        done = sum(message["role"] == "tool" for message in messages)
        return [call("python", code="1 / 0"), call("shell", command="x"), call("bash", command="cat /etc/shadow; nope"), text("I give up")][done]

    async with scripted(wrong) as (url, requests), WispAgent(config(url), BOX) as agent:
        trace = await agent.run(task())
    assert (trace.ok, trace.reward) == (True, 0.0)
    answers = [message["content"] for message in requests[-1]["messages"] if message["role"] == "tool"]
    assert "ZeroDivisionError" in answers[0] and "no tool `shell`" in answers[1] and "No such file" in answers[2] and "nope" in answers[2]


async def test_a_limit_of_the_rollout_ends_it():
    def forever(messages):
        return call("bash", command=f"echo {len(messages)}")

    async with scripted(forever) as (url, _), WispAgent(config(url, max_turns=3), BOX) as agent:
        trace = await agent.run(task())
    assert (trace.num_turns, trace.reward, trace.stop_condition) == (3, 0.0, "max_turns")


async def test_a_fault_of_the_host_is_no_reward():
    real, left = wisp_sandbox.AsyncCommands.run, 2

    async def run(self, command, **more):
        nonlocal left
        result = await real(self, command, **more)
        if left:
            left -= 1
            raise InfraError({"code": "host_memory", "fault": "host", "retryable": True, "message": "no memory"})
        return result

    box = BOX.model_copy(update={"attempts": 3})
    with mock.patch.object(wisp_sandbox.AsyncCommands, "run", run):
        async with scripted(solve) as (url, _), WispAgent(config(url), box) as agent:
            # Twice it passes, and the third attempt goes on from where the episode was.
            trace = await agent.run(task())
            assert (trace.ok, trace.reward, left) == (True, 1.0, 0)
            left = 3
            trace = await agent.run(task())
    assert (trace.ok, trace.rewards, left) == (False, {}, 0)
    assert trace.last_error.type == "HostFault"


async def test_a_fault_while_it_is_scored_is_no_reward_either():
    fault = InfraError({"code": "host_memory", "fault": "host", "retryable": False, "message": "no memory"})
    async with scripted(solve) as (url, _), WispAgent(config(url), BOX) as agent:
        with mock.patch.object(wisp_sandbox.AsyncFiles, "read", side_effect=fault):
            trace = await agent.run(task())
    assert (trace.ok, trace.last_error.type) == (False, "HostFault")
    assert not any(reward is not None for reward in trace.rewards.values())


async def test_the_same_episode_comes_to_the_same():
    def draw(messages):
        done = sum(message["role"] == "tool" for message in messages)
        return [call("python", code="import random, os; (random.random(), os.urandom(2))"), text("done")][done]

    async def drawn(agent, requests, name):
        await agent.run(task(), name=name)
        return requests[-1]["messages"][-1]["content"]

    async with scripted(draw) as (url, requests), WispAgent(config(url), BOX) as agent:
        assert await drawn(agent, requests, "a") == await drawn(agent, requests, "a")
        assert await drawn(agent, requests, "a") != await drawn(agent, requests, "b")


async def test_runs_share_a_box_that_is_provisioned():
    async with scripted(solve) as (url, _), WispAgent(config(url), BOX) as agent, agent.provision() as box:
        await box.write("before.txt", b"1")
        trace = await agent.run(task(), runtime=box)
        assert (trace.ok, trace.reward) == (True, 1.0)
        assert await box.read("before.txt") == b"1"
        assert (await box.run(["cat", "sum.txt"], {})).stdout == "6\n"
    assert not await box.alive()


async def test_an_interaction_has_a_box_too():
    def echo(messages):
        return call("bash", command="echo 6 >>sum.txt; wc -l <sum.txt") if messages[-1]["role"] == "user" else text(messages[-1]["content"])

    async with scripted(echo) as (url, _), WispAgent(config(url), BOX) as agent, agent.interaction(SumTask(vf.TaskData(idx=0, prompt=None))) as talk:
        assert (await talk.turn("once")).last_reply == "1"
        assert (await talk.turn("again")).last_reply == "2"
    assert (talk.trace.ok, talk.trace.stop_condition, talk.trace.agent.runtime.id[:5]) == (True, "user_closed", "wisp:")


@pytest.mark.parametrize("data", [{"network_allow": ["example.org"]}, {"agent_user": "agent"}])
async def test_what_a_task_asks_for_and_wasm_cannot_give_is_refused(data):
    async with scripted(solve) as (url, _), WispAgent(config(url), BOX) as agent:
        asked = SumTask(vf.TaskData(idx=0, prompt="x", **data))
        try:
            trace = await agent.run(asked)
        except ValueError as error:
            assert "network policy" in str(error)
        else:
            assert (trace.ok, trace.rewards) == (False, {})
            assert "agent_user" in trace.last_error.message


async def test_the_box_itself(monkeypatch):
    monkeypatch.setenv("TRAINER_KEY", "s3cret")
    box = WispRuntime(WispConfig(files={"in.txt": "2\n"}), "a/1")
    with pytest.raises(SandboxError, match="not been started"):
        await box.run(["true"], {})
    await box.start()
    try:
        box.env = {"A": "1"}
        done = await box.run(["sh", "-c", "echo $A $B; cat in.txt; env; echo e >&2; exit 3"], {"B": "2"})
        assert (done.exit_code, done.stdout.startswith("1 2\n2\n"), done.stderr, "s3cret" in done.stdout) == (3, True, "e\n", False)
        assert (await box.run(["no-such-program"], {})).exit_code == 127
        await box.write("deep/er/x.bin", bytes(range(256)) * 5000)
        assert await box.read("deep/er/x.bin", max_bytes=256 * 5000) == bytes(range(256)) * 5000
        with pytest.raises(SandboxError, match="byte limit"):
            await box.read("deep/er/x.bin", max_bytes=1000)
        for path in ("nowhere", "deep", "/etc/shadow"):
            with pytest.raises(SandboxError, match="read"):
                await box.read(path)
        with pytest.raises(SandboxError, match="uv"):
            await box.run_uv_script("print(1)")
        with pytest.raises(SandboxError, match="ports"):
            await box.expose(8000)
        for refused in (box.open_process(["cat"], {}), box.run_background(["sleep", "1"], {}, "log")):
            with pytest.raises(NotImplementedError):
                await refused
        with pytest.raises(ValueError, match="another user"):
            box.with_user("root")
        assert await box.alive()
    finally:
        await box.stop()
    assert not await box.alive()
    box.cleanup()


async def test_setup_that_fails_is_an_error_of_the_box():
    with pytest.raises(Exception, match="ZeroDivisionError"):
        await WispRuntime(WispConfig(setup=["1 / 0"])).start()
    assert issubclass(HostFault, RolloutError) and not issubclass(HostFault, SandboxError)

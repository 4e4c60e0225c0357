"""An agent of the SDK with a scripted model, through the SDK's own loop."""

import json

from agents import RunConfig, Runner, function_tool
from agents.run_state import RunState
from agents.sandbox import Manifest, SandboxAgent, SandboxRunConfig
from agents.sandbox.capabilities import Capabilities
from agents.sandbox.entries import File
from agents.testing import ScriptedModel, assistant_message, function_call
from openai.types.responses import ResponseCustomToolCall

from wisp_sandbox.adapters.openai_agents import WispInstructions, WispSandboxClient, WispSandboxClientOptions

PATCH = """*** Begin Patch
*** Update File: sums.py
@@
-print(1 + 1)
+print(20 + 1)
*** Add File: notes.md
+made of a patch
*** End Patch
"""


def outputs(result):
    """What the tools answered, in order."""
    return [item.output for item in result.new_items if item.type == "tool_call_output_item"]


async def test_commands_patches_and_terminals_in_one_run():
    client = WispSandboxClient()
    model = ScriptedModel(
        [
            [function_call("exec_command", {"cmd": "python3 sums.py"}, call_id="1")],
            [ResponseCustomToolCall(type="custom_tool_call", name="apply_patch", call_id="2", input=PATCH)],
            [function_call("exec_command", {"cmd": "python3 sums.py; cat notes.md; exit 3"}, call_id="3")],
            [function_call("exec_command", {"cmd": "read name; echo hello $name", "tty": True, "yield_time_ms": 250}, call_id="4")],
            [assistant_message("done")],
        ]
    )
    agent = SandboxAgent(
        name="coder",
        model=model,
        instructions="Be brief.",
        default_manifest=Manifest(entries={"sums.py": File(content=b"print(1 + 1)\n")}),
        capabilities=[*Capabilities.default(), WispInstructions.of(client)],
    )
    result = await Runner.run(agent, "go", run_config=RunConfig(sandbox=SandboxRunConfig(client=client)))
    first, patched, second, waiting = outputs(result)
    assert "code 0" in first and first.endswith("2\n")
    assert "sums.py" in patched and "notes.md" in patched
    assert "code 3" in second and second.endswith("21\nmade of a patch")
    assert "session ID" in waiting
    assert result.final_output == "done"
    assert "no network" in model.calls[0].system_instructions.lower()


async def test_a_long_command_is_polled_and_typed_to():
    model = ScriptedModel(
        [
            [function_call("exec_command", {"cmd": "read name; echo hello $name", "tty": True, "yield_time_ms": 250}, call_id="1")],
            [assistant_message("waits")],
        ]
    )
    client = WispSandboxClient()
    session = await client.create()
    config = RunConfig(sandbox=SandboxRunConfig(session=session))
    async with session:
        agent = SandboxAgent(name="coder", model=model)
        result = await Runner.run(agent, "go", run_config=config)
        number = int(outputs(result)[0].partition("session ID ")[2].split()[0])
        typed = function_call("write_stdin", {"session_id": number, "chars": "world\n", "yield_time_ms": 10000}, call_id="2")
        agent = SandboxAgent(name="coder", model=ScriptedModel([[typed], [assistant_message("done")]]))
        result = await Runner.run(agent, "go on", run_config=config)
        (output,) = outputs(result)
        assert "hello world" in output and "code 0" in output
    await client.delete(session)


async def test_runs_of_the_runner_go_on_in_a_paused_sandbox():
    client = WispSandboxClient()
    options = WispSandboxClientOptions(pause_on_exit=True)

    @function_tool(needs_approval=True)
    def deploy() -> str:
        return "deployed"

    def agent(*steps):
        return SandboxAgent(name="coder", model=ScriptedModel([[step] for step in steps]), tools=[deploy])

    def config():
        return RunConfig(sandbox=SandboxRunConfig(client=client, options=options))

    write = function_call("exec_command", {"cmd": "echo kept > /home/user/outside.txt; echo kept > inside.txt"}, call_id="1")
    first = await Runner.run(agent(write, function_call("deploy", {}, call_id="2")), "go", run_config=config())
    assert len(first.interruptions) == 1
    read = function_call("exec_command", {"cmd": "cat inside.txt /home/user/outside.txt"}, call_id="3")
    resumed = agent(read, assistant_message("done"))
    state = await RunState.from_json(resumed, json.loads(json.dumps(first.to_state().to_json())))
    state.approve(state.get_interruptions()[0])
    second = await Runner.run(resumed, state, run_config=config())
    assert second.final_output == "done"
    assert outputs(second)[-2] == "deployed" and "kept\nkept" in outputs(second)[-1]

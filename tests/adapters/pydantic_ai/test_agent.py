"""Pydantic AI's own loop with a model that is a script, over a sandbox."""

import pytest
from pydantic_ai import Agent, RunContext
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from wisp_sandbox.adapters.pydantic_ai import WispSandbox, WispWorkspace

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


def model(*steps):
    """A model that calls tools one after the other, whatever is said to it, and ends with a text."""

    def respond(messages, info):
        asked = sum(isinstance(message, ModelResponse) for message in messages)
        step = steps[asked]
        part = TextPart(step) if isinstance(step, str) else ToolCallPart(step[0], step[1])
        return ModelResponse(parts=[part])

    return FunctionModel(respond)


def answers(result):
    """What the tools answered in a run, in order."""
    return [part.content for message in result.new_messages() for part in message.parts if isinstance(part, ToolReturnPart)]


def agent(*steps, **options):
    made = Agent(model(*steps), **options)

    @made.tool
    async def bash(ctx: RunContext, script: str) -> str:
        result = await ctx.workspace.run(script, shell=True)
        return f"{result.stdout}{result.stderr}[{result.exit_code}]"

    @made.tool
    async def write(ctx: RunContext, path: str, text: str) -> str:
        await ctx.workspace.write_text(path, text)
        return "written"

    return made


STEPS = [
    ("write", {"path": "sum.py", "text": "import sys\nprint(sum(map(int, sys.stdin)))\n"}),
    ("bash", {"script": "seq 100 | python sum.py"}),
    ("bash", {"script": "curl -sS http://example.org/; ls /root"}),
    "The sum is 5050.",
]


async def test_an_agent_works_in_a_sandbox():
    capability = WispSandbox()
    result = await agent(*STEPS, capabilities=[capability]).run("Sum the numbers.")
    written, summed, refused = answers(result)
    assert (written, summed, result.output) == ("written", "5050\n[0]", "The sum is 5050.")
    assert "denied by wisp: the policy grants no network" in refused and "/root" in refused
    await capability.destroy(result.workspace.ref)


async def test_a_conversation_goes_on_in_the_same_sandbox_and_another_one_does_not():
    capability = WispSandbox()
    first = await agent(("bash", {"script": "echo kept > note.txt"}), "Done.", capabilities=[capability]).run("Write a note.")
    reads = agent(("bash", {"script": "cat note.txt"}), "Done.", capabilities=[capability])
    again = await reads.run("Read it.", workspace=first.workspace.ref)
    other = await reads.run("Read it.")
    assert answers(again) == ["kept\n[0]"] and again.workspace.ref == first.workspace.ref
    assert answers(other)[0].endswith("[1]") and other.workspace.ref != first.workspace.ref
    for result in (first, other):
        await capability.destroy(result.workspace.ref)


async def test_the_model_is_told_what_the_sandbox_has():
    seen = []

    def respond(messages, info):
        seen.append(info.instructions or "")
        return ModelResponse(parts=[TextPart("ok")])

    for explained in (True, False):
        await Agent(FunctionModel(respond), capabilities=[WispSandbox(explained=explained)]).run("Hello")
    assert "There is no network" in seen[0] and "wisp" not in seen[1] and "network" not in seen[1]


async def test_nothing_is_opened_before_the_first_use_and_a_backend_can_be_given_itself():
    backend = WispWorkspace()
    assert backend.ref is None
    result = await agent(("bash", {"script": "pwd"}), "Done.").run("Where?", workspace=backend)
    assert answers(result) == ["/home/user\n[0]"] and backend.ref is not None
    assert await (await backend.sandbox()).is_running()
    await WispSandbox().destroy(backend.ref)


def test_without_an_event_loop_of_its_own():
    capability = WispSandbox()
    first = agent(*STEPS, capabilities=[capability]).run_sync("Sum the numbers.")
    second = agent(("bash", {"script": "cat sum.py"}), "Done.", capabilities=[capability]).run_sync("Read.", workspace=first.workspace.ref)
    assert "5050" in first.output and "sys.stdin" in answers(second)[0]

"""deepagents' own loop with a model that is a script, over a sandbox."""

from _model import ScriptedModel, answers
from deepagents import create_deep_agent

from wisp_sandbox import AsyncSandbox, Sandbox
from wisp_sandbox.adapters.deepagents import WispSandbox

TASK = {"messages": [{"role": "user", "content": "Sum the numbers."}]}
STEPS = [
    ("write_file", {"file_path": "/home/user/sum.py", "content": "import sys\nprint(sum(map(int, sys.stdin)))\n"}),
    ("execute", {"command": "seq 100 | python sum.py"}),
    ("edit_file", {"file_path": "/home/user/sum.py", "old_string": "sum(", "new_string": "max("}),
    ("execute", {"command": "seq 100 | python sum.py; echo oops >&2; exit 3"}),
    ("grep", {"pattern": "max", "path": "/home/user"}),
    ("glob", {"pattern": "*.py", "path": "/home/user"}),
    ("ls", {"path": "/home/user"}),
    ("read_file", {"file_path": "/home/user/sum.py"}),
    "The sum is 5050.",
]


def check(result):
    said = answers(result)
    assert len(said) == 8
    assert said[1].startswith("5050\n")
    assert said[3].startswith("100\noops\n") and "3" in said[3].splitlines()[-1]
    for answer in said[4:7]:
        assert "/home/user/sum.py" in answer
    assert "print(max(map(int, sys.stdin)))" in said[7]
    assert result["messages"][-1].content == "The sum is 5050."


def test_an_agent_works_in_a_sandbox():
    with Sandbox.create() as sandbox:
        agent = create_deep_agent(model=ScriptedModel(steps=STEPS), backend=WispSandbox(sandbox))
        check(agent.invoke(TASK))
        assert sandbox.files.read("sum.py") == "import sys\nprint(max(map(int, sys.stdin)))\n"


async def test_an_agent_works_in_a_sandbox_on_an_event_loop():
    async with await AsyncSandbox.create() as sandbox:
        agent = create_deep_agent(model=ScriptedModel(steps=STEPS), backend=WispSandbox(sandbox))
        check(await agent.ainvoke(TASK))


def test_a_long_output_stays_in_the_sandbox():
    steps = [("execute", {"command": "seq 300000; exit 5"}), "Done."]
    with Sandbox.create() as sandbox:
        result = create_deep_agent(model=ScriptedModel(steps=steps), backend=WispSandbox(sandbox)).invoke(TASK)
        [answer] = answers(result)
        artifact = next(message.artifact for message in result["messages"] if message.type == "tool")
        assert len(answer) < 100_000 and "lines truncated" in answer and artifact["exit_code"] == 5
        assert sandbox.files.read(artifact["output_file"]) == "".join(f"{n}\n" for n in range(1, 300_001))


def test_two_agents_go_on_from_one_sandbox():
    with Sandbox.create(files={"notes.txt": "base\n"}) as sandbox:
        forks = sandbox.fork(2)
        for number, fork in enumerate(forks):
            steps = [("execute", {"command": f"echo {number} >> notes.txt"}), "Done."]
            create_deep_agent(model=ScriptedModel(steps=steps), backend=WispSandbox(fork)).invoke(TASK)
        assert [fork.files.read("notes.txt") for fork in forks] == ["base\n0\n", "base\n1\n"]
        assert sandbox.files.read("notes.txt") == "base\n"

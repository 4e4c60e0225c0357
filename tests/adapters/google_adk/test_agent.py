"""wisp in ADK's own agents, with a model whose answers are written down."""

from types import SimpleNamespace
from unittest import mock

import pytest
from google.adk.agents import LlmAgent
from google.adk.code_executors.code_execution_utils import CodeExecutionInput, File
from google.adk.sessions import Session
from google.adk.tools.environment import EnvironmentToolset
from script import Script, run

from wisp_sandbox import InfraError, Policy, Sandbox
from wisp_sandbox.adapters.google_adk import WispCodeExecutor, WispEnvironment


def block(code):
    return f"Let me see.\n```python\n{code}\n```"


async def test_an_agent_runs_its_code_blocks():
    save = "open('/output/sum.txt', 'w').write(str(sum(rows)))"
    answers = ["rows = prepared + [4]\nprint(rows)", "sum(rows) / 0", save]
    model = Script(*map(block, answers), "It is 10.", block("sum(rows)"), "As I said.")
    with Sandbox.create() as sandbox:
        sandbox.run_code("prepared = [1, 2, 3]")
        executor = WispCodeExecutor(sandbox=sandbox)
        agent = LlmAgent(name="counter", model=model, code_executor=executor)
        events, runner, session = await run(agent)
        outcomes = [part.code_execution_result for event in events for part in event.content.parts if part.code_execution_result]
        assert [str(found.outcome.value) for found in outcomes] == ["OUTCOME_OK", "OUTCOME_FAILED", "OUTCOME_OK"]
        assert "[1, 2, 3, 4]" in outcomes[0].output and "ZeroDivisionError" in outcomes[1].output and "`sum.txt`" in outcomes[2].output
        saved = await runner.artifact_service.load_artifact(app_name="tests", user_id="user", session_id=session.id, filename="sum.txt")
        assert saved.inline_data.data == b"10"
        assert events[-1].content.parts[0].text == "It is 10."
        # The conversation goes on where it was, and saves nothing twice.
        events, *_ = await run(agent, "Sure?", runner, session)
        [again] = [part.code_execution_result for event in events for part in event.content.parts if part.code_execution_result]
        assert "10" in again.output and "Saved" not in again.output
        assert executor.session(session).run_code("rows").value == "[1, 2, 3, 4]"
        # Others begin with what was prepared, which has not changed.
        assert executor.session("other").run_code("'rows' in globals(), prepared").value == "(False, [1, 2, 3])"
        executor.close()
        assert sandbox.run_code("prepared").value == "[1, 2, 3]"


def execute(executor, code, id=None, files=()):
    return executor.execute_code(SimpleNamespace(), CodeExecutionInput(code, list(files), id))


def test_what_a_block_comes_to():
    executor = WispCodeExecutor(timeout_seconds=1)
    warned = execute(executor, "import sys\nprint('out'); print('careful', file=sys.stderr)\n6 * 7", "a")
    assert (warned.stdout, warned.stderr, warned.exit_code) == ("out\ncareful\n42\n", "", 0)
    read = execute(executor, "open('in.csv').read()", "a", [File("in.csv", "YSxi"), File("raw.csv", b"YSxi")])
    assert read.stdout == "'a,b'\n"
    assert execute(executor, "open('raw.csv').read()", "a").stdout == "'YSxi'\n"
    late = execute(executor, "x = 1\nwhile True: pass", "a")
    assert "KeyboardInterrupt" in late.stderr and execute(executor, "x", "a").stdout == "1\n"
    gone = execute(executor, "import os; os._exit(3)", "a")
    assert "status 3" in gone.stderr and "variables are lost" in gone.stderr and gone.exit_code == 3
    assert execute(executor, "x", "a").stderr.count("NameError")
    executor.close()


def test_state_and_whose_it_is():
    executor = WispCodeExecutor(max_sessions=2)
    for id in "abc":
        execute(executor, f"x = {id!r}", id)
    assert [execute(executor, "globals().get('x')", id).stdout for id in "cba"] == ["'c'\n", "'b'\n", ""]
    executor.forget("b")
    alone = WispCodeExecutor(stateful=False)
    execute(alone, "x = 1", "a")
    assert "NameError" in execute(alone, "x", "a").stderr


def test_a_conversation_of_another_user_with_the_same_id_is_another():
    executor = WispCodeExecutor()
    for app, user in (("a", "one"), ("a", "other"), ("b", "one")):
        context = SimpleNamespace(session=Session(id="s1", app_name=app, user_id=user))
        found = executor.execute_code(context, CodeExecutionInput("globals().get('x')", [], "s1"))
        assert found.stdout == ""
        executor.execute_code(context, CodeExecutionInput(f"x = {app + user!r}", [], "s1"))
        assert executor.session(context.session).run_code("x").value == repr(app + user)
    executor.forget(Session(id="s1", app_name="a", user_id="one"))
    assert executor.session(Session(id="s1", app_name="b", user_id="one")).run_code("x").value == "'bone'"
    executor.close()


def test_it_has_what_the_policy_gives_and_no_more(monkeypatch, tmp_path):
    monkeypatch.setenv("GOOGLE_API_KEY", "s3cret")
    (tmp_path / "mine").write_text("mine")
    executor = WispCodeExecutor()
    assert "s3cret" not in execute(executor, "import os; dict(os.environ)").stdout
    assert "FileNotFoundError" in execute(executor, f"open({str(tmp_path / 'mine')!r})").stderr
    assert "URLError" in execute(executor, "import urllib.request as u; u.urlopen('http://127.0.0.1:1')").stderr
    assert execute(executor, "open('own', 'w').write('1')").stdout == "1\n"
    with Sandbox.create(Policy.load("offline").with_value("limits.wall", "1s")) as short:
        ended = execute(WispCodeExecutor(sandbox=short), "while True: pass", "a")
    assert "ended by limits.wall = 1s" in ended.stderr


def test_a_fault_of_the_host_is_no_result():
    executor = WispCodeExecutor()
    found = executor.session("a").run_code("1")
    object.__setattr__(found.outcome, "end", mock.Mock(kind="infra", error_code="internal", message="no memory"))
    with mock.patch.object(Sandbox, "run_code", return_value=found), pytest.raises(InfraError):
        execute(executor, "1", "a")


async def test_an_agent_with_an_environment():
    model = Script(("WriteFile", {"path": "sum.py", "content": "print(sum([1, 2, 3]))\n"}), ("Execute", {"command": "python3 sum.py && pwd"}), "It is 6.")
    environment = WispEnvironment(working_dir="/workspace")
    agent = LlmAgent(name="counter", model=model, tools=[EnvironmentToolset(environment=environment)])
    events, *_ = await run(agent)
    answers = [part.function_response.response for event in events for part in event.content.parts if part.function_response]
    assert answers[-1] == {"status": "ok", "stdout": "6\n/workspace\n"} and answers[0]["status"] == "ok"
    await environment.close()


async def test_the_environment():
    environment = WispEnvironment()
    with pytest.raises(RuntimeError, match="initialize"):
        await environment.execute("true")
    await environment.initialize()
    late = await environment.execute("echo begun; while :; do :; done", timeout=1)
    assert (late.timed_out, late.exit_code, late.stdout) == (True, 124, "begun\n")
    await environment.write_file("deep/er/a", "1")
    assert await environment.read_file("/home/user/deep/er/a") == b"1"
    with pytest.raises(FileNotFoundError):
        await environment.read_file("nowhere")
    with pytest.raises(OSError):
        await environment.read_file("deep")
    await environment.close()
    await environment.close()

"""Evaluations with scripted models: Inspect's loop, its tools, and what it runs beside them."""

import anyio
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, solver, use_tools
from inspect_ai.tool import bash, bash_session, python, text_editor
from inspect_ai.util import (
    ExecCompleted,
    ExecRemoteAwaitableOptions,
    ExecRemoteStreamingOptions,
    ExecStderr,
    ExecStdout,
    sandbox,
)


def run(task, folder, script=()):
    """Runs a task with a model that calls tools and then answers; returns its only sample."""
    outputs = [
        ModelOutput.from_content("mockllm/model", step) if isinstance(step, str) else ModelOutput.for_tool_call("mockllm/model", *step)
        for step in script
    ]
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", fail_on_error=True)
    assert log.status == "success", log.error and log.error.message
    (sample,) = log.samples
    return sample


def said(sample):
    """What the tools have answered."""
    return [message.error.message if message.error else message.text for message in sample.messages if message.role == "tool"]


def test_a_model_works_with_the_tools(tmp_path):
    task = Task(
        dataset=[Sample("Sum the column.", target="42", files={"data/table.csv": "n\n20\n22\n"}, setup="sort -r data/table.csv > sorted.csv")],
        solver=[use_tools(bash(timeout=60), python(timeout=60), text_editor(), bash_session()), generate()],
        scorer=includes(), sandbox="wisp",
    )
    sample = run(task, tmp_path, [
        ("bash", {"command": "head -1 sorted.csv; git --version"}),
        ("python", {"code": "import csv\nprint(sum(int(row['n']) for row in csv.DictReader(open('data/table.csv'))))"}),
        ("text_editor", {"command": "create", "path": "/home/user/a.py", "file_text": "def f():\n    return 1\n"}),
        ("text_editor", {"command": "str_replace", "path": "/home/user/a.py", "old_str": "1", "new_str": "42"}),
        ("text_editor", {"command": "str_replace", "path": "/home/user/a.py", "old_str": "missing", "new_str": ""}),
        ("text_editor", {"command": "insert", "path": "a.py", "insert_line": 0, "insert_text": "# by a model"}),
        ("text_editor", {"command": "view", "path": "a.py", "view_range": [1, 2]}),
        ("text_editor", {"command": "undo_edit", "path": "a.py"}),
        ("text_editor", {"command": "view", "path": "/home/user"}),
        ("text_editor", {"command": "create", "path": "/etc/passwd", "file_text": "root"}),
        ("bash_session", {"action": "type_submit", "input": "cd data; x=5"}),
        ("bash_session", {"action": "type_submit", "input": "echo $x $(basename $PWD)"}),
        ("bash_session", {"action": "restart"}),
        ("bash_session", {"action": "type_submit", "input": "echo [$x]"}),
        ("bash", {"command": "python3 -c 'from a import f; print(f())'"}),
        "It is 42.",
    ])
    answers = said(sample)
    assert "git: command not found" in answers[0] and answers[0].endswith("\nn\n")
    assert answers[1] == "42\n"
    assert answers[2] == "File created successfully at: /home/user/a.py"
    assert "     2\t    return 42\n" in answers[3]
    assert "does not appear verbatim" in answers[4]
    assert answers[6] == "Here's the result of running `cat -n` on a.py:\n     1\t# by a model\n     2\tdef f():\n"
    assert "     1\tdef f():\n" in answers[7]
    assert "/home/user/a.py" in answers[8] and "/home/user/data/table.csv" in answers[8]
    assert "permission denied" in answers[9]
    assert answers[11] == "5 data\nuser@wisp:~/data$ "
    assert answers[12] == "shell restarted"
    assert answers[13] == "[]\nuser@wisp:~$ "
    assert answers[14] == "42\n"
    assert sample.scores["includes"].value == "C"


@solver
def remote(found):
    async def solve(state, generate):
        environment = sandbox()
        process = await environment.exec_remote(["sh", "-c", "printf 'caf\\303\\251'; echo oops >&2; exit 3"])
        found["streamed"] = [event async for event in process]
        options = ExecRemoteStreamingOptions(stdin_open=True, cwd="/tmp", env={"NAME": "x"})
        process = await environment.exec_remote(["sh", "-c", "read line; echo $NAME $PWD $line"], options)
        await process.write_stdin("typed\n")
        await process.close_stdin()
        found["typed"] = [event async for event in process]
        found["awaited"] = await environment.exec_remote(["cat"], ExecRemoteAwaitableOptions(input="in"), stream=False)
        process = await environment.exec_remote(["sleep", "1000"])
        await process.kill()
        found["killed"] = [event async for event in process]
        with pytest.raises(TimeoutError):
            await environment.exec_remote(["sleep", "1001"], ExecRemoteAwaitableOptions(timeout=0.2), stream=False)
        with anyio.move_on_after(0.2):
            await environment.exec_remote(["sleep", "1002"], stream=False)
        found["left"] = (await environment.exec(["sh", "-c", "ps aux | grep 'sleep 100' | grep -v grep"])).stdout
        return state

    return solve


def test_commands_that_go_on(tmp_path):
    found = {}
    task = Task(dataset=[Sample("x")], solver=[remote(found)], sandbox="wisp")
    run(task, tmp_path, ["done"])
    assert "".join(event.data for event in found["streamed"] if isinstance(event, ExecStdout)) == "café"
    assert "".join(event.data for event in found["streamed"] if isinstance(event, ExecStderr)) == "oops\n"
    assert found["streamed"][-1] == ExecCompleted(exit_code=3)
    assert found["typed"] == [ExecStdout("x /tmp typed\n"), ExecCompleted(exit_code=0)]
    assert (found["awaited"].success, found["awaited"].stdout) == (True, "in")
    assert not any(isinstance(event, ExecCompleted) for event in found["killed"])
    assert found["left"] == ""


def test_a_policy_stands_beside_the_task(tmp_path):
    config = tmp_path / "mine.toml"
    config.write_text('extends = "minimal"\n')
    task = Task(dataset=[Sample("x")], solver=[use_tools(bash()), generate()], sandbox=("wisp", str(config)))
    sample = run(task, tmp_path / "logs", [("bash", {"command": "python3 -c 1"}), "done"])
    assert "python3" in said(sample)[0]

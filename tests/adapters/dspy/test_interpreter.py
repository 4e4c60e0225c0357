"""The interpreter in DSPy's own modules, and beside DSPy's own interpreter, with a model whose answers are written down."""

from unittest import mock

import dspy
import pytest
from dspy.primitives.code_interpreter import CodeExecutionError, CodeInterpreter, CodeInterpreterError, FinalOutput
from dspy.primitives.local_interpreter import LocalInterpreter
from dspy.utils.dummies import DummyLM

from wisp_sandbox import InfraError, Mount, Sandbox
from wisp_sandbox.adapters.dspy import WispInterpreter


def weigh(fruit: str) -> int:
    """Weighs fruit."""
    return len(fruit)


def script(*steps):
    return DummyLM([{"reasoning": "So.", **step} for step in steps])


def test_a_recursive_model_solves_a_task():
    lm = script({"code": "print(len(rows), rows[0])"}, {"code": "1 / 0"}, {"code": "total = sum(weigh(fruit=row) for row in rows)\nSUBMIT(total)"})
    with dspy.context(lm=lm):
        rlm = dspy.RLM("rows: list[str] -> total: int", tools=[weigh], interpreter_factory=WispInterpreter)
        found = rlm(rows=["fig", "pear"])
    assert found.total == 7
    outputs = [step["output"] for step in found.trajectory]
    assert "2 fig" in outputs[0] and "ZeroDivisionError" in outputs[1] and "FINAL" in outputs[2]


def test_its_code_asks_models_and_builds_modules():
    lm = script({"code": "said = llm_query('Which colour has a pear?')\nprint(said)"},
                {"code": "import dspy\nask = dspy.Predict('question -> answer')\nSUBMIT(ask(question='and a fig?').answer)"})
    sub = DummyLM([{"answer": "green"}, {"answer": "violet"}])
    with dspy.context(lm=lm, interpreter_factory=WispInterpreter):
        found = dspy.RLM("fruit: str -> colour: str", sub_lm=sub)(fruit="fig")
    assert "green" in found.trajectory[0]["output"] and found.colour == "violet"


# DSPy's own interpreter, which has no sandbox, comes to the same.
STEPS = [
    "x = 2\nx * 3", "'text'", "print('a'); print('b')", "import sys; print('warned', file=sys.stderr)", "y = [x, n, None]", "y", "{'a': (1, 2)}", "object",
    "None", "", "weigh('fig')", "weigh(fruit='pear') + x", "weigh()", "x +", "undefined", "raise ValueError('no')", "SUBMIT(1, 2, 3)", "SUBMIT(a=1)",
    "SUBMIT(1, b=2)", "float('nan')", "try:\n    SUBMIT(a=1, b=2)\nexcept Exception:\n    pass",
    "def f():\n    return SUBMIT(x, 'b')\nf()", "later(2)", "fails()",
]


async def later(n):
    return [n]


def fails():
    raise KeyError("k")


def outcomes(interpreter):
    interpreter.tools.update(weigh=weigh, later=later)
    found = []
    for step in STEPS:
        interpreter.tools.setdefault("fails", fails)
        try:
            found.append(interpreter.execute(step, {"n": {"k": [1, "é"]}}))
        except Exception as error:
            found.append((type(error), str(error)))
    interpreter.shutdown()
    return found


def test_it_comes_to_what_dspys_own_comes_to():
    fields = [{"name": "a", "type": "int"}, {"name": "b"}]
    ours, theirs = outcomes(WispInterpreter(output_fields=fields)), outcomes(LocalInterpreter(output_fields=fields))
    assert dict(zip(STEPS, ours, strict=True)) == dict(zip(STEPS, theirs, strict=True))
    assert ours[-3] == FinalOutput({"a": 2, "b": "b"})


def test_the_protocol():
    assert isinstance(WispInterpreter(), CodeInterpreter)
    with WispInterpreter() as interpreter:
        interpreter.start()
        assert interpreter("1 + 1") == 2 and interpreter.execute("SUBMIT([1])") == FinalOutput({"output": [1]})
        for variables in ({"SUBMIT": 1}, {"class": 1}, {"x": object()}, {"x": float("nan")}):
            with pytest.raises(CodeInterpreterError) as wrong:
                interpreter.execute("1", variables)
            assert not isinstance(wrong.value, CodeExecutionError)
        interpreter.tools["x"] = weigh
        with pytest.raises(CodeInterpreterError, match="names of tools"):
            interpreter.execute("1", {"x": 1})
    with pytest.raises(CodeInterpreterError, match="ended"):
        interpreter.execute("1")
    interpreter.shutdown()


def test_it_has_what_the_policy_gives_and_no_more(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    (tmp_path / "mine").write_text("mine")
    with WispInterpreter(mounts=[Mount(tmp_path, "/mnt/data")], files={"own": "1"}) as interpreter:
        assert "s3cret" not in interpreter("import os; dict(os.environ)")
        assert interpreter("open('/mnt/data/mine').read() + open('own').read()") == "mine1"
        for code, name in ((f"open({str(tmp_path / 'mine')!r})", "FileNotFoundError"), ("open('/mnt/data/x', 'w')", "Error"),
                           ("import urllib.request as u; u.urlopen('http://127.0.0.1:1')", "URLError"), ("_wisp_dspy('{}')", "KeyError"),
                           ("from host import dspy_tool; import json; print(dspy_tool(json.dumps({'name': 'x', 'args': [], 'kwargs': {}})))", None)):
            if name is None:
                assert "there is no tool `x`" in interpreter(code)
                continue
            with pytest.raises(CodeExecutionError, match=name):
                interpreter(code)


def test_limits_and_ends():
    interpreter = WispInterpreter(execution_timeout=1)
    interpreter("x = 1")
    with pytest.raises(CodeExecutionError, match="after 1 seconds"):
        interpreter("while True: pass")
    with pytest.raises(CodeExecutionError, match="SystemExit: 3"):
        interpreter("import sys; sys.exit(3)")
    assert interpreter("x") == 1
    with pytest.raises(CodeInterpreterError, match="status 4") as ended:
        interpreter("import os; os._exit(4)")
    assert not isinstance(ended.value, CodeExecutionError)
    # Nothing begins anew without a word.
    with pytest.raises(CodeInterpreterError):
        interpreter("x")


def test_a_fault_of_the_host_is_no_result():
    with WispInterpreter() as interpreter:
        found = interpreter.sandbox.run_code("1")
        object.__setattr__(found.outcome, "end", mock.Mock(kind="infra", error_code="internal", message="no memory"))
        with mock.patch.object(Sandbox, "run_code", return_value=found), pytest.raises(CodeInterpreterError) as fault:
            interpreter("1")
        assert isinstance(fault.value.__cause__, InfraError) and not isinstance(fault.value, CodeExecutionError)


@pytest.mark.parametrize("forged", ["3", "'text'", "'[1]'", "'{}'", "'[' * 100000", "{}"])
def test_code_that_takes_the_runners_place_is_at_fault_itself(forged):
    with WispInterpreter() as interpreter:
        interpreter.execute(f"globals()['_wisp_dspy'] = lambda _: {forged}")
        with pytest.raises(CodeExecutionError):
            interpreter.execute("1")

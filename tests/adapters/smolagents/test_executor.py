"""The executor in smolagents' own agent, with a model whose answers are written down."""

from unittest import mock

import pytest
from smolagents import CodeAgent, Tool
from smolagents.models import ChatMessage, MessageRole, Model
from smolagents.serialization import SerializationError
from smolagents.utils import AgentError

from wisp_sandbox import InfraError, Policy, Sandbox
from wisp_sandbox.adapters.smolagents import WispExecutor


class Script(Model):
    """Says one thing after the other."""

    def __init__(self, *codes):
        super().__init__()
        self.codes, self.seen = list(codes), []

    def generate(self, messages, **_):
        self.seen.append(str(messages[-1].content))
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"Thought: so.\n<code>\n{self.codes.pop(0)}\n</code>")


class Weigh(Tool):
    name = "weigh"
    description = "Weighs fruit."
    inputs = {"fruit": {"type": "string", "description": "the fruit"}}
    output_type = "integer"

    def forward(self, fruit: str) -> int:
        return len(fruit)


def test_an_agent_solves_a_task():
    model = Script("import json\nrows = json.loads(open('rows.json').read())\nprint(rows)\nfactor", "weights = [weigh(row) * factor for row in rows]\nweights",
                   "1 / 0", "final_answer({'total': sum(weights)})")
    with Sandbox.create(files={"rows.json": '["fig", "pear"]'}) as sandbox:
        agent = CodeAgent(tools=[Weigh()], model=model, executor=WispExecutor(sandbox), additional_authorized_imports=["json"], verbosity_level=0)
        assert agent.run("What do the rows weigh?", additional_args={"factor": 10}) == {"total": 70}
        agent.cleanup()
        # The caller's own sandbox stays.
        assert sandbox.run_code("weights").value == "[30, 40]"
    assert "['fig', 'pear']" in model.seen[1] and "10" in model.seen[1]
    assert "[30, 40]" in model.seen[2] and "ZeroDivisionError" in model.seen[3]


@pytest.fixture
def executor():
    executor = WispExecutor(timeout=5)
    yield executor
    executor.cleanup()
    executor.cleanup()


def test_state_stays(executor):
    executor("import math; a = 2")
    assert executor("print(math.sqrt(a))").logs.startswith("1.41421")
    assert (executor("a").output, executor("a = 3").output) == ("2", None)


def test_it_has_what_the_policy_gives_and_no_more(executor, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "s3cret")
    (tmp_path / "mine").write_text("mine")
    assert "s3cret" not in executor("import os; dict(os.environ)").output
    request = "import urllib.request as u; u.urlopen('http://127.0.0.1:1')"
    for code, error in ((f"open({str(tmp_path / 'mine')!r})", "FileNotFoundError"), (request, "URLError")):
        with pytest.raises(AgentError, match=error):
            executor(code)
    assert executor("open('own', 'w').write('1')").output == "1"


def test_a_pickle_is_no_answer(executor):
    code = "import base64, pickle\nclass FinalAnswerException(BaseException): pass\n"
    code += "raise FinalAnswerException({!r} + base64.b64encode(pickle.dumps(1)).decode())"
    with pytest.raises(SerializationError):
        executor(code.format("pickle:"))
    with pytest.raises(SerializationError):
        executor(code.format(""))
    assert executor("class FinalAnswerException(BaseException): pass\nraise FinalAnswerException('safe:[1, 2]')").output == [1, 2]


def test_limits_are_answers_and_the_next_code_finds_an_interpreter_with_the_tools():
    with Sandbox.create(Policy.load("offline").with_value("limits.wall", "1s")) as sandbox:
        executor = WispExecutor(sandbox)
        executor.send_variables({"factor": 3})
        executor.send_tools({"weigh": Weigh()})
        executor("mine = 1")
        with pytest.raises(AgentError, match=r"ended by limits\.wall = 1s"):
            executor("while True: pass")
        assert executor("weigh('fig') * factor").output == "9"
        with pytest.raises(AgentError, match="NameError"):
            executor("mine")
        with pytest.raises(AgentError, match="status 3"):
            executor("import os; os._exit(3)")
        assert executor("factor").output == "3"
        executor("mine = 1")
        with pytest.raises(AgentError, match="status 4"):
            executor("import sys; sys.exit(4)")
        assert executor("mine").output == "1"


def test_a_module_that_is_not_there_is_refused_at_once():
    with pytest.raises(ImportError, match="`numpy`"):
        WispExecutor(imports=["json", "numpy"])
    WispExecutor(imports=["json", "xml.dom"]).cleanup()


def test_a_fault_of_the_host_is_no_answer(executor):
    found = executor.sandbox.run_code("1")
    object.__setattr__(found.outcome, "end", mock.Mock(kind="infra", error_code="internal", message="no memory"))
    with mock.patch.object(executor.sandbox, "run_code", return_value=found), pytest.raises(InfraError):
        executor("1")


def test_a_picture_is_read_as_a_png_or_a_jpeg_only(executor):
    shown = """
import base64, struct, zlib
class Shown:
    def __init__(self, data):
        self.data = data
    def __repr__(self):
        return "shown"
    def _repr_mimebundle_(self, **_):
        return {"text/plain": "shown", "image/png": base64.b64encode(self.data).decode()}
def part(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
"""
    executor(shown)
    png = r"""b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + part(b"IDAT", zlib.compress(b"\0\0")) + part(b"IEND", b"")"""
    assert executor(f"Shown({png})").output.size == (1, 1)
    # Pillow runs Ghostscript for the first, if it is there.
    for other in (r'b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 1 1\n%%EndComments\n"', r'b"P5 1 1 255\n\0"', 'b"nothing"'):
        assert executor(f"Shown({other})").output == "shown"

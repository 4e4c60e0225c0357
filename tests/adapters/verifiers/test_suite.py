"""verifiers' own end-to-end tests that need no more than a box and a model, with both swapped: its box by wisp's, its model by a script.

They come in its source distribution, and ask for a box by a type of a closed list: here `subprocess` is wisp's.
"""

import importlib.util
import sys

import pytest
import verifiers.v1.utils.loaders as loaders
from model import call, scripted, text
from verifiers.v1 import runtimes
from verifiers.v1.clients import EvalClientConfig
from verifiers.v1.configs.harness import HarnessConfig

from wisp_sandbox.adapters.verifiers import WispConfig, WispHarness, WispRuntime


@pytest.fixture(scope="module")
def theirs(sources):
    """Their tests, with their helpers."""
    [folder] = sources.glob("verifiers-*/tests/v1")
    sys.path[:0] = [str(folder), str(folder / "fixtures")]
    found = {}
    for name in ("conftest", "test_e2e"):
        spec = importlib.util.spec_from_file_location(f"verifiers_{name}", folder / f"{name}.py")
        found[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found[name])
    yield found
    del sys.path[:2]


@pytest.fixture
def boxes(monkeypatch):
    """The boxes that were opened, all of them wisp's."""
    opened = []

    class Box(WispRuntime):
        def __init__(self, _, name=None):
            super().__init__(WispConfig(), name)
            opened.append(self)

    monkeypatch.setattr(runtimes, "_runtime_cls", lambda config: {"subprocess": Box}[config.type])
    monkeypatch.setattr(loaders, "load_harness", lambda config: WispHarness(HarnessConfig(id="null")))
    return opened


def last(messages):
    return next(message["content"] for message in reversed(messages) if message["role"] == "user")


def echoes(messages):
    """Says what it is asked to say; writes what it is asked to write."""
    asked = last(messages)
    asked = asked if isinstance(asked, str) else asked[-1]["text"]
    if "bash tool" in asked and messages[-1]["role"] == "user":
        return call("bash", command="printf 'hello world' >answer.txt")
    return text("done" if "bash tool" in asked else asked)


@pytest.fixture
async def run_v1(theirs, boxes):
    """Their runner of a whole evaluation, with the script for a model."""
    async with scripted(echoes) as (url, _):
        async def run(taskset, **options):
            records = await theirs["conftest"].run_eval(theirs["conftest"]._eval_config(
                taskset, client=EvalClientConfig(base_url=url, api_key_var="NONE").model_dump(), **options))
            return [trace for record in records for trace in record.traces]

        yield run


async def test_agentic(theirs, run_v1, boxes, tmp_path):
    await theirs["test_e2e"].test_agentic(run_v1, HarnessConfig(id="null"), "subprocess", tmp_path)
    assert len(boxes) == 1 and not await boxes[0].alive()


async def test_user(theirs, run_v1, boxes, tmp_path):
    await theirs["test_e2e"].test_user(run_v1, "subprocess", tmp_path)
    assert len(boxes) == 1


async def test_single_turn(theirs, run_v1, boxes, tmp_path):
    await theirs["test_e2e"].test_single_turn(run_v1, HarnessConfig(id="null"), "subprocess", tmp_path)
    assert len(boxes) == 1


async def test_interaction(theirs, boxes, monkeypatch):
    from types import SimpleNamespace

    import verifiers.v1 as vf

    real = vf.make_agent
    # It names no box, and the default one is a service.
    monkeypatch.setattr(vf, "make_agent", lambda config: real(config.model_copy(update={"runtime": runtimes.SubprocessConfig()})))
    async with scripted(echoes) as (url, _):
        client = EvalClientConfig(base_url=url, api_key_var="NONE")
        await theirs["test_e2e"].test_interaction(SimpleNamespace(model="scripted", client=client, sampling=vf.SamplingConfig(max_tokens=64)))
    assert len(boxes) == 1

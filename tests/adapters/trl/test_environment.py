"""The environment by itself: what the model sees, and what it can do."""

import asyncio
import inspect
import pickle

import pytest
from transformers.utils import get_json_schema

from wisp_sandbox.adapters.trl import WispEnvironment, unless_fault
from wisp_sandbox.rollouts import Limits


class Plain(WispEnvironment):
    limits = Limits(wall=1, memory="128MiB")
    max_output = 100


def environment():
    found = Plain()
    with pytest.raises(RuntimeError, match="reset"):
        found.python("1")
    assert found.reset(prompt="x", anything=1) is None
    return found


def test_the_tools_are_these():
    tools = {name for name, _ in inspect.getmembers(Plain, inspect.isfunction) if not name.startswith("_")}
    assert tools == {"python", "bash", "reset"}
    for name in ("python", "bash"):
        schema = get_json_schema(getattr(environment(), name))["function"]
        assert (schema["name"], len(schema["parameters"]["required"])) == (name, 1)
    # Where a trainer starts processes of its own.
    assert pickle.loads(pickle.dumps(Plain)) is Plain


def test_what_the_model_sees():
    found = environment()
    assert found.python("x = 6; print('hi'); x * 7") == "hi\n42\n"
    assert "ZeroDivisionError" in found.python("1 / 0")
    assert found.bash("echo a; echo b >&2; exit 3") == "a\nb\n[exit code 3]\n"
    long = found.bash("seq 1000")
    assert long.startswith("1\n2\n") and long.endswith("1000\n") and "characters …]" in long and len(long) < 150
    assert "KeyboardInterrupt" in found.python("while True: pass")
    assert found.python("x") == "6\n"
    assert "ended by limits.wall" in found.bash("while :; do :; done")


def test_it_has_what_the_policy_gives_and_no_more(monkeypatch, tmp_path):
    monkeypatch.setenv("TRAINER_KEY", "s3cret")
    (tmp_path / "mine").write_text("s3cret")
    found = environment()
    assert "s3cret" not in found.bash("env")
    assert "No such file" in found.bash(f"cat {tmp_path}/mine")
    assert "denied by wisp" in found.bash("curl -sS http://127.0.0.1:1/ 2>&1 | head -c 90")
    found.bash("echo 1 >own")
    assert found.bash("cat own") == "1\n"


def test_the_box_and_the_event_loop():
    found = environment()

    async def inside():
        found.box.write("a", b"\x00\x01")
        return found.box.read("a"), found.python("6 * 7")

    # A trainer calls tools on its own loop too.
    assert asyncio.run(inside()) == (b"\x00\x01", "42\n")


def test_each_episode_is_new_and_has_another_seed():
    found = environment()
    first = found.box.session
    found.bash("echo 1 >left")
    draw = "import random; random.random()"
    one = found.python(draw)
    found.reset()
    assert (found.bash("cat left").count("No such file"), first.is_open) == (1, False)
    assert found.python(draw) != one and found.box.session.seed != first.seed


def test_scores_of_reward_functions():
    class Spoilt:
        fault = ValueError()

    @unless_fault
    def plain(completions, **_):
        return [1.0 for _ in completions]

    @unless_fault
    async def later(completions, **_):
        return [1.0 for _ in completions]

    assert plain(completions=[1, 2], environments=[Spoilt(), environment()]) == [None, 1.0]
    assert asyncio.run(later(completions=[1, 2], environments=[Spoilt(), environment()])) == [None, 1.0]
    assert plain(completions=[1]) == [1.0] and plain.__name__ == "plain" and inspect.iscoroutinefunction(later)

"""A step of TRL's own GRPO trainer, with a model whose answers are written down."""

import math
from unittest import mock

import pytest

import wisp_sandbox
from kit import call, trainer
from wisp_sandbox import InfraError
from wisp_sandbox.adapters.trl import WispEnvironment, unless_fault

FAULT = InfraError({"code": "host_memory", "fault": "host", "retryable": True, "message": "no memory"})


class Sums(WispEnvironment):
    policy = 'extends = "offline"\n[determinism]\nseed = 1\n'
    setup = ("rows = [1, 2, 3]",)

    def reset(self, **row):
        super().reset(**row)
        return " Put the sum of rows into `answer`."

    def get_reward(self):
        return float(self.box.code("answer").value == "6")


def solve(prompt):
    """Looks with bash, computes with Python, ends."""
    answers = [call("bash", command="echo looking"), call("python", code="answer = sum(rows)\nanswer"), "It is done."]
    return answers[prompt.count("<tool_response>")]


def guess(prompt):
    """Guesses wrong."""
    return "It is 7." if "<tool_response>" in prompt else call("python", code="answer = 7")


def rewards(trained):
    [logged] = [line for line in trained.state.log_history if "reward" in line]
    return logged["reward"], logged.get("rewards/Sums/mean")


def test_a_step_of_training(tmp_path):
    trained = trainer(tmp_path, solve, Sums, ["Go on.", "Please."])
    trained.train()
    assert rewards(trained) == (1.0, 1.0)
    assert "Put the sum of rows" in trained.asked[0]
    assert '"name": "python"' in trained.asked[0] and '"name": "bash"' in trained.asked[0] and "get_reward" not in trained.asked[0]
    assert "<tool_response>\n6" in trained.asked[-1] and "<tool_response>\nlooking" in trained.asked[-1]


def test_a_wrong_answer_gets_nothing(tmp_path):
    trained = trainer(tmp_path, guess, Sums, ["Go on."])
    trained.train()
    assert rewards(trained) == (0.0, 0.0)


def test_episodes_know_nothing_of_each_other(tmp_path):
    seen = []

    class Marks(WispEnvironment):
        def get_reward(self):
            seen.append(self.box.run("cat marks").stdout)
            return 1.0

    trained = trainer(tmp_path, lambda prompt: "done" if "<tool_response>" in prompt else call("bash", command="echo x >>marks"), Marks, ["a", "b"])
    trained.train()
    assert seen == ["x\n"] * 4


class Faults:
    """`run_code` fails by the machine for the code of the model, so many times."""

    def __init__(self, left, of="sum(rows)"):
        self.left, self.of, self.real = left, of, wisp_sandbox.AsyncSandbox.run_code

    def __enter__(self):
        faults = self

        async def run_code(self, code, *words, **more):
            found = await faults.real(self, code, *words, **more)
            if faults.of in code and faults.left:
                faults.left -= 1
                raise FAULT
            return found

        self.patch = mock.patch.object(wisp_sandbox.AsyncSandbox, "run_code", run_code)
        self.patch.start()
        return self

    def __exit__(self, *_):
        self.patch.stop()


class Twice(Sums):
    attempts = 2

    def get_reward(self):
        return float(self.box.code("answer").value == "6")


@unless_fault
def said_so(completions, **_):
    return [0.5 for _ in completions]


def test_a_fault_of_the_host_that_passes_changes_nothing(tmp_path):
    with Faults(2) as faults:
        trained = trainer(tmp_path, solve, Sums, ["Go on."])
        trained.train()
    assert (faults.left, rewards(trained)) == (0, (1.0, 1.0))


def test_a_fault_of_the_host_that_stays_is_no_reward(tmp_path):
    # Of a group of two the first has none, and the other has its own.
    with Faults(2) as faults:
        trained = trainer(tmp_path, solve, Twice, ["Go on."], reward_funcs=[said_so])
        scored = []
        real = trained._calculate_rewards
        trained._calculate_rewards = lambda *words: scored.append(real(*words)) or scored[-1]
        trained.train()
    assert faults.left == 0
    [[spoilt, good]] = [table.tolist() for table in scored]
    assert all(math.isnan(score) for score in spoilt) and good == [0.5, 1.0]
    logged = next(line for line in trained.state.log_history if "reward" in line)
    assert logged["rewards/Twice/mean"] == 1.0


def test_a_fault_while_it_is_scored_or_begins_is_no_reward(tmp_path):
    environment = Twice()
    environment.reset()
    environment.python("answer = 6")
    assert environment.get_reward() == 1.0
    with Faults(2, of="answer"):
        assert environment.get_reward() is None
    assert environment.get_reward() is None and environment.fault is not None
    with mock.patch.object(wisp_sandbox.AsyncSandbox, "fork", side_effect=FAULT):
        environment.reset()
    with pytest.raises(InfraError):
        environment.python("1")
    assert environment.get_reward() is None
    environment.reset()
    assert (environment.fault, environment.python("rows")) == (None, "[1, 2, 3]\n")

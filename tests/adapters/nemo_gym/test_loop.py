"""mini-swe-agent as NeMo Gym runs it, with a model that has its answers written down."""

import pytest
from responses_api_agents.mini_swe_agent_2.sandbox_environment import MiniSWESandboxEnvironment, Submitted

ANSWERS = [
    "ls",
    "sed -i 's/a - b/a + b/' sums.py",
    "python3 test_sums.py",
    "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; cat sums.py",
]
TEST = "from sums import add\nassert add(2, 2) == 4\nassert add(2, 3) == 5\nprint('good')\n"


def episode(answers):
    """The agent's loop: commands until one submits. Returns what it saw, what it submitted, and the reward that a test in the sandbox gives."""
    environment = MiniSWESandboxEnvironment(
        image="wisp",
        cwd="/workspace",
        user=None,
        provider={"wisp": {}},
        spec={"files": {"/workspace/sums.py": "def add(a, b):\n    return a - b\n", "/workspace/test_sums.py": TEST}},
    )
    seen = []
    with environment:
        try:
            for answer in answers:
                seen.append(environment.execute({"command": answer}))
        except Submitted as submitted:
            [message] = submitted.messages
            test = environment.execute("python3 test_sums.py", is_eval=True)
            return seen, message["extra"]["submission"], 1.0 if test["returncode"] == 0 else 0.0
        finally:
            environment.cleanup()
    raise AssertionError(seen)


def test_an_episode_of_mini_swe_agent():
    seen, submitted, reward = episode(ANSWERS)
    assert [each["returncode"] for each in seen] == [0, 0, 0]
    assert (seen[0]["output"], seen[2]["output"]) == ("sums.py\ntest_sums.py\n", "good\n")
    assert (submitted, reward) == ("def add(a, b):\n    return a + b\n", 1.0)


def test_one_that_does_not_solve_it_gets_nothing():
    seen, _, reward = episode(["python3 test_sums.py", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"])
    assert (seen[0]["returncode"], reward) == (1, 0.0)


def test_an_image_is_refused_where_the_agent_starts():
    with pytest.raises(Exception, match="container images"):
        MiniSWESandboxEnvironment(image="swebench/sweb.eval:latest", provider={"wisp": {}})

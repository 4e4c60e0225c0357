"""NeMo Gym's own tests of the agent that lives on its sandboxes: they come in its wheel."""

from responses_api_agents.mini_swe_agent_2.tests.test_sandbox_environment import *  # noqa: F403

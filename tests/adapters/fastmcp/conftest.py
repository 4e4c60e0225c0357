"""The engine of all tests here."""

import pytest

from wisp_sandbox import Engine


@pytest.fixture(autouse=True, scope="session")
def warm():
    """The first time on a machine the engine compiles for seconds, which are no test's."""
    Engine.default().warm()

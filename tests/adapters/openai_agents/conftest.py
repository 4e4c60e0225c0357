"""What the SDK's tests find around them, and how many of them ran in a sandbox."""

import _suite  # noqa: F401  finds the SDK's tests
import pytest
from tests.conftest import (  # noqa: F401
    clear_default_runner,
    clear_openai_settings,
    clear_span_processor,
    disable_real_model_clients,
    ensure_openai_api_key,
    setup_span_processor,
)

from wisp_sandbox import _requests

OPENED = {"sandboxes": 0}
RAN = {"suite": 0, "in a sandbox": 0}


@pytest.fixture(autouse=True, scope="session")
def counted():
    """Counts sandboxes."""
    original = _requests.open_session

    def open_session(*arguments):
        OPENED["sandboxes"] += 1
        return original(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_requests, "open_session", open_session)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Notes whether a test of the SDK has opened a sandbox."""
    before = OPENED["sandboxes"]
    try:
        return (yield)
    finally:
        if item.path.name.startswith("test_suite"):
            RAN["suite"] += 1
            RAN["in a sandbox"] += OPENED["sandboxes"] > before


def pytest_terminal_summary(terminalreporter):
    """Says how many of the SDK's tests ran in a sandbox: the others are about the SDK alone."""
    terminalreporter.write_line(f"of {RAN['suite']} tests of the SDK, {RAN['in a sandbox']} ran in a sandbox")


@pytest.fixture(autouse=True)
def snapshots_of_the_test(tmp_path_factory, monkeypatch):
    """Has the SDK's snapshots in a folder of the tests, and not in that of the user."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / "state"))

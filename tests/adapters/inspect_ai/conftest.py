"""Sandboxes of a task, as Inspect opens and closes them."""

import contextlib

import pytest

from wisp_sandbox.adapters.inspect_ai import WispSandboxEnvironment


@contextlib.asynccontextmanager
async def opened(config=None):
    environments = await WispSandboxEnvironment.sample_init("task", config, {})
    try:
        yield environments
    finally:
        await WispSandboxEnvironment.sample_cleanup("task", config, environments, False)


@pytest.fixture
async def sandbox_env():
    async with opened() as environments:
        yield environments["default"]


@pytest.fixture
def environments():
    return opened


@pytest.fixture(autouse=True)
def tokens(monkeypatch):
    """Inspect counts the tokens of a scripted model by a table that it would download."""
    monkeypatch.setattr("inspect_ai.model._model.count_text_tokens", lambda text: len(text.split()))

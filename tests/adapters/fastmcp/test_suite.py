"""FastMCP's own tests of code mode, with wisp's provider in place of Monty's, and of the one that they have for themselves."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest
from fastmcp.experimental.transforms import code_mode

from wisp_sandbox.adapters.fastmcp import WispSandboxProvider

SOURCES = Path(os.environ["WISP_ADAPTER_SOURCES"])
MODULES = ("test_code_mode", "test_code_mode_discovery", "test_code_mode_search_limits", "test_monty_callback_lifecycle")
PROVIDERS = ("MontySandboxProvider", "_UnsafeTestSandboxProvider")


def loaded(name):
    """A module of their tests, in which wisp's provider has the names of the others."""
    (path,) = SOURCES.glob(f"fastmcp-*/tests/experimental/transforms/{name}.py")
    spec = importlib.util.spec_from_file_location(f"fastmcp_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for provider in PROVIDERS:
        if hasattr(module, provider):
            setattr(module, provider, WispSandboxProvider)
    return module


# What `CodeMode()` takes by itself.
code_mode.MontySandboxProvider = WispSandboxProvider
for module in map(loaded, MODULES):
    for name, found in vars(module).items():
        if name.startswith("test_"):
            assert name not in globals(), name
            globals()[name] = found


@pytest.fixture(autouse=True, scope="module")
def no_other_provider():
    """Nothing that runs here is Monty's."""
    yield
    assert "pydantic_monty" not in sys.modules

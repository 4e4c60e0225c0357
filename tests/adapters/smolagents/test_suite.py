"""smolagents' own tests of its executors in containers, over wisp's. They come in its source distribution, without two helpers of theirs."""

import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from wisp_sandbox.adapters.smolagents import WispExecutor


def theirs():
    """Their module; what it imports beside smolagents is for other executors."""
    [path] = Path(os.environ["WISP_ADAPTER_SOURCES"]).glob("smolagents-*/tests/test_remote_executors.py")
    markers = ModuleType("theirs.utils.markers")
    markers.require_run_all = lambda tests: tests
    beside = {"docker": ModuleType("docker"), "theirs": ModuleType("theirs"), "theirs.utils": ModuleType("theirs.utils"), markers.__name__: markers}
    beside["theirs"].__path__ = beside["theirs.utils"].__path__ = []
    sys.modules.update({name: module for name, module in beside.items() if name not in sys.modules})
    spec = importlib.util.spec_from_file_location("theirs.test_remote_executors", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TestWisp(theirs().CommonDockerExecutorIntegration):
    @pytest.fixture
    def custom_executor(self):
        executor = WispExecutor()
        yield executor
        executor.delete()

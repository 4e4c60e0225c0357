"""Strands' own tests of sandboxes, with wisp's in place of its local ones. They come in its source distribution.

They make files beside the sandbox too, in the test's folder: so a sandbox has pytest's folder, with the access `write`.
"""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

from wisp_sandbox import Mount, Sandbox
from wisp_sandbox.adapters.strands import WispSandbox

OPENED = []


class Local(WispSandbox):
    """What stands in for a sandbox on the machine itself: one of wisp's that has the tests' folder."""

    def __init__(self, working_dir=None):
        folder = str(OPENED[0])
        super().__init__(Sandbox.create(mounts=[Mount(folder, folder, "write")]), cwd=working_dir)
        OPENED.append(self)


@pytest.fixture(autouse=True)
def folder(tmp_path):
    """The folder of the test. Its sandboxes are closed after it."""
    OPENED[:] = [tmp_path]
    yield
    for sandbox in OPENED[1:]:
        sandbox.close()


def tests(path, *names):
    """The tests of a file, and its fixtures, with `Local` for what has these names."""
    [file] = Path(os.environ["WISP_ADAPTER_SOURCES"]).glob(f"strands_agents-*/tests/strands/{path}")
    spec = importlib.util.spec_from_file_location(f"theirs_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for name in names:
        assert hasattr(module, name), name
        setattr(module, name, Local)
    return {name: value for name, value in vars(module).items() if name.startswith(("test_", "Test")) or is_fixture(value)} | {"folder": folder}


def is_fixture(value):
    return type(value).__name__ == "FixtureFunctionDefinition"

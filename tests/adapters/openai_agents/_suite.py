"""Binds the SDK's tests to wisp: modules of its source distribution, with doubles of ours in place of its own."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path

import pytest

FOLDER = next(Path(os.environ["WISP_ADAPTER_SOURCES"]).glob("openai_agents-*"))
if str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))
    pytest.register_assert_rewrite("tests.sandbox", "tests.utils")


def bind(name, namespace, replace=None, leave=None, every=True, **swaps):
    """Puts the tests of `tests.sandbox.NAME` into a module of ours, and returns theirs.

    `swaps`: what a name of their module is instead. `replace`: texts of their source and what stands there instead. Each must be there: what the
    SDK's next version changes is seen. `leave`: says of the name of a test whether it is left out. Without
    `every`, only those tests are taken that name something of `swaps`: in their code, and not in a function that they call.
    """
    full = f"tests.sandbox.{name}"
    module = importlib.import_module(full) if replace is None else rewritten(full, replace)
    for swapped, instead in swaps.items():
        assert swapped in vars(module), f"{full} has no `{swapped}`"
        setattr(module, swapped, instead)
    for known, value in vars(module).items():
        taken = is_test(known, value) and not (leave and leave(known)) and (every or names(value.__code__) & set(swaps))
        if known == "pytestmark" or taken:
            namespace[known] = value
    return module


def rewritten(name, replace):
    """Imports a module with other texts in its source."""
    spec = importlib.util.find_spec(name)
    source = Path(spec.origin).read_text()
    for old, new in replace.items():
        assert old in source, f"{name} has no `{old}`"
        source = source.replace(old, new)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(source, spec.origin, "exec"), module.__dict__)
    return module


def names(code):
    """The names that a function and those in it use."""
    return set(code.co_names).union(*(names(inner) for inner in code.co_consts if hasattr(inner, "co_names")))


def is_test(name, value):
    """Whether pytest would collect it."""
    if isinstance(value, type):
        return name.startswith("Test") and any(known.startswith("test_") for known in vars(value))
    return name.startswith("test_") and callable(value)

"""Run one file of the tests that a package ships, by pytest, and tell the runner about each test as it goes.

    python3 one_file.py ROOT FILE [PYTEST-OPTION…]

ROOT holds the tests as they lie in the packages: ROOT/numpy/_core/tests/test_umath.py. A line of standard output that begins
with the mark is a JSON list: `[id]` when a test starts, `[id, outcome, seconds, message]` when it has ended, `["", status]` at
the end. What pytest and the tests print goes to standard error.
"""

import importlib
import json
import os
import sys
import types

MARK = "\x1e"


def attach(root):
    """Let the packages, which are installed without tests, find them below `root`."""
    found = {}
    for folder, folders, _ in os.walk(root):
        if folder != root:
            found[folder] = importlib.import_module(os.path.relpath(folder, root).replace(os.sep, "."))
        folders[:] = sorted(name for name in folders if name not in ("tests", "__pycache__"))
    for folder, package in found.items():
        beside = os.path.isdir(os.path.join(package.__path__[0], "tests"))  # a Python of the machine has its own
        package.__path__.insert(0 if beside else len(package.__path__), folder)


class Absent:
    """Stand in for what a C module would have: the test that calls it is skipped."""

    def __init__(self, *_, **__):
        import pytest

        if Lines.open:  # while a file is imported, such a call makes a parameter
            pytest.skip(needs(type(self)))


def needs(kind):
    """Give the reason why a test is skipped."""
    return f"needs `{kind.__name__}` of a C module that only numpy's tests need"


def absent(name):
    """Answer for an attribute of such a module."""
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (Absent,), {})


def stand_ins():
    """Let tests import numpy's C modules for tests where they are not there, so that the others of their file run."""
    for name in ("_multiarray_tests", "_umath_tests", "_rational_tests", "_operand_flag_tests", "_struct_ufunc_tests"):
        try:
            importlib.import_module(f"numpy._core.{name}")
        except ImportError:
            module = types.ModuleType(f"numpy._core.{name}")
            module.__getattr__ = absent
            module.get_fpu_mode = lambda: 0
            sys.modules[module.__name__] = module
            setattr(sys.modules["numpy._core"], name, module)


class Lines:
    """A plugin of pytest that writes the lines."""

    open = {}  # the tests that have started and not ended

    def __init__(self, out):
        self.out = out

    def say(self, *values):
        """Write one line, at once: the process may die in the next test."""
        self.out.write(f"\n{MARK}{json.dumps(values)}\n")
        self.out.flush()

    def pytest_collection(self, session):
        """Let hypothesis choose the same examples in each run, and as many seconds as it needs."""
        try:
            import hypothesis
        except ImportError:
            return
        hypothesis.settings.register_profile(
            "wisp", derandomize=True, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
        )
        hypothesis.settings.load_profile("wisp")

    def pytest_collection_modifyitems(self, items):
        """Skip what has a stand-in as a parameter."""
        import pytest

        for item in items:
            values = item.callspec.params.values() if hasattr(item, "callspec") else ()
            for value in values:
                kind = value if isinstance(value, type) else type(value)
                if issubclass(kind, Absent):
                    item.add_marker(pytest.mark.skip(needs(kind)))

    def pytest_collectreport(self, report):
        """Count a file that cannot be imported as a failed test."""
        if report.failed:
            self.say(f"{report.nodeid}::(collection)", "failed", 0, message(report))
        elif report.skipped:
            self.say(f"{report.nodeid}::(collection)", "skipped", 0, message(report))

    def pytest_deselected(self, items):
        """Tell which tests the options leave out."""
        for item in items:
            self.say(item.nodeid, "deselected", 0, "")

    def pytest_runtest_logstart(self, nodeid, location):
        """Name the test, in case the process dies in it."""
        self.say(nodeid)
        self.open[nodeid] = ["passed", 0, ""]

    def pytest_runtest_logreport(self, report):
        """Add up what setup, call and teardown say."""
        state = self.open[report.nodeid]
        state[1] += report.duration
        if report.failed:
            state[0], state[2] = "failed", message(report)
        elif report.skipped and state[0] == "passed":
            state[0], state[2] = "skipped", message(report)
        if report.when == "teardown":
            del self.open[report.nodeid]
            self.say(report.nodeid, state[0], round(state[1], 3), state[2])


def message(report):
    """What went wrong, in one line."""
    found = report.longrepr
    if isinstance(found, tuple):
        text = found[2]
    elif getattr(found, "reprcrash", None) is not None:
        text = found.reprcrash.message
    else:
        text = str(found).strip().rpartition("\n")[2]
    return " ".join(text.split())[:300] or getattr(report, "wasxfail", "")


def main():
    """Run the file that the command line names."""
    root, file, *options = sys.argv[1:]
    lines = Lines(sys.stdout)
    sys.stdout = sys.stderr
    sys.dont_write_bytecode = True
    os.environ["PY_COLORS"] = "0"
    attach(root)
    stand_ins()
    import pytest

    options += ["-p", "no:cacheprovider", "--rootdir", root, "--confcutdir", root, "--import-mode=append"]
    options += ["--capture=sys", "--assert=plain", "--tb=short", "-q"]
    # What the packages' own `test()` leaves out; files of data are not in the wheels.
    options += ["-m", "not slow and not network and not db and not single_cpu"]
    if file.startswith("pandas/"):
        options += ["--no-strict-data-files"]
    lines.say("", int(pytest.main([os.path.join(root, file), *options], plugins=[lines])))


if __name__ == "__main__":
    main()

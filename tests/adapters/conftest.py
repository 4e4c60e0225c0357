"""What the tests of all adapters have alike: failures that are expected, no network, and a report for `toolchain/adapters`.

`expected-failures.txt` beside the tests has a line for each test that fails or is skipped: `test_suite.py::Class::test — reason`. A test that is
listed and passes fails the run, and so does a skip without a line, and a line without a test. Tests of others stand in files `test_suite*.py`.
"""

import ipaddress
import json
import os
import socket
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MARK = " — "
COUNTS = ("passed", "failed", "expected")


def test_id(item):
    """The name of a test as `expected-failures.txt` has it: without the adapter's folder."""
    return item.nodeid.partition("/")[2]


def listed(folder):
    """The tests that are expected to fail, with their reasons."""
    path = folder / "expected-failures.txt"
    lines = path.read_text().splitlines() if path.is_file() else []
    found = {}
    for line in filter(lambda line: line and not line.startswith("#"), lines):
        name, mark, reason = line.partition(MARK)
        if not mark or not reason or name in found:
            raise pytest.UsageError(f"{path}: `{line}`: a line is `test id{MARK}reason`, once for each test")
        found[name] = reason
    return found


class Record:
    """What was listed, and what came out."""

    def __init__(self, config):
        folders = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
        folders = {folder if folder.is_dir() else folder.parent for folder in folders}
        self.expected = {name: reason for folder in folders for name, reason in listed(folder).items()}
        self.found, self.outcomes = set(), {}
        # With options that choose among tests, a line may well have none.
        self.whole = not (config.option.keyword or config.option.markexpr or "::" in "".join(config.args))


def pytest_configure(config):
    """Reads the list."""
    config.stash[RECORD] = Record(config)


RECORD = pytest.StashKey()


def pytest_collection_modifyitems(config, items):
    """Marks the tests that are listed."""
    record = config.stash[RECORD]
    for item in items:
        name = test_id(item)
        record.found.add(name)
        if name in record.expected:
            item.add_marker(pytest.mark.xfail(reason=record.expected[name], strict=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Makes a skip without a line a failure, and remembers how each test came out."""
    report = yield
    record, name = item.config.stash[RECORD], test_id(item)
    if report.skipped and name not in record.expected:
        report.outcome = "failed"
        report.longrepr = f"skipped, without a line in expected-failures.txt: {report.longrepr}"
        if hasattr(report, "wasxfail"):
            del report.wasxfail
    outcome = "failed" if report.failed else "expected" if report.skipped else "passed"
    before = record.outcomes.get(name, "passed")
    record.outcomes[name] = max(before, outcome, key=("passed", "expected", "failed").index)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Makes a file that is skipped as a whole a failure, and one of the suites of others that has no test: neither has a test that could be listed."""
    report = yield
    nothing = isinstance(collector, pytest.Module) and collector.path.name.startswith("test_suite") and report.passed and not report.result
    if report.skipped or nothing:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} is skipped as a whole: {report.longrepr}" if report.longrepr else f"{collector.nodeid} has no test"
        report.result = []
    return report


def pytest_sessionfinish(session, exitstatus):
    """Writes the report; a line without a test fails the run."""
    record = session.config.stash[RECORD]
    missing = sorted(set(record.expected) - record.found) if record.whole else []
    for name in missing:
        print(f"\nexpected-failures.txt: there is no test `{name}`")
    if missing:
        session.exitstatus = 1
    counts = {part: dict.fromkeys(COUNTS, 0) for part in ("suite", "own")}
    for name, outcome in record.outcomes.items():
        counts["suite" if name.startswith("test_suite") else "own"][outcome] += 1
    if path := os.environ.get("WISP_ADAPTER_REPORT"):
        Path(path).write_text(json.dumps(counts))


def is_local(address):
    """Whether a socket's address is on this machine: a path, or a loopback address."""
    if not isinstance(address, tuple):
        return True
    try:
        return ipaddress.ip_address(address[0]).is_loopback
    except ValueError:
        return address[0] == "localhost"


def refused(kind):
    """A function of sockets that reaches this machine only."""
    original = getattr(socket.socket, kind)

    def only_local(self, address, *rest):
        if not is_local(address):
            raise OSError(f"tests of adapters reach no network, and this one asks for {address}")
        return original(self, address, *rest)

    return only_local


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Nothing in these processes reaches a network; wisp's own requests would be the policy's business."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("connect", "connect_ex"):
            patch.setattr(socket.socket, kind, refused(kind))
        yield


@pytest.fixture(scope="session")
def sources():
    """The folder with the unpacked source distributions of `sources.txt`."""
    return Path(os.environ["WISP_ADAPTER_SOURCES"])

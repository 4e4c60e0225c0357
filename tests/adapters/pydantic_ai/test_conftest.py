"""What the tests of all adapters have alike (`conftest.py`): each way in which a test does not run, or comes out otherwise than listed, fails."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
PASSES = "def test_a():\n    pass\n"
FAILS = "def test_a():\n    assert False\n"
SKIPS = "import pytest\n@pytest.mark.skip\ndef test_a():\n    pass\n"
LINE = "test_suite.py::test_a — for this test\n"


@pytest.mark.parametrize(("suite", "line", "good"), [
    (PASSES, "", True), (FAILS, LINE, True), (SKIPS, LINE, True),
    (FAILS, "", False), (SKIPS, "", False), (PASSES, LINE, False),
    (PASSES, "test_suite.py::test_b — for this test\n", False),
    (f"import pytest\n@pytest.mark.xfail\n{FAILS}", "", False),
    (f"import pytest\npytest.importorskip('there_is_none')\n{PASSES}", "", False),
    ("x = 1\n", "", False),
])
def test_a_run_is_good_if_all_comes_out_as_listed(tmp_path, suite, line, good):
    folder = tmp_path / "adapter"
    folder.mkdir()
    shutil.copy(CONFTEST, tmp_path)
    (folder / "test_suite.py").write_text(suite)
    (folder / "test_own.py").write_text(PASSES)
    (folder / "expected-failures.txt").write_text(line)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, "--confcutdir", tmp_path, folder]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, done.stdout + done.stderr

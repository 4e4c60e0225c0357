# A small project and its tests, as an agent writes and runs them.
mkdir -p project/tests && cd project
cat > prices.py <<'EOF'
def total(items, tax=0.0):
    if tax < 0:
        raise ValueError("tax must not be negative")
    return sum(price for _, price in items) * (1 + tax)
EOF
cat > tests/conftest.py <<'EOF'
import pytest

@pytest.fixture
def items():
    return [("tea", 2), ("milk", 3)]
EOF
cat > tests/test_prices.py <<'EOF'
import logging
import os
import subprocess
import sys
import warnings

import pytest
from hypothesis import given, settings, strategies as st

from prices import total

def test_total(items):
    assert total(items) == 5

@pytest.mark.parametrize("tax, expected", [(0, 5), (0.2, 6), (1, 10)])
def test_tax(items, tax, expected):
    assert total(items, tax) == pytest.approx(expected)

def test_wrong():
    with pytest.raises(ValueError, match="negative"):
        total([], -1)

def test_files(tmp_path, monkeypatch, capsys, caplog):
    (tmp_path / "a").write_text("x")
    monkeypatch.setenv("COLOUR", "blue")
    monkeypatch.chdir(tmp_path)
    print(os.environ["COLOUR"], open("a").read())
    logging.getLogger().warning("careful")
    assert capsys.readouterr().out == "blue x\n" and caplog.messages == ["careful"]

def test_process(capfd):
    subprocess.run([sys.executable, "-c", "print('from the child')"], check=True)
    assert "child" in capfd.readouterr().out

@pytest.mark.skip(reason="not today")
def test_skipped():
    assert False

@pytest.mark.xfail
def test_expected_failure():
    assert 1 == 2

def test_warns():
    with pytest.warns(UserWarning):
        warnings.warn("so", UserWarning)

class TestGroup:
    @pytest.fixture(autouse=True)
    def prepare(self):
        self.n = 1
        yield
    def test_inside(self):
        assert self.n == 1

@settings(database=None, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.text(), st.integers(0, 100))))
def test_property(items):
    assert total(items) >= 0
EOF
cat > pyproject.toml <<'EOF'
[tool.pytest.ini_options]
pythonpath = ["."]
testpaths = ["tests"]
addopts = "-p no:cacheprovider"
EOF
clean() { sed -E 's/ in [0-9.]+s( =+)?/ in N s/'; }
python3 -m pytest -q 2>&1 | clean
echo "status ${PIPESTATUS[0]}"
pytest -v -k "tax or inside" 2>&1 | grep -E 'PASSED|passed' | clean
cat > tests/test_fails.py <<'EOF'
from prices import total

def test_fails(items):
    expected = {"sum": 6, "items": items}
    assert {"sum": total(items), "items": items} == expected
EOF
pytest -q tests/test_fails.py 2>&1 | clean
echo "status ${PIPESTATUS[0]}"
pytest --collect-only -q tests/test_prices.py 2>&1 | clean
pytest -q --junitxml=out.xml tests/test_prices.py > /dev/null; python3 -c 'import xml.etree.ElementTree as e; print(e.parse("out.xml").getroot()[0].get("tests"))'
pytest nothing.py 2>&1 | tail -n 2 | clean; echo "status ${PIPESTATUS[0]}"
python3 -m unittest -q 2>&1 | tail -n 1
cat > tests/test_unit.py <<'EOF'
import unittest

class Case(unittest.TestCase):
    def test_sub(self):
        for n in range(2):
            with self.subTest(n=n):
                self.assertLess(n, 5)
EOF
py.test -q tests/test_unit.py 2>&1 | clean
cat > finds.py <<'EOF'
from hypothesis import given, settings, strategies as st

@settings(database=None, derandomize=True, deadline=None)
@given(st.integers())
def check(n):
    assert n < 1000

check()
EOF
python3 finds.py 2>&1 | tail -n 4

"""What can be said of adapters without their frameworks: how they refuse, and that all that belongs to each is there."""

import ast
import importlib
import importlib.metadata
import importlib.util
import re
import subprocess
import sys
import unittest
from pathlib import Path

import wisp_sandbox

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ADAPTERS = Path(wisp_sandbox.__file__).parent / "adapters"
# Those that stand on nothing that is not the package's.
WITHOUT_FRAMEWORK = set()


def names():
    """The adapters of the package."""
    found = {path.stem for path in ADAPTERS.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    return sorted(name for name in found if not name.startswith("_"))


class WithoutFrameworks(unittest.TestCase):
    def test_there_are_adapters_and_each_has_tests_a_page_and_an_extra(self):
        self.assertGreater(len(names()), 0)
        summary = (ROOT / "docs/src/SUMMARY.md").read_text()
        project = (ROOT / "host/python/pyproject.toml").read_text()
        readme = (ROOT / "README.md").read_text()
        for name in names():
            with self.subTest(name):
                self.assertTrue(f"(adapters/{name}.md)" in summary, "SUMMARY.md has its page")
                self.assertTrue(f"docs/src/adapters/{name}.md" in readme, "README.md leads to its page")
                page = (ROOT / f"docs/src/adapters/{name}.md").read_text()
                tests = {path.name for path in (HERE / name).iterdir()}
                self.assertLessEqual({"requirements.in", "requirements.txt", "test_page.py"}, tests)
                if name not in WITHOUT_FRAMEWORK:
                    extra = name.replace("_", "-")
                    self.assertRegex(project, rf'(?m)^{re.escape(extra)} = \[".+>=.+<.+"\]')
                    self.assertTrue(f'pip install "wisp-sandbox[{extra}]"' in page, "its page says how to install it")

    def test_the_tests_are_of_adapters_that_there_are(self):
        tested = {path.parent.name for path in HERE.glob("*/requirements.in")}
        self.assertEqual(tested, set(names()))

    def test_without_its_framework_an_adapter_says_what_to_install(self):
        for name in set(names()) - WITHOUT_FRAMEWORK:
            with self.subTest(name):
                if framework_is_here(name):
                    continue
                with self.assertRaises(ImportError) as caught:
                    importlib.import_module(f"wisp_sandbox.adapters.{name}")
                self.assertIn(f'pip install "wisp-sandbox[{name.replace("_", "-")}]"', str(caught.exception))

    def test_the_package_itself_imports_no_adapter(self):
        program = "import sys, wisp_sandbox; print([name for name in sys.modules if name.startswith('wisp_sandbox.adapters')])"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "[]\n")

    def test_entry_points_lead_to_what_there_is(self):
        for point in importlib.metadata.distribution("wisp-sandbox").entry_points:
            if point.module.startswith("wisp_sandbox.adapters"):
                with self.subTest(point.name):
                    spec = ADAPTERS.joinpath(*point.module.split(".")[2:])
                    path = spec / "__init__.py" if spec.is_dir() else spec.with_suffix(".py")
                    self.assertTrue(path.is_file(), point.value)
                    self.assertTrue(not point.attr or point.attr in defined(path), point.value)

    def test_every_pin_has_its_hashes(self):
        for name in names():
            text = (HERE / name / "requirements.txt").read_text().replace("\\\n", " ")
            pins = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
            self.assertGreater(len(pins), 0, name)
            for pin in pins:
                self.assertRegex(pin, r"^\S+==\S+ .*--hash=sha256:[0-9a-f]{64}")

    def test_what_is_expected_to_fail_has_a_reason(self):
        for name in names():
            path = HERE / name / "expected-failures.txt"
            for line in path.read_text().splitlines() if path.is_file() else []:
                self.assertRegex(line, r"^(#.*|\S+::.+ — .{10,})?$")

    def test_what_is_public_has_a_docstring(self):
        for path in ADAPTERS.rglob("*.py"):
            with self.subTest(path.name):
                for node in ast.walk(ast.parse(path.read_text())):
                    if isinstance(node, (ast.Module, ast.ClassDef)) and not getattr(node, "name", "").startswith("_"):
                        self.assertIsNotNone(ast.get_docstring(node), getattr(node, "name", path.name))


def framework_is_here(name):
    """Whether the module can be imported: this Python has its framework."""
    try:
        importlib.import_module(f"wisp_sandbox.adapters.{name}")
    except ImportError:
        return False
    return True


def defined(path):
    """The names that a file defines or imports at its outermost level."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return found


if __name__ == "__main__":
    unittest.main()

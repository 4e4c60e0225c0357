"""What is said about a package that is missing: pip is named for what pip can install, and for nothing else."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import fake_host

fake_host.install()

from _wisp import advice  # noqa: E402


class Advice(unittest.TestCase):
    """The tables, and the sentences made from them."""

    def test_no_package_is_in_two_tables(self):
        """What pip can install is not said to have native code."""
        pure = advice._PURE | advice.WHEELS.keys()
        self.assertEqual(pure & (advice.NATIVE.keys() | advice.IN_VAIN.keys()), set())
        self.assertEqual(advice.NATIVE.keys() & advice.IN_VAIN.keys(), set())
        self.assertLessEqual(advice.PURE_INSTEAD.keys(), pure)

    def test_pure_packages(self):
        """They are to be installed; an alternative for where they cannot be comes second."""
        self.assertRegex(advice.about("plotly.graph_objects"), r"^plotly is pure Python but not here: `pip install plotly` .*; or write a chart as SVG")
        self.assertIn("`pip install python-dotenv`", advice.about("dotenv"))
        for name in ("plotly", "redis", "uvicorn"):
            self.assertIsNone(advice.about_package(name), name)
            self.assertNotIn(name, advice.native_packages())

    def test_other_packages(self):
        """Native code, a purpose that cannot be met, and what nothing is known about."""
        self.assertIn("native code cannot be added", advice.about("numpy.linalg"))
        self.assertIn("pydantic-core cannot be installed, for native code", advice.about_package("pydantic-core"))
        self.assertRegex(advice.about("redis"), "^redis is not here, and would be of no use: it connects to a server")
        self.assertIsNone(advice.about("no_such_module"))


if __name__ == "__main__":
    unittest.main()

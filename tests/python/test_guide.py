"""The guide's chapter about Python, and the package's README: what they show is run, from top to bottom, and prints what they say."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

from kit import ROOT

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Guide(unittest.TestCase):
    def prints_what_it_says(self, path, begin="", end=None):
        """Runs the blocks of a document, or of a part of it, in one namespace: how many there are."""
        names, printed, ran = {"__name__": "guide"}, "", 0
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        Path(folder.name, "data").mkdir()
        Path(folder.name, "data/fruit.txt").write_text("pear\napple\npear\nfig\n")
        self.addCleanup(os.chdir, Path.cwd())
        os.chdir(folder.name)
        document = (ROOT / path).read_text()
        document = document[document.index(begin):]
        for language, text in BLOCK.findall(document[:document.index(end)] if end else document):
            if language == "python":
                self.assertEqual(printed, "", "what a block prints stands below it, in a block of `text`")
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(text, path, "exec"), names)
                printed, ran = out.getvalue(), ran + 1
            elif language == "text":
                self.assertEqual(printed, text)
                printed = ""
        self.assertEqual(printed, "")
        return ran

    def test_the_chapter(self):
        self.assertGreaterEqual(self.prints_what_it_says("docs/src/python.md"), 8)

    def test_the_chapter_about_rollouts(self):
        self.assertEqual(self.prints_what_it_says("docs/src/rollouts.md"), 4)

    def test_the_packages_readme(self):
        self.assertEqual(self.prints_what_it_says("host/python/README.md"), 1)

    def test_the_front_door(self):
        self.assertEqual(self.prints_what_it_says("README.md", "<!-- test: python -->", "<img"), 1)
        # Its picture is the one that the sandbox draws.
        self.assertEqual(Path("fruit.svg").read_bytes(), (ROOT / "docs/fruit.svg").read_bytes())

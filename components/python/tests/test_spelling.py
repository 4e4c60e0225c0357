"""Names that are not UTF-8: as `host/spelling` spells them."""

import importlib.util
import os
import pathlib
import unittest

_PATH = pathlib.Path(__file__).parents[1] / "_wisp" / "spelling.py"
_SPEC = importlib.util.spec_from_file_location("spelling", _PATH)
spelling = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(spelling)


class Spelling(unittest.TestCase):
    """`spelling.spell` and `spelling.read`."""

    def test_each_name_has_one_text(self):
        """Bytes, a text of `os`, and its spelling."""
        for name, text in (
            (b"", ""),
            (b"plain/.txt", "plain/.txt"),
            ("é日\uf77f\uf800".encode(), "é日\uf77f\uf800"),
            (b"caf\xe9.txt", "caf\uf7e9.txt"),
            (b"\xff\xfe/a", "\uf7ff\uf7fe/a"),
            (b"\xc0\xaf", "\uf7c0\uf7af"),
            (b"\xed\xa0\x80", "\uf7ed\uf7a0\uf780"),
            (b"\xf4\x90\x80\x80", "\uf7f4\uf790\uf780\uf780"),
            (b"\xe2\x82A", "\uf7e2\uf782A"),
            (b"\xc3\xa9\xc3", "é\uf7c3"),
            ("\uf780".encode(), "\uf7ef\uf79e\uf780"),
            ("\uf7ff".encode(), "\uf7ef\uf79f\uf7bf"),
        ):
            self.assertEqual(spelling.spell(name), text)
            self.assertEqual(spelling.spell(os.fsdecode(name)), text)
            self.assertEqual(spelling.read(text), os.fsdecode(name))

    def test_surrogates_that_are_utf_8_together_are_a_character(self):
        """As for every function of `os`."""
        self.assertEqual(spelling.spell("caf\udcc3\udca9"), "café")
        self.assertEqual(spelling.spell(pathlib.Path("a\udce9")), "a\uf7e9")

    def test_names_that_are_spelled_already_stay(self):
        """As in the data image."""
        spelling.as_spelled = True
        self.addCleanup(setattr, spelling, "as_spelled", False)
        self.assertEqual(spelling.spell("caf\uf7e9"), "caf\uf7e9")
        self.assertEqual(spelling.read("caf\uf7e9"), "caf\uf7e9")
        self.assertEqual(spelling.spell(b"caf\xe9"), "caf\uf7e9")

    def test_other_surrogates_are_no_name(self):
        """They stand for no byte."""
        with self.assertRaises(UnicodeEncodeError):
            spelling.spell("a\ud800")
        with self.assertRaises(TypeError):
            spelling.spell(1)


if __name__ == "__main__":
    unittest.main()

"""The guide's notebook: its cells show what it has. `toolchain/just python --tools` runs it in a kernel, and compares every form."""

import unittest

import notebook


class Notebook(unittest.TestCase):
    def test_its_cells_show_what_it_says(self):
        namespace, ran = notebook.Namespace(), 0
        self.addCleanup(namespace.close)
        for cell in notebook.code_cells(notebook.read()):
            with self.subTest(cell["id"]):
                self.assertEqual(notebook.shown(namespace.run("".join(cell["source"]))), notebook.shown(cell["outputs"]))
                ran += 1
        self.assertGreaterEqual(ran, 8)

    def test_it_is_a_whole_notebook(self):
        whole = notebook.read()
        self.assertEqual((whole["nbformat"], whole["nbformat_minor"]), (4, 5))
        ids = [cell["id"] for cell in whole["cells"]]
        self.assertEqual(len(ids), len(set(ids)))
        # It was run once, from top to bottom.
        self.assertEqual([cell["execution_count"] for cell in notebook.code_cells(whole)], list(range(1, len(notebook.code_cells(whole)) + 1)))

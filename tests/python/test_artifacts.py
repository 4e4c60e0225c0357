"""The files of the output directory."""

import hashlib
import unittest

from kit import WithSandbox
from wisp_sandbox import Artifact, AsyncSandbox, Sandbox

SMALL = 'extends = "offline"\n[output]\nmax_files = 1\n'


class Artifacts(WithSandbox):
    def test_they_are_those_of_now(self):
        self.assertEqual(self.sandbox.artifacts(), [])
        label = "import wisp\nopen('/output/plot.svg', 'w').write('<svg/>')\nwisp.artifact('/output/plot.svg', title='A plot')"
        self.assertTrue(self.sandbox.run_code(label).success)
        self.sandbox.commands.run("mkdir /output/d; printf '1,2\\n' >/output/d/table.csv; ln -s d /output/link")
        table, plot = self.sandbox.artifacts()
        self.assertEqual(table, Artifact("/output/d/table.csv", "text/csv", 4, hashlib.sha256(b"1,2\n").hexdigest()))
        self.assertEqual((plot.path, plot.mime_type, plot.title), ("/output/plot.svg", "image/svg+xml", "A plot"))
        self.assertEqual(self.sandbox.files.read(plot.path, format="bytes"), b"<svg/>")
        # An outcome has the same.
        self.assertEqual(self.sandbox.commands.run("true").outcome.files, (table, plot))
        self.sandbox.files.remove("/output/plot.svg")
        self.assertEqual(self.sandbox.artifacts(), [table])

    def test_what_is_left_out_is_told(self):
        script = "cd /output; printf 1 >a; printf 2 >b; printf 3 >\"$(printf 'c\\033')\""
        self.sandbox.commands.run(script)
        found = self.sandbox.artifacts()
        self.assertEqual(([file.path for file in found], found.left_out), (["/output/a", "/output/b"], ("/output/c\x1b",)))
        with Sandbox.create(SMALL) as sandbox:
            sandbox.commands.run(script)
            found = sandbox.artifacts()
            self.assertEqual(([file.path for file in found], found.left_out), (["/output/a"], ("/output/b", "/output/c\x1b")))
            self.assertEqual(found.reasons, ("max_files", "name"))

    def test_a_link_is_told_and_whether_what_it_leads_to_is_lost(self):
        done = self.sandbox.commands.run("cd /output; echo 1 >a; ln -s a in; echo 2 >/tmp/b; ln -s /tmp/b out; ln -s gone none; mkfifo pipe")
        found = self.sandbox.artifacts()
        self.assertEqual([file.path for file in found], ["/output/a"])
        self.assertEqual(found.left_out, ("/output/in", "/output/none", "/output/out", "/output/pipe"))
        self.assertEqual(found.reasons, ("link", "link", "link_out", "special"))
        self.assertEqual((done.outcome.files_left_out, done.outcome.files_left_out_reasons), (found.left_out, found.reasons))


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_the_call(self):
        async with await AsyncSandbox.create() as sandbox:
            await sandbox.files.write("/output/note", "1")
            self.assertEqual([file.path for file in await sandbox.artifacts()], ["/output/note"])

"""What a sandbox changed, as data and as text; patches."""

import tempfile
import unittest
from pathlib import Path

from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, Mount, RequestError, Sandbox, SandboxFileNotFoundError

BEFORE = {"kept": "same\n", "changed": "one\ntwo\nthree\n", "gone": "gone\n"}


class Diffs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in BEFORE.items():
            Path(folder.name, name).write_text(text)
        self.sandbox = Sandbox.create(mounts=[Mount(folder.name, "/mnt/d", "overlay")])
        self.addCleanup(self.sandbox.close)

    def change(self):
        script = "cd /mnt/d; sed -i s/two/2/ changed; rm gone; mkdir new; echo new >new/file; chmod +x new/file"
        self.assertTrue(self.sandbox.commands.run(script).success)

    def test_data(self):
        self.assertEqual(self.sandbox.files.diff("/mnt/d").files, ())
        self.change()
        self.sandbox.commands.run("ln -s kept /mnt/d/link")
        diff = self.sandbox.files.diff("/mnt/d")
        self.assertEqual((diff.path, diff.truncated), ("/mnt/d", False))
        self.assertEqual([(file.path.removeprefix("/mnt/d/"), file.kind) for file in diff.files],
                         [("changed", "modified"), ("gone", "deleted"), ("link", "added"), ("new", "added"), ("new/file", "added")])
        changed, gone, link, _, new = diff.files
        self.assertEqual((changed.mount, changed.before.size_bytes, changed.after.size_bytes), ("/mnt/d", 14, 12))
        self.assertEqual((gone.before.type, gone.after, link.after.target, new.after.mode & 0o111), ("file", None, "kept", 0o111))
        self.assertEqual((changed.patch, changed.text), (None, None))
        self.assertIn("Diff(path='/mnt/d'", str(diff))
        with self.assertRaisesRegex(ValueError, "text=True"):
            bytes(diff)
        first = self.sandbox.files.diff("/mnt/d", limit=1)
        self.assertEqual(([file.path for file in first.files], first.truncated), (["/mnt/d/changed"], True))

    def test_text_makes_the_same_elsewhere(self):
        self.change()
        diff = self.sandbox.files.diff("/mnt/d", text=True)
        self.assertEqual((diff.files[0].added, diff.files[0].removed, diff.files[0].form), (1, 1, "lines"))
        self.assertIn(" one\n-two\n+2\n three\n", str(diff))
        self.assertEqual(str(diff), bytes(diff).decode())
        for patch in (diff, str(diff), bytes(diff)):
            with Sandbox.create(files={f"d/{name}": text for name, text in BEFORE.items()}) as other:
                patched = other.files.apply_patch(patch, "d")
                self.assertEqual([(file.path.removeprefix("/home/user/d/"), file.change, file.hunks) for file in patched][:2],
                                 [("changed", "modified", 1), ("gone", "deleted", 1)])
                self.assertEqual(other.files.read("d/changed"), "one\n2\nthree\n")
                self.assertEqual((other.files.read("d/new/file"), other.files.exists("d/gone")), ("new\n", False))
                self.assertNotEqual(other.files.get_info("d/new/file").mode & 0o111, 0)

    def test_everything_that_the_session_made(self):
        self.sandbox.files.write("note", b"\xff\n")
        diff = self.sandbox.files.diff(text=True)
        self.assertIn("/home/user/note", [file.path for file in diff.files])
        note = next(file for file in diff.files if file.path == "/home/user/note")
        self.assertIn(b"+\xff\n", note.patch)
        with self.assertRaises(SandboxFileNotFoundError):
            self.sandbox.files.diff("/nothing")


class Patches(WithSandbox):
    def test_what_does_not_fit_changes_nothing(self):
        files = self.sandbox.files
        files.write("a", "1\n")
        files.write("b", "2\n")
        patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+one\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-{}\n+two\n"
        with self.assertRaises(RequestError) as refused:
            files.apply_patch(patch.format("other"))
        self.assertEqual((refused.exception.code, refused.exception.fault), ("patch_rejected", "caller"))
        self.assertIn("`b`", str(refused.exception))
        self.assertEqual((files.read("a"), files.read("b")), ("1\n", "2\n"))
        self.assertEqual([file.path for file in files.apply_patch(patch.format("2"))], ["/home/user/a", "/home/user/b"])
        self.assertEqual((files.read("a"), files.read("b")), ("one\n", "two\n"))

    def test_names_stay_below_the_directory(self):
        self.sandbox.files.write("beside", "1\n")
        self.sandbox.files.make_dir("d")
        for name in ("../beside", "/home/user/beside"):
            with self.assertRaises(RequestError) as refused:
                self.sandbox.files.apply_patch(f"--- {name}\n+++ {name}\n@@ -1 +1 @@\n-1\n+2\n", "d")
            self.assertEqual(refused.exception.code, "patch_rejected")
        self.assertEqual(self.sandbox.files.read("beside"), "1\n")

    def test_a_renamed_file(self):
        self.sandbox.files.write("old", "1\n")
        renamed = "diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
        [done] = self.sandbox.files.apply_patch(renamed)
        self.assertEqual((done.path, done.change, done.old_path), ("/home/user/new", "renamed", "/home/user/old"))


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_the_calls(self):
        async with await AsyncSandbox.create() as one, await AsyncSandbox.create() as other:
            await one.files.write("d/note", "1\n")
            diff = await one.files.diff("d", text=True)
            await other.files.apply_patch(diff, "/tmp")
            self.assertEqual(await other.files.read("/tmp/note"), "1\n")

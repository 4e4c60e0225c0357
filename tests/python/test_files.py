"""Files from outside."""

import unittest

from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, RequestError, Sandbox, SandboxFileNotFoundError, SandboxPermissionError, WispError


class Files(WithSandbox):
    def test_reading_and_writing(self):
        files = self.sandbox.files
        files.write("a/b.txt", "ä\n")
        files.write("/tmp/raw", b"\x00\xff")
        self.assertEqual((files.read("a/b.txt"), files.read("/tmp/raw", format="bytes")), ("ä\n", b"\x00\xff"))
        self.assertEqual(self.sandbox.commands.run("cat a/b.txt").stdout, "ä\n")
        with self.assertRaises(UnicodeDecodeError):
            files.read("/tmp/raw")
        with self.assertRaisesRegex(ValueError, "no format"):
            files.read("a/b.txt", format="csv")

    def test_a_stream(self):
        files, contents = self.sandbox.files, bytes(range(256)) * 10_000
        files.write("large", contents)
        files.write("empty", "")
        pieces = list(files.read("large", format="stream"))
        self.assertEqual(b"".join(pieces), contents)
        self.assertTrue(len(pieces) > 1 and max(map(len, pieces)) < 2 << 20)
        self.assertEqual(list(files.read("empty", "stream")), [])
        with self.assertRaises(SandboxFileNotFoundError):
            files.read("nothing", format="stream")
        # A file that is replaced meanwhile is read to its end as it was.
        stream = files.read("large", format="stream")
        first = next(stream)
        files.write("other", "x")
        files.rename("other", "large")
        self.assertEqual(first + b"".join(stream), contents)

    def test_lists(self):
        for path in ("t/one", "t/d/two"):
            self.sandbox.files.write(path, "12345")
        listed = self.sandbox.files.list("t")
        self.assertEqual([(one.name, one.type, one.is_dir) for one in listed], [("d", "directory", True), ("one", "file", False)])
        self.assertEqual((listed[1].path, listed[1].size_bytes), ("/home/user/t/one", 5))
        self.assertEqual([one.path for one in self.sandbox.files.list("/home/user/t", depth=2)],
                         ["/home/user/t/d", "/home/user/t/d/two", "/home/user/t/one"])

    def test_a_list_has_all_files(self):
        names = [f"{number:05}" for number in range(12_000)]
        made = self.sandbox.run_code("import os\nos.mkdir('many')\nfor number in range(12_000): open(f'many/{number:05}', 'w').close()")
        self.assertTrue(made.success, made.error)
        for depth in (1, 2):
            self.assertEqual([one.name for one in self.sandbox.files.list("many", depth=depth)], names)

    def test_a_list_that_cannot_have_all_files_is_an_error(self):
        made = self.sandbox.run_code("import os\nfor _ in range(1_001): os.mkdir('d'); os.chdir('d')")
        self.assertTrue(made.success, made.error)
        self.assertEqual(len(self.sandbox.files.list(".", depth=1_000)), 1_000)
        with self.assertRaises(RequestError) as deep:
            self.sandbox.files.list(".", depth=1_001)
        self.assertEqual(deep.exception.code, "too_large")
        self.assertIn("`/home/user`", str(deep.exception))

    def test_a_list_names_what_it_could_not_read(self):
        self.sandbox.commands.run("mkdir -p t/closed/in t/open/in; chmod 000 t/closed")
        listed = self.sandbox.files.list("t", depth=9)
        self.assertEqual([one.path.removeprefix("/home/user/t/") for one in listed], ["closed", "open", "open/in"])
        self.assertEqual((listed.left_out, self.sandbox.files.list("t").left_out), (("/home/user/t/closed",), ()))
        with self.assertRaises(SandboxPermissionError):
            self.sandbox.files.list("t/closed")

    def test_a_file_that_is_too_large_is_read_as_a_stream(self):
        self.sandbox.commands.run("truncate -s 300M large")
        with self.assertRaises(RequestError) as large:
            self.sandbox.files.read("large", "bytes")
        self.assertEqual(large.exception.code, "too_large")
        self.assertIn('read it as a stream (`format="stream"`)', str(large.exception))
        self.assertEqual(len(next(self.sandbox.files.read("large", "stream"))), 1 << 20)

    def test_facts(self):
        files = self.sandbox.files
        files.write("d/a", "123")
        self.sandbox.commands.run("chmod 750 d/a; ln -s a d/link; ln -s nowhere lost")
        found = files.get_info("d/a")
        self.assertEqual((found.path, found.name, found.type, found.size_bytes, found.mode), ("/home/user/d/a", "a", "file", 3, 0o750))
        self.assertEqual([found], [file for file in files.list("d") if file.name == "a"])
        self.assertEqual([files.get_info(path).type for path in (".", "/", "d/link", "lost")], ["directory", "directory", "symlink", "symlink"])
        self.assertEqual([files.get_info(path).path for path in (".", "/", "./d//a")], ["/home/user", "/", "/home/user/d/a"])
        with self.assertRaises(SandboxFileNotFoundError):
            files.get_info("nothing")

    def test_names(self):
        files = self.sandbox.files
        files.make_dir("d/e")
        files.make_dir("d/e")
        files.write("d/e/f", "1")
        files.rename("d/e/f", "g")
        self.assertEqual([files.exists(path) for path in ("g", "d/e", "d/e/f", "g/below")], [True, True, False, False])
        files.remove("g")
        with self.assertRaises(WispError) as full:
            files.remove("d")
        self.assertEqual(full.exception.code, "conflict")
        files.remove("d", recursive=True)
        self.assertEqual([files.exists(path) for path in ("g", "d")], [False, False])

    def test_errors_are_those_that_python_has(self):
        with self.assertRaises(FileNotFoundError) as missing:
            self.sandbox.files.read("nothing")
        self.assertIsInstance(missing.exception, SandboxFileNotFoundError)
        self.assertEqual((missing.exception.code, missing.exception.fault, missing.exception.retryable), ("file_not_found", "caller", False))
        self.assertIn("`/home/user/nothing`", str(missing.exception))
        with self.assertRaises(PermissionError) as forbidden:
            self.sandbox.files.write("/usr/bin/sh", "x")
        self.assertEqual(forbidden.exception.code, "permission_denied")


class Several(WithSandbox):
    def test_files_are_written_together(self):
        files = self.sandbox.files
        files.write_files({"d/a": "1", "/tmp/b": b"\xff"})
        files.write_files([{"path": "d/c", "data": "3"}, {"path": "d/a", "data": "4"}])
        self.assertEqual((files.read("d/a"), files.read("/tmp/b", "bytes"), files.read("d/c")), ("4", b"\xff", "3"))
        files.write_files({})
        with self.assertRaises(SandboxPermissionError):
            files.write_files({"first": "1", "/usr/bin/sh": "x", "last": "1"})
        self.assertEqual([files.exists(path) for path in ("first", "last")], [True, False])


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_the_twin(self):
        async with await AsyncSandbox.create() as sandbox:
            await sandbox.files.write_files({"a": "1", "d/b": b"2"})
            self.assertEqual([one.name for one in await sandbox.files.list(".", depth=2)], ["a", "d", "b"])
            self.assertTrue(await sandbox.is_running())
        self.assertFalse(await sandbox.is_running())


class Given(WithSandbox):
    def test_files_of_a_new_sandbox(self):
        with Sandbox.create(files={"in/data.txt": "1\n", "/tmp/raw": b"\xff"}) as sandbox:
            self.assertEqual(sandbox.commands.run("cat in/data.txt").stdout, "1\n")
            self.assertEqual(sandbox.files.read("/tmp/raw", "bytes"), b"\xff")
        self.assertFalse(self.sandbox.files.exists("in"))

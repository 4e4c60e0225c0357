"""Files and trees between the host and a sandbox: what is copied, what is left out, and that nothing is written elsewhere."""

import asyncio
import os
import shutil
import socket
import stat
import sysconfig
import tempfile
import unittest
from pathlib import Path

import wisp_sandbox
from kit import WithSandbox
from wisp_sandbox import AsyncSandbox, Engine, LimitError, RequestError, Sandbox, Transferred

SMALL = 'extends = "minimal"\nname = "small"\n[tools]\nallow = ["sh"]\n'
QUOTA = 'extends = "offline"\n[filesystem]\nquota = "{}"\n'


class Folder(WithSandbox):
    """A sandbox, and a folder of the host."""

    def setUp(self):
        super().setUp()
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def refused(self, code, kind, call, *words, **options):
        with self.assertRaises(kind) as raised:
            call(*words, **options)
        self.assertEqual(raised.exception.code, code)
        return str(raised.exception)


class Upload(Folder):
    def test_a_tree(self):
        tree = self.folder / "tree"
        (tree / "d" / "e").mkdir(parents=True)
        (tree / "empty").mkdir()
        (tree / "a.txt").write_text("1\n")
        (tree / "d" / "e" / "deep").write_bytes(b"\xff" * 3_000_000)
        script = tree / "run"
        script.write_text("#!/bin/sh\necho ran\n")
        script.chmod(0o755)
        (tree / "link").symlink_to("a.txt")
        (tree / "d" / "out").symlink_to("/etc")
        os.mkfifo(tree / "pipe")
        Path(os.fsdecode(os.fsencode(tree) + b"/\xff")).write_text("x")
        done = self.sandbox.files.upload(tree)
        self.assertEqual((done.files, done.bytes), (4, 3_000_001 + len("1\n") + len("#!/bin/sh\necho ran\n")))
        self.assertEqual(sorted(done.left_out), sorted([f"{tree}/d/out", f"{tree}/link", f"{tree}/pipe"]))
        files = self.sandbox.files
        self.assertEqual([file.path.removeprefix("/home/user/tree/") for file in files.list("tree", depth=9)],
                         ["a.txt", "d", "d/e", "d/e/deep", "empty", "run", "\uf7ff"])
        # A name that is not UTF-8 is spelled in the sandbox, and has its own bytes again on the host.
        self.assertEqual(files.read("tree/\uf7ff"), "x")
        files.download("tree", self.folder / "back")
        self.assertEqual(sorted(os.listdir(os.fsencode(self.folder / "back"))), [b"a.txt", b"d", b"empty", b"run", b"\xff"])
        self.assertEqual(files.read("tree/d/e/deep", "bytes"), b"\xff" * 3_000_000)
        self.assertEqual((files.get_info("tree/a.txt").mode, files.get_info("tree/run").mode), (0o644, 0o755))
        self.assertEqual(self.sandbox.commands.run("tree/run").stdout, "ran\n")

    def test_a_file(self):
        one = self.folder / "one"
        one.write_text("1")
        (self.folder / "link").symlink_to("one")
        files = self.sandbox.files
        files.write("here", "longer than before")
        for host, path, there in ((one, None, "one"), (str(one), "here", "here"), (self.folder / "link", "d/e", "d/e")):
            self.assertEqual(files.upload(host, path), Transferred(1, 1))
            self.assertEqual(files.read(there), "1")
        # A file that is no longer executable on the host is not in the sandbox, either.
        self.sandbox.commands.run("chmod +x here")
        files.upload(one, "here")
        self.assertEqual(files.get_info("here").mode & 0o111, 0)

    def test_what_is_not_there_and_what_is_no_file(self):
        upload = self.sandbox.files.upload
        self.assertIn(str(self.folder / "nothing"), self.refused("file_not_found", FileNotFoundError, upload, self.folder / "nothing"))
        os.mkfifo(self.folder / "pipe")
        self.refused("wrong_file_type", RequestError, upload, self.folder / "pipe")
        self.refused("wrong_file_type", RequestError, upload, "/dev/zero")
        with self.assertRaisesRegex(ValueError, "has no name"):
            upload("/")

    def test_the_quota(self):
        for name, size in (("1", 10), ("2", 2_000_000)):
            (self.folder / name).write_bytes(b"x" * size)
        with Sandbox.create(QUOTA.format("1MiB")) as sandbox:
            full = self.refused("filesystem_limit", LimitError, sandbox.files.upload, self.folder, "in")
            self.assertIn("filesystem.quota", full)
            self.assertIn("1 file of 10 bytes", full)
            self.assertEqual([file.name for file in sandbox.files.list("in")], ["1"])
        with Sandbox.create(QUOTA.format("4MiB")) as sandbox:
            self.assertEqual(sandbox.files.upload(self.folder, "in"), Transferred(2, 2_000_010))


class Download(Folder):
    def test_a_tree(self):
        done = self.sandbox.commands.run("""
mkdir -p out/d/e out/empty; cd out
printf 1 >a.txt; head -c 3000000 /dev/zero >d/e/deep; echo 'echo ran' >run; chmod +x run
ln -s /etc etc; ln -s d linked; ln -s ../../../../../../tmp up; mkfifo pipe; printf 1 >closed; chmod 000 closed
printf 2 >"$(printf 'line\\nbreak')"; mkdir "$(printf 'esc\\033')"; printf 3 >"$(printf 'esc\\033')/in"; printf 4 >..hidden
""")
        self.assertTrue(done.success, done.stderr)
        copy = self.folder / "made" / "copy"
        done = self.sandbox.files.download("out", copy)
        self.assertEqual((done.files, done.bytes), (4, 3_000_011))
        out = "/home/user/out/"
        self.assertEqual(sorted(done.left_out), sorted(out + name for name in ("closed", "esc\x1b", "etc", "line\nbreak", "linked", "pipe", "up")))
        found = sorted(str(path.relative_to(copy)) for path in copy.rglob("*"))
        self.assertEqual(found, ["..hidden", "a.txt", "d", "d/e", "d/e/deep", "empty", "run"])
        self.assertEqual(((copy / "a.txt").read_text(), (copy / "d/e/deep").read_bytes()), ("1", bytes(3_000_000)))
        self.assertEqual([os.access(copy / name, os.X_OK) for name in ("run", "a.txt")], [True, False])
        # Nothing is beside it.
        self.assertEqual(os.listdir(self.folder / "made"), ["copy"])

    def test_what_is_there_is_not_replaced_unless_that_is_asked_for(self):
        files, there = self.sandbox.files, self.folder / "note"
        files.write("d/note", "new")
        there.write_text("old")
        for call in (lambda **options: files.download("d/note", there, **options), lambda **options: files.download("d", self.folder, **options)):
            there.write_text("old")
            self.assertIn("overwrite=True", self.refused("file_exists", FileExistsError, call))
            self.assertEqual(there.read_text(), "old")
            self.assertEqual(call(overwrite=True), Transferred(1, 3))
            self.assertEqual((there.read_text(), os.listdir(self.folder)), ("new", ["note"]))
        # A directory is never replaced by a file.
        self.refused("wrong_file_type", RequestError, files.download, "d/note", self.folder, overwrite=True)
        self.assertEqual(os.listdir(self.folder), ["note"])

    def test_links_of_the_host_are_not_followed(self):
        outside, copy = self.folder / "outside", self.folder / "copy"
        outside.mkdir()
        copy.mkdir()
        (outside / "note").write_text("mine")
        files = self.sandbox.files
        files.write("out/note", "theirs")
        (copy / "note").symlink_to(outside / "note")
        self.refused("file_exists", FileExistsError, files.download, "out", copy)
        files.download("out", copy, overwrite=True)
        self.assertEqual(((copy / "note").is_symlink(), (copy / "note").read_text(), (outside / "note").read_text()), (False, "theirs", "mine"))
        # A link that leads nowhere is something that is there.
        (copy / "note").unlink()
        (copy / "note").symlink_to(outside / "new")
        self.refused("file_exists", FileExistsError, files.download, "out", copy)
        # A directory.
        files.write("out/d/file", "theirs")
        (copy / "note").unlink()
        (copy / "d").symlink_to(outside)
        for overwrite in (False, True):
            refused = self.refused("wrong_file_type", RequestError, files.download, "out", copy, overwrite=overwrite)
            self.assertIn(str(copy / "d"), refused)
        self.assertEqual(os.listdir(outside), ["note"])
        # What the caller names may be a link.
        (self.folder / "link").symlink_to(outside)
        self.assertEqual(files.download("out/d", self.folder / "link").files, 1)
        self.assertEqual((outside / "file").read_text(), "theirs")

    def test_directories_are_followed_so_far(self):
        for levels, files in ((90, 1), (110, 0)):
            with self.subTest(levels):
                path = "/".join([f"n{levels}", *["d"] * levels])
                self.sandbox.files.write(f"{path}/file", "1")
                done = self.sandbox.files.download(f"n{levels}", self.folder / f"n{levels}")
                self.assertEqual((done.files, bool(done.left_out)), (files, not files))

    def test_a_name_leads_nowhere_else(self):
        # A sandbox has no such names; a link of its own at the top is followed in the sandbox.
        for name in ("..", "../x", "."):
            self.assertFalse(self.sandbox.commands.run(["sh", "-c", 'mkdir -p in && printf 1 >"in/$0/" 2>/dev/null', name]).success)
        self.sandbox.commands.run("printf 1 >in/file; ln -s in alias; mkdir deep; ln -s /etc/passwd deep/passwd")
        self.assertEqual(self.sandbox.files.download("alias", self.folder / "a"), Transferred(1, 1))
        self.assertEqual(self.sandbox.files.download("deep", self.folder / "b"), Transferred(0, 0, ("/home/user/deep/passwd",)))
        self.assertEqual(sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")), ["a", "a/file", "b"])

    def test_more_than_may_be(self):
        self.sandbox.commands.run("mkdir d; printf 123 >d/a; truncate -s 1T d/sparse; truncate -s 100K small")
        too_much = self.refused("too_large", RequestError, self.sandbox.files.download, "d", self.folder / "d")
        self.assertIn("max_bytes", too_much)
        self.assertIn("1 file of 3 bytes", too_much)
        self.assertEqual(os.listdir(self.folder / "d"), ["a"])
        self.refused("too_large", RequestError, self.sandbox.files.download, "small", self.folder / "small", max_bytes=102_399)
        self.assertEqual(self.sandbox.files.download("small", self.folder / "small", max_bytes=102_400).bytes, 102_400)

    def test_deep_directories_are_left_out(self):
        self.sandbox.commands.run("mkdir -p d; cd d; for n in $(seq 150); do mkdir x; cd x; done; printf 1 >file")
        done = self.sandbox.files.download("d", self.folder / "d")
        self.assertEqual((done.files, len(done.left_out)), (0, 1))
        self.assertEqual(len(list((self.folder / "d").rglob("x"))), 99)

    def test_what_is_no_file(self):
        download = self.sandbox.files.download
        self.refused("file_not_found", FileNotFoundError, download, "nothing", self.folder / "x")
        self.refused("wrong_file_type", RequestError, download, "/dev/zero", self.folder / "x")
        self.sandbox.files.write("file", "1")
        for wrong in ("/", "..", f"{self.folder}/x/"):
            self.refused("invalid_argument", RequestError, download, "file", wrong)
        self.assertEqual(os.listdir(self.folder), [])


    def test_only_files_and_links_are_replaced(self):
        files, place = self.sandbox.files, self.folder / "place"
        files.write("d/place", "new")
        with socket.socket(socket.AF_UNIX) as listens:
            for make in (os.mkfifo, os.mkdir, lambda path: listens.bind(str(path))):
                make(place)
                before = place.lstat()
                for call in (lambda: files.download("d/place", place, overwrite=True), lambda: files.download("d", self.folder, overwrite=True)):
                    self.assertIn("neither a file nor a symbolic link", self.refused("wrong_file_type", RequestError, call))
                self.assertEqual((place.lstat().st_ino, os.listdir(self.folder)), (before.st_ino, ["place"]))
                if stat.S_ISDIR(before.st_mode):
                    place.rmdir()
                else:
                    place.unlink()

    def test_a_file_that_is_replaced_keeps_its_mode(self):
        files, place = self.sandbox.files, self.folder / "place"
        files.write("plain", "1")
        self.sandbox.commands.run("cp plain run; chmod +x run")
        for mode in (0o600, 0o755, 0o444):
            for name in ("plain", "run"):
                place.write_text("old")
                place.chmod(mode)
                files.download(name, place, overwrite=True)
                self.assertEqual((place.read_text(), stat.S_IMODE(place.stat().st_mode)), ("1", mode))
                place.unlink()
        # A link has no mode to keep.
        (self.folder / "mine").write_text("old")
        (self.folder / "mine").chmod(0o600)
        place.symlink_to("mine")
        files.download("run", place, overwrite=True)
        self.assertEqual((place.is_symlink(), os.access(place, os.X_OK), (self.folder / "mine").read_text()), (False, True, "old"))

    def test_names_that_the_host_cannot_have(self):
        files = self.sandbox.files
        files.write("d/x", "1")
        for name in ("a\0b", "a" * 300, "/".join(["a" * 200] * 30)):
            for call in (lambda name=name: files.download("d/x", self.folder / name), lambda name=name: files.download("d", self.folder / name),
                         lambda name=name: files.download("d/x", self.folder / name, overwrite=True), lambda name=name: files.upload(self.folder / name, "x")):
                self.assertNotIn("\0", self.refused("invalid_argument", RequestError, call))
        self.assertEqual([path for path in self.folder.rglob("*") if path.is_file()], [])


class Trusted(Folder):
    """What a later run executes or trusts."""

    def setUp(self):
        super().setUp()
        self.policy = self.folder / "project" / "small.toml"
        self.policy.parent.mkdir()
        self.policy.write_text(SMALL)
        self.cache = self.folder / "cache" / "code"
        self.cache.parent.mkdir(mode=0o700)
        engine = Engine(cache_directory=self.cache)
        self.addCleanup(engine.close)
        self.guarded = Sandbox.create(self.policy, engine=engine)
        self.before = self.found()

    def found(self):
        """What is there, without what wisp itself writes."""
        written = [path for path in self.folder.rglob("*") if path.parent != self.cache or path.name in ("deadbeef.cwasm", "made", "new")]
        return sorted(str(path.relative_to(self.folder)) for path in written)

    def meets(self, what, path, host):
        """A download that would change this."""
        said = self.refused("invalid_argument", RequestError, self.guarded.files.download, path, host, overwrite=True)
        self.assertIn(what, said)
        self.assertEqual((self.found(), self.policy.read_text()), (self.before, SMALL))

    def test_wisps_cache(self):
        files, what = self.guarded.files, "wisp's cache of machine code"
        files.write("deadbeef.cwasm", "1")
        files.write("o/code/deadbeef.cwasm", "1")
        files.make_dir("e/code/new")
        (self.folder / "link").symlink_to("cache/code")
        self.before = self.found()
        self.meets(what, "deadbeef.cwasm", self.cache / "deadbeef.cwasm")
        self.meets(what, "deadbeef.cwasm", self.folder / "link" / "deadbeef.cwasm")
        self.meets(what, "o", self.cache)
        self.meets(what, "o", self.cache / "made" / "anew")
        self.meets(what, "o", self.folder / "link")
        # Below the directory that is named.
        self.meets(what, "o", self.cache.parent)
        self.meets(what, "e", self.cache.parent)
        files.make_dir("all")
        files.rename("o", "all/cache")
        self.meets(what, "all", self.folder)
        # Beside it.
        files.rename("all/cache/code", "all/cache/other")
        self.assertEqual(files.download("all", self.folder), Transferred(1, 1))
        self.assertEqual((self.cache.parent / "other" / "deadbeef.cwasm").read_text(), "1")

    def test_what_stands_in_the_way_to_it(self):
        self.guarded.files.write("code", "1")
        self.guarded.files.write("o/cache", "1")
        shutil.rmtree(self.cache)
        self.before = self.found()
        self.meets("wisp's cache of machine code", "code", self.cache)
        self.meets("wisp's cache of machine code", "o", self.folder)
        self.assertEqual(self.guarded.files.download("code", self.cache.parent / "report").files, 1)

    def test_the_policy(self):
        files = self.guarded.files
        files.write("o/small.toml", "extends = 'fetch'")
        files.write("o/report", "1")
        (self.folder / "link").symlink_to(self.policy)
        self.before = self.found()
        self.meets("this policy itself", "o/small.toml", self.policy)
        self.meets("this policy itself", "o/small.toml", self.folder / "link")
        files.rename("o/report", "report")
        self.meets("this policy itself", "o", self.policy.parent)
        # A project is not closed to results.
        self.assertEqual(files.download("report", self.policy.parent / "report").files, 1)
        # Another policy is no part of this sandbox.
        self.assertEqual(files.download("o/small.toml", self.policy.parent / "other.toml").files, 1)

    def test_this_python(self):
        paths, package = sysconfig.get_paths(), Path(wisp_sandbox.__file__).parent
        self.guarded.files.write("o/planted.py", "print('planted')")
        for folder in (package, package / "planted", Path(paths["stdlib"]), Path(paths["purelib"]), Path(paths["scripts"])):
            with self.subTest(folder):
                self.addCleanup(shutil.rmtree, package / "planted", ignore_errors=True)
                self.addCleanup((folder / "planted.py").unlink, missing_ok=True)
                self.meets("a later run executes", "o/planted.py", folder / "planted.py")
                self.meets("a later run executes", "o", folder)
                self.assertFalse((folder / "planted.py").exists())


class Async(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.sandbox = await AsyncSandbox.create()
        self.addAsyncCleanup(self.sandbox.close)
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    async def test_there_and_back(self):
        (self.folder / "a").write_text("1")
        self.assertEqual(await self.sandbox.files.upload(self.folder / "a"), Transferred(1, 1))
        self.assertEqual(await self.sandbox.files.download("a", self.folder / "b"), Transferred(1, 1))
        self.assertEqual((self.folder / "b").read_text(), "1")

    async def test_what_is_cancelled_stops_and_leaves_no_half_file(self):
        await self.sandbox.commands.run("truncate -s 1T endless")
        copy = self.folder / "copy"
        task = asyncio.create_task(self.sandbox.files.download("endless", copy, max_bytes=1 << 50))
        while not copy.exists() and not task.done():
            await asyncio.sleep(0)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        while copy.exists():
            await asyncio.sleep(0)

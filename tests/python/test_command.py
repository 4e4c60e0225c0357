"""The command `wisp` of the package: the one in Rust, run in the process of an interpreter."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from pathlib import Path

import wisp_sandbox
from kit import SECONDS

AGAIN = [sys.executable, "-m", "wisp_sandbox._cli"]


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = {**os.environ, "XDG_DATA_HOME": self.folder.name, "XDG_STATE_HOME": self.folder.name}

    def wisp(self, *words, **options):
        """What `wisp` returns for these words."""
        options = {"stdin": subprocess.DEVNULL, "env": self.home, **options}
        return subprocess.run([*AGAIN, *words], capture_output=True, text=True, timeout=SECONDS, check=False, **options)

    def test_it_runs_a_command_and_exits_with_its_code(self):
        done = self.wisp("run", "--", "sh", "-c", "read -r word; echo got $word; echo bad >&2; exit 7", stdin=None, input="pear\n")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "got pear\n", "bad\n"))

    def test_its_words_are_its_own(self):
        said = self.wisp("--version")
        self.assertEqual((said.returncode, said.stdout.split()[0]), (0, "wisp"))
        wrong = self.wisp("shell")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("`wisp run -- sh` at a terminal", wrong.stderr)
        # Bytes that are not text arrive as they are.
        bytes_ = subprocess.run([*AGAIN, "run", "--policy", b"none-\xff.toml", "--", "true"], capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual(bytes_.returncode, 2)
        self.assertIn(b"UTF-8", bytes_.stderr)

    def test_it_is_confined_as_the_program_is(self):
        for words, filtered in (((), "2"), (("--no-confine",), "0")):
            command = [*AGAIN, "run", *words, "--", "sh", "-c", "echo ready; read -r word; echo $word"]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.home) as child:
                self.assertEqual(child.stdout.readline(), "ready\n")
                threads = [Path(thread, "status").read_text() for thread in Path(f"/proc/{child.pid}/task").iterdir()]
                self.assertEqual({re.search(r"^Seccomp:\t(\d)", status, re.MULTILINE)[1] for status in threads}, {filtered})
                out, _ = child.communicate("pear\n", timeout=SECONDS)
            self.assertEqual((child.returncode, out), (0, "pear\n"))

    def test_a_session_that_stays_open_is_the_commands_too(self):
        run = ("run", "--session", "chat", "--resident=60s", "--", "sh", "-c")
        first = self.wisp(*run, "n=$(cat n 2>/dev/null || echo 0); echo $((n + 1)) > n; cat n")
        self.addCleanup(self.wisp, "session", "rm", "chat")
        self.assertEqual((first.returncode, first.stdout), (0, "1\n"), first.stderr)
        again = self.wisp(*run, "cat n; echo $$ > pid")
        self.assertEqual((again.returncode, again.stdout), (0, "1\n"), again.stderr)
        listed = json.loads(self.wisp("session", "list", "--json").stdout)
        self.assertIn("chat", json.dumps(listed))

    def script(self):
        """A file that a user starts, as an installer writes it."""
        script = Path(self.folder.name, "bin", "wisp")
        script.parent.mkdir()
        script.write_text(f"#!{sys.executable}\nfrom wisp_sandbox._cli import main\nmain()\n")
        script.chmod(0o755)
        return script

    def started(self, script, *words):
        """What the file returns for these words."""
        return subprocess.run([script, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=SECONDS, check=False,
                              env={**self.home, "HOME": self.folder.name}, cwd=self.folder.name)

    def test_what_agents_are_to_start_is_the_program_that_a_user_starts(self):
        script = self.script()
        done = self.started(script, "mcp", "install", "claude", "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f'"{script}"', done.stdout)

    def refused(self, done):
        """Whether the places that a start executes are why it was refused."""
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("the next run would trust", done.stderr)

    def test_no_result_becomes_what_a_later_start_executes(self):
        script, package = self.script(), Path(wisp_sandbox.__file__).parent
        run = ("run", "--force", "--output")
        # A module beside the script would be imported by the next start.
        for folder in (script.parent, package, Path(sysconfig.get_paths()["stdlib"]), Path(sysconfig.get_paths()["purelib"])):
            with self.subTest(folder):
                self.refused(self.started(script, *run, folder, "--", "sh", "-c", "echo x > /output/json.py"))
        done = self.started(script, *run, "results", "--", "sh", "-c", "echo fine > /output/report")
        self.assertEqual((done.returncode, Path(self.folder.name, "results/report").read_text()), (0, "fine\n"), done.stderr)
        # With `-m`, modules come from the working directory.
        here = self.wisp(*run, "results", "--", "true", cwd=self.folder.name)
        self.refused(here)
        self.assertIn("-P", here.stderr)
        safe = subprocess.run([sys.executable, "-P", *AGAIN[1:], *run, "results", "--", "true"], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=SECONDS, check=False, env=self.home, cwd=self.folder.name)
        self.assertEqual(safe.returncode, 0, safe.stderr)

    def test_no_guest_writes_what_a_later_start_executes(self):
        script = self.script()
        for access, status in (("write", 2), ("overlay", 0), ("read", 0)):
            done = self.started(script, "run", "--mount", f"{script.parent}:/mnt/x:{access}", "--", "true")
            self.assertEqual(done.returncode, status, done.stderr)

    def test_closed_streams_are_nothing(self):
        receipts = Path(self.folder.name, "receipts")
        shell = f'"$@" run --receipts "{receipts}" -- sh -c "echo evil; echo worse >&2; cat" <&- >&- 2>&-'
        done = subprocess.run(["sh", "-c", shell, "sh", *AGAIN], stdin=subprocess.DEVNULL, timeout=SECONDS, check=False, env=self.home)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("evil", receipts.read_text())
        self.assertTrue(all(json.loads(line) for line in receipts.read_text().splitlines()))

    def test_agents_are_not_told_to_start_what_they_cannot(self):
        done = self.wisp("mcp", "install", "claude", "--dry-run", cwd=self.folder.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn("installed program `wisp`", done.stderr)

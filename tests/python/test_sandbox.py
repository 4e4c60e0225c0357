"""Sandboxes: how they are made, found and closed; policies, mounts, receipts."""

import gc
import tempfile
import unittest
from pathlib import Path

from wisp_sandbox import DeniedError, EndedError, Engine, Mount, Policy, PolicyError, RequestError, Sandbox, WispError, _native


class Life(unittest.TestCase):
    def test_a_closed_sandbox_does_nothing(self):
        with Sandbox.create() as sandbox:
            handle = sandbox.commands.start("sleep 1000")
            self.assertEqual(_native.live_sessions(), 1)
        self.assertEqual(_native.live_sessions(), 0)
        sandbox.close()
        sandbox.kill()
        for call in (lambda: sandbox.run_code("1"), lambda: sandbox.commands.run("true"), lambda: sandbox.files.read("x"),
                     sandbox.commands.list, sandbox.snapshot, handle.kill):
            with self.assertRaises(EndedError) as raised:
                call()
            self.assertIn("the sandbox is closed", str(raised.exception))

    def test_a_dropped_sandbox_is_closed(self):
        sandbox = Sandbox.create()
        handle = sandbox.commands.start("sleep 1000")
        snapshot = sandbox.snapshot()
        del sandbox
        gc.collect()
        # What it made keeps it.
        self.assertEqual(_native.live_sessions(), 1)
        self.assertIsNone(handle.poll())
        del handle, snapshot
        gc.collect()
        self.assertEqual(_native.live_sessions(), 0)

    def test_a_key_finds_it_again(self):
        first = Sandbox.create(key="chat-7", files={"note": "1"})
        first.run_code("x = 1")
        first.files.write("note", "2")
        id = first.id
        del first
        gc.collect()
        again = Sandbox.create(key="chat-7", files={"note": "1"})
        self.assertEqual((again.id, again.run_code("x").value, again.files.read("note")), (id, "1", "2"))
        with self.assertRaises(RequestError) as other:
            Sandbox.create(key="chat-7", env={"A": "1"})
        self.assertEqual(other.exception.code, "conflict")
        again.close()
        with Sandbox.create(key="chat-7", env={"A": "1"}) as fresh:
            self.assertNotEqual(fresh.id, id)
            self.assertEqual(fresh.commands.run("echo $A").stdout, "1\n")
        self.assertEqual(_native.live_sessions(), 0)

    def test_whether_it_is_running(self):
        with Engine() as engine:
            one, other, keyed = Sandbox.create(), Sandbox.create(engine=engine), Sandbox.create(engine=engine, key="running")
            self.assertEqual([sandbox.is_running() for sandbox in (one, other, keyed)], [True] * 3)
            Sandbox.create(engine=engine, key="running").close()
            self.assertEqual([sandbox.is_running() for sandbox in (one, other, keyed)], [True, True, False])
        self.assertEqual([sandbox.is_running() for sandbox in (one, other, keyed)], [True, False, False])
        one.close()
        self.assertFalse(one.is_running())

    def test_calls_keep_nothing(self):
        with Sandbox.create() as sandbox:
            for _ in range(100):
                sandbox.files.exists("nothing")
            gc.collect()
            before = len(gc.get_objects())
            for _ in range(1000):
                sandbox.files.exists("nothing")
            gc.collect()
            self.assertLess(len(gc.get_objects()) - before, 100)


class Policies(unittest.TestCase):
    def test_a_policy_is_a_name_a_text_a_file_or_an_object(self):
        text = 'extends = "offline"\nname = "small"\n[limits]\nmemory = "128MiB"\n'
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "small.toml")
            path.write_text(text)
            for policy in (text, path, str(path), Policy.parse(text), Policy.load(str(path))):
                with Sandbox.create(policy) as sandbox:
                    self.assertEqual(sandbox.policy.name, "small")
                    self.assertIn('memory = "128MiB"', sandbox.policy.text)
        with Sandbox.create("minimal") as sandbox:
            self.assertEqual(sandbox.policy.name, "minimal")

    def test_a_policy_does_not_change(self):
        offline = Policy.load("offline")
        small = offline.with_value("limits.memory", "128MiB")
        self.assertEqual(offline, Policy.load("offline"))
        self.assertNotEqual(offline, small)
        self.assertEqual(len({offline, Policy.load("offline"), small}), 2)
        self.assertEqual((offline.digest == small.digest, small.name), (False, "offline"))
        self.assertIn("env.vars A", small.with_env("A", "1").grants)
        allowed = [grant for grant in small.with_allow("https://example.com").grants if grant.startswith("network.allow")]
        self.assertEqual((len(allowed), "https://example.com" in allowed[0]), (1, True))

    def test_a_mistake_is_drawn(self):
        with self.assertRaises(PolicyError) as wrong:
            Sandbox.create('extends = "offline"\n[limits]\nmemry = "1GiB"\nwall = "soon"\n')
        first, second = wrong.exception.findings
        self.assertEqual((first.file, first.line, second.line), ("policy.toml", 3, 4))
        self.assertIn("memry", first.message)
        self.assertIn("^^^^^", str(wrong.exception))
        self.assertEqual((wrong.exception.code, wrong.exception.fault), ("policy_invalid", "policy"))
        with self.assertRaises(PolicyError):
            Policy.load("no-such-policy")

    def test_it_explains_itself(self):
        explained = Policy.load("offline").explain()
        self.assertIn("python3", explained)
        with Sandbox.create() as sandbox:
            self.assertEqual(sandbox.explain(), explained)
            self.assertNotEqual(sandbox.explain(for_model=True), explained)


class Mounts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "in.txt").write_text("from the host\n")

    def test_a_mount_is_what_its_access_says(self):
        script = "cat /mnt/d/in.txt; echo new >/mnt/d/out.txt"
        for access, success, written in (("read", False, False), ("overlay", True, False), ("write", True, True)):
            with Sandbox.create(mounts=[Mount(self.folder, "/mnt/d", access)]) as sandbox:
                done = sandbox.commands.run(script)
            self.assertEqual((done.stdout, done.success), ("from the host\n", success), access)
            self.assertEqual((self.folder / "out.txt").exists(), written, access)

    def test_what_a_mount_refuses_names_its_rule(self):
        with Sandbox.create(mounts=[(self.folder, "/mnt/d")]) as sandbox:
            self.assertEqual(sandbox.files.read("/mnt/d/in.txt"), "from the host\n")
            with self.assertRaises(DeniedError) as refused:
                sandbox.files.write("/mnt/d/in.txt", "x")
        self.assertIsInstance(refused.exception, PermissionError)
        self.assertEqual(refused.exception.code, "mount_refused")
        self.assertIn("host program", str(refused.exception))

    def test_a_mount_that_cannot_be(self):
        with self.assertRaises(PolicyError) as missing:
            Sandbox.create(mounts=[Mount(self.folder / "nothing", "/mnt/d")])
        self.assertIn("does not exist", str(missing.exception))
        with self.assertRaises(RequestError) as access:
            Sandbox.create(mounts=[Mount(self.folder, "/mnt/d", "rw")])
        self.assertIn("`rw` is no access", str(access.exception))


class Receipts(unittest.TestCase):
    def test_decisions_are_recorded(self):
        with tempfile.TemporaryDirectory() as folder, Sandbox.create(mounts=[Mount(folder, "/mnt/d")]) as sandbox:
            sandbox.commands.run("touch /mnt/d/new")
            done = sandbox.commands.run("curl -s https://example.com/")
            receipts = sandbox.receipts
        seen = {(receipt.kind, receipt.verdict) for receipt in receipts}
        self.assertLessEqual({("mount", "allowed"), ("file", "denied"), ("import", "denied"), ("spawn", "allowed")}, seen)
        refused = [receipt for receipt in done.outcome.receipts if receipt.verdict == "denied"]
        self.assertEqual(len(refused), 1)
        self.assertIn(refused[0], receipts)
        # Those of another sandbox are not among them.
        with Sandbox.create() as other:
            self.assertEqual(other.receipts, [])
            other.commands.run("true")
            self.assertEqual({receipt.kind for receipt in other.receipts}, {"spawn"})


class Arguments(unittest.TestCase):
    def test_the_environment(self):
        with Sandbox.create(env={"NAME": "ada"}) as sandbox:
            self.assertEqual(sandbox.commands.run("echo $NAME").stdout, "ada\n")
            self.assertEqual(sandbox.run_code("import os; os.environ['NAME']").value, "'ada'")
        with self.assertRaises(WispError):
            Sandbox.create(env={"A=B": "1"})

    def test_a_time_limit_is_a_time(self):
        with self.assertRaises(ValueError):
            Sandbox.create(timeout=-1)
        with Sandbox.create(timeout=5) as sandbox:
            self.assertIn('wall = "5s"', sandbox.policy.text)

"""Snapshots and forks."""

import gc

from kit import WithSandbox
from wisp_sandbox import EndedError, NotFoundError, Sandbox, SnapshotError, _native


class Forks(WithSandbox):
    def test_forks_go_their_own_ways(self):
        self.sandbox.run_code("rows = [1, 2, 3]; it = iter(rows); next(it)")
        self.sandbox.run_code("cd /tmp; name=ada", language="bash")
        self.sandbox.files.write("note", "1")
        forks = self.sandbox.fork(3)
        for number, fork in enumerate(forks):
            self.assertIsInstance(fork, Sandbox)
            self.assertEqual(fork.run_code("next(it)").value, "2")
            fork.run_code(f"rows.append({number})")
            fork.files.write("note", str(number))
            self.assertEqual(fork.run_code("echo $name $PWD", language="bash").logs.stdout, ["ada /tmp\n"])
        self.assertEqual([fork.run_code("rows").value for fork in forks], [f"[1, 2, 3, {number}]" for number in range(3)])
        self.assertEqual((self.sandbox.run_code("rows").value, self.sandbox.files.read("note")), ("[1, 2, 3]", "1"))
        self.assertEqual(_native.live_sessions(), 4)
        for fork in forks:
            fork.close()

    def test_a_snapshot_is_gone_back_to(self):
        self.sandbox.run_code("x = 1")
        self.sandbox.files.write("note", "1")
        before = self.sandbox.snapshot("before")
        self.assertEqual((before.label, before.memory_bytes > 0), ("before", True))
        self.sandbox.run_code("x = 2")
        self.sandbox.files.write("note", "2")
        with self.sandbox.fork(1, snapshot=before)[0] as fork:
            self.assertEqual((fork.run_code("x").value, fork.files.read("note")), ("1", "1"))
        self.sandbox.restore(before)
        self.assertEqual((self.sandbox.run_code("x").value, self.sandbox.files.read("note")), ("1", "1"))

    def test_a_snapshot_belongs_to_its_sandbox(self):
        with Sandbox.create() as other:
            snapshot = other.snapshot()
            with self.assertRaises(NotFoundError) as others:
                self.sandbox.restore(snapshot)
            self.assertIn("no such snapshot", str(others.exception))
            other.restore(snapshot)

    def test_snapshots_that_are_dropped_make_room(self):
        # The service keeps 64 of a sandbox.
        for _ in range(70):
            self.sandbox.snapshot()
            gc.collect()

    def test_errors_have_their_kind(self):
        kept = [self.sandbox.snapshot() for _ in range(64)]
        with self.assertRaises(Exception) as full:
            self.sandbox.snapshot()
        self.assertEqual((full.exception.code, isinstance(full.exception, SnapshotError)), ("service_limit", False))
        self.assertEqual(len(kept), 64)

    def test_an_interpreter_that_has_ended_is_not_copied(self):
        before = self.sandbox.snapshot()
        self.sandbox.run_code("import os; os._exit(3)")
        for call in (self.sandbox.snapshot, self.sandbox.fork, lambda: self.sandbox.map(["1"])):
            with self.assertRaises(EndedError):
                call()
        # What was taken before has it, and so has a fresh one.
        [fork] = self.sandbox.fork(snapshot=before)
        self.assertEqual(fork.run_code("1").value, "1")
        fork.close()
        self.sandbox.reset()
        self.sandbox.fork()[0].close()

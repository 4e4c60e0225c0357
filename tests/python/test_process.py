"""What concerns a whole process: Ctrl-C, threads, the interpreter's exit, forks. Each in a Python of its own."""

import importlib.util
import sysconfig
import tempfile
import unittest
from pathlib import Path

import wisp_sandbox
from kit import child
from wisp_sandbox import Mount, PolicyError, Sandbox

# Sends the signal of Ctrl-C once the sandbox has said something: the main thread waits then, or is about to.
INTERRUPT = """
import os, signal, threading
from wisp_sandbox import Sandbox
sandbox, runs = Sandbox.create(), threading.Event()
def press():
    runs.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
said = lambda _: runs.set()
"""


class Process(unittest.TestCase):
    def ends_well(self, done, printed):
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, printed, ""))

    def test_ctrl_c_interrupts_code(self):
        self.ends_well(child(INTERRUPT + """
sandbox.run_code("x = 1")
try:
    sandbox.run_code("x = 2\\nprint('runs', flush=True)\\nwhile True: pass", on_stdout=said)
except KeyboardInterrupt:
    print("interrupted")
print(sandbox.run_code("x").value)
"""), "interrupted\n2\n")

    def test_ctrl_c_ends_a_command(self):
        self.ends_well(child(INTERRUPT + """
try:
    sandbox.commands.run("echo runs; sleep 1000", on_stdout=said, tag="long")
except KeyboardInterrupt:
    print("interrupted")
print(sandbox.commands.connect("long").wait().success)
"""), "interrupted\nFalse\n")

    def test_ctrl_c_interrupts_the_command_of_a_handle(self):
        self.ends_well(child(INTERRUPT + """
handle = sandbox.commands.start("trap 'echo cleaned; exit 5' INT; echo runs; while :; do sleep 0.01; done")
handle.output(wait=100)
said("")
try:
    handle.wait()
except KeyboardInterrupt:
    print("interrupted")
print(handle.wait().exit_code)
"""), "interrupted\n5\n")

    def test_ctrl_c_without_a_function_that_receives_output(self):
        self.ends_well(child(INTERRUPT + """
handle = sandbox.commands.start("echo runs; read -r x", pipe_stdin=True)
def look():
    handle.output(wait=100)
    said("")
try:
    threading.Thread(target=look).start()
    handle.output("stderr", wait=1000)
except KeyboardInterrupt:
    print("interrupted")
handle.kill()
"""), "interrupted\n")

    def test_ctrl_c_at_a_watch_loses_no_change(self):
        self.ends_well(child(INTERRUPT + """
watch = sandbox.files.watch()
try:
    said("")
    watch.next()
except KeyboardInterrupt:
    print("interrupted")
sandbox.files.make_dir("d")
print(watch.next().number)
"""), "interrupted\n1\n")

    def test_ctrl_c_ends_all_cells(self):
        self.ends_well(child(INTERRUPT + """
from wisp_sandbox import _native
def look():
    while _native.live_sessions() < 3:
        pass
    said("")
threading.Thread(target=look).start()
try:
    sandbox.map(["while True: pass"] * 2, concurrency=2)
except KeyboardInterrupt:
    print("interrupted")
while _native.live_sessions() > 1:
    pass
print(sandbox.run_code("1").value)
"""), "interrupted\n1\n")

    def test_the_exit_ends_what_runs(self):
        self.ends_well(child("""
import contextlib, threading
from wisp_sandbox import Sandbox
one, other = Sandbox.create(), Sandbox.create(key="kept")
def forever():
    with contextlib.suppress(Exception):
        other.run_code("while True: pass")
one.commands.start("sleep 1000")
one.commands.start("while :; do :; done")
# A thread that waits for ever does not keep the interpreter, if it is a daemon.
threading.Thread(target=forever, daemon=True).start()
print("left")
"""), "left\n")

    def test_the_exit_with_a_loop_that_was_left(self):
        self.ends_well(child("""
import asyncio
from wisp_sandbox import AsyncSandbox
async def main():
    sandbox = await AsyncSandbox.create()
    begun = asyncio.Event()
    task = asyncio.create_task(sandbox.run_code("print('runs', flush=True)\\nwhile True: pass", on_stdout=lambda _: begun.set()))
    await begun.wait()
    print("left")
asyncio.run(main())
"""), "left\n")

    def test_after_the_exit_no_sandbox_is_made(self):
        self.ends_well(child("""
import atexit
def late():
    try:
        Sandbox.create()
    except EndedError as error:
        print(error)
atexit.register(late)
from wisp_sandbox import EndedError, Sandbox
Sandbox.create()
"""), "no sandbox can be made any more: the interpreter exits\n")

    def test_threads_run_beside_each_other(self):
        self.ends_well(child("""
from concurrent.futures import ThreadPoolExecutor
from wisp_sandbox import Sandbox
def one(number):
    with Sandbox.create() as sandbox:
        return int(sandbox.run_code(f"{number} * 2").value)
with ThreadPoolExecutor(16) as pool:
    print(sum(pool.map(one, range(64))))
"""), "4032\n")

    def test_a_forked_process_says_why_it_cannot(self):
        done = child("""
import os, warnings
from wisp_sandbox import Policy, Sandbox, WispError
warnings.simplefilter("ignore")
sandbox = Sandbox.create()
handle, watch, snapshot = sandbox.commands.start("sleep 1000"), sandbox.files.watch(), sandbox.snapshot()
if os.fork() == 0:
    for call in (Sandbox.create, lambda: sandbox.run_code("1"), handle.kill, lambda: sandbox.policy, lambda: sandbox.receipts, watch.close,
                 lambda: sandbox.functions, sandbox.is_running, sandbox.explain, sandbox.close, sandbox.commands.list, handle.info, handle.close_stdin,
                 lambda: sandbox.files.download("x", "x"), lambda: watch.next(0), lambda: sandbox.restore(snapshot), lambda: Policy.load("offline").explain()):
        try:
            call()
        except WispError as error:
            print(error.code, "was forked from one that uses wisp" in str(error), flush=True)
    del sandbox, handle, watch, snapshot
    raise SystemExit(0)
print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
# The parent's are as they were.
print(handle.poll(), sandbox.run_code("1").value, sandbox.receipts != [], watch.next(0))
watch.close()
""")
        self.ends_well(done, "unsupported True\n" * 17 + "0\nNone 1 True None\n")

    def test_a_process_that_is_spawned_can(self):
        self.ends_well(child("""
import subprocess, sys
from wisp_sandbox import Sandbox
code = "from wisp_sandbox import Sandbox; print(Sandbox.create().run_code('2 + 2').value)"
with Sandbox.create():
    print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, end="")
"""), "4\n")

    def test_exceptions_cross_processes(self):
        self.ends_well(child("""
import pickle
from wisp_sandbox import PolicyError, Sandbox
try:
    Sandbox.create("extends = 'offline'\\nnothing = 1")
except PolicyError as error:
    again = pickle.loads(pickle.dumps(error))
    print(type(again).__name__, again.code, str(again) == str(error), again.findings == error.findings)
"""), "PolicyError policy_invalid True True\n")

    def test_no_guest_writes_what_a_later_start_executes(self):
        paths, package = sysconfig.get_paths(), Path(wisp_sandbox.__file__)
        for place in (package, package.parent, package.parent.parent, Path(paths["stdlib"], "json"), Path(paths["purelib"])):
            with self.subTest(place):
                with self.assertRaises(PolicyError) as raised:
                    Sandbox.create(mounts=[Mount(place, "/mnt/x", "write")])
                self.assertEqual(raised.exception.code, "policy_invalid")
                # What it writes in an overlay stays in the sandbox.
                Sandbox.create(mounts=[Mount(place, "/mnt/x", "overlay")]).close()
        with tempfile.TemporaryDirectory() as folder, Sandbox.create(mounts=[Mount(folder, "/mnt/x", "write")]) as sandbox:
            sandbox.files.write("/mnt/x/report", "fine")
            self.assertEqual(Path(folder, "report").read_text(), "fine")

    def test_a_call_fails_when_the_exit_has_begun(self):
        self.ends_well(child("""
import atexit, threading
runs = threading.Event()
def clean():
    # After wisp's own: it waits for a thread that calls wisp.
    runs.set()
    thread.join()
atexit.register(clean)
from wisp_sandbox import EndedError, Sandbox
sandbox = Sandbox.create()
def late():
    runs.wait()
    try:
        sandbox.run_code("1")
    except EndedError:
        print("ended")
thread = threading.Thread(target=late, daemon=True)
thread.start()
"""), "ended\n")

    def test_a_block_is_left_in_a_forked_process(self):
        done = child("""
import os, sys, warnings
from wisp_sandbox import Sandbox
warnings.simplefilter("ignore")
with Sandbox.create() as sandbox, sandbox.files.watch() as watch:
    if os.fork() == 0:
        sys.exit(7)
    print(os.waitstatus_to_exitcode(os.wait()[1]), sandbox.run_code("1").value)
""")
        self.ends_well(done, "7 1\n")

    def test_threads_with_small_stacks(self):
        self.ends_well(child("""
import threading
from wisp_sandbox import Sandbox
threading.stack_size(256 * 1024)
def work():
    with Sandbox.create() as sandbox:
        print([each.value for each in sandbox.map(["1", "2"])])
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""), "['1', '2']\n")

    def test_another_interpreter_is_refused(self):
        name = next((name for name in ("_interpreters", "_xxsubinterpreters") if importlib.util.find_spec(name)), None)
        if name is None:
            self.skipTest("this Python has no interpreters beside its main one")
        self.ends_well(child(f"""
import {name} as interpreters
import wisp_sandbox
id = interpreters.create()
try:
    found = interpreters.run_string(id, "import wisp_sandbox")
except Exception as error:
    found = error
print("ImportError" in str(found), wisp_sandbox.Sandbox.create().run_code("1").value)
"""), "True 1\n")

"""The released Codex, whose commands and files are in wisp: `codex.py WISP PROGRAM`, run by `toolchain/doors`.

The model is a script (model.py) of ten steps: a bug is found by a test and corrected by a patch, a long command is polled, one is answered at
its terminal, one interrupted, one left running, requests are allowed and refused, and a plot is made. Prints a line, and what failed; 1 if
anything did.
"""

import json
import re
import sys
import time

from model import NAME, Call, Model

from lib.agents import Lab, tree

CALC = "def mean(numbers):\n    return sum(numbers) / len(numbers) + 1\n"
FIXED = CALC.replace(" + 1", "")
TEST = "from calc import mean\n\n\ndef test_mean():\n    assert mean([1, 2, 6]) == 3\n"
NOTES = "not part of the task\n"
CONFIG = """model = "{name}"
model_provider = "{name}"
approval_policy = "never"
sandbox_mode = "workspace-write"
[model_providers.{name}]
name = "{name}"
base_url = "{origin}/v1"
wire_api = "responses"
"""
# What was there before wisp, and is to be there after it.
ENVIRONMENTS = '# mine\n\n[[environments]]\nid = "elsewhere"\nurl = "ws://127.0.0.1:1"\n'
# A plot without matplotlib: a picture of bars, by hand.
BY_HAND = """import struct, zlib
rows = b"".join(b"\\0" + bytes(0 if y >= 64 - 8 * (x // 16) else 255 for x in range(64)) for y in range(64))
chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
picture = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows))
open("plot.png", "wb").write(picture + chunk(b"IEND", b""))"""
WITH_MATPLOTLIB = """import matplotlib.pyplot as plt
plt.bar(range(4), [1, 2, 3, 4])
plt.savefig("plot.png")"""
SECRET = "only-for-the-host"
ENDLESS = "while :; do :; done"
PATIENCE = 60  # seconds that what Codex leaves running may take to save its session


def run(command, **more):
    """A call of the shell tool."""
    return Call("exec_command", cmd=command, **more)


def patch(*lines):
    """A call that edits files as Codex does, which it does by its own files tool: no program of that name is in the sandbox."""
    return run("apply_patch <<'EOF'\n*** Begin Patch\n" + "\n".join(lines) + "\n*** End Patch\nEOF")


def ended(result, code):
    """Fail unless the command has ended with this."""
    result.has(f"Process exited with code {code}\n")


def running(result):
    """The name of the command, which must not have ended."""
    found = re.search(r"Process running with session ID (\d+)", result.text)
    assert found, f"it does not run: {result.text!r}"
    return int(found[1])


def to_its_end(result, seen):
    """Poll a command until it has ended. Adds what it prints to `seen`."""
    while True:
        seen.append(result.text)
        if "Process running with session ID" not in result.text:
            return result
        result = yield Call("write_stdin", session_id=running(result), yield_time_ms=5000)


def task(site, project, plot):
    """The ten steps."""
    # 1. Where it is.
    seen = yield run("uname; pwd; id -un; ls; cat calc.py; env")
    ended(seen, 0)
    seen.has("wisp\n", f"{project}\n", "user\n", "notes.txt", CALC)
    seen.lacks(SECRET)
    # 2. A test, which shows the bug; Codex's own tool for files writes it.
    seen = yield patch("*** Add File: tests/test_calc.py", *(f"+{line}" for line in TEST.splitlines()))
    seen.has("Success", "A tests/test_calc.py")
    seen = yield run("python3 -m pytest -q")
    ended(seen, 1)
    seen.has("1 failed")
    # 3. The correction. A patch that does not fit changes nothing.
    seen = yield patch("*** Update File: calc.py", "@@", "-    return nothing of the kind", "+    return 0")
    seen.has("verification failed")
    seen = yield patch("*** Update File: calc.py", "@@", " def mean(numbers):", f"-{CALC.splitlines()[1]}", f"+{FIXED.splitlines()[1]}")
    seen.has("Success", "M calc.py")
    # 4. The test passes.
    seen = yield run("python3 -m pytest -q")
    ended(seen, 0)
    seen.has("1 passed")
    # 5. A long command, whose output comes piece by piece.
    pieces = []
    first = yield run("for i in 1 2 3 4; do echo part $i; sleep 1; done; exit 4", yield_time_ms=500)
    running(first)
    last = yield from to_its_end(first, pieces)
    ended(last, 4)
    told = re.findall(r"part \d", "".join(pieces))
    assert told == [f"part {number}" for number in range(1, 5)], told
    # 6. One that asks at its terminal.
    asks = yield run("read name; echo hello $name; [ -t 0 ] && echo a terminal", tty=True, yield_time_ms=500)
    pieces = []
    last = yield from to_its_end((yield Call("write_stdin", session_id=running(asks), chars="Codex\n", yield_time_ms=5000)), pieces)
    ended(last, 0)
    assert "hello Codex" in "".join(pieces) and "a terminal" in "".join(pieces), pieces
    # 7. One that Ctrl-C ends.
    spins = yield run(ENDLESS, tty=True, yield_time_ms=500)
    last = yield from to_its_end((yield Call("write_stdin", session_id=running(spins), chars="\x03", yield_time_ms=5000)), pieces)
    ended(last, 130)
    # 8. What the policy refuses, and allows.
    seen = yield run(f"curl -sS {site}/other/page")
    assert "code 0\n" not in seen.text, seen.text
    seen.has("denied by wisp", "/other/page")
    seen = yield run(f"curl -sS {site}/allowed/page")
    ended(seen, 0)
    seen.has("the page /site/allowed/page")
    seen = yield run("cat /mnt/input/given.txt && touch /mnt/input/made.txt")
    ended(seen, 1)
    seen.has("given\n", "made.txt")
    # 9. A plot.
    seen = yield run(f"python3 - <<'EOF'\n{plot}\nEOF\nfile plot.png")
    ended(seen, 0)
    seen.has("PNG image")
    seen = yield Call("view_image", path=f"{project}/plot.png")
    assert [picture[:22] for picture in seen.pictures] == ["data:image/png;base64,"], seen.text
    # 10. One is left running when Codex ends.
    running((yield run(f"echo left > left.txt; {ENDLESS}", yield_time_ms=500)))
    return "done"


def gone():
    """The conversation with a wisp that is gone: Codex has no other place to work in."""
    for call in (run("echo outside > gone.txt"), patch("*** Add File: gone.txt", "+outside")):
        seen = yield call
        seen.has("No usable execution environment")
    return "done"


def talk(lab, program, model, script):
    """Have Codex hold a conversation to its end. Returns the calls."""
    conversation = model.follow(script)
    (lab.home / ".codex" / "config.toml").write_text(CONFIG.format(name=NAME, origin=model.origin))
    done = lab.agent([program, "exec", "--skip-git-repo-check", "Go on."], model, SECRET_OF_THE_HOST=SECRET)
    assert not conversation.wrong, conversation.wrong
    assert conversation.ended and done.status == 0, f"it stopped after {len(conversation.calls)} calls: {done}"
    return conversation.calls


def wait_until_nothing_is_left(lab):
    """Wait for what Codex has started: wisp saves the session when Codex has ended."""
    end = time.monotonic() + PATIENCE
    while left := lab.left():
        assert time.monotonic() < end, f"{PATIENCE} s after Codex's end there are still {left}"
        time.sleep(0.05)


def check(lab, program):
    """Everything. Returns what to say."""
    (lab.project / "calc.py").write_text(CALC)
    (lab.project / "notes.txt").write_text(NOTES)
    (lab.project / "run.sh").write_text("#!/bin/sh\n")
    (lab.project / "run.sh").chmod(0o755)
    given, receipts, folder = lab.folder / "given", lab.folder / "receipts", lab.home / ".codex"
    given.mkdir()
    (given / "given.txt").write_text("given\n")
    folder.mkdir()
    environments = folder / "environments.toml"
    environments.write_text(ENVIRONMENTS)
    before = tree(lab.project), tree(given)
    data = lab.run([lab.wisp, "run", "--policy", "data", "--", "python3", "-c", "import matplotlib"]).status == 0

    with Model("exec_command") as model:
        grants = ["--policy", "data" if data else "offline", "--allow", f"{model.origin}/site/allowed/", "--mount", f"{given}:/mnt/input"]
        lab.run_wisp("codex", "install", *grants)
        installed = environments.read_text()
        # The one thing that an installation does not write.
        words = 'args = ["codex", '
        assert words in installed, installed
        environments.write_text(installed.replace(words, f'{words}"--receipts", {json.dumps(str(receipts))}, '))
        calls = talk(lab, program, model, task(f"{model.origin}/site", lab.project, WITH_MATPLOTLIB if data else BY_HAND))
    wait_until_nothing_is_left(lab)
    assert (tree(lab.project), tree(given)) == before, f"the host's folder changed: {tree(lab.project)}"

    told = [json.loads(line) for line in receipts.read_text().splitlines()]
    denied = {one["subject"] for one in told if one["verdict"] == "denied"}
    assert denied == {f"GET {model.origin}/site/other/page", "/mnt/input/made.txt: the mount is granted read-only"}, denied
    assert any(one["subject"] == f"GET {model.origin}/site/allowed/page" and one["verdict"] == "allowed" for one in told), told

    [session] = lab.sessions()
    lab.run_wisp("session", "apply", session)
    after = {name: tree(lab.project)[name] for name in tree(lab.project) if "__pycache__" not in name and ".pytest_cache" not in name}
    assert {name for name in after if after[name] != before[0].get(name)} == {"calc.py", "left.txt", "plot.png", "tests", "tests/test_calc.py"}, after
    assert not set(before[0]) - set(after), after
    found = [(lab.project / name).read_text() for name in ("calc.py", "tests/test_calc.py", "left.txt")]
    assert found == [FIXED, TEST, "left\n"], found
    assert (lab.project / "plot.png").read_bytes().startswith(b"\x89PNG")

    applied = tree(lab.project)
    lab.wisp.rename(lab.folder / "elsewhere")
    with Model("exec_command") as without:
        talk(lab, program, without, gone())
    (lab.folder / "elsewhere").rename(lab.wisp)
    assert tree(lab.project) == applied, f"something was done although wisp is gone: {tree(lab.project)}"

    lab.run_wisp("codex", "uninstall")
    assert environments.read_text() == ENVIRONMENTS, environments.read_text()
    others = ", ".join(sorted(set(model.elsewhere)))
    return f"{len(calls)} calls: ok{'' if data else ', without matplotlib'}" + (f"; asked of other machines, and refused: {others}" if others else "")


def main():
    """Everything; 1 if anything is wrong."""
    wisp, program = sys.argv[1:]
    with Lab(wisp) as lab:
        try:
            print(f"codex: {check(lab, program)}")
        except AssertionError as error:
            print(f"codex: FAILS: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

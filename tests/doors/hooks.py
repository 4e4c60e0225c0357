"""A released agent, whose shell commands `wisp hooks install` sends into wisp: `hooks.py WISP AGENT PROGRAM`, run by `toolchain/doors`.

The model is a script (model.py). The cache of machine code is empty at the start, so that what an installation does not compile would be
compiled, and said, by a command. Prints a line, and what failed; 1 if anything did.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from model import NAME, Call, Model

from lib.agents import Lab, tree

LOADED = ("wisp: compiling", "wisp: compiled")  # what no model should read
HELPER = "For the helper"  # how a conversation of the agent with itself begins


class Claude:
    """Claude Code, in which another hook is asked about shell commands too, and another is told of their end."""

    tool, title = "Bash", "Claude Code"

    def __init__(self, program, lab):
        self.program, self.lab, self.other = program, lab, lab.folder / "other-hook"
        self.file = lab.home / ".claude" / "settings.json"
        self.file.parent.mkdir()
        # In a form of its own, which has to stay.
        hook = '[{ "matcher": "Bash", "hooks": [ {"type": "command", "command": "echo %s >>' + str(self.other) + '"} ] }]'
        self.file.write_text('{ "hooks": {\n   "PreToolUse":  ' + hook % "before" + ',\n   "PostToolUse": ' + hook % "after" + "\n} }")

    def call(self, command, **more):
        """A call of the shell tool."""
        return Call(self.tool, command=command, description="a command", **more)

    def refused(self):
        """A call that wisp has no place for, and what the model is told."""
        return self.call("touch refused.txt", run_in_background=True), "wisp: the sandbox runs one command at a time"

    def helper(self, said):
        """A call that begins a conversation of the agent with itself."""
        return Call("Agent", description="a helper", prompt=said, subagent_type="general-purpose", run_in_background=False)

    def ask(self, model, *options):
        """Have the agent work."""
        return self.lab.agent([self.program, "-p", "Go on.", *options], model, ANTHROPIC_BASE_URL=model.origin, ANTHROPIC_API_KEY="none",
                              CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1", DISABLE_AUTOUPDATER="1")

    def check_exit(self, number, result, call, done):
        """Fail unless the agent says that the call ended with this."""
        assert result.failed and result.text.startswith(f"Exit code {number}\n"), result.text

    def check_others(self, commands, refused):
        """Fail unless the other hooks have run for each command."""
        said = self.other.read_text().split()
        assert said.count("before") == commands + refused and said.count("after") > 0, f"{commands} commands, and other hooks: {said}"

    def installed(self):
        """What uninstalling brings back."""
        return self.file.read_bytes() if self.file.exists() else None


class OpenCode:
    """OpenCode, with another plugin that is asked about tools."""

    tool, title = "bash", "OpenCode"

    def __init__(self, program, lab):
        self.program, self.lab, self.other = program, lab, lab.folder / "other-plugin"
        self.folder = lab.home / ".config" / "opencode"
        (self.folder / "plugin").mkdir(parents=True)
        (self.folder / "plugin" / "other.js").write_text(
            'import { appendFileSync } from "node:fs"\nexport const Other = async () => ({\n'
            f'  "tool.execute.before": async (call) => appendFileSync({json.dumps(str(self.other))}, call.tool + "\\n"),\n}})\n')

    def call(self, command, **more):
        """A call of the shell tool."""
        return Call(self.tool, command=command, description="a command", **more)

    def refused(self):
        """A call that wisp has no place for, and what the model is told."""
        return self.call("touch refused.txt", workdir="/usr/lib"), "wisp did not let this command run: `/usr/lib` is not in the project"

    def helper(self, said):
        """A call that begins a conversation of the agent with itself."""
        return Call("task", description="a helper", prompt=said, subagent_type="general")

    def ask(self, model, *_):
        """Have the agent work."""
        provider = {"npm": "@ai-sdk/anthropic", "name": NAME, "options": {"baseURL": f"{model.origin}/v1", "apiKey": "none"},
                    "models": {NAME: {"name": NAME, "tool_call": True, "limit": {"context": 200_000, "output": 8_000}}}}
        named = f"{NAME}/{NAME}"
        (self.folder / "opencode.json").write_text(json.dumps(
            {"provider": {NAME: provider}, "model": named, "small_model": named, "autoupdate": False, "share": "disabled"}))
        off = {f"OPENCODE_DISABLE_{what}": "1" for what in ("AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD", "MODELS_FETCH")}
        return self.lab.agent([self.program, "run", "--format", "json", "Go on."], model, **off)

    def check_exit(self, number, result, call, done):
        """Fail unless the agent has noted that the call ended with this: it does not tell the model."""
        events = [json.loads(line) for line in done.out.splitlines() if line.startswith("{")]
        parts = [event["part"] for event in events if event["type"] == "tool_use"]
        found = [part["state"].get("metadata", {}).get("exit") for part in parts if part["callID"] == call.id]
        assert found == [number], f"{found} is not {[number]}"

    def check_others(self, commands, refused):
        """Fail unless the other plugin was asked about each command. One that wisp's has refused may end before it is asked."""
        said = self.other.read_text().split().count(self.tool)
        assert commands <= said <= commands + refused, f"{commands} commands, and the other plugin was asked {said} times"

    def installed(self):
        """What uninstalling brings back."""
        return tree(self.folder / "plugin")


AGENTS = {"claude": Claude, "opencode": OpenCode}


def work(agent, marks):
    """The conversation in which everything goes right."""
    project = str(agent.lab.project)
    seen = yield agent.call("uname; id -un; x=41; mkdir sub")
    seen.has("wisp", "user")
    # The session stays, and its shell.
    seen = yield agent.call("ls; echo $((x + 1)); pwd")
    seen.has("42", "sub", "host.txt", project)
    marks["exits"] = agent.call("echo 'it'\"'\"'s' \"$HOME\"; exit 3")
    marks["exited"] = seen = yield marks["exits"]
    seen.has("it's", "/home/user")
    # What the policy refuses, and what it does not grant.
    seen = yield agent.call("curl -sS https://example.org/ || cat /etc/shadow")
    seen.has("denied by wisp", "/etc/shadow: No such file or directory")
    refused, reason = agent.refused()
    seen = yield refused
    assert seen.failed, seen.text
    seen.has(reason)
    # The overlay keeps what commands make, change and remove.
    yield agent.call("echo made > made.txt; echo changed >> kept.txt; rm host.txt")
    seen = yield agent.call("cat made.txt kept.txt; ls")
    seen.has("made", "kept\nchanged")
    seen.lacks("host.txt", "refused.txt")
    # Models ask for several commands at once, and agents run those side by side that they think only read.
    several = yield [agent.call("cat made.txt; sleep 1"), agent.call("ls -la; sleep 1"), agent.call("pwd; sleep 1")]
    for seen, part in zip(several, ("made", "kept.txt", project)):
        seen.has(part)
    seen = yield agent.call("python3 -c 'import sys, json; print(json.dumps([sys.platform, 6 * 7]))'")
    seen.has("wasi", "42")
    # A helper works on the same files, and leaves the shell where it was.
    seen = yield agent.helper(f"{HELPER}: look around.")
    seen.has("it helped")
    seen = yield agent.call("pwd; cat sub/of-helper.txt")
    seen.has(f"{project}\n", "helped")
    return "done"


def helps(agent):
    """The conversation of a helper."""
    seen = yield agent.call("cat made.txt; cd sub && echo helped > of-helper.txt && pwd")
    seen.has("made", f"{agent.lab.project}/sub")
    return "it helped"


def blocked(agent, marks):
    """The conversation with a wisp that is gone."""
    seen = yield agent.call("echo outside > gone.txt")
    assert seen.failed, seen.text
    return "done"


def outside(agent, marks):
    """The conversation without the hook."""
    seen = yield agent.call("uname")
    seen.has(os.uname().sysname)
    return "done"


def talk(script, agent, *options):
    """Have the agent hold a conversation to its end: the calls of the shell tool, what the script noted, what the agent printed, and what it asked
    of other machines."""
    marks = {}
    with Model(agent.tool) as model:
        talks = [model.follow(script(agent, marks)), model.follow(helps(agent), HELPER)]
        done = agent.ask(model, *options)
    calls = [call for one in talks for call in one.calls]
    for wrong in filter(None, (one.wrong for one in talks)):
        raise AssertionError(f"{script.__name__}: {wrong}")
    assert talks[0].ended and done.status == 0, f"{script.__name__} stopped after {len(calls)} calls: {done}"
    return [(call, result) for call, result in calls if call.tool == agent.tool], marks, done, sorted(set(model.elsewhere))


def compiled(cache):
    """The machine code that is kept."""
    return {path.name for path in Path(cache).rglob("*.cwasm")}


def check(agent, lab, name, cache):
    """Everything. Returns what to say."""
    (lab.project / "host.txt").write_text("host\n")
    (lab.project / "kept.txt").write_text("kept\n")
    before, configured = tree(lab.project), agent.installed()

    def state():
        found = json.loads(lab.run_wisp("hooks", "status", "--json").out)
        return {one["client"]: one["state"] for one in found}[name]

    states = [state()]
    lab.run_wisp("hooks", "install", name)
    states.append(state())
    code = compiled(cache)
    calls, marks, done, elsewhere = talk(work, agent)
    agent.check_exit(3, marks["exited"], marks["exits"], done)
    for call, result in calls:
        assert not any(line in result.text for line in LOADED), f"{call}: {result.text}"
    assert compiled(cache) == code, f"a command compiled {compiled(cache) - code}"
    agent.check_others(commands=len(calls) - 1, refused=1)
    assert tree(lab.project) == before, f"the host's folder changed: {tree(lab.project)}"
    [session] = lab.sessions()
    changed = {one["path"].rsplit("/", 1)[-1]: one["kind"] for one in json.loads(lab.run_wisp("session", "diff", session, str(lab.project), "--json").out)}
    assert changed == {"host.txt": "deleted", "kept.txt": "modified", "made.txt": "added", "sub": "added", "of-helper.txt": "added"}, changed

    lab.wisp.rename(lab.folder / "elsewhere")
    talk(blocked, agent)
    (lab.folder / "elsewhere").rename(lab.wisp)
    assert tree(lab.project) == before, f"a command ran although wisp is gone: {tree(lab.project)}"

    lab.run_wisp("hooks", "uninstall", name)
    states.append(state())
    assert agent.installed() == configured, f"after uninstalling: {agent.installed()}"
    assert states == ["absent", "installed", "absent"], states
    talk(outside, agent, "--allowedTools", "Bash")
    return f"{len(calls)} commands: ok" + (f"; asked of other machines, and refused: {', '.join(elsewhere)}" if elsewhere else "")


def main():
    """Everything with one agent; 1 if anything is wrong."""
    wisp, name, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="doors-cache-") as cache, Lab(wisp, cache) as lab:
        agent = AGENTS[name](program, lab)
        try:
            print(f"hooks, {agent.title}: {check(agent, lab, name, cache)}")
        except AssertionError as error:
            print(f"hooks, {agent.title}: FAILS: {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

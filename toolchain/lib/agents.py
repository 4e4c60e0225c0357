"""Released coding agents, as tests/doors runs them: in a home of their own, with a model that is a script, and with no way to other machines."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

SECONDS = 300  # for a program that is run; the first command on a machine compiles


def home_variables(home) -> dict:
    """An empty home, with the cache of this one: compiled code and downloads are there."""
    kept = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    cleared = dict.fromkeys(["CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"], "")
    return {**cleared, "HOME": str(home), "XDG_CONFIG_HOME": f"{home}/.config", "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state", "XDG_CACHE_HOME": kept}


class Done(NamedTuple):
    """A program that has ended."""

    status: int
    out: str
    err: str

    def __str__(self):
        return f"status {self.status}: {(self.out + self.err)[-3000:]}"


class Lab:
    """A home and a project, until the block ends. Then the sessions in it are removed, and the processes that keep them open end."""

    def __init__(self, wisp, cache=None):
        # A short path that no link leads to, so that agents and wisp have one name for it.
        self.folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="doors-")))
        self.home, self.project, temporary = self.folder / "home", self.folder / "project", self.folder / "tmp"
        for folder in (self.home, self.project, temporary, self.folder / "bin"):
            folder.mkdir()
        self._wisp = Path(wisp).resolve()
        # What configurations name, and what can be taken away.
        self.wisp = self.folder / "bin" / "wisp"
        self.wisp.symlink_to(self._wisp)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {name: text for name, text in home_variables(self.home).items() if text}
        self.variables = {**kept, **own, **({"XDG_CACHE_HOME": str(cache)} if cache else {}), "TERM": "dumb", "TMPDIR": str(temporary)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if names := self.sessions():
                self.run([self._wisp, "session", "rm", *names])
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, words, seconds=SECONDS, stdin="", **variables) -> Done:
        """Run a program in the project. After `seconds` it is ended, with the programs that it has started."""
        child = subprocess.Popen([str(word) for word in words], cwd=self.project, env={**self.variables, **variables}, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True)
        try:
            out, err = child.communicate(stdin, timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            return Done(-1, out, f"{err}\nended after {seconds} s")
        return Done(child.returncode, out, err)

    def agent(self, words, model, **variables) -> Done:
        """Run an agent with this model, which is also its way to other machines: there is none."""
        proxies = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), model.origin) | {"no_proxy": "127.0.0.1,localhost"}
        return self.run(words, **proxies, **{name.upper(): text for name, text in proxies.items()}, **variables)

    def run_wisp(self, *words, **variables) -> Done:
        """Run wisp, which must succeed."""
        done = self.run([self.wisp, *words], **variables)
        assert done.status == 0, f"wisp {' '.join(map(str, words))}: {done}"
        return done

    def sessions(self) -> list:
        """The names of the sessions that are kept."""
        done = self.run([self._wisp, "session", "list", "--json"])
        return [one["name"] for one in json.loads(done.out or "[]")]

    def left(self) -> list:
        """The processes whose command line names this folder, where the system tells."""
        found = []
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = place.read_bytes().decode(errors="replace").split("\0")
            except OSError:  # it has just ended
                continue
            if any(str(self.folder) in word for word in words):
                found.append(f"{place.parent.name}: {' '.join(words)}")
        return found


def tree(folder) -> dict:
    """Everything below a folder: its kind, its mode, and its bytes or where it leads."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        mode = path.lstat().st_mode
        content = os.readlink(path) if path.is_symlink() else hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = (oct(mode), content)
    return found

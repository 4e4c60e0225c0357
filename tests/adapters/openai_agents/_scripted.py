"""Scripts of the SDK's tests, played in a sandbox: what a double was to answer is what is there."""

import io
import subprocess
import types
import uuid
from pathlib import Path

from _doubles import Opened, on_host
from agents import testing
from agents.sandbox import Manifest
from agents.sandbox.errors import WorkspaceReadNotFoundError
from agents.sandbox.snapshot import NoopSnapshot
from agents.sandbox.types import ExecResult, User

from wisp_sandbox import Mount, Sandbox
from wisp_sandbox.adapters.openai_agents import WispSandboxSessionState


class ReadSession(Opened):
    """In place of a scripted session that is to answer `read`: the files are written into the sandbox, and read by the adapter."""

    def __init__(self, contents, manifest):
        super().__init__(WispSandboxSessionState(manifest=manifest, snapshot=NoopSnapshot(id=str(uuid.uuid4()))))
        self.contents, self.calls = list(contents), ()
        self.plain = self.opened()

    async def read(self, path, *, user=None):
        self.calls += (types.SimpleNamespace(method="read", args=(path,), kwargs={"user": user}),)
        self.plain.files.write(self.normalize_path(path).as_posix(), self.contents.pop(0))
        return await super().read(path)

    async def exec(self, *command, timeout=None, shell=True, user=None):
        self.calls += (types.SimpleNamespace(method="exec", args=command, kwargs={"timeout": timeout, "shell": shell, "user": user}),)
        return await super().exec(*command, timeout=timeout, shell=shell, user=user)

    def assert_complete(self):
        assert not self.contents


def scripted(steps=(), *, manifest=None, **more):
    """In place of `scripted_sandbox_session`, for scripts that read files or do nothing; the others stay the SDK's: their answers are made up."""
    steps = list(steps)
    plain = all(step["method"] == "read" and isinstance(step.get("result"), io.BytesIO) for step in steps)
    if not plain or more:
        return testing.scripted_sandbox_session(steps, **({} if manifest is None else {"manifest": manifest}), **more)
    return ReadSession([step["result"].getvalue() for step in steps], manifest or Manifest(root="/workspace"))


def run_in_sandbox(command, *, cwd=None, timeout=None, check=False, text=False, capture_output=True):
    """In place of `subprocess.run`: the program runs in a sandbox that has the test's directory at its path."""
    # `tar -C FOLDER` is the one that names no program of its folder.
    folder = Path(cwd or (command[command.index("-C") + 1] if "-C" in command else Path(command[0]).parent))
    with Sandbox.create(mounts=[Mount(folder, str(folder), "write")]) as sandbox:
        done = sandbox.commands.run(list(map(str, command)), cwd=None if cwd is None else str(cwd), timeout=timeout)
    outputs = (done.stdout, done.stderr) if text else (done.stdout_bytes, done.stderr_bytes)
    completed = subprocess.CompletedProcess(command, done.exit_code, *outputs)
    if check:
        completed.check_returncode()
    return completed


class SkillsSession(Opened):
    """In place of the double of the skills' tests, which notes for which user each call is."""

    def __init__(self, manifest):
        self.mounts = on_host(manifest.root)
        super().__init__(WispSandboxSessionState(manifest=manifest, snapshot=NoopSnapshot(id=str(uuid.uuid4()))))
        self.read_users, self.write_users, self.mkdir_users = [], [], []

    async def read(self, path, *, user=None):
        self.read_users.append(name_of(user))
        try:
            return await super().read(path)
        except WorkspaceReadNotFoundError as error:
            # As the double; the sessions of the SDK raise what ours does.
            raise FileNotFoundError(path) from error

    async def write(self, path, data, *, user=None):
        self.write_users.append(name_of(user))
        await super().write(path, data)

    async def mkdir(self, path, *, parents=False, user=None):
        self.mkdir_users.append(name_of(user))
        await super().mkdir(path, parents=parents)

    async def exec(self, *command, timeout=None, shell=True, user=None):
        return await super().exec(*command, timeout=timeout, shell=shell)


def name_of(user):
    """The name of a user."""
    return user.name if isinstance(user, User) else user


def exec_in_sandbox(session):
    """Returns `_exec_internal` for a double that ran programs on the host: they run where its workspace is mounted.

    The record of a fingerprint, which the tests look for on the host, is copied there.
    """
    root, record = Path(session.state.manifest.root), session._snapshot_fingerprint_cache_path()
    sandbox = Sandbox.create(mounts=[Mount(root, str(root), "write")])

    async def _exec_internal(*command, timeout=None):
        done = sandbox.commands.run([str(word) for word in command], timeout=timeout)
        if sandbox.files.exists(str(record)):
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_bytes(sandbox.files.read(str(record), "bytes"))
        return ExecResult(stdout=done.stdout_bytes, stderr=done.stderr_bytes, exit_code=done.exit_code)

    return _exec_internal

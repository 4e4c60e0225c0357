"""Sessions in sandboxes, in place of those that the SDK's tests have for themselves."""

import os
import shutil
import tempfile
import uuid
from collections.abc import MutableMapping
from pathlib import Path

from agents.sandbox import Manifest
from agents.sandbox.manifest import Environment
from agents.sandbox.snapshot import LocalSnapshot, NoopSnapshot

from wisp_sandbox import AsyncSandbox, Mount, Sandbox
from wisp_sandbox.adapters.openai_agents import WispSandboxClient, WispSandboxSession, WispSandboxSessionState
from wisp_sandbox.adapters.openai_agents._backend import Backend


def on_host(root):
    """The mount of a workspace that is in a test's directory; none for `/workspace`, which is in the sandbox."""
    if not Path(root).is_relative_to(tempfile.gettempdir()):
        return ()
    Path(root).mkdir(parents=True, exist_ok=True)
    return (Mount(root, root, "write"),)


class Opened(WispSandboxSession):
    """A session whose sandbox is open as soon as it is needed: the SDK's doubles need no `start`."""

    mounts = ()

    def __init__(self, state):
        super().__init__(state, Backend("offline", self.mounts, None, (), {}, None))

    @property
    def sandbox(self):
        if self._sandbox is None:
            self.opened()
        return self._sandbox

    def opened(self):
        """Opens the sandbox, and returns it as one without an event loop."""
        plain = Sandbox.create("offline", mounts=self.mounts)
        plain.files.make_dir(self.state.manifest.root)
        self._sandbox = AsyncSandbox(plain._session)
        return plain


class HostSession(Opened):
    """In place of `UnixLocalSandboxSession`: its workspace is the test's directory, which is mounted at the same path."""

    def __init__(self, *, state):
        grants = [Mount(grant.path, grant.path, "read" if grant.read_only else "write") for grant in state.manifest.extra_path_grants]
        self.mounts = (*on_host(state.manifest.root), *grants)
        super().__init__(state)

    @classmethod
    def from_state(cls, state):
        return cls(state=state)


class FileView(MutableMapping):
    """The files of a workspace as the dict that the SDK's double has them in."""

    def __init__(self, sandbox, root):
        self.sandbox, self.root = sandbox, root

    def __getitem__(self, path):
        try:
            return self.sandbox.files.read(str(path), "bytes")
        except FileNotFoundError:
            raise KeyError(path) from None

    def __setitem__(self, path, data):
        self.sandbox.files.write(str(path), data)

    def __delitem__(self, path):
        self.sandbox.files.remove(str(path))

    def __iter__(self):
        return iter([Path(found.path) for found in self.sandbox.files.list(self.root, depth=100) if found.type == "file"])

    def __len__(self):
        return len(list(iter(self)))

    def __eq__(self, other):
        return dict(self) == other


class PatchSession(Opened):
    """In place of `ApplyPatchSession`, which keeps its files in a dict: notes the calls that it does."""

    def __init__(self, manifest=None):
        manifest = manifest or Manifest(root="/workspace")
        super().__init__(WispSandboxSessionState(manifest=manifest, snapshot=NoopSnapshot(id=str(uuid.uuid4()))))
        self.files = FileView(self.opened(), manifest.root)
        self.mkdir_calls, self.rm_calls, self.mv_calls = [], [], []

    async def mkdir(self, path, *, parents=False, user=None):
        self.mkdir_calls.append((self.normalize_path(path), parents))
        await super().mkdir(path, parents=parents, user=user)

    async def rm(self, path, *, recursive=False, user=None):
        self.rm_calls.append((self.normalize_path(path), recursive))
        await super().rm(path, recursive=recursive, user=user)

    async def mv(self, source, destination, *, user=None):
        await super().mv(source, destination, user=user)
        self.mv_calls.append((self.normalize_path(source), self.normalize_path(destination)))


class ClientWithHostTools(WispSandboxClient):
    """In place of `UnixLocalSandboxClient`, where programs of the test come first in PATH: they are mounted, and wisp's shell runs them."""

    def __init__(self, **options):
        self.tools = os.environ["PATH"].split(os.pathsep)[0]
        super().__init__(mounts=[Mount(self.tools, self.tools)], **options)

    async def create(self, *, manifest=None, **options):
        environment = Environment(value={"PATH": f"{self.tools}:/usr/bin", "HOME": manifest.root})
        return await super().create(manifest=manifest.model_copy(update={"environment": environment}), **options)


def built(tmp_path, *, manifest=None, exposed_ports=()):
    """In place of the builders of the SDK's tests: a session in the test's directory, with its snapshots beside it."""
    manifest = (manifest or Manifest()).model_copy(update={"root": str(tmp_path / "workspace")}, deep=True)
    snapshot = LocalSnapshot(id=str(uuid.uuid4()), base_path=tmp_path)
    return HostSession(state=WispSandboxSessionState(manifest=manifest, snapshot=snapshot, exposed_ports=exposed_ports))


class HostClient(WispSandboxClient):
    """In place of the SDK's clients whose workspaces are directories of the host, which its tests look into: they are mounted."""

    async def create(self, *, manifest=None, **options):
        manifest = manifest if manifest is not None else Manifest()
        if manifest.root == Manifest().root:
            manifest = manifest.model_copy(update={"root": tempfile.mkdtemp(prefix="wisp-workspace-")}, deep=True)
        return await super().create(manifest=manifest, **options)

    async def delete(self, session):
        await super().delete(session)
        if Path(session.state.manifest.root).name.startswith("wisp-workspace-"):
            shutil.rmtree(session.state.manifest.root, ignore_errors=True)
        return session

    def _session(self, state):
        return self._wrap_session(HostSession(state=state), instrumentation=self._instrumentation)

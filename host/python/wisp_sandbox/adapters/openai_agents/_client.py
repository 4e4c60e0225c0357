"""The client: what makes, resumes and deletes sessions."""

import os
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from agents.sandbox.manifest import Manifest
from agents.sandbox.session import Dependencies, Instrumentation, SandboxSession, SandboxSessionState
from agents.sandbox.session.sandbox_client import BaseSandboxClient
from agents.sandbox.snapshot import SnapshotBase, SnapshotSpec, resolve_snapshot

from ..._engine import Engine
from ..._native import Policy
from ..._requests import Mount
from . import _sources
from ._backend import Backend
from ._session import WispSandboxSession
from ._state import BACKEND, WispSandboxClientOptions, WispSandboxSessionState


class WispSandboxClient(BaseSandboxClient[WispSandboxClientOptions | None]):
    """Runs the sandboxes of the OpenAI Agents SDK in this process, as wisp's.

    All its sessions have its `policy` (`offline` without one: no network, no file of the host), and so have those that it resumes:
    what is written in a state gives no right. `mounts`, `timeout`, `functions`, `secrets` and `engine` are those of `AsyncSandbox.create`.

    A state also names paths of the host, where the SDK itself keeps its snapshots (`LocalSnapshot`) and what it copies into the sandbox
    (`LocalDir`, `LocalFile`). `resume` takes those that this client has made sessions with, and those in the directories `host_paths`.
    """

    backend_id = BACKEND
    supports_default_options = True

    def __init__(
        self,
        policy: Policy | str | os.PathLike[str] = "offline",
        *,
        mounts: Sequence[Mount] = (),
        timeout: float | None = None,
        functions: Iterable[Callable[..., Any]] = (),
        secrets: Mapping[str, str] | None = None,
        engine: Engine | None = None,
        host_paths: Iterable[str | os.PathLike[str]] = (),
        instrumentation: Instrumentation | None = None,
        dependencies: Dependencies | None = None,
    ) -> None:
        self._backend = Backend(policy, tuple(mounts), timeout, tuple(functions), dict(secrets or {}), engine)
        self._host_paths = {os.path.realpath(path) for path in host_paths}
        self._instrumentation = instrumentation if instrumentation is not None else Instrumentation()
        self._dependencies = dependencies

    @property
    def policy(self) -> Policy | str | os.PathLike[str]:
        """The policy of its sandboxes, as it was given."""
        return self._backend.policy

    async def create(
        self,
        *,
        snapshot: SnapshotSpec | SnapshotBase | None = None,
        manifest: Manifest | None = None,
        options: WispSandboxClientOptions | None = None,
    ) -> SandboxSession:
        """Returns a new session. Its sandbox is opened by `start`, and its snapshots are tar files."""
        chosen = options if options is not None else WispSandboxClientOptions()
        if chosen.exposed_ports:
            raise ValueError("a wisp sandbox has no ports that can be reached: `exposed_ports` must be empty")
        wanted = self._validate_manifest_for_create(manifest if manifest is not None else Manifest())
        session_id = uuid.uuid4()
        state = WispSandboxSessionState(
            session_id=session_id,
            manifest=wanted,
            snapshot=resolve_snapshot(snapshot, str(session_id)),
            pause_on_exit=chosen.pause_on_exit,
        )
        self._host_paths.update(_sources.named(state))
        return self._session(state)

    async def resume(self, state: SandboxSessionState) -> SandboxSession:
        """Returns a session that goes on where one ended: in its sandbox, if that is still there; from its snapshot, if not.

        Raises `ValueError` for a state that names paths of the host which this client does not know.
        """
        if not isinstance(state, WispSandboxSessionState):
            raise TypeError("WispSandboxClient.resume expects a WispSandboxSessionState")
        state.assert_path_grants_rebound()
        _sources.check(state, self._host_paths)
        return self._session(state)

    async def delete(self, session: SandboxSession) -> SandboxSession:
        """Closes the sandbox of a session; one that the session has paused stays, since the SDK's runner deletes each session at its end.

        `client.delete(await client.resume(state))` closes that too. Snapshots stay: they are the SDK's.
        """
        inner = session._inner
        if not isinstance(inner, WispSandboxSession):
            raise TypeError("WispSandboxClient.delete expects a WispSandboxSession")
        if not inner.paused:
            await inner.close_sandbox()
        return session

    def deserialize_session_state(self, payload: dict[str, object]) -> SandboxSessionState:
        """Returns the state that was written down."""
        return self._deserialize_session_state_payload(payload, WispSandboxSessionState)

    def _session(self, state: WispSandboxSessionState) -> SandboxSession:
        return self._wrap_session(WispSandboxSession(state, self._backend), instrumentation=self._instrumentation)

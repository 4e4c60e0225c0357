"""What opens sandboxes: the client's trusted half, which no state and no manifest changes."""

import os
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agents.sandbox.manifest import Manifest
from agents.sandbox.workspace_paths import sandbox_path_grant_host_path

from ..._async_sandbox import AsyncSandbox
from ..._engine import Engine
from ..._errors import RequestError
from ..._native import Policy
from ..._requests import Mount
from ._state import WispSandboxSessionState


@dataclass(frozen=True, repr=False)
class Backend:
    """What all sandboxes of a client are opened with. Secrets are not shown."""

    policy: Policy | str | os.PathLike[str]
    mounts: tuple[Mount, ...]
    timeout: float | None
    functions: tuple[Callable[..., Any], ...]
    secrets: Mapping[str, str]
    engine: Engine | None

    async def open(self, state: WispSandboxSessionState) -> tuple[AsyncSandbox, bool]:
        """Opens the sandbox of a session, and returns whether it is the one that the session had before.

        One that is to be found again has a key. If another policy is in force now, the old one is not taken.
        """
        if not state.pause_on_exit:
            return self._noted(state, await self._create(state.manifest, None)), False
        state.sandbox_key = state.sandbox_key or _new_key()
        before = state.sandbox_id
        try:
            sandbox = await self._create(state.manifest, state.sandbox_key)
        except RequestError as error:
            if error.code != "conflict":
                raise
            state.sandbox_key = _new_key()
            sandbox = await self._create(state.manifest, state.sandbox_key)
        return self._noted(state, sandbox), sandbox.id == before

    async def _create(self, manifest: Manifest, key: str | None) -> AsyncSandbox:
        return await AsyncSandbox.create(
            self.policy,
            mounts=[*self.mounts, *granted(manifest)],
            timeout=self.timeout,
            key=key,
            functions=self.functions,
            secrets=self.secrets,
            engine=self.engine,
        )

    def _noted(self, state: WispSandboxSessionState, sandbox: AsyncSandbox) -> AsyncSandbox:
        state.sandbox_id = sandbox.id
        state.policy_digest = sandbox.policy.digest
        return sandbox


def granted(manifest: Manifest) -> list[Mount]:
    """Returns the mounts of a manifest's path grants: those that name a path of the host, as the SDK's Docker client has them."""
    return [
        Mount(sandbox_path_grant_host_path(grant), grant.path, "read" if grant.read_only else "write")
        for grant in manifest.extra_path_grants
        if grant.host_path is not None
    ]


def _new_key() -> str:
    return f"openai-agents:{uuid.uuid4()}"

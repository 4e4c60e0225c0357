"""The capability that gives an agent's runs a sandbox as their workspace."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import Engine, Mount, Policy
from ..._requests import policy_of
from .._common import missing
from ._backend import PROVIDER, WispWorkspace
from ._environments import Opening, closed

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.tools import AgentDepsT, RunContext
    from pydantic_ai.workspaces import WorkspaceBackend, WorkspaceRef
except ImportError as error:
    raise missing("pydantic_ai", "pydantic-ai") from error


@dataclass(kw_only=True)
class WispSandbox(AbstractCapability[AgentDepsT]):
    """Gives each run a sandbox of wisp as its workspace, opened at its first use: `Agent(…, capabilities=[WispSandbox()])`.

    A run with a `WorkspaceRef` goes on in the sandbox that it names. The sandbox outlives the run: `destroy` closes it, or 30 minutes without
    use. It supplies execution only: tools that use the workspace are other capabilities, or yours (`ctx.workspace`).
    """

    policy: Policy | str | os.PathLike[str] = "offline"
    """What the sandbox may do: the name of a policy of wisp's, a path, TOML text, or a `Policy`."""

    mounts: Sequence[Mount] = ()
    """Directories and files of the machine in the sandbox."""

    env: Mapping[str, str] | None = field(default=None, repr=False)
    """Variables of its environment."""

    files: Mapping[str, str | bytes] | None = field(default=None, repr=False)
    """Files that it begins with, by their paths."""

    timeout: float | None = None
    """The seconds that a command may take, in place of the policy's `limits.wall`."""

    functions: Sequence[Callable[..., Any]] = ()
    """Functions of this program that its code may call; asynchronous ones run on a loop of wisp's own."""

    secrets: Mapping[str, str] | None = field(default=None, repr=False)
    """The values of the policy's secrets, by their variables. No reference and no message has them."""

    engine: Engine | None = None
    """The engine that it runs on, if not the process's own."""

    explained: bool = True
    """Whether the model is told what the sandbox has, what it has not, and its limits."""

    _opening: Opening = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.defer_loading:
            raise UserError("`WispSandbox` cannot be loaded later: a run has its workspace from its start")
        self._opening = Opening(
            policy=self.policy,
            mounts=tuple(self.mounts),
            env=self.env,
            files=self.files,
            timeout=self.timeout,
            functions=tuple(self.functions),
            secrets=self.secrets,
            engine=self.engine,
        )

    def backend(self, ref: WorkspaceRef | None = None) -> WispWorkspace:
        """Returns a workspace: a new one, or the one with this reference. Nothing is opened before its first use."""
        return WispWorkspace(self._opening, ref=ref)

    async def destroy(self, ref: WorkspaceRef) -> None:
        """Closes the sandbox of a reference. One that is gone is no error."""
        if ref.provider != PROVIDER:
            raise ValueError(f"the provider of the reference is {ref.provider!r}, and not {PROVIDER!r}")
        await closed(ref.id)

    def get_workspace(self, ctx: RunContext[AgentDepsT], *, ref: WorkspaceRef | None) -> WorkspaceBackend | None:
        """Returns the workspace of a run; None if the reference is that of another provider."""
        return self.backend(ref) if ref is None or ref.provider == PROVIDER else None

    def get_instructions(self) -> str | None:
        """Returns what a model must know of the sandbox."""
        return self._explanation() if self.explained else None

    def _explanation(self) -> str:
        policy = policy_of(self.policy)
        if self.timeout is not None:
            policy = policy.with_value("limits.wall", f"{max(1, round(self.timeout * 1000))}ms")
        for mount in map(Mount._make, self.mounts):
            policy = policy.with_mount(mount.host, mount.guest, mount.access)
        return policy.explain(for_model=True)

"""The session: the SDK's lifecycle and commands on a sandbox."""

import asyncio
import contextlib
from pathlib import Path
from typing import NoReturn

from agents.sandbox.errors import ExecTransportError, WorkspaceRootNotFoundError, WorkspaceStartError, WorkspaceStopError
from agents.sandbox.materialization import MaterializationResult
from agents.sandbox.types import ExecResult, User

from ..._async_sandbox import AsyncSandbox
from ..._errors import SandboxFileNotFoundError, WispError
from ._archive import ArchiveSession
from ._backend import Backend
from ._commands import by_path, context_of, exec_result, not_started, refuse_user
from ._pty import PtySession
from ._state import WispSandboxSessionState


class WispSandboxSession(PtySession, ArchiveSession):
    """A session of the SDK in a sandbox of wisp. A client makes it."""

    def __init__(self, state: WispSandboxSessionState, backend: Backend) -> None:
        super().__init__()
        self.state: WispSandboxSessionState = state
        self._backend = backend
        self._sandbox: AsyncSandbox | None = None
        self._count = 0
        # Whether its sandbox was left for a session that is resumed later.
        self.paused = False

    @property
    def sandbox(self) -> AsyncSandbox:
        """The sandbox, while the session is started: for what the SDK has no name for, as receipts and forks."""
        if self._sandbox is None:
            raise ExecTransportError(command=(), message="the session is not started", context={"backend": "wisp"}, retryable=False)
        return self._sandbox

    async def _ensure_backend_started(self) -> None:
        self.paused = False
        if self._sandbox is not None and await self._sandbox.is_running():
            self._set_start_state_preserved(True)
            return
        self._sandbox, reattached = await self._backend.open(self.state)
        self._set_start_state_preserved(reattached)

    async def _prepare_backend_workspace(self) -> None:
        await self.sandbox.files.make_dir(self._root())

    async def _after_start_failed(self) -> None:
        if not self.state.pause_on_exit:
            await self.close_sandbox()

    def _wrap_start_error(self, error: Exception) -> Exception:
        if isinstance(error, WispError):
            return WorkspaceStartError(
                path=Path(self._root()), message=str(error), context=context_of(error), cause=error, retryable=error.retryable
            )
        return error

    def _wrap_stop_error(self, error: Exception) -> Exception:
        return WorkspaceStopError(path=Path(self._root()), cause=error)

    async def _shutdown_backend(self) -> None:
        if self.state.pause_on_exit:
            self.paused = self._sandbox is not None
        else:
            await self.close_sandbox()

    async def close_sandbox(self) -> None:
        """Closes the sandbox, also one that the session has left paused."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is None and self.state.pause_on_exit and self.state.sandbox_id is not None:
            sandbox, _ = await self._backend.open(self.state)
        if sandbox is not None:
            await sandbox.close()

    async def running(self) -> bool:
        """Returns whether its sandbox is open."""
        return self._sandbox is not None and await self._sandbox.is_running()

    async def _apply_manifest(self, *, only_ephemeral: bool = False, provision_accounts: bool = True) -> MaterializationResult:
        self._refuse_accounts()
        return await super()._apply_manifest(only_ephemeral=only_ephemeral, provision_accounts=provision_accounts)

    async def provision_manifest_accounts(self) -> None:
        """Raises the SDK's error if the manifest has users or groups: a sandbox has one user."""
        self._refuse_accounts()

    def _refuse_accounts(self) -> None:
        if self.state.manifest.users or self.state.manifest.groups:
            raise ValueError("WispSandboxSession does not support manifest users or groups: a sandbox has one user")

    def _prepare_exec_command(self, *command: str | Path, shell: bool | list[str], user: str | User | None) -> list[str]:
        if user is not None:
            refuse_user("exec", user)
        return super()._prepare_exec_command(*command, shell=shell, user=user)

    async def _environment(self) -> dict[str, str]:
        # Resolved for each command, and part of none of wisp's policies: what it has may be secret.
        return dict(await self.state.manifest.environment.resolve())

    async def _exec_internal(self, *command: str | Path, timeout: float | None = None) -> ExecResult:
        words = [str(word) for word in command]
        limit = None if timeout is None else max(timeout, 0.001)
        environment = await self._environment()
        self._count += 1
        tag = f"exec-{self._count}"
        try:
            result = await self.sandbox.commands.run(by_path(words, environment), env=environment, cwd=self._root(), timeout=limit, tag=tag)
        except asyncio.CancelledError:
            # Its first process is interrupted; nobody waits for what that has in the background either.
            with contextlib.suppress(WispError):
                self.sandbox.commands.connect(tag).kill()
            raise
        except SandboxFileNotFoundError as error:
            self._raise_without_root(error)
        except WispError as error:
            return not_started(words, error)
        return exec_result(words, result, limit)

    def _raise_without_root(self, error: WispError) -> NoReturn:
        raise WorkspaceRootNotFoundError(path=Path(self._root()), context=context_of(error), cause=error) from error

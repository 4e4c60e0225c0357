"""A provider of sandboxes for NVIDIA's NeMo Gym: `sandbox: {wisp: {policy: offline}}` in its configuration.

The package publishes it by the entry point `nemo_gym.sandbox_providers`. Each sandbox is a fork of a checkpoint: the policy, the setup and the
files of the provider, once in the process.
"""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .. import CommandResult, InfraError, Mount, Policy, WispError
from ..rollouts import Limits, Session, SetupError
from ._common import missing, with_note
from ._trainers import Start, here

try:
    # It has no types that a checker reads.
    from nemo_gym.sandbox import (  # type: ignore[import-untyped]
        SandboxCreateError,
        SandboxExecResult,
        SandboxHandle,
        SandboxResources,
        SandboxSpec,
        SandboxStatus,
    )
except ImportError as error:
    raise missing("nemo-gym", "nemo-gym") from error

__all__ = ["WispProvider"]

_IMAGE = "wisp"
_OPTIONS = {"setup", "episode"}


@dataclass
class _Opened:
    """What belongs to a handle."""

    session: Session
    env: dict[str, str]
    ends: float | None
    metadata: dict[str, str] = field(default_factory=dict[str, str])

    def live(self) -> Session:
        """Returns its session, unless its time is over."""
        if self.ends is not None and time.monotonic() >= self.ends:
            raise RuntimeError("the sandbox has ended: its `ttl_s` is over")
        return self.session


class WispProvider:
    """Sandboxes of wisp for NeMo Gym.

    `policy`: the name of one of wisp's, a path or TOML text. `setup`: cells of Python code that each sandbox has run when it begins. `files`: texts
    by their paths. `mounts`: `{host, guest, access}` each. `timeout`: the seconds that a command may take at most, in place of the policy's
    `limits.wall`. `seed`: from which the seeds of all episodes come. `attempts`: how often something is tried that fails by a fault of wisp or the
    machine, before `InfraError` is raised: that is never the result of a command.
    """

    name = "wisp"

    def __init__(
        self,
        policy: Policy | str | os.PathLike[str] = "offline",
        *,
        setup: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
        mounts: Sequence[Mapping[str, str]] = (),
        timeout: float | None = None,
        seed: int = 0,
        attempts: int = 6,
    ) -> None:
        asked = [Mount(mount["host"], mount["guest"], mount.get("access", "read")) for mount in mounts]  # type: ignore[arg-type]
        self._start = Start(policy, tuple(setup), dict(files or {}), asked, {}, timeout, seed, attempts)

    async def create(self, spec: SandboxSpec) -> SandboxHandle:
        """Opens a sandbox: a fork of the checkpoint. What wasm cannot give raises `SandboxCreateError`."""
        limits = _limits(spec)
        options = spec.provider_options
        start = self._start
        if setup := options.get("setup"):
            start = replace(start, setup=(*start.setup, *setup))
        id = uuid.uuid4().hex
        try:
            async with asyncio.timeout(spec.ready_timeout_s):
                session = await start.session(str(options.get("episode", id)), limits)
                if spec.workdir is not None:
                    await _with_directory(session, spec.workdir)
        except (WispError, SetupError, ValueError, TypeError) as error:
            raise SandboxCreateError(f"wisp opens no sandbox: {error}") from error
        except TimeoutError as error:
            raise SandboxCreateError(f"wisp opened no sandbox within {spec.ready_timeout_s} s") from error
        ends = None if spec.ttl_s is None else time.monotonic() + spec.ttl_s
        return SandboxHandle(id, self.name, _Opened(session, dict(spec.env), ends, dict(spec.metadata)))

    async def exec(
        self,
        handle: SandboxHandle,
        command: str,
        *,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_s: int | float | None = None,
        user: str | int | None = None,
    ) -> SandboxExecResult:
        """Runs a script in bash.

        `error_type` is `timeout` (with 124), `limit` or `denied` when the policy ended it; a line below its error output says by which rule. A fault of
        wisp or the machine raises `InfraError`.
        """
        if user is not None:
            raise ValueError(f"wisp has one user and no root: leave out `user` (`{user}`)")
        opened = _opened(handle)
        result = await here(opened.live().run(["bash", "-c", command], cwd=cwd, env={**opened.env, **(env or {})}, timeout=timeout_s))
        return _result(result)

    async def upload_file(self, handle: SandboxHandle, source_path: Path, target_path: str) -> None:
        """Copies a file into the sandbox, and makes the directories above it. One that is executable stays so."""
        session = _opened(handle).live()
        data = await asyncio.to_thread(Path(source_path).read_bytes)
        await here(session.write(target_path, data))
        if os.access(source_path, os.X_OK):
            await here(session.run(["chmod", "+x", "--", target_path]))

    async def download_file(self, handle: SandboxHandle, source_path: str, target_path: Path) -> None:
        """Copies a file of the sandbox to this machine."""
        data = await here(_opened(handle).live().read(source_path))
        await asyncio.to_thread(_written, Path(target_path), data)

    async def status(self, handle: SandboxHandle) -> SandboxStatus:
        """Returns whether it runs: `ERROR` after a fault that stayed, `STOPPED` when it is closed or its `ttl_s` is over."""
        opened = _opened(handle)
        if opened.session.fault is not None:
            return SandboxStatus.ERROR
        try:
            return SandboxStatus.RUNNING if opened.live().is_open else SandboxStatus.STOPPED
        except RuntimeError:
            return SandboxStatus.STOPPED

    async def close(self, handle: SandboxHandle) -> None:
        """Closes a sandbox. Once more is no error."""
        await here(_opened(handle).session.close())

    async def aclose(self) -> None:
        """Does nothing: what a provider has is shared by the process."""


async def _with_directory(session: Session, path: str) -> None:
    """Makes the directory where commands begin; closes the session if that is not possible."""
    try:
        made = await here(session.run(["mkdir", "-p", "--", path]))
        if made.exit_code != 0:
            raise ValueError(f"`workdir` cannot be made: {with_note(made.stderr, made.outcome.end).strip()}")
    except BaseException:
        await here(session.close())
        raise


def _opened(handle: SandboxHandle) -> _Opened:
    if not isinstance(handle.raw, _Opened):
        raise ValueError(f"the handle is of the provider `{handle.provider_name}`")
    return handle.raw


def _limits(spec: SandboxSpec) -> Limits:
    """Returns the limits that a request asks for; raises what says that something is not there."""
    if spec.image not in (None, "", _IMAGE):
        raise SandboxCreateError(f"wisp runs no container images (`{spec.image}`): leave out `image`, or write `{_IMAGE}`")
    if spec.entrypoint:
        raise SandboxCreateError("wisp has no process that runs beside the commands: leave out `entrypoint`")
    if unknown := set(spec.provider_options) - _OPTIONS:
        raise SandboxCreateError(f"wisp has no option {', '.join(sorted(unknown))}: it has {', '.join(sorted(_OPTIONS))}")
    resources = spec.resources
    assert isinstance(resources, SandboxResources)
    if resources.gpu or resources.gpu_type:
        raise SandboxCreateError("wisp has no GPU: leave out `gpu`")
    if resources.cpu is not None and resources.cpu > 1:
        raise SandboxCreateError(f"a program in wisp has one processor: `cpu` is {resources.cpu:g}")
    memory = None if resources.memory_mib is None else f"{resources.memory_mib}MiB"
    return Limits(memory=memory, quota=None if resources.disk_gib is None else f"{resources.disk_gib}GiB")


def _result(result: CommandResult) -> SandboxExecResult:
    end = result.outcome.end
    kind: Any = None
    code = result.exit_code
    if end.kind == "limit" and end.limit is not None:
        kind = "limit"
        if end.limit.limit == "limits.wall":
            kind, code = "timeout", 124
    elif end.kind == "denied":
        kind = "denied"
    elif end.kind == "infra":
        # Sessions raise these before.
        raise InfraError({"code": "internal", "fault": "host", "retryable": True, "message": end.message or "the machine failed"})
    return SandboxExecResult(result.stdout, with_note(result.stderr, end), code, kind)


def _written(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)

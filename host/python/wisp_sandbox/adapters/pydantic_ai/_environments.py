"""The sandboxes of workspaces, which this process finds again by their references."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import AsyncSandbox, Engine, Mount, Policy, Sandbox
from .._common import both


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What a sandbox is opened with, as `Sandbox.create` takes it. Secrets are not shown."""

    policy: Policy | str | os.PathLike[str] = "offline"
    mounts: Sequence[Mount] = ()
    env: Mapping[str, str] | None = field(default=None, repr=False)
    files: Mapping[str, str | bytes] | None = field(default=None, repr=False)
    timeout: float | None = None
    functions: Sequence[Callable[..., Any]] = ()
    secrets: Mapping[str, str] | None = field(default=None, repr=False)
    engine: Engine | None = None


_lock = threading.Lock()
_environments: dict[str, tuple[AsyncSandbox, Opening]] = {}


def opened(opening: Opening) -> tuple[str, AsyncSandbox]:
    """Opens a sandbox, and returns its identity and it. Nothing but `closed` closes it, and 30 minutes without use."""
    identity = secrets.token_hex(16)
    sandbox = Sandbox.create(
        opening.policy,
        mounts=opening.mounts,
        env=opening.env,
        files=opening.files,
        timeout=opening.timeout,
        key=f"pydantic-ai-{identity}",
        functions=opening.functions,
        secrets=opening.secrets,
        engine=opening.engine,
    )
    _, found = both(sandbox)
    with _lock:
        for other in [other for other, (old, _) in _environments.items() if not old._is_open()]:
            del _environments[other]
        _environments[identity] = found, opening
    return identity, found


def attached(identity: str, opening: Opening) -> AsyncSandbox:
    """Returns the sandbox with this identity.

    Raises `LookupError` if there is none in this process any more, or if it was opened with something else: what names it may come out of
    the history of a conversation, and must not lead to a sandbox that may do more.
    """
    with _lock:
        found = _environments.get(identity)
    if found is None or not found[0]._is_open():
        raise LookupError("there is no such sandbox in this process any more")
    if found[1] != opening:
        raise LookupError("it was opened under another policy, or with something else")
    return found[0]


async def closed(identity: str) -> None:
    """Closes a sandbox; one that is gone is no error."""
    with _lock:
        found = _environments.pop(identity, None)
    if found is not None:
        await found[0].close()

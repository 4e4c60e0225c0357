"""What adapters of trainers need: episodes from checkpoints that the whole process shares, for callers on any event loop and on none."""

from __future__ import annotations

import asyncio
import json
import os
from collections import OrderedDict
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .. import Mount, Policy
from .._requests import policy_of
from .._workers import LOOP
from ..rollouts import Checkpoint, Limits, Pool, Session

_T = TypeVar("_T")

# Checkpoints that are kept, beyond which the one that was asked for longest ago is let go.
_MOST = 16
# Those of the process, by what they were made of, all on the package's own loop.
_MADE: OrderedDict[str, tuple[Pool, asyncio.Task[Checkpoint]]] = OrderedDict()


@dataclass(frozen=True)
class Start:
    """What episodes start from. What is equal has one checkpoint in the process, however often a trainer makes its environments."""

    policy: Policy | str | os.PathLike[str] = "offline"
    setup: Sequence[str] = ()
    files: Mapping[str, str | bytes] = field(default_factory=dict[str, str | bytes])
    mounts: Sequence[Mount] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout: float | None = None
    seed: int = 0
    attempts: int = 6

    def key(self) -> str:
        """Returns a text that is the same for what is equal."""
        files = {path: data if isinstance(data, str) else data.hex() for path, data in self.files.items()}
        kinds = {path: type(data).__name__ for path, data in self.files.items()}
        mounts = [[os.fspath(mount[0]), *mount[1:]] for mount in self.mounts]
        parts = [policy_of(self.policy).digest, list(self.setup), files, kinds, mounts, dict(self.env), self.timeout, self.seed, self.attempts]
        return json.dumps(parts, sort_keys=True)

    async def session(self, id: str, limits: Limits) -> Session:
        """Opens an episode, on any event loop."""
        return await here(self._session(id, limits))

    async def _session(self, id: str, limits: Limits) -> Session:
        key = self.key()
        if key not in _MADE:
            pool = Pool(self.policy, mounts=self.mounts, env=self.env, timeout=self.timeout, seed=self.seed, attempts=self.attempts)
            _MADE[key] = pool, asyncio.ensure_future(pool.checkpoint(self.setup, files=self.files))
        _MADE.move_to_end(key)
        while len(_MADE) > _MOST:
            _MADE.popitem(last=False)
        pool, made = _MADE[key]
        try:
            base = await asyncio.shield(made)
        except BaseException:
            if made.done():
                _MADE.pop(key, None)
            raise
        return await pool.session(base, id, limits=limits)


async def here(work: Coroutine[Any, Any, _T]) -> _T:
    """Waits on this event loop for what is done on the package's own: what belongs to a session can be asked for from any loop."""
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, LOOP.get()))


def wait(work: Coroutine[Any, Any, _T]) -> _T:
    """Waits without an event loop. Ctrl-C cancels it."""
    future = asyncio.run_coroutine_threadsafe(work, LOOP.get())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise

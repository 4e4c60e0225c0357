"""Pools: what rollouts run in."""

from __future__ import annotations

import asyncio
import os
import random
import weakref
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from .. import AsyncSandbox, Engine, Execution, InfraError, Mount, Policy
from .._arguments import number, seconds, text, texts, variables, wrong
from .._requests import entries, policy_of
from ._checkpoint import Checkpoint, Limits, SetupError
from ._rollout import Rollout, digest_of, fault_of
from ._session import Session, seeding

_T = TypeVar("_T")
_Task = tuple[int, int, str]

# The first pause before a further attempt, and the longest, in seconds.
_PAUSE, _LONGEST_PAUSE = 0.02, 1.0


class Pool:
    """Where rollouts run: on this machine, in the engine of this process or in `engine`.

    `policy`, `mounts`, `env`, `secrets` and `timeout` are those of every sandbox, as `Sandbox.create` takes them. From `seed` come the seeds of
    all rollouts. At most `concurrency` of one `map` run at once: as many as this process has processors, if it is not given. What fails by a fault of
    wisp or the machine that can pass is tried up to `attempts` times, with growing pauses.
    """

    def __init__(
        self,
        policy: Policy | str | os.PathLike[str] = "offline",
        *,
        mounts: Sequence[Mount] = (),
        env: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        timeout: float | None = None,
        seed: int = 0,
        concurrency: int | None = None,
        attempts: int = 6,
        engine: Engine | None = None,
    ) -> None:
        self._policy = policy_of(policy)
        self._mounts, self._env, self._secrets, self._engine = list(mounts), variables("env", env), secrets, engine
        self._timeout = seconds("timeout", timeout)
        self.seed: int = number("seed", seed, 0)
        processors = len(os.sched_getaffinity(0))
        self.concurrency: int = processors if concurrency is None else number("concurrency", concurrency, 1)
        self.attempts: int = number("attempts", attempts, 1)
        self._checkpoints: weakref.WeakSet[Checkpoint] = weakref.WeakSet()

    async def checkpoint(
        self,
        setup: Iterable[str] = (),
        *,
        files: Mapping[str, str | bytes] | None = None,
        functions: Iterable[Callable[..., Any]] = (),
        limits: Limits | None = None,
    ) -> Checkpoint:
        """Makes a checkpoint: a sandbox that has these files and has run these cells of Python code.

        `functions` are those of this program that its rollouts may call. A cell that fails raises `SetupError`. The setup runs again for each
        further set of limits that `map` or `session` names, other than `wall`, so it should come to the same each time.
        """
        cells, given, calls = texts("setup", setup), [] if files is None else entries(files), list(functions)
        contents = {path: digest_of({"data": data.hex()}) for path, data in given}
        parts = {
            "policy": self._policy.digest,
            "mounts": [[os.fspath(mount[0]), *mount[1:]] for mount in self._mounts],
            "env": self._env,
            "timeout": self._timeout,
            "seed": self.seed,
            "setup": cells,
            "files": contents,
            "functions": [getattr(call, "__name__", repr(call)) for call in calls],
        }

        async def opened(under: Limits) -> AsyncSandbox:
            return await self._opened(under, cells, dict(given), calls)

        had = (limits or Limits()).lasting()
        first = await self._again(lambda: opened(had))
        return self._kept(Checkpoint(digest_of(parts), opened, first, had, kept=False))

    async def _opened(self, limits: Limits, setup: list[str], files: Mapping[str, str | bytes], functions: list[Callable[..., Any]]) -> AsyncSandbox:
        policy = limits.applied(self._policy)
        sandbox = await AsyncSandbox.create(
            policy, mounts=self._mounts, env=self._env, files=files, timeout=self._timeout, secrets=self._secrets, engine=self._engine
        )
        try:
            for function in functions:
                sandbox.function(forks=True)(function)
            for cell in [seeding(self.seed), *setup]:
                execution = await sandbox.run_code(cell)
                if fault := fault_of(execution.outcome):
                    raise fault
                if not execution.success:
                    raise SetupError(cell, execution)
        except BaseException:
            await sandbox.close()
            raise
        return sandbox

    def _kept(self, checkpoint: Checkpoint) -> Checkpoint:
        self._checkpoints.add(checkpoint)
        return checkpoint

    async def map(
        self,
        base: Checkpoint,
        cells: Iterable[str] | AsyncIterable[str],
        *,
        group: int = 1,
        limits: Limits | None = None,
        concurrency: int | None = None,
        hold: bool = False,
    ) -> AsyncGenerator[Rollout, None]:
        """Runs each cell of Python code `group` times, each time in a fork of the checkpoint, and yields what they came to as they end.

        `cells` may be endless: one is taken from it when there is room to run it, and no more than `concurrency` results wait to be taken. What
        fails in a cell, or a limit that ends it, is its outcome, and ends no other. A fork is closed when the next rollout is taken; with `hold=True`
        when the rollout's object is gone. What the caller has wrong (a closed checkpoint, a limit that is none) is raised, and ends all.
        """
        group, limits = number("group", group, 1), limits or Limits()
        most = self.concurrency if concurrency is None else number("concurrency", concurrency, 1)
        tasks, turn = _tasks(cells, group), asyncio.Lock()
        done: asyncio.Queue[Rollout | BaseException | None] = asyncio.Queue(most)

        async def work() -> None:
            try:
                while True:
                    async with turn:
                        task = await anext(tasks, None)
                    if task is None:
                        break
                    await done.put(await self._run(base, task, limits))
            except Exception as error:
                await done.put(error)
            await done.put(None)

        workers = [asyncio.create_task(work()) for _ in range(most)]
        last: Rollout | None = None
        try:
            left = len(workers)
            while left:
                found = await done.get()
                if found is None:
                    left -= 1
                    continue
                if isinstance(found, BaseException):
                    raise found
                last = found
                yield found
                if not hold:
                    await found.close()
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            await tasks.aclose()
            if last is not None and not hold:
                await last.close()

    async def _run(self, base: Checkpoint, task: _Task, limits: Limits) -> Rollout:
        index, member, cell = task
        seed = self._seed(base, digest_of({"cell": cell}), index, member)
        id = digest_of({"base": base.digest, "cell": cell, "index": index, "member": member, "seed": seed, "limits": limits.named()})
        attempts = 0

        async def run() -> tuple[Execution, AsyncSandbox]:
            nonlocal attempts
            attempts += 1
            sandbox = await base.fork(limits)
            try:
                execution = await sandbox.run_code(seeding(seed), timeout=limits.wall)
                if execution.success:
                    execution = await sandbox.run_code(cell, timeout=limits.wall)
                if fault := fault_of(execution.outcome):
                    raise fault
            except BaseException:
                # Cancelled too: what holds the exception would keep the fork.
                await sandbox.close()
                raise
            return execution, sandbox

        async def keep(sandbox: AsyncSandbox, digest: str) -> Checkpoint:
            return self._continued(sandbox, digest, limits)

        common: dict[str, Any] = {"id": id, "cell": cell, "index": index, "member": member, "seed": seed, "keep": keep}
        try:
            execution, sandbox = await self._again(run)
        except InfraError as fault:
            # Its frames would keep the fork.
            return Rollout(**common, attempt=attempts, execution=fault.with_traceback(None), sandbox=None)
        return Rollout(**common, attempt=attempts, execution=execution, sandbox=sandbox)

    def _continued(self, sandbox: AsyncSandbox, digest: str, limits: Limits) -> Checkpoint:
        async def opened(under: Limits) -> AsyncSandbox:
            raise AssertionError(f"a kept sandbox is not made again: {under}")

        return self._kept(Checkpoint(digest, opened, sandbox, limits.lasting(), kept=True))

    def _seed(self, base: Checkpoint, *parts: object) -> int:
        return int(digest_of({"pool": self.seed, "base": base.digest, "parts": [str(part) for part in parts]})[:8], 16)

    async def session(self, base: Checkpoint, id: str = "", *, limits: Limits | None = None) -> Session:
        """Opens an episode of several steps, which starts from a checkpoint.

        Its seed comes from the pool's, the checkpoint and `id`, which may be any text, such as `task-17/3`: the same id has the same seed.
        """
        limits, seed = limits or Limits(), self._seed(base, "session", text("id", id))

        async def keep(sandbox: AsyncSandbox, digest: str) -> Checkpoint:
            return self._continued(sandbox, digest, limits)

        session = Session(id, seed, lambda: base.fork(limits), limits.wall, keep, self._again, base.digest)
        await session.start()
        return session

    async def _again(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Calls this until it raises no `InfraError`, or as often as the pool tries."""
        pause = _PAUSE
        for _ in range(self.attempts - 1):
            try:
                return await call()
            except InfraError as error:
                if not error.retryable:
                    raise
            await asyncio.sleep(pause * random.uniform(0.5, 1))
            pause = min(2 * pause, _LONGEST_PAUSE)
        return await call()

    async def close(self) -> None:
        """Closes its checkpoints. Once more is no error."""
        for checkpoint in list(self._checkpoints):
            await checkpoint.close()

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _tasks(cells: Iterable[str] | AsyncIterable[str], group: int) -> AsyncGenerator[_Task, None]:
    index = 0
    if isinstance(cells, AsyncIterable):
        async for cell in cells:
            for member in range(group):
                yield index, member, text("a cell", cell)
            index += 1
        return
    if isinstance(cells, str):
        raise wrong("cells", cells, "a list of cells, or something that gives them one by one")
    for cell in cells:
        for member in range(group):
            yield index, member, text("a cell", cell)
        index += 1

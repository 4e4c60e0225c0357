"""What a rollout came to."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .. import AsyncSandbox, CommandResult, Execution, InfraError, RequestError
from .._data import Artifact, Receipt
from .._data import Outcome as Facts

if TYPE_CHECKING:
    from ._checkpoint import Checkpoint

Keep = Callable[[AsyncSandbox, str], Awaitable["Checkpoint"]]


@dataclass(frozen=True)
class Outcome:
    """How a rollout ended, and whose doing that was.

    `ok`, `error` (an exception that it did not catch: `what` is its class), `exit` (it left its interpreter with `code`) and `signal` are the
    code's own. `limit` (`what` is `limits.memory` or another) and `denied` (`what` was refused) are the policy's, by its `rule`. `infra` is
    nobody's: wisp or the machine failed each time (`what` is the code of the error), and there is nothing to score.
    """

    kind: Literal["ok", "error", "exit", "signal", "limit", "denied", "infra"]
    what: str | None = None
    code: int | None = None
    rule: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the code ran to its end without an exception."""
        return self.kind == "ok"


class Rollout:
    """One run of a cell in a fork of a checkpoint.

    `index` is the place of its cell, and `member` its number in the cell's group. `seed` is that of its randomness. `attempt` counts from 1:
    more than 1 means that wisp or the machine failed before. `id` is the digest of all that goes in (checkpoint, cell, places, seed, limits),
    and `digest` that of what goes in and what came out: of runs with the same `id` under a policy with `[determinism]` it is the same.

    If `outcome` is `infra`, `fault` is the error, and all that could be scored raises it.
    """

    def __init__(
        self,
        *,
        id: str,
        cell: str,
        index: int,
        member: int,
        attempt: int,
        seed: int,
        execution: Execution | InfraError,
        sandbox: AsyncSandbox | None,
        keep: Keep,
    ) -> None:
        self.id: str = id
        self.cell: str = cell
        self.index: int = index
        self.member: int = member
        self.attempt: int = attempt
        self.seed: int = seed
        self.fault: InfraError | None = execution if isinstance(execution, InfraError) else None
        self.outcome: Outcome = Outcome("infra", execution.code) if isinstance(execution, InfraError) else outcome(execution)
        self._execution = None if isinstance(execution, InfraError) else execution
        self._sandbox = sandbox
        self._keep = keep

    @property
    def execution(self) -> Execution:
        """All that is known of what the cell came to."""
        if self._execution is None:
            assert self.fault is not None
            raise self.fault
        return self._execution

    @property
    def value(self) -> str | None:
        """The value of its last expression, as Python shows it."""
        return self.execution.value

    @property
    def stdout(self) -> str:
        """What it wrote to its standard output."""
        return "".join(self.execution.logs.stdout)

    @property
    def stderr(self) -> str:
        """What it wrote to its standard error."""
        return "".join(self.execution.logs.stderr)

    @property
    def files(self) -> tuple[Artifact, ...]:
        """What it left in the output directory, `/output`, with digests. `keep` has their contents."""
        return self.execution.outcome.files

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """The decisions that the policy made while it ran."""
        return self.execution.outcome.receipts

    @property
    def digest(self) -> str:
        """The digest of what went in and what came out: not of times and receipts."""
        return digest_of({"id": self.id, "came": came(self.execution)})

    async def keep(self) -> Checkpoint:
        """Makes the fork, as its cell left it, the next checkpoint: for a tree of steps.

        It is possible until the next rollout is taken from `map`, or, with `hold=True`, as long as this object is there; once.
        """
        if self.fault is not None:
            raise self.fault
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is None:
            message = "the fork of this rollout is gone: keep one before the next is taken from `map`, or call `map` with `hold=True`"
            raise RequestError({"code": "ended", "fault": "caller", "retryable": False, "message": message})
        return await self._keep(sandbox, self.digest)

    async def close(self) -> None:
        """Closes its fork, if that is still there. What is known of the rollout stays."""
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            await sandbox.close()

    def __repr__(self) -> str:
        return f"<Rollout {self.index}.{self.member}: {self.outcome.kind}{'' if self.outcome.what is None else ' ' + self.outcome.what}>"


def outcome(execution: Execution) -> Outcome:
    """Returns how an execution ended that wisp and the machine saw to its end."""
    end, hit = execution.outcome.end, execution.outcome.limit
    if execution.timed_out:
        # The rollout's own limit interrupts the code, which may have caught that.
        return Outcome("limit", "limits.wall", rule="host program")
    if end.kind == "limit" and end.limit is not None:
        return Outcome("limit", end.limit.limit, rule=end.limit.rule)
    if end.kind == "denied":
        return Outcome("denied", end.subject, rule=end.rule)
    if end.kind == "signal":
        return Outcome("signal", code=end.signal)
    if execution.error is not None:
        if execution.error.name == "MemoryError" and hit is not None and hit.limit == "limits.memory":
            return Outcome("limit", hit.limit, rule=hit.rule)
        return Outcome("error", execution.error.name, end.code)
    if execution.exit is not None or not execution.success:
        return Outcome("exit", code=execution.outcome.exit_code if execution.exit is None else execution.exit)
    return Outcome("ok", code=0)


def fault_of(facts: Facts) -> InfraError | None:
    """Returns the error of an outcome that is none of the code: wisp or the machine failed."""
    end = facts.end
    if end.kind != "infra":
        return None
    document = {"code": end.error_code or "internal", "fault": "host", "retryable": True, "message": end.message or "the machine failed"}
    return InfraError(document)


def came(result: Execution | CommandResult) -> dict[str, Any]:
    """Returns what came out of code or a command, as far as a run from the same state with the same seed brings it again."""
    files = [[file.path, file.sha256] for file in result.outcome.files]
    if isinstance(result, CommandResult):
        return {"end": _ended(result.outcome), "stdout": result.stdout, "stderr": result.stderr, "files": files}
    return {
        "end": _ended(result.outcome),
        "value": result.value,
        "shown": [shown.data for shown in result.results],
        "error": None if result.error is None else [result.error.name, result.error.value],
        "stdout": "".join(result.logs.stdout),
        "stderr": "".join(result.logs.stderr),
        "files": files,
    }


def _ended(facts: Facts) -> list[Any]:
    end = facts.end
    return [end.kind, facts.exit_code, end.signal, None if end.limit is None else end.limit.limit, end.subject]


def digest_of(parts: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of a document, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

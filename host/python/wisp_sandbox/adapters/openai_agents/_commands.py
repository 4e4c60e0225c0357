"""Commands, and what they come to, as the SDK has them."""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from agents.sandbox.errors import ConfigurationError, ErrorCode, ExecTimeoutError, ExecTransportError, OpName
from agents.sandbox.types import ExecResult, User

from ..._errors import WispError
from ..._results import CommandResult
from .._common import note
from ._state import BACKEND

# What a shell answers for a program that is not there, and for one that cannot be started.
_EXIT_CODES = {"program_not_found": 127, "not_executable": 126, "tool_refused": 126}


def refuse_user(op: OpName, user: str | User) -> NoReturn:
    """Raises the SDK's error for a backend without users: a sandbox has one."""
    raise ConfigurationError(
        message=f"a wisp sandbox has one user: `{op}` must be called without `user`",
        error_code=ErrorCode.SANDBOX_CONFIG_INVALID,
        op=op,
        context={"backend": BACKEND, "user": user.name if isinstance(user, User) else user},
    )


def by_path(words: list[str], environment: Mapping[str, str]) -> list[str]:
    """Returns the command that starts what a PATH of the manifest's environment leads to: wisp looks for a list's program among its own."""
    if "PATH" not in environment or "/" in words[0]:
        return words
    return ["sh", "-c", 'exec "$@"', "sh", *words]


def not_started(command: Sequence[str], error: WispError) -> ExecResult:
    """Returns what a shell would for a command that cannot be started; raises the SDK's error if wisp is at fault."""
    code = _EXIT_CODES.get(error.code)
    if code is None:
        raise ExecTransportError(command=command, context={"code": error.code}, cause=error, message=str(error), retryable=error.retryable)
    return ExecResult(stdout=b"", stderr=f"{error}\n".encode(), exit_code=code)


def exec_result(command: Sequence[str], result: CommandResult, timeout: float | None) -> ExecResult:
    """Returns the SDK's result of a command that has ended.

    The caller's time limit is an `ExecTimeoutError`, a fault of wisp an `ExecTransportError`. A limit of the policy is neither: the
    model reads its name on the standard error.
    """
    if (error := fault_of(command, result)) is not None:
        raise error
    outcome = result.outcome
    limit = outcome.limit
    if timeout is not None and limit is not None and limit.limit == "limits.wall" and outcome.execution_time >= timeout:
        raise ExecTimeoutError(command=command, timeout_s=timeout)
    return ExecResult(stdout=result.stdout_bytes, stderr=with_note(result.stderr_bytes, result), exit_code=result.exit_code)


def fault_of(command: Sequence[str], result: CommandResult) -> ExecTransportError | None:
    """Returns the SDK's error if wisp or the machine failed, and not the command."""
    end = result.outcome.end
    if end.kind != "infra":
        return None
    return ExecTransportError(command=command, context={"code": end.error_code}, message=end.message or "wisp failed", retryable=True)


def with_note(output: bytes, result: CommandResult) -> bytes:
    """Returns an output, and below it what of the policy ended the command, if something did."""
    line = note(result.outcome.end).encode()
    return output if not line else output + (b"" if output.endswith(b"\n") or not output else b"\n") + line + b"\n"


def context_of(error: WispError) -> dict[str, object]:
    """Returns what a caller of the SDK should know of an error of wisp."""
    return {"code": error.code, "reason": str(error)}



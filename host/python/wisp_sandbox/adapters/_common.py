"""What several adapters need."""

from __future__ import annotations

from .. import AsyncSandbox, InfraError, RequestError, Sandbox
from .._data import End


def missing(framework: str, extra: str) -> ImportError:
    """Returns the error of an adapter whose framework is not installed: `raise missing("deepagents", "deepagents") from error`."""
    return ImportError(f'this adapter needs {framework}: pip install "wisp-sandbox[{extra}]"', name=framework)


def both(sandbox: Sandbox | AsyncSandbox) -> tuple[Sandbox, AsyncSandbox]:
    """Returns a sandbox for callers without an event loop, and the same one for those with one."""
    session = sandbox._session
    return (
        sandbox if isinstance(sandbox, Sandbox) else Sandbox(session),
        sandbox if isinstance(sandbox, AsyncSandbox) else AsyncSandbox(session),
    )


def check_host(end: End) -> None:
    """Raises `InfraError` if the machine failed, and not the program: no framework may take that for a result."""
    if end.kind == "infra":
        message = end.message or "the machine failed"
        raise InfraError({"code": end.error_code or "internal", "fault": "host", "message": message, "retryable": True})


def note(end: End) -> str:
    """Returns a line for the model about the limit that ended a program; nothing, if none did."""
    if end.kind == "limit" and end.limit is not None and end.limit.ended:
        return f"[ended by {end.limit.limit} = {end.limit.value} ({end.limit.rule})]"
    if end.kind == "denied":
        return f"[denied: {end.subject} ({end.rule})]"
    return ""


def with_note(text: str, end: End) -> str:
    """Returns what a program wrote, with `note` on a line of its own below it."""
    line = note(end)
    return text if not line else f"{text}\n{line}\n" if text and not text.endswith("\n") else f"{text}{line}\n"


def is_wrong_type(error: RequestError) -> bool:
    """Whether a file is no file of the kind that was asked for: it is a directory, or what should be one is none."""
    return error.code == "wrong_file_type"

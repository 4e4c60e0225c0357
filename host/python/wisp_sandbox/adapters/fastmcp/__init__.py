"""Code mode of FastMCP in sandboxes of wisp: `CodeMode(sandbox_provider=WispSandboxProvider())`.

The code that a model sends to `execute` runs in CPython, all of it, and calls the server's tools by `call_tool`.
"""

from __future__ import annotations

from .._common import missing

try:
    from fastmcp.experimental.transforms import code_mode as _code_mode
except ImportError as error:
    raise missing("fastmcp", "fastmcp") from error

from ._provider import WispSandboxProvider

del _code_mode

__all__ = ["WispSandboxProvider"]

"""Sandboxes of wisp for evaluations with Inspect AI: `sandbox="wisp"` in a task, or `inspect eval … --sandbox wisp`.

Inspect finds this module by its entry point. Each sample has sandboxes of its own, and they end with it. `WispSandboxConfig` names the policy.
"""

from __future__ import annotations

from .._common import missing

try:
    from inspect_ai.util import sandboxenv as _needed
except ImportError as error:
    raise missing("inspect_ai", "inspect-ai") from error

from ._config import WispSandboxConfig
from ._environment import WispSandboxEnvironment

del _needed

__all__ = ["WispSandboxConfig", "WispSandboxEnvironment"]

"""Inspect's own checks of sandbox environments, over wisp's."""

from inspect_ai.util._sandbox.self_check import *  # noqa: F403

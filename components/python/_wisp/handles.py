"""Handles of the host: how they are let go of, and how they stay."""


def drop(handle):
    """Let go of a handle of the host."""
    if getattr(handle, "finalizer", None) is not None and handle.finalizer.alive:
        handle.__exit__(None, None, None)


def keep(handle):
    """Hold a handle to the very end: exit functions must not close what is flushed after them."""
    handle.finalizer.atexit = False
    return handle

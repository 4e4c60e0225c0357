"""Handles of the host: how to release and how to keep them."""


def drop(handle):
    """Release a handle of the host."""
    if getattr(handle, "finalizer", None) is not None and handle.finalizer.alive:
        handle.__exit__(None, None, None)


def keep(handle):
    """Hold a handle to the very end: exit functions must not close it, because it is flushed after them."""
    handle.finalizer.atexit = False
    return handle

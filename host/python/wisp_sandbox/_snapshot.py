"""Snapshots of sandboxes."""

import json

from . import _native


class Snapshot:
    """The files, the interpreter and the shell of a sandbox at one moment: `Sandbox.restore` and `Sandbox.fork` start from it.

    It belongs to its sandbox, and is gone with it. It keeps its memory as long as it has an object.
    """

    def __init__(self, snapshot: _native.Snapshot) -> None:
        self._native = snapshot
        info = json.loads(snapshot.info())
        self.label: str | None = info.get("label")
        self.memory_bytes: int = info["memory_bytes"]
        # What it could not carry, a line each: running child processes, pipes, open files that were removed.
        self.not_carried: tuple[str, ...] = tuple(info.get("not_carried", ()))

    def __repr__(self) -> str:
        return f"<Snapshot{'' if self.label is None else ' ' + self.label}: {self.memory_bytes} bytes>"

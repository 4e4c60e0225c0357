"""What a state names of the host: the SDK reads and writes there, outside of any sandbox, before and after wisp has it."""

import os
from collections.abc import Iterable, Iterator

from agents.sandbox.entries import LocalDir, LocalFile
from agents.sandbox.snapshot import LocalSnapshot

from ._state import WispSandboxSessionState


def named(state: WispSandboxSessionState) -> Iterator[str]:
    """Yields the paths of the host that a state names: where its snapshots are, and what its manifest copies into the sandbox."""
    if isinstance(state.snapshot, LocalSnapshot):
        yield os.path.realpath(state.snapshot.base_path)
    for _, entry in state.manifest.iter_entries():
        if isinstance(entry, (LocalDir, LocalFile)) and entry.src is not None:
            yield os.path.realpath(entry.src)


def check(state: WispSandboxSessionState, known: Iterable[str]) -> None:
    """Raises `ValueError` if a state names a path of the host that is in none of these directories."""
    known = list(known)
    for path in named(state):
        if not any(path == one or path.startswith(one.rstrip("/") + "/") for one in known):
            raise ValueError(f"the state names `{path}` on this machine, which this client does not know: pass it in `host_paths`, if the state may")

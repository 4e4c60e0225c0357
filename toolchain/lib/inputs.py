"""What a build depends on, as one digest: the files under some folders, and some values."""

import hashlib
import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path

SKIPPED_FOLDERS = {"target", "tests", "__pycache__", ".git", "node_modules"}  # nothing here ends up in a component
SKIPPED_ENDINGS = (".md", ".pyc", "~")


def files(folder: Path, skip: Collection[str] = ()) -> list[str]:
    """Every file below a folder that a build may read, sorted. A file is itself."""
    found = [str(folder)] if folder.is_file() else []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS and os.path.join(path, f) not in skip)
        found += [os.path.join(path, name) for name in sorted(names) if not name.endswith(SKIPPED_ENDINGS)]
    return found


def digest(root: Path, folders: Iterable[Path], values: object, skip: Iterable[Path] = ()) -> str:
    """One digest over the names and contents of files, and over values."""
    total = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
    skip = {str(path) for path in skip}
    for folder in folders:
        for path in files(folder, skip):
            try:
                with open(path, "rb") as file:
                    content = hashlib.sha256(file.read()).hexdigest()
            except FileNotFoundError:  # a dangling link, or an editor's scratch file that is gone
                continue
            mode = "x" if os.access(path, os.X_OK) else "-"
            total.update(f"{os.path.relpath(path, root)}\0{mode}{content}\n".encode())
    return total.hexdigest()

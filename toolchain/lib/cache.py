"""Finished pieces in the cache: a piece is there whole, or it is not there."""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Optional

from .steps import Missing, cache_home, say


def piece(name: str) -> Path:
    """The folder of a piece, whether it is made or not."""
    return cache_home() / name


def state(folder: Path) -> Optional[dict]:
    """What a finished piece recorded about itself; None when it is not finished."""
    try:
        return json.loads((folder / "state.json").read_text())
    except (OSError, ValueError):
        return None


def finish(folder: Path, record: dict) -> None:
    """Mark a piece as finished. The mark is the last thing written, by a rename, so half a piece has none."""
    scratch = folder / "state.json.new"
    with open(scratch, "w") as file:
        json.dump({**record, "finished": int(time.time())}, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(scratch, folder / "state.json")


def begin(folder: Path) -> Path:
    """An empty folder for a piece; what an interrupted run left there is removed."""
    if folder.exists():  # moved away first: a child of the interrupted run may still be writing there
        trash = folder.with_name(f"{folder.name}.trash{os.getpid()}")
        os.rename(folder, trash)
        shutil.rmtree(trash, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@contextmanager
def lock(name: str) -> Iterator[None]:
    """One run at a time makes pieces; the others wait and then find them made."""
    home = cache_home()
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = open(home / f"{name}.lock", "a+")
    except OSError as error:
        raise Missing(f"cannot write to the cache `{home}`: {error.strerror}",
                      "set XDG_CACHE_HOME to a folder that you may write to") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another run that holds {home / name}.lock …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield

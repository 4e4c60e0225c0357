"""What every script of the toolchain says and how: progress, errors, child processes."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, NoReturn, Optional

ROOT = Path(__file__).resolve().parent.parent.parent
# What every build of the host selects, as the justfile does: dependencies have one set of features, and are built once.
SELECTED = ["-p", "wisp-cli", "-p", "wisp-fuse"]
QUIET_SECONDS = 2  # a step shorter than this says nothing
# A step longer than this says that it goes on: often to a person who waits, seldom to a log.
REPEAT_SECONDS = 20 if sys.stderr.isatty() else 120


class Missing(Exception):
    """Something the reader can put right: what is missing, and the remedy."""

    def __init__(self, what: str, remedy: str, detail: str = ""):
        super().__init__(what)
        self.what, self.remedy, self.detail = what, remedy, detail


def say(text: str) -> None:
    """A line for the person who waits; standard output belongs to the result."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def step(title: str) -> Iterator[None]:
    """Name a step that turns out to take long, and say from time to time that it goes on."""
    done, began = threading.Event(), time.monotonic()

    def watch():
        if done.wait(QUIET_SECONDS):
            return
        say(f"{title} …")
        while not done.wait(REPEAT_SECONDS):
            say(f"{title} … {time.monotonic() - began:.0f} s so far")

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def run(command: Sequence, remedy: str, **options) -> str:
    """Run a command quietly; if it fails, its last lines become the error. Returns its standard output."""
    command = [str(word) for word in command]
    options.setdefault("stdin", subprocess.DEVNULL)
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except FileNotFoundError as error:
        raise Missing(f"`{command[0]}` is not on this machine", remedy) from error
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()[-15:]
        raise Missing(f"`{' '.join(command[:4])}` failed with status {done.returncode}", remedy, "\n".join(lines))
    return done.stdout


def program(main: Callable[[], Optional[int]]) -> NoReturn:
    """Run a script: what `main` returns is the exit status, and what the reader can put right becomes a message."""
    try:
        sys.exit(main())
    except Missing as error:
        say(f"{Path(sys.argv[0]).name}: {error.what}")
        if error.detail:
            say("\n".join("  | " + line for line in error.detail.splitlines()))
        say(f"  remedy: {error.remedy}")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def cache_home() -> Path:
    """Where everything that is fetched or made once is kept: outside the work tree."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "wisp" / "toolchain"

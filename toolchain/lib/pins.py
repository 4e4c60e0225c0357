"""pins.toml: what may be downloaded, and the key of a cache folder made from it."""

import hashlib
import json
from pathlib import Path

from .steps import ROOT, Missing


def load_toml(path: Path) -> dict:
    """Read a TOML file with whatever reader this Python has."""
    try:
        import tomllib
    except ModuleNotFoundError:  # Python before 3.11: pip carries one
        try:
            from pip._vendor import tomli as tomllib
        except ImportError as error:
            raise Missing("Python has no TOML reader", "use Python 3.11 or newer") from error
    with open(path, "rb") as file:
        return tomllib.load(file)


def pins() -> dict:
    """The pins file."""
    return load_toml(ROOT / "toolchain" / "pins.toml")


def key(*parts: object) -> str:
    """A short name for a folder whose content follows from these values alone."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def sha256_file(path: Path) -> str:
    """The sha256 of a file, in hex."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()

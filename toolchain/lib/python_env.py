"""A private virtual environment with the pinned packages of PyPI."""

import os
import sys
from pathlib import Path

from . import cache, debian
from .pins import key
from .steps import Missing, run, step

REMEDY = "check that pip reaches its package index (`python3 -m pip download --no-deps six`), then run this again"


def folder(packages: dict) -> Path:
    """Where the environment with exactly these packages belongs. Its scripts name the Python they were made with."""
    return cache.piece("python-" + key(packages, sys.version_info[:2], os.path.realpath(sys.executable)))


def listed(packages: dict) -> dict:
    """Packages as `make` wants them, of those that are pinned by name → "VERSION SHA256…"."""
    words = {name: text.split() for name, text in packages.items()}
    return {name: {"version": version, "hashes": hashes} for name, (version, *hashes) in words.items()}


def requirements(packages: dict) -> str:
    """The packages as pip wants them, every one with its hashes."""
    lines = []
    for name, pin in packages.items():
        hashes = " ".join(f"--hash=sha256:{value}" for value in pin["hashes"])
        lines.append(f"{name}=={pin['version']} {hashes}")
    return "\n".join(lines) + "\n"


def ready(place: Path) -> bool:
    """Is the environment finished, and is the Python it was made with still there?"""
    return cache.state(place) is not None and os.access(place / "bin" / "python", os.X_OK)


def make(packages: dict, title: str) -> Path:
    """Make the environment if it is not there; returns its folder."""
    place = folder(packages)
    if ready(place):
        return place
    with step(title):
        cache.begin(place)
        pip = _venv(place)
        (place / "requirements.txt").write_text(requirements(packages))
        run([*pip, "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:",
             "--require-hashes", "-r", place / "requirements.txt"], REMEDY)
        cache.finish(place, {"python": sys.version.split()[0], "packages": {n: p["version"] for n, p in packages.items()}})
    return place


def wheels_folder(packages: dict) -> Path:
    """Where the wheels that are kept as files belong."""
    return cache.piece("wheels-" + key(packages))


def fetch_wheels(packages: dict, venv: Path, title: str, platform: str = "manylinux2014_x86_64") -> Path:
    """Download wheels, by the environment's pip, without installing them; returns their folder.

    `packages` is name → "VERSION SHA256". All machines take the same wheels: of pure Python, else for Linux on x86_64, or as
    `platform` says.
    """
    place = wheels_folder(packages)
    if cache.state(place) is None:
        with step(title):
            cache.begin(place)
            pins = {name: text.split() for name, text in packages.items()}
            lines = [f"{name}=={version} --hash=sha256:{digest}\n" for name, (version, digest) in pins.items()]
            (place / "requirements.txt").write_text("".join(lines))
            run([*pip(venv), "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes",
                 "--python-version", "3.14", "--implementation", "cp", "--platform", platform,
                 "-d", place, "-r", place / "requirements.txt"], REMEDY)
            cache.finish(place, {"packages": {name: version for name, (version, _) in pins.items()}})
    return place


def pip(place: Path) -> list:
    """The pip command of a finished environment."""
    python = place / "bin" / "python"
    own = list(place.glob("lib/python*/site-packages/pip"))
    return [python, "-m", "pip"] if own else _pip_from_debian(python)


def _venv(place):
    """An empty environment and the pip command that installs into it."""
    python = place / "bin" / "python"
    try:
        import ensurepip  # noqa: F401  (Debian splits it off)
    except ImportError:
        run([sys.executable, "-m", "venv", "--without-pip", place], "install Python's venv module (Debian: python3-venv)")
        return _pip_from_debian(python)
    run([sys.executable, "-m", "venv", place], "install Python's venv module (Debian: python3-venv)")
    return [python, "-m", "pip"]


def _pip_from_debian(python):
    """pip out of Debian's own wheel, when this Python has neither pip nor ensurepip."""
    place = cache.piece("pip-wheel")
    if cache.state(place) is None:
        cache.begin(place)
        try:
            apt = debian.Apt()
            debian.unpack(apt.download(["python3-pip-whl"], place / "deb")["python3-pip-whl"].path, place)
        except Missing as error:
            raise Missing("this Python has no pip", "install pip for it (Debian: python3-venv or python3-pip)",
                          error.detail or error.what) from error
        cache.finish(place, {})
    wheels = sorted(place.glob("usr/share/python-wheels/pip-*.whl"))
    if not wheels:
        raise Missing("Debian's python3-pip-whl has no pip in it", "install pip for this Python")
    return [python, f"{wheels[-1]}/pip"]

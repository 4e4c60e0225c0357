"""Debian packages without root and without touching the system: apt with state folders of our own.

The package sources and their keys are the system's, so apt checks the signatures as it always does; the lists, the
cache and the downloads lie in our cache. Nothing is installed: packages are unpacked into a folder.
"""

import os
import re
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

from . import cache
from .pins import sha256_file
from .steps import Missing, run, step

Package = namedtuple("Package", "name version architecture sha256 path")
REMEDY = "check that apt's sources can be reached (`apt-get update` as root shows the error), then run this again"


class Apt:
    """apt with private folders. Making one refreshes the lists."""

    def __init__(self, home=None, more=()):
        self.home = home or cache.cache_home() / "apt"
        for part in ("state/lists/partial", "cache/archives/partial"):
            (self.home / part).mkdir(parents=True, exist_ok=True)
        status = self.home / "status"
        status.touch()
        self.options = [
            "-o", f"Dir::State={self.home / 'state'}", "-o", f"Dir::Cache={self.home / 'cache'}",
            "-o", f"Dir::State::status={status}", "-o", f"Dir::Log={self.home / 'log'}",
            "-o", "Acquire::Languages=none", "-o", "APT::Update::Post-Invoke-Success::=true",
            "-o", "APT::Architectures::=" + self._architecture(), *more,
        ]
        if os.geteuid() == 0:  # else apt changes to a user who cannot read the private folders
            self.options += ["-o", "APT::Sandbox::User=root"]
        with cache.lock("apt"), step("refreshing Debian's package lists (private copy)"):
            run(["apt-get", *self.options, "-q", "-o", "APT::Update::Error-Mode=any", "update"], REMEDY)

    @staticmethod
    def _architecture():
        return run(["dpkg", "--print-architecture"], "use a Debian system, or let rustup install (see toolchain/README.md)").strip()

    def candidate(self, package):
        """The version apt would install, or None."""
        found = re.search(r"Candidate: (\S+)", run(["apt-cache", *self.options, "policy", package], REMEDY))
        return None if found is None or found.group(1) == "(none)" else found.group(1)

    def dependency(self, package, pattern):
        """The first dependency of a package whose name fits, or None."""
        text = run(["apt-cache", *self.options, "depends", package], REMEDY)
        found = re.search(rf"Depends: ({pattern})\s", text)
        return found and found.group(1)

    def download(self, packages, folder):
        """Download packages (names, or `name=version`) into a folder: name → Package."""
        folder.mkdir(parents=True, exist_ok=True)
        with cache.lock("apt"):
            run(["apt-get", *self.options, "-q", "download", *packages], REMEDY, cwd=folder)
        found = {}
        for path in sorted(folder.glob("*.deb")):
            fields = run(["dpkg-deb", "-f", path, "Package", "Version", "Architecture"], REMEDY)
            values = dict(line.split(": ", 1) for line in fields.splitlines())
            found[values["Package"]] = Package(values["Package"], values["Version"], values["Architecture"], sha256_file(path), path)
        for package in packages:
            if package.split("=")[0] not in found:
                raise Missing(f"Debian package `{package}` did not arrive", REMEDY)
        return found


def unpack(deb, folder, only=()):
    """Unpack a package, or only the paths of it that fit the patterns, into a folder."""
    if not only:
        run(["dpkg-deb", "-x", deb, folder], "free some disk space, then run this again")
        return
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as source:
        run(["tar", "-x", "-C", folder, "--wildcards", *only], "free some disk space, then run this again", stdin=source.stdout)


def source(package, release, file, folder):
    """Download the upstream archive of a source package of a release: `file`. Returns its path. The package's revision does
    not matter, and its own files are not asked for: they change, and the mirror then lacks for hours what its index names.

    The machine's own sources name the mirror and the keys; only the release is ours, and that sources are wanted.
    """
    stanzas = "\n\n".join(_sources_of(release))
    if not stanzas:
        raise Missing("apt's settings name no Debian archive", "use a Debian system, or unpack the suite by hand (toolchain/suites)")
    folder.mkdir(parents=True, exist_ok=True)
    parts = folder / "apt"
    (parts / "parts").mkdir(parents=True, exist_ok=True)
    (parts / "parts" / "sources.sources").write_text(stanzas + "\n")
    apt = Apt(parts, ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts / 'parts'}"])
    run(["apt-get", *apt.options, "-q", "source", "--download-only", "--tar-only", package], REMEDY, cwd=folder)
    shutil.rmtree(parts, ignore_errors=True)
    path = folder / file
    if not path.is_file():
        raise Missing(f"Debian {release} has another version of {package}: no `{file}`", "pin that one in toolchain/pins.toml")
    return path


def _sources_of(release):
    """The machine's Debian archives as deb822 stanzas for the sources of another release."""
    codename = re.search(r"VERSION_CODENAME=(\S+)", Path("/etc/os-release").read_text())
    codename = codename and codename.group(1)
    for path in sorted(Path("/etc/apt").glob("sources.list.d/*.sources")):
        for stanza in path.read_text().split("\n\n"):
            fields = dict(re.findall(r"(?m)^([A-Za-z-]+): *(.*)$", stanza))
            if codename in fields.get("Suites", "").split():
                fields.update({"Types": "deb-src", "Suites": release})
                yield "\n".join(f"{name}: {value}" for name, value in fields.items())
    for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt").glob("sources.list.d/*.list"))]:
        lines = path.read_text().splitlines() if path.is_file() else []
        for line in lines:
            found = re.match(r"deb\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s+(.*)$", line.strip())
            if found and found.group(3) == codename:
                signed = re.search(r"signed-by=(\S+)", found.group(1) or "")
                yield "\n".join(["Types: deb-src", f"URIs: {found.group(2)}", f"Suites: {release}", f"Components: {found.group(4)}",
                                 *([f"Signed-By: {signed.group(1)}"] if signed else [])])

"""Debian packages without root and without touching the system: apt with state folders of our own.

The package sources and their keys are the system's, so apt checks the signatures as it always does; the lists, the
cache and the downloads lie in our cache. Nothing is installed: packages are unpacked into a folder.
"""

import os
import re
import subprocess
from collections import namedtuple

import cache
from pins import sha256_file
from steps import Missing, run, step

Package = namedtuple("Package", "name version architecture sha256 path")
REMEDY = "check that apt's sources can be reached (`apt-get update` as root shows the error), then run this again"


class Apt:
    """apt with private folders. Making one refreshes the lists."""

    def __init__(self):
        self.home = cache.cache_home() / "apt"
        for part in ("state/lists/partial", "cache/archives/partial"):
            (self.home / part).mkdir(parents=True, exist_ok=True)
        status = self.home / "status"
        status.touch()
        self.options = [
            "-o", f"Dir::State={self.home / 'state'}", "-o", f"Dir::Cache={self.home / 'cache'}",
            "-o", f"Dir::State::status={status}", "-o", f"Dir::Log={self.home / 'log'}",
            "-o", "Acquire::Languages=none", "-o", "APT::Update::Post-Invoke-Success::=true",
            "-o", "APT::Architectures::=" + self._architecture(),
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

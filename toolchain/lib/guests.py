"""The two sets of components, what each guest of the workspace components/ is made from, and whether it must be built again."""

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import inputs
from .pins import sha256_file
from .steps import ROOT, Missing, run

GUESTS = ROOT / "components"
WORK = ROOT / "target" / "guests"
FUSE = ROOT / "toolchain" / "fuse"  # merges the core modules of what is built
STAMPS = WORK / ".stamps"  # not among the components: the host is built again when anything there changes
TARGET = "wasm32-wasip2"
VARIABLE = "WISP_GUESTS"


@dataclass(frozen=True)
class Set:
    """A set of components: a profile of components/Cargo.toml, and where the results lie."""

    name: str
    profile: str
    out: Path
    first_time: str

    def record(self, name: str) -> dict:
        """What the last build of a component wrote down; empty if there was none."""
        try:
            return {"inputs": "", "beyond": {}, "outputs": {}, **json.loads(self._stamp(name).read_text())}
        except (OSError, ValueError):
            return {"inputs": "", "beyond": {}, "outputs": {}}

    def fresh(self, name: str, digest: str) -> bool:
        """Was this built from these inputs, and are its results as they were left?"""
        record = self.record(name)
        try:
            return (record["inputs"] == digest and record["outputs"] != {}
                    and all(sha256_file(ROOT / file) == value for file, value in record["beyond"].items())
                    and all(sha256_file(self.out / file) == value for file, value in record["outputs"].items()))
        except OSError:
            return False

    def publish(self, name: str, digest: str, results: dict, beyond: dict, place: Callable = shutil.copyfile) -> None:
        """Put results (file name → path) among the components, each by a rename, and remember what they were made from."""
        before, outputs = self.record(name)["outputs"], {}
        for file, path in sorted(results.items()):
            outputs[file] = sha256_file(path)
            if not (self.out / file).is_file() or sha256_file(self.out / file) != outputs[file]:  # an equal file keeps its time
                there = self.out / file
                there.parent.mkdir(exist_ok=True)
                scratch = there.with_name(f".{there.name}.new")
                scratch.unlink(missing_ok=True)
                place(path, scratch)
                os.replace(scratch, there)
        for file in before.keys() - outputs.keys():
            (self.out / file).unlink(missing_ok=True)
        write(self._stamp(name), {"inputs": digest, "beyond": beyond, "outputs": outputs})

    def take(self, other: "Set", name: str, digest: str) -> bool:
        """Take a component that the other set has of the same inputs: only for what no profile changes."""
        if not other.fresh(name, digest):
            return False
        record = other.record(name)
        self.publish(name, digest, {file: other.out / file for file in record["outputs"]}, record["beyond"], _link)
        return True

    def _stamp(self, name: str) -> Path:
        return STAMPS / self.name / f"{name}.json"


SETS = (
    # What `just build` and `just test` use: minutes less for each change.
    Set("development", "guest-dev", ROOT / "target" / "components", "some minutes on two cores"),
    # What is shipped and measured. CI builds and tests this one.
    Set("optimised", "release", ROOT / "target" / "components-optimised", "ten to sixteen minutes on two cores"),
)


def chosen() -> Set:
    """The set that the variable `WISP_GUESTS` names; the development one without it."""
    name = os.environ.get(VARIABLE) or SETS[0].name
    for one in SETS:
        if one.name == name:
            return one
    raise Missing(f"`{VARIABLE}` is `{name}`", f"set it to one of: {', '.join(one.name for one in SETS)}")


class Workspace:
    """The guests' workspace, as `cargo metadata` describes it."""

    def __init__(self) -> None:
        text = run(["cargo", "metadata", "--no-deps", "--format-version", "1", "--manifest-path", GUESTS / "Cargo.toml"],
                   "correct components/Cargo.toml")
        self._needs, self.members = {}, {}
        self.adapters = set()  # those without a program: they stand in front of imports of others
        for package in json.loads(text)["packages"]:
            folder = Path(package["manifest_path"]).parent
            # What only tests need is in no component.
            self._needs[folder] = [Path(one["path"]) for one in package["dependencies"] if one.get("path") and one["kind"] != "dev"]
            for target in package["targets"]:
                if "bin" in target["kind"] or "cdylib" in target["kind"]:
                    name = target["name"].replace("_", "-")
                    self.members[name] = (package["name"], folder)  # component → package and folder
                    if "cdylib" in target["kind"]:
                        self.adapters.add(name)

    def sources(self, name: str) -> list:
        """The folder of a component, and those of the packages of this repository that it depends on."""
        return self._reached([self.members[name][1]])

    def digest(self, name: str, compiler: str, profile: str) -> str:
        """One digest over what a component is made from, except the files of `beyond`.

        The manifests of all components are part of it: they are built as one selection, in which a dependency has the features
        that any of them asks for. With the lock file, the profile and the compiler that decides what cargo does for this
        component; which others are built in the same run changes nothing.
        """
        everything = self._reached([folder for _, folder in self.members.values()])
        manifests = [GUESTS / "Cargo.toml", GUESTS / "Cargo.lock", *(folder / "Cargo.toml" for folder in everything)]
        return inputs.digest(ROOT, [*self.sources(name), *manifests, ROOT / "wit", FUSE], [compiler, profile])

    def _reached(self, ahead: list) -> list:
        """These folders, and those of the packages of this repository that they depend on."""
        reached = set()
        while ahead:
            folder = ahead.pop()
            if folder not in reached:
                reached.add(folder)
                ahead += self._needs.get(folder, [])
        return sorted(reached)

    def beyond(self, name: str, profile: str, began: float) -> dict:
        """The other files of this repository that the compiler read (by `include_str!`) for a component, with their digests:
        cargo lists them beside what it builds. A file that was written after the build began counts as changed."""
        _, _, listed = built(profile, name, ".d").read_text().partition(":")
        paths = {os.path.normpath(path.replace("\\ ", " ")) for path in re.split(r"(?<!\\)\s+", listed.strip())}
        known = [ROOT / "target", ROOT / "wit", *self.sources(name)]
        others = [Path(path) for path in sorted(paths) if ROOT in Path(path).parents]
        return {os.path.relpath(path, ROOT): "changed" if path.stat().st_mtime > began else sha256_file(path)
                for path in others if not any(folder in path.parents for folder in known)}


def built(profile: str, name: str, suffix: str) -> Path:
    """A file that cargo made for a component. It names libraries with `_`."""
    folder = WORK / TARGET / profile
    return next((path for path in (folder / (name + suffix), folder / (name.replace("-", "_") + suffix)) if path.is_file()), folder / (name + suffix))


def write(path: Path, value: object) -> None:
    """Write JSON by a rename; an equal file keeps its time."""
    text = json.dumps(value, indent=1, sort_keys=True) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.read_text() == text:
        return
    scratch = path.with_name(f".{path.name}.new")
    scratch.write_text(text)
    os.replace(scratch, path)


def _link(path: Path, scratch: Path) -> None:
    """A second name for the file where there can be one: files among the components are replaced, never written to."""
    try:
        os.link(path, scratch)
    except OSError:
        shutil.copyfile(path, scratch)

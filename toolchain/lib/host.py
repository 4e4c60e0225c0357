"""Builds of the host by cargo: the packages are those that `just build` selects, so that dependencies have one set of features
and are built once."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from . import children
from .children import call
from .steps import ROOT, SELECTED, run, step

# Merges the core modules of every component that is built.
FUSE = ROOT / "target" / "release" / "wisp-fuse"
# Holds the components, so that it and what depends on it, the command, wait for them.
HOLDER = "wisp-embedded"


def cargo(*what: str) -> None:
    """Build something of the host."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    command = ["cargo", "build", "--release", "--quiet", *SELECTED, *what]
    call(command, "the compiler's messages are above", cwd=ROOT, env=environment)


def fuse() -> None:
    """Build wisp-fuse."""
    with step("building wisp-fuse"):
        cargo("--bin", "wisp-fuse")


def crates() -> None:
    """Build wasmtime and whatever else of the host does not wait for the components."""
    with step("building wasmtime and what else the host needs"):
        cargo(*(word for spec in before_components() for word in ("-p", spec)), "--lib")


def before_components() -> list[str]:
    """The packages, as `-p` takes them, that the packages which wait for the components depend on directly."""
    metadata = json.loads(run(["cargo", "metadata", "--format-version", "1"], "correct Cargo.toml", cwd=ROOT))
    specs = {package["id"]: f"{package['name']}@{package['version']}" for package in metadata["packages"]}
    # As packages of their own these would be built again, for speed.
    macros = {package["id"] for package in metadata["packages"] if any("proc-macro" in target["kind"] for target in package["targets"])}
    needs = {}
    for node in metadata["resolve"]["nodes"]:
        needs[node["id"]] = {one["pkg"] for one in node["deps"] if any(kind["kind"] is None and kind["target"] is None for kind in one["dep_kinds"])}
    waiting = {package for package, spec in specs.items() if spec.startswith(f"{HOLDER}@")}
    while more := {package for package, direct in needs.items() if direct & waiting} - waiting:
        waiting |= more
    chosen = {package for package, spec in specs.items() if spec.split("@")[0] in SELECTED}
    reached = set()
    while chosen:
        reached |= chosen
        chosen = {one for package in chosen for one in needs[package]} - reached
    return sorted(specs[one] for package in reached & waiting for one in needs[package] - waiting - macros)


@contextmanager
def ahead(wanted: bool) -> Iterator[None]:
    """Build, while the body downloads and builds on one core, what takes about as long: wisp-fuse and the network's crate."""
    if not wanted:
        yield
        return
    children.end_with_us()

    def build() -> None:
        fuse()
        cargo("-p", "wisp-net", "--lib")

    with ThreadPoolExecutor(1) as beside:
        done: Future = beside.submit(build)
        yield
        done.result()

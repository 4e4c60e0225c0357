"""The record of dependencies, toolchain/audits.toml: what a script measures of each crate, and what a reader looked at.

A crate is recorded by name, version and the sha256 that the lock files have, so that what was measured and read is what is
built. Measuring reads cargo's copy of the sources.
"""

import json
import re
from pathlib import Path

from .pins import load_toml
from .steps import ROOT, Missing, run

FILE = ROOT / "toolchain" / "audits.toml"
# For whom each workspace is built: the platform, what its crates become part of, and whose dependencies those are.
BUILDS = [
    ("Cargo.toml", "x86_64-unknown-linux-gnu", "host", {"wisp-cli", "wisp-python"}),
    ("components/Cargo.toml", "wasm32-wasip2", "guest", None),
    ("toolchain/public-items/Cargo.toml", "x86_64-unknown-linux-gnu", "test", None),
]
USES = ["host", "guest", "build", "test", "none"]
LEVELS = ["read", "build", "publisher", "none"]
JUDGED = ["audit", "publisher", "by", "note"]

# Comments and texts, which hold no code. A character comes after texts: a lifetime is none.
NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\[^\n']+|[^\\\n'])'""", re.DOTALL)
BINARIES = {".a", ".dll", ".dylib", ".lib", ".o", ".obj", ".rlib", ".so", ".wasm"}
ELSEWHERE = {"tests", "benches", "examples", "fuzz"}
# What a program that runs while building may reach for, by the names that it would use.
REACHES = {
    "network": r"\bstd::net\b|\bTcpStream\b|\bTcpListener\b|\bUdpSocket\b|\bureq\b|\breqwest\b|\bcurl\b",
    "processes": r"\bprocess::Command\b|\bCommand::new\b",
    "compiler": r"\bcc::|\bcmake::|\bbindgen::",
    "files": r"\bfs::|\bFile::|\bOpenOptions\b|\binclude(?:_str|_bytes)?!",
    "environment": r"\benv::|\benv!|\boption_env!",
}


def code(path):
    """A source file without its comments and texts."""
    return NOT_CODE.sub(lambda found: " " if found[0].startswith("/") else '""', path.read_text(errors="replace"))


def measure(package):
    """What a package holds: lines of code, `unsafe`, compiled files, what of it runs while building and what that reaches."""
    root = Path(package["manifest_path"]).parent
    built = next((Path(t["src_path"]) for t in package["targets"] if "custom-build" in t["kind"]), None)
    macro = any("proc-macro" in target["kind"] for target in package["targets"])
    lines, unsafe, runs = 0, 0, []
    for path in sorted(root.rglob("*.rs")):
        inner = path.relative_to(root).parts
        if inner[0] in ELSEWHERE:
            continue
        text = code(path)
        lines += sum(1 for line in text.splitlines() if line.strip())
        unsafe += len(re.findall(r"\bunsafe\b", text))
        # A script in a folder of its own has modules beside it.
        beside = built and (path == built or (built.parent not in (root, root / "src") and built.parent in path.parents))
        if macro or beside:
            runs.append(text)
    found = [name for name, pattern in REACHES.items() if any(re.search(pattern, text) for text in runs)]
    inner = (path.relative_to(root).parts for path in root.rglob("*") if path.suffix in BINARIES)
    binaries = sum(parts[0] not in ELSEWHERE for parts in inner)
    kinds = ["build script"] * bool(built) + ["macro"] * macro
    return {"lines": lines, "unsafe": unsafe, "binaries": binaries, "runs": ", ".join(kinds), "reaches": ", ".join(found)}


def metadata(manifest, *options):
    """What cargo knows of a workspace."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", ROOT / manifest, *options]
    return json.loads(run(command, f"correct {manifest}, or update its Cargo.lock"))


def checksums(manifest):
    """`name version` → sha256 of the lock file beside a manifest."""
    packages = load_toml((ROOT / manifest).parent / "Cargo.lock")["package"]
    return {f"{package['name']} {package['version']}": package["checksum"] for package in packages if "checksum" in package}


def closure(nodes, roots, kinds):
    """What is reached from some packages by dependencies of these kinds."""
    found, pending = set(), list(roots)
    while pending:
        for dep in nodes[pending.pop()]["deps"]:
            if dep["pkg"] not in found and kinds & {kind["kind"] or "normal" for kind in dep["dep_kinds"]}:
                found.add(dep["pkg"])
                pending.append(dep["pkg"])
    return found


def uses(known, nodes, part, names):
    """package id → what it becomes part of, in one workspace: the nearest of USES to what runs guests."""
    ours = [package["id"] for package in known.values() if package["source"] is None and package["id"] in nodes]
    roots = [one for one in ours if names is None or known[one]["name"] in names]
    macros = {one for one in nodes if any("proc-macro" in target["kind"] for target in known[one]["targets"])}
    # What a macro depends on is not part of what it is expanded in.
    inner = {one: {**node, "deps": [] if one in macros else node["deps"]} for one, node in nodes.items()}
    linked = closure(inner, roots, {"normal"}) - macros
    building = closure(nodes, roots, {"normal", "build"}) - linked
    everything = closure(nodes, ours, {"normal", "build", "dev"}) - linked - building
    return {**dict.fromkeys(everything, "test"), **dict.fromkeys(building, "build"), **dict.fromkeys(linked, part)}


def packages():
    """`name version` → package with its `sha256` and its `use`, of all lock files."""
    found = {}
    for manifest, platform, part, names in BUILDS:
        known = {package["id"]: package for package in metadata(manifest)["packages"]}
        nodes = {node["id"]: node for node in metadata(manifest, "--filter-platform", platform)["resolve"]["nodes"]}
        used, sums = uses(known, nodes, part, names), checksums(manifest)
        for one, package in known.items():
            if package["source"] is None:
                continue
            name = f"{package['name']} {package['version']}"
            entry = found.setdefault(name, {**package, "sha256": sums.get(name), "uses": set()})
            entry["uses"].add(used.get(one, "none"))
    for entry in found.values():
        entry["use"] = ", ".join(sorted(entry["uses"] - ({"none"} if len(entry["uses"]) > 1 else set()), key=USES.index))
    return dict(sorted(found.items()))


def load():
    """The record: its publishers and its crates."""
    record = load_toml(FILE)
    return record.get("publishers", {}), record.get("crates", {})


def publisher_of(package, publishers):
    """Whose repository a package's manifest names, if that is one of the publishers."""
    repository = package["repository"] or ""
    for name, one in publishers.items():
        if package["name"] in one.get("crates", []) or any(repository.startswith(start) for start in one["repositories"]):
            return name
    return None


def wrong(found, publishers, crates):
    """What the record lacks or says wrongly of the packages of the lock files."""
    lines = []
    for name, package in found.items():
        entry = crates.get(name)
        if entry is None:
            lines.append(f"{name}: it has no record")
        elif entry.get("sha256") != package["sha256"]:
            lines.append(f"{name}: its record is of other contents")
        elif entry.get("use") != package["use"]:
            lines.append(f"{name}: it is used for `{package['use']}`, and its record says `{entry.get('use')}`")
        else:
            lines += [f"{name}: {problem}" for problem in judgement(entry, publisher_of(package, publishers))]
    return lines + [f"{name}: it is in the record, and in no lock file" for name in crates if name not in found]


def judgement(entry, publisher):
    """What is wrong with what a reader wrote into an entry."""
    level = entry.get("audit")
    if level not in LEVELS:
        yield f"`audit` must be one of {', '.join(LEVELS)}"
    if level in ("read", "build") and not entry.get("by"):
        yield f"`audit = \"{level}\"` needs `by`: who read it, and when"
    if level == "build" and not entry.get("runs"):
        yield "`audit = \"build\"`, but nothing of it runs while building"
    if level == "publisher" and "publisher" not in entry:
        yield "`audit = \"publisher\"` needs `publisher`"
    if entry.get("publisher", publisher) != publisher:
        yield f"its manifest names no repository of the publisher `{entry['publisher']}`"


def record(found, publishers, crates):
    """The record brought up to date: measured again, with the judgement of those whose contents are the same."""
    updated = {}
    for name, package in found.items():
        old = crates.get(name, {})
        entry = {"sha256": package["sha256"], "use": package["use"], **measure(package)}
        if old.get("sha256") == package["sha256"]:
            entry |= {key: old[key] for key in JUDGED if key in old}
        elif publisher := publisher_of(package, publishers):
            entry |= {"audit": "publisher", "publisher": publisher}
        else:
            entry |= {"audit": "none"}
        updated[name] = entry
    return updated


def write(crates):
    """Put the crates into the record's file, below what people wrote there."""
    head, mark, _ = FILE.read_text().partition("[crates]\n")
    if not mark:
        raise Missing(f"{FILE.name} has no line `[crates]`", "add it; the crates follow it")
    lines = []
    for name, entry in crates.items():
        pairs = ", ".join(f"{key} = {json.dumps(value)}" for key, value in entry.items() if value not in ("", None))
        lines.append(f"{json.dumps(name)} = {{ {pairs} }}\n")
    FILE.write_text(head + mark + "".join(lines))


def numbers(crates):
    """The record in numbers, for a line."""
    built = [entry for entry in crates.values() if entry["use"] != "none"]
    runs = [entry for entry in built if entry.get("runs")]
    levels = ", ".join(f"{sum(entry['audit'] == level for entry in built)} {level}" for level in LEVELS)
    harmless = sum(entry["unsafe"] == 0 and not entry.get("runs") and not entry["binaries"] for entry in built)
    looked = sum(entry["audit"] in ("read", "build") for entry in runs)
    return (f"{len(crates)} crates, {len(built)} of them built ({levels}); {len(runs)} run code while building, {looked} of these were "
            f"looked at; {harmless} have no `unsafe` and run nothing while building")

//! The shipped components: their imports are those in components/README.md, no policy without mounts lets them reach
//! the network or the host's files, and denied imports are gone. `WISP_BLESS=1` writes the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use wisp::policy::Policy;
use wisp_policy::capability::Decision;
use wisp_world::{ComponentWorld, Grants, Imports, compose, resolve};

/// The world in wit/ for which each component is written.
const WORLDS: &[(&str, &str)] = &[
    ("archive", "tool"),
    ("coreutils", "tool"),
    ("curl", "tool"),
    ("data", "tool"),
    ("example-tool", "tool"),
    ("images", "tool"),
    ("python3", "python"),
    ("rg", "tool"),
    ("sh", "shell"),
    ("text", "tool"),
    ("uutils", "tool"),
];

const MARKS: (&str, &str) = ("<!-- made from the components; `just bless` writes it -->\n", "<!-- end -->\n");

/// Every component, with its bytes and the built-in policy's decisions about it.
fn worlds() -> Vec<(Vec<u8>, ComponentWorld)> {
    let source = wisp_built::components();
    let grants = Grants::of(&Policy::offline()).with_threads();
    source
        .list()
        .map(|component| {
            let bytes = component.bytes().unwrap_or_else(|error| panic!("{error}"));
            let world = resolve(component.name(), &bytes, &grants).unwrap_or_else(|error| panic!("{error}"));
            (bytes, world)
        })
        .collect()
}

/// The imports without their versions, which follow the compilers: `wasi:io` (error, poll, streams).
fn imports(world: &ComponentWorld) -> String {
    let mut packages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    // Imports added for a policy do not belong to the component.
    for row in world.imports().iter().filter(|row| !row.interface.starts_with("wisp:deny/")) {
        let name = row.interface.split('@').next().unwrap_or_default();
        let (package, interface) = name.split_once('/').unwrap_or((name, ""));
        packages.entry(package).or_default().insert(interface);
    }
    let cells: Vec<String> = packages
        .into_iter()
        .map(|(package, interfaces)| format!("`{package}` ({})", interfaces.into_iter().collect::<Vec<_>>().join(", ")))
        .collect();
    cells.join("; ")
}

fn readme() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../components/README.md")
}

/// The parts of a row that are the same on every machine. Which `wasi:` interfaces a Rust program imports depends on
/// the libc of the Rust that compiled it (toolchain/bootstrap uses one of two); Python's are componentize-py's, which
/// is pinned.
fn pinned(row: &str) -> String {
    if row.contains("| `python3` |") {
        return row.to_owned();
    }
    let (name, imports) = row.trim_end().rsplit_once('|').unwrap_or((row, ""));
    let ours = imports.split("; ").filter(|cell| cell.trim().starts_with("`wisp:"));
    format!("{name}| {}", ours.collect::<Vec<_>>().join("; ").trim())
}

#[test]
fn the_readme_lists_the_imports() {
    let text = fs::read_to_string(readme()).expect("components/README.md exists");
    let (head, rest) = text.split_once(MARKS.0).expect("components/README.md has the first mark");
    let (table, tail) = rest.split_once(MARKS.1).expect("components/README.md has the second mark");
    let mut rows: BTreeMap<String, (String, String)> = BTreeMap::new();
    for (bytes, world) in worlds() {
        let of = WORLDS.iter().find(|(name, _)| *name == world.name()).map(|(_, of)| *of);
        let of = of.unwrap_or_else(|| panic!("say in WORLDS (tests/tree/components.rs) which world `{}` is of", world.name()));
        let size = format!("{:.1} MB", bytes.len() as f64 / 1e6);
        rows.insert(world.name().to_owned(), (format!("| `{}` | `{of}` | {} |", world.name(), imports(&world)), size));
    }
    if std::env::var_os("WISP_BLESS").is_some() {
        let rows: String = rows.values().map(|(row, size)| format!("{row} {size} |\n")).collect();
        let table = format!("| component | world | imports | size |\n|---|---|---|---|\n{rows}");
        fs::write(readme(), format!("{head}{}{table}{}{tail}", MARKS.0, MARKS.1)).expect("components/README.md can be written");
        return;
    }
    // The size is approximate: it changes with every compiler.
    let written: Vec<String> = table.lines().skip(2).map(|row| pinned(row.rsplitn(3, '|').last().unwrap_or(row))).collect();
    let found: Vec<String> = rows.values().map(|(row, _)| pinned(row.trim_end_matches('|'))).collect();
    assert_eq!(written, found, "components/README.md is not what the components import; `just bless` writes it");
}

#[test]
fn no_component_reaches_the_network_or_the_hosts_files() {
    for (bytes, world) in worlds() {
        for row in world.imports().iter().filter(|row| row.decision == Decision::Host) {
            let capability = row.known.map(|known| known.capability().name);
            assert!(matches!(capability, Some("clocks" | "randomness")), "`{}` of `{}` is {row:?}", row.interface, world.name());
        }
        let composed = compose(&bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes;
        let again = Imports::read(world.name(), &composed).unwrap_or_else(|error| panic!("{error}"));
        let again = again.decide(world.name(), &Grants::of(&Policy::offline()).with_threads(), &[]);
        for row in again.imports() {
            assert!(
                !row.interface.contains("sockets") && !row.interface.contains("outgoing-handler"),
                "`{}` still imports {row:?}",
                world.name()
            );
            // The added import takes a number and returns nothing; a component that brings it is refused.
            assert_eq!(row.decision == Decision::Refused, row.interface.starts_with("wisp:deny/report@"), "{row:?}");
        }
        assert_eq!(again.exports(), world.exports());
    }
}

#[test]
fn every_component_is_a_program() {
    for (_, world) in worlds() {
        world.program().unwrap_or_else(|error| panic!("{error}"));
    }
}

//! The functions and types of every interface that wisp provides, read from `wit/`.
//!
//! A component may name a newer compatible version than wisp has, and use a function that wisp's version lacks. It is
//! then refused, with that function's name, before anything is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use wisp_policy::capability::{Interface, lookup};

use super::items;

/// The packages of `wit/`, each with its files.
const PACKAGES: &[&[(&str, &str)]] = &[
    &[("cli.wit", include_str!("../wit/deps/cli.wit"))],
    &[("clocks.wit", include_str!("../wit/deps/clocks.wit"))],
    &[("filesystem.wit", include_str!("../wit/deps/filesystem.wit"))],
    &[("http.wit", include_str!("../wit/deps/http.wit"))],
    &[("io.wit", include_str!("../wit/deps/io.wit"))],
    &[("random.wit", include_str!("../wit/deps/random.wit"))],
    &[("sockets.wit", include_str!("../wit/deps/sockets.wit"))],
    &[
        ("files.wit", include_str!("../wit/files.wit")),
        ("process.wit", include_str!("../wit/process.wit")),
        ("artifacts.wit", include_str!("../wit/artifacts.wit")),
        ("session.wit", include_str!("../wit/session.wit")),
        ("network.wit", include_str!("../wit/network.wit")),
        ("frontend.wit", include_str!("../wit/frontend.wit")),
        ("host.wit", include_str!("../wit/host.wit")),
        ("terminal.wit", include_str!("../wit/terminal.wit")),
        ("loopback.wit", include_str!("../wit/loopback.wit")),
        ("threads.wit", include_str!("../wit/threads.wit")),
    ],
];

type Items = BTreeMap<Interface, BTreeSet<String>>;

static ITEMS: LazyLock<Items> = LazyLock::new(|| {
    let mut items = Items::new();
    for files in PACKAGES {
        for (name, interface) in items::of(files.iter().map(|(_, text)| *text)) {
            if let Ok(known) = lookup(&name) {
                items.insert(known, interface);
            }
        }
    }
    items
});

/// Whether `interface` has a function or type called `item` (`[method]pollable.ready`).
pub(super) fn has(interface: Interface, item: &str) -> bool {
    ITEMS.get(&interface).is_some_and(|items| items.contains(item))
}

/// The number by which the deny provider reports a function: the index of the interface in the table, and that of the
/// function among the interface's items, from 1. The function's part is 0 for a function that this version of wisp
/// does not know.
pub(super) fn number(name: &str, function: &str) -> u32 {
    let Ok(interface) = lookup(name) else { return u32::MAX };
    let place = Interface::ALL.iter().position(|other| *other == interface);
    let item = ITEMS.get(&interface).and_then(|items| items.iter().position(|item| item == function));
    // Neither the table nor an interface has 65,536 rows.
    (place.unwrap_or(usize::from(u16::MAX)) as u32) << 16 | item.map_or(0, |item| item as u32 + 1)
}

/// The interface and function that the deny provider reports by this number; `None` for an unused number.
pub fn denied_function(number: u32) -> Option<(Interface, &'static str)> {
    let interface = *Interface::ALL.get((number >> 16) as usize)?;
    let item = (number & 0xffff).checked_sub(1);
    let item = item.and_then(|item| ITEMS.get(&interface)?.iter().nth(item as usize));
    Some((interface, item.map_or("a function of a newer version", String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_policy::capability::Decision;
    use wit_parser::{SourceMap, Stability, UnresolvedPackage};

    fn parse(files: &[(&str, &str)]) -> Result<UnresolvedPackage, String> {
        let mut map = SourceMap::new();
        for (path, text) in files {
            map.push_str(path, *text);
        }
        map.parse().map(|group| group.main).map_err(|(map, error)| error.render(&map))
    }

    fn provided(stability: &Stability) -> bool {
        !matches!(stability, Stability::Unstable { .. })
    }

    fn interfaces(package: &UnresolvedPackage) -> impl Iterator<Item = (String, BTreeSet<String>)> + '_ {
        package.interfaces.iter().filter(|(_, interface)| provided(&interface.stability)).filter_map(|(_, interface)| {
            let name = package.name.interface_id(interface.name.as_deref()?);
            let functions = interface.functions.iter().filter(|(_, function)| provided(&function.stability)).map(|(name, _)| name);
            let types = interface.types.iter().filter(|(_, ty)| provided(&package.types[**ty].stability)).map(|(name, _)| name);
            Some((name, functions.chain(types).cloned().collect()))
        })
    }

    /// The scanner agrees with the parser on all of `wit/`.
    #[test]
    fn what_is_scanned_is_what_is_parsed() {
        for files in PACKAGES {
            let package = parse(files).unwrap_or_else(|error| panic!("{error}"));
            let parsed: BTreeMap<String, BTreeSet<String>> = interfaces(&package).collect();
            assert_eq!(items::of(files.iter().map(|(_, text)| *text)), parsed);
        }
    }

    /// The host's threads rest on it (`exec/threads.rs`): where one waits for its turn, no scope of borrowed handles is open, so that the
    /// scopes need not close in the order of a stack. And nothing but `switch` lets another run.
    #[test]
    fn threads_and_their_entry_have_no_handles() {
        for (file, text) in
            [("threads.wit", include_str!("../wit/threads.wit")), ("thread-entry.wit", include_str!("../wit/thread-entry.wit"))]
        {
            let package = parse(&[(file, text)]).unwrap_or_else(|error| panic!("{error}"));
            let functions = package.interfaces.iter().flat_map(|(_, interface)| interface.functions.values());
            let names: Vec<&str> = functions.map(|function| function.name.as_str()).collect();
            assert_eq!(names, if file == "threads.wit" { &["make", "switch"][..] } else { &["enter"] });
            for (_, ty) in &package.types {
                let plain = matches!(ty.kind, wit_parser::TypeDefKind::Enum(_) | wit_parser::TypeDefKind::Result(_));
                assert!(plain, "`{file}` has more than numbers: {ty:?}");
            }
        }
    }

    /// In both directions: every provided interface is in the table, and every interface of the table is written.
    #[test]
    fn the_table_is_the_wit() {
        let mut written = BTreeSet::new();
        for files in PACKAGES {
            let package = parse(files).unwrap_or_else(|error| panic!("{error}"));
            for (name, _) in interfaces(&package) {
                let known = lookup(&name).unwrap_or_else(|error| panic!("`{name}` is not in the table: {error}"));
                written.insert(known);
            }
        }
        for interface in Interface::ALL {
            let refused = interface.capability().absent.decision == Decision::Refused;
            assert!(refused || written.contains(interface), "`{interface}` is in the table but not in wit/");
        }
    }

    #[test]
    fn every_file_of_the_contract_is_read() {
        let wit = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("wit");
        let read: BTreeSet<&str> = PACKAGES.iter().flat_map(|files| files.iter().map(|(path, _)| *path)).collect();
        for directory in [wit.clone(), wit.join("deps")] {
            for entry in std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display())) {
                let name = entry.unwrap_or_else(|error| panic!("{error}")).file_name().into_string().unwrap_or_default();
                if name.ends_with(".wit") && !["worlds.wit", "evaluation.wit", "thread-entry.wit"].contains(&name.as_str()) {
                    // Worlds are not interfaces; `evaluation` and `thread-entry` are exported and never imported.
                    assert!(read.contains(name.as_str()), "`wit/…/{name}` is not in PACKAGES");
                }
            }
        }
    }

    #[test]
    fn every_function_that_can_be_denied_has_a_number_of_its_own() {
        let mut text = String::new();
        for interface in Interface::ALL.iter().filter(|interface| interface.capability().has(Decision::Denied)) {
            let name = format!("{}@{}.1", interface.name(), interface.track());
            for item in &ITEMS[interface] {
                let number = number(&name, item);
                assert_eq!(denied_function(number), Some((*interface, item.as_str())));
                text.push_str(&format!("{number} {name} {item}\n"));
            }
            assert_eq!(denied_function(number(&name, "newer")), Some((*interface, "a function of a newer version")));
        }
        assert_eq!(number("test:it/polite", "lend"), u32::MAX);
        assert_eq!(denied_function(u32::MAX), None);
        // Composed components are cached with these numbers: raise `deny::FORMAT` when they change.
        assert_eq!(crate::sha256(text.as_bytes()), super::super::deny::NUMBERS, "{text}");
    }

    #[test]
    fn functions_are_known_by_name() {
        assert!(has(Interface::IoPoll, "[method]pollable.ready"));
        assert!(has(Interface::Exit, "exit-with-code"));
        assert!(has(Interface::SandboxProcess, "spawn"));
        assert!(!has(Interface::IoPoll, "[method]pollable.steal"));
        assert!(has(Interface::HttpTypes, "[static]response-outparam.set"));
        assert!(!has(Interface::HttpTypes, "[method]response-outparam.send-informational"), "it is unstable, and nothing links it");
    }
}

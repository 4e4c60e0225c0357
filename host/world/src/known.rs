//! The functions and types of every interface that wisp provides, which `build.rs` takes from `wit/`.
//!
//! A component may name a newer compatible version than wisp has, and use a function that wisp's version lacks. It is
//! then refused, with that function's name, before anything is compiled.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use wisp_policy::capability::Interface;
use wisp_policy::lookup::lookup;

/// The functions and types of an interface, sorted.
type Items = &'static [&'static str];

/// Every interface of `wit/` by its full name (`wasi:io/poll@0.2.12`), with its items.
const CONTRACT: &[(&str, Items)] = include!(concat!(env!("OUT_DIR"), "/wit.rs"));

/// The interfaces that a component may import, which are those of the capability table.
static ITEMS: LazyLock<BTreeMap<Interface, Items>> =
    LazyLock::new(|| CONTRACT.iter().filter_map(|(name, items)| Some((lookup(name).ok()?, *items))).collect());

/// Returns the place of `item` (`[method]pollable.ready`) among the items of `interface`.
fn place(interface: Interface, item: &str) -> Option<usize> {
    ITEMS.get(&interface)?.binary_search(&item).ok()
}

/// Returns whether `interface` has a function or type called `item` (`[method]pollable.ready`).
pub(super) fn has(interface: Interface, item: &str) -> bool {
    place(interface, item).is_some()
}

/// Returns the number by which the deny provider reports a function: the index of the interface in the table, and that of the
/// function among the interface's items, from 1. The function's part is 0 for a function that this version of wisp
/// does not know.
pub(super) fn number(name: &str, function: &str) -> u32 {
    let Ok(interface) = lookup(name) else { return u32::MAX };
    let row = Interface::ALL.iter().position(|other| *other == interface);
    // Neither the table nor an interface has 65,536 rows.
    (row.unwrap_or(usize::from(u16::MAX)) as u32) << 16 | place(interface, function).map_or(0, |item| item as u32 + 1)
}

/// Returns the interface and function that the deny provider reports by this number; `None` for an unused number.
pub fn denied_function(number: u32) -> Option<(Interface, &'static str)> {
    let interface = *Interface::ALL.get((number >> 16) as usize)?;
    let item = (number & 0xffff).checked_sub(1);
    let item = item.and_then(|item| ITEMS.get(&interface)?.get(item as usize));
    Some((interface, item.copied().unwrap_or("a function of a newer version")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_policy::capability::Decision;
    use wit_parser::SourceMap;

    /// The host's threads rest on it (`exec/threads.rs`): where one waits for its turn, no scope of borrowed handles is open, so that the
    /// scopes need not close in the order of a stack. And nothing but `switch` lets another run.
    #[test]
    fn threads_and_their_entry_have_no_handles() {
        for (file, text) in
            [("threads.wit", include_str!("../wit/threads.wit")), ("thread-entry.wit", include_str!("../wit/thread-entry.wit"))]
        {
            let mut map = SourceMap::new();
            map.push_str(file, text);
            let package = map.parse().unwrap_or_else(|(map, error)| panic!("{}", error.render(&map))).main;
            let functions = package.interfaces.iter().flat_map(|(_, interface)| interface.functions.values());
            let names: Vec<&str> = functions.map(|function| function.name.as_str()).collect();
            assert_eq!(names, if file == "threads.wit" { &["make", "switch"][..] } else { &["enter"] });
            for (_, ty) in &package.types {
                let plain = matches!(ty.kind, wit_parser::TypeDefKind::Enum(_) | wit_parser::TypeDefKind::Result(_));
                assert!(plain, "`{file}` has more than numbers: {ty:?}");
            }
        }
    }

    /// What is exported and never imported, so that no capability has it.
    const EXPORTED: [&str; 2] = ["wisp:sandbox/evaluation@0.1.0", "wisp:sandbox/thread-entry@0.1.0"];

    /// In both directions: every provided interface is in the table, and every interface of the table is written.
    #[test]
    fn the_table_is_the_wit() {
        for (name, items) in CONTRACT {
            assert_eq!(lookup(name).is_err(), EXPORTED.contains(name), "`{name}` is in one of `wit/` and the table");
            assert!(items.is_sorted(), "`{name}` is searched by halves");
        }
        for interface in Interface::ALL {
            let refused = interface.capability().absent.decision == Decision::Refused;
            assert!(refused || ITEMS.contains_key(interface), "`{interface}` is in the table but not in wit/");
        }
    }

    #[test]
    fn every_function_that_can_be_denied_has_a_number_of_its_own() {
        let mut text = String::new();
        for interface in Interface::ALL.iter().filter(|interface| interface.capability().has(Decision::Denied)) {
            let name = format!("{}@{}.1", interface.name(), interface.track());
            for item in ITEMS[interface] {
                let number = number(&name, item);
                assert_eq!(denied_function(number), Some((*interface, *item)));
                text.push_str(&format!("{number} {name} {item}\n"));
            }
            assert_eq!(denied_function(number(&name, "newer")), Some((*interface, "a function of a newer version")));
        }
        assert_eq!(number("test:it/polite", "lend"), u32::MAX);
        assert_eq!(denied_function(u32::MAX), None);
        // Composed components are cached with these numbers: raise `deny::FORMAT` when they change.
        assert_eq!(wisp_policy::digest::sha256(text.as_bytes()), super::super::deny::NUMBERS, "{text}");
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

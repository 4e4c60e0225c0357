//! Components in front of imports: what is decided about them, and what is composed.

use super::fixtures::{command, component, nothing, wasi};
use crate::{Adapter, ComponentWorld, Imports, compose};
use wisp_policy::capability::Decision;
use wisp_policy::schema::Key;
use wit_parser::Resolve;

const HANDLER: &str = "wasi:http/outgoing-handler";

/// A component in front of requests, of WASI `version`, with these additional lines in its world.
fn front(version: &str, more: &str) -> Vec<u8> {
    let text = format!("package test:it; world it {{ import {HANDLER}@{version}; {more} export {HANDLER}@{version}; }}");
    component(wasi(version), &text)
}

fn tool() -> Vec<u8> {
    command("0.2.9", &format!("import {HANDLER}@0.2.9; import wasi:clocks/wall-clock@0.2.9;"))
}

fn read(bytes: &[u8]) -> Imports {
    Imports::read("it", bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// The world of the tool with these in front of interfaces, under a policy with a network or without.
fn world(fronts: &[(&str, &Imports)], network: bool) -> ComponentWorld {
    let mut grants = nothing();
    if network {
        grants.add(Key::AllowUrl, std::iter::once(("p.toml:3".to_owned(), "GET https://a.example/".to_owned())));
    }
    let adapter = |(interface, imports)| Adapter { interface, name: "front.wasm", rule: "p.toml:7", imports };
    let adapters: Vec<Adapter<'_>> = fronts.iter().map(|(interface, imports)| adapter((*interface, *imports))).collect();
    read(&tool()).decide("it", &grants, &adapters)
}

fn decision(rows: &[crate::ImportRow], interface: &str) -> Decision {
    rows.iter().find(|row| row.interface.starts_with(interface)).unwrap_or_else(|| panic!("no import {interface}")).decision
}

#[test]
fn its_imports_are_decided_by_the_grants_of_the_component_behind_it() {
    let imports = read(&front("0.2.9", "import wasi:sockets/tcp@0.2.9;"));
    for (network, expected) in [(true, Decision::Host), (false, Decision::Denied)] {
        let world = world(&[(HANDLER, &imports)], network);
        assert_eq!(decision(world.imports(), HANDLER), Decision::Component);
        let [front] = world.adapters() else { panic!("{world:?}") };
        assert_eq!((decision(&front.imports, HANDLER), decision(&front.imports, "wasi:sockets/tcp@")), (expected, Decision::Denied));
        assert_eq!(front.provides.len(), 1);
        assert!(world.report().is_some(), "denied calls are reported");
    }
}

#[test]
fn a_compatible_version_fits_and_no_other() {
    let (tool, older) = (tool(), front("0.2.3", ""));
    let imports = read(&older);
    let world = world(&[(HANDLER, &imports)], true);
    let composed = compose(&tool, &[&older], &world).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(composed.bytes.get(composed.program), Some(&tool[..]), "the program is where it is said to be");
    // What exports nothing of that name is refused, and so is a world that would need it.
    let other = read(&component(wasi("0.2.9"), "package test:it; world it { export wasi:clocks/wall-clock@0.2.9; }"));
    let world = self::world(&[(HANDLER, &other)], true);
    assert_eq!(decision(world.imports(), HANDLER), Decision::Refused);
}

#[test]
fn one_component_has_one_place_for_all_its_interfaces() {
    let text = format!("package test:it; world it {{ export {HANDLER}@0.2.9; export wasi:clocks/wall-clock@0.2.9; }}");
    let (tool, both) = (tool(), component(wasi("0.2.9"), &text));
    let imports = read(&both);
    let world = world(&[(HANDLER, &imports), ("wasi:clocks/wall-clock", &imports)], false);
    assert_eq!(world.adapters().iter().map(|front| front.provides.len()).collect::<Vec<_>>(), [2]);
    compose(&tool, &[&both], &world).unwrap_or_else(|error| panic!("{error}"));
    // As many bytes as are decided about, and those.
    assert!(compose(&tool, &[], &world).is_err() && compose(&tool, &[&tool], &world).is_err());
}

#[test]
fn what_wisp_does_not_know_can_be_satisfied_too() {
    let of = |world: &str| {
        let mut resolve = Resolve::default();
        let db = "package acme:db@1.0.0; interface query { ask: func(number: u32) -> u32; }";
        resolve.push_source("db.wit", db).unwrap_or_else(|error| panic!("{error:#}"));
        component(resolve, &format!("package test:it; world it {{ {world} }}"))
    };
    let (asks, answers) = (of("import acme:db/query@1.0.0; export run: func();"), of("export acme:db/query@1.0.0;"));
    let (imports, front) = (read(&asks), read(&answers));
    assert_eq!(imports.decide("it", &nothing(), &[]).imports()[0].decision, Decision::Refused);
    let adapter = Adapter { interface: "acme:db/query", name: "db.wasm", rule: "p.toml:7", imports: &front };
    let world = imports.resolve("it", &nothing(), &[adapter]).unwrap_or_else(|error| panic!("{error}"));
    compose(&asks, &[&answers], &world).unwrap_or_else(|error| panic!("{error}"));
    assert!(world.host_interfaces().is_empty(), "nothing of the host is linked for it");
}

#[test]
fn digests_say_what_stands_in_front() {
    let (one, other) = (read(&front("0.2.9", "")), read(&front("0.2.9", "import wasi:random/random@0.2.9;")));
    let worlds = [world(&[], true), world(&[(HANDLER, &one)], true), world(&[(HANDLER, &other)], true)];
    for (index, world) in worlds.iter().enumerate() {
        for later in &worlds[index + 1..] {
            assert_ne!(world.world_digest(), later.world_digest());
            assert_ne!(world.composition_digest(), later.composition_digest());
        }
    }
}

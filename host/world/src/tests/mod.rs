//! Decisions and composition, on components made for the tests.

mod adapters;
mod composing;
mod fixtures;
mod running;

use super::component_world::denied;
use super::deny::Denial;
use super::*;
use fixtures::{command, component, nothing, sockets, unstable_wasi, wasi};
use std::collections::BTreeSet;
use wisp_policy::capability::{Decision, Interface};
use wit_parser::Resolve;

fn rows(world: &ComponentWorld, decision: Decision) -> Vec<&str> {
    world.imports().iter().filter(|row| row.decision == decision).map(|row| row.interface.as_str()).collect()
}

fn refusals(component: &[u8]) -> Vec<(String, String)> {
    match resolve("it", component, &nothing()) {
        Err(WorldError::Refused { refused, .. }) => refused.into_iter().map(|row| (row.interface, row.reason)).collect(),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_command_with_sockets_loses_them_and_nothing_else() {
    for version in ["0.2.0", "0.2.9", "0.2.12"] {
        let bytes = command(version, &sockets(version));
        let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(rows(&world, Decision::Denied).len(), 7, "{world:?}");
        let composed = compose(&bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes;
        let outline = imports::outline(&composed).unwrap_or_else(|error| panic!("{error}"));
        let left: BTreeSet<&str> = outline.imports.iter().map(|import| import.name.as_str()).collect();
        let kept: BTreeSet<&str> = rows(&world, Decision::Host).into_iter().chain(rows(&world, Decision::Virtual)).collect();
        assert_eq!(left, kept);
        assert!(!left.iter().any(|name| name.contains("sockets")));
        assert_eq!(outline.exports, [format!("wasi:cli/run@{version}")]);
        assert_eq!(world.program().ok(), Some(format!("wasi:cli/run@{version}").as_str()));
        wit_component::decode(&composed).unwrap_or_else(|error| panic!("{error:#}"));
        // The added import reports denied calls; it is shown, and no component may bring it itself.
        assert!(left.contains(import::REPORT) && world.report().is_some());
        assert_eq!(rows(&world, Decision::Virtual).iter().filter(|name| **name == import::REPORT).count(), 1);
        let again: Vec<String> = refusals(&composed).into_iter().map(|(name, _)| name).collect();
        assert_eq!(again, [import::REPORT]);
    }
}

#[test]
fn the_provider_is_small_and_stateless() {
    let bytes = command("0.2.9", &sockets("0.2.9"));
    let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = denied(&world.imports).collect();
    let denial = Denial::read(&bytes, &names).unwrap_or_else(|error| panic!("{error}"));
    let provider = denial.provider().unwrap_or_else(|error| panic!("{error}"));
    assert!(provider.len() < 64 * 1024, "{} bytes", provider.len());
    for payload in wasmparser::Parser::new(0).parse_all(&provider) {
        match payload.unwrap_or_else(|error| panic!("{error}")) {
            wasmparser::Payload::MemorySection(memories) => {
                for memory in memories {
                    let memory = memory.unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!((memory.initial, memory.maximum), (1, Some(1)));
                }
            }
            wasmparser::Payload::DataSection(_) => panic!("it has data"),
            wasmparser::Payload::GlobalSection(_) => panic!("it has state"),
            _ => {}
        }
    }
}

#[test]
fn threads_are_for_the_shipped_python3_alone() {
    let mut wisp = Resolve::default();
    wisp.push_source("threads.wit", include_str!("../../wit/threads.wit")).unwrap_or_else(|error| panic!("{error:#}"));
    let bytes = component(wisp, "package test:it; world it { import wisp:sandbox/threads@0.1.0; }");
    assert_eq!(refusals(&bytes), [("wisp:sandbox/threads@0.1.0".to_owned(), NO_THREADS.to_owned())]);
    let world = resolve("python3", &bytes, &nothing().with_threads()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rows(&world, Decision::Virtual), ["wisp:sandbox/threads@0.1.0"]);
}

#[test]
fn a_component_without_sockets_stays_as_it_is() {
    let bytes = command("0.2.3", "import wasi:filesystem/types@0.2.3;");
    let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    assert!(world.report().is_none());
    let composed = compose(&bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes;
    assert!(matches!(composed, std::borrow::Cow::Borrowed(_)));
    assert!(world.host_interfaces().contains(&Interface::FilesystemTypes));
    assert!(!world.host_interfaces().contains(&Interface::Random));
}

#[test]
fn all_that_is_refused_is_said_at_once() {
    let text = "package test:it;
        interface secret { steal: func() -> string; }
        world it { import secret; import plain: func(); import wasi:io/poll@0.2.12; import also: interface { f: func(); } export run: func(); }";
    let refused = refusals(&component(wasi("0.2.12"), text));
    let names: Vec<&str> = refused.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), 3, "{refused:?}");
    for name in ["plain", "test:it/secret", "also"] {
        assert!(names.contains(&name), "{refused:?}");
    }
    let said = resolve("it", &component(wasi("0.2.12"), text), &nothing()).err().map(|error| error.to_string());
    assert!(said.is_some_and(|said| said.contains("3 of its imports") && said.contains("test:it/secret")));
}

#[test]
fn http_is_denied_without_a_network_and_the_component_starts() {
    for version in ["0.2.0", "0.2.4", "0.2.12"] {
        let bytes = command(version, &format!("import wasi:http/outgoing-handler@{version};"));
        let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
        assert!(rows(&world, Decision::Denied).contains(&format!("wasi:http/outgoing-handler@{version}").as_str()), "{world:?}");
        let composed = compose(&bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes;
        let outline = imports::outline(&composed).unwrap_or_else(|error| panic!("{error}"));
        assert!(!outline.imports.iter().any(|import| import.name.contains("outgoing-handler")));
    }
}

#[test]
fn an_unstable_function_is_refused_before_the_linker_would() {
    let text = "package test:it; world it { import wasi:http/types@0.2.12; }";
    assert!(resolve("it", &component(wasi("0.2.12"), text), &nothing()).is_ok());
    let refused = refusals(&component(unstable_wasi("0.2.12"), text));
    assert!(matches!(&refused[..], [(_, reason)] if reason.contains("response-outparam.send-informational")), "{refused:?}");
}

#[test]
fn a_function_wisp_does_not_have_is_refused_by_name() {
    let mut resolve = Resolve::default();
    let newer = "package wasi:random@0.2.77; interface random { get-random-u64: func() -> u64; rewind: func(); }";
    resolve.push_source("random.wit", newer).unwrap_or_else(|error| panic!("{error:#}"));
    let text = "package test:it; world it { import wasi:random/random@0.2.77; }";
    let refused = refusals(&component(resolve, text));
    assert_eq!(refused.len(), 1);
    assert!(refused[0].1.contains("`rewind`"), "{refused:?}");
}

#[test]
fn other_tracks_are_refused() {
    for (version, says) in [("0.3.0", "WASI 0.3"), ("1.0.0", "not compatible"), ("0.2.0-rc-2023-11-10", "not compatible")] {
        let mut resolve = Resolve::default();
        let text = format!("package wasi:random@{version}; interface random {{ get-random-u64: func() -> u64; }}");
        resolve.push_source("random.wit", &text).unwrap_or_else(|error| panic!("{error:#}"));
        let text = format!("package test:it; world it {{ import wasi:random/random@{version}; }}");
        let refused = refusals(&component(resolve, &text));
        assert!(refused[0].1.contains(says), "{refused:?}");
    }
}

#[test]
fn modules_components_values_and_resources_are_refused() {
    let text = r#"(component
        (import "a" (core module))
        (import "b" (component))
        (import "c" (type (sub resource)))
        (type $t (list u8))
        (import "d" (type (eq $t)))
        (import "wasi:io/poll@0.2.0" (instance (export "m" (core module)))))"#;
    let bytes = wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<String> = refusals(&bytes).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "c", "wasi:io/poll@0.2.0"]);
}

#[test]
fn what_is_no_component_is_said_clearly() {
    let whole = command("0.2.9", &sockets("0.2.9"));
    let module = wat::parse_str("(module)").unwrap_or_else(|error| panic!("{error}"));
    let mut bad = whole.clone();
    bad[40] ^= 0xff;
    let cases: [(&[u8], &str); 7] = [
        (&module, "core WebAssembly module, not a component"),
        (b"", "it is empty"),
        (b"#!/bin/sh\necho", "not a WebAssembly file"),
        (b"\0asm", "truncated or damaged"),
        (b"\0asm\x0d\0\x01\0\x07", "truncated or damaged"),
        (&whole[..whole.len() - 1], "truncated or damaged"),
        (&bad, "truncated or damaged"),
    ];
    for (bytes, says) in cases {
        let error = resolve("it", bytes, &nothing()).expect_err("refused").to_string();
        assert!(error.starts_with("`it` is ") && error.contains(says), "{error}");
    }
    // Cut anywhere, it is an error or (cut between sections) another component, never a panic.
    for length in (0..whole.len()).step_by(37) {
        let _ = resolve("it", &whole[..length], &nothing());
    }
}

#[test]
fn a_library_is_not_a_program() {
    let bytes = component(wasi("0.2.12"), "package test:it; world it { export double: func(n: u32) -> u32; }");
    let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    let error = world.program().expect_err("no program").to_string();
    assert!(error.contains("`double`"), "{error}");
}

#[test]
fn digests_follow_decisions_not_lines() {
    let bytes = command("0.2.9", "import wasi:filesystem/types@0.2.9;");
    let mounted = |rule: &str| {
        let mut grants = nothing();
        grants.add(wisp_policy::schema::Key::MountGuest, std::iter::once((rule.to_owned(), "/mnt/input (read)".to_owned())));
        resolve("it", &bytes, &grants).unwrap_or_else(|error| panic!("{error}"))
    };
    let (one, other) = (mounted("a.toml:1"), mounted("b.toml:7"));
    let none = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(one.world_digest(), other.world_digest());
    assert_ne!(one.world_digest(), none.world_digest());
    assert_eq!(one.composition_digest(), none.composition_digest());
    let row = one.imports().iter().find(|row| row.known == Some(Interface::FilesystemTypes)).expect("imported");
    assert_eq!((row.decision, row.rule.as_str()), (Decision::Host, "a.toml:1"));
    assert!(row.reason.contains("/mnt/input (read)"), "{}", row.reason);
}

#[test]
fn composing_other_bytes_is_an_error() {
    let bytes = command("0.2.9", &sockets("0.2.9"));
    let world = resolve("it", &bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    let other = command("0.2.9", "");
    assert!(matches!(compose(&other, &[], &world), Err(WorldError::Changed { .. })));
}

#[test]
fn an_interface_that_cannot_say_no_is_an_obstacle() {
    let text = "package test:it;
        interface mute { read: func() -> string; }
        interface polite { enum error { other, access-denied } read: func() -> result<string, error>; peek: func() -> u32; }
        interface types-only { record r { n: u32 } }
        world it { import mute; import polite; import types-only; }";
    let bytes = component(Resolve::default(), text);
    let denial = Denial::read(&bytes, &["test:it/mute", "test:it/polite"]).unwrap_or_else(|error| panic!("{error}"));
    let obstacles = denial.obstacles();
    assert_eq!(obstacles.len(), 1, "{obstacles:?}");
    assert_eq!(obstacles[0].0, "test:it/mute");
    assert!(obstacles[0].1.contains("`read`"), "{obstacles:?}");
}

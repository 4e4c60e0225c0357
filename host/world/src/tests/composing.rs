//! What the outer component of a composition imports and exports.

use super::fixtures::{command, component, joined, nothing, sockets, unmerged, wasi};
use crate::import::Kind;
use crate::imports::outline;
use crate::{compose, resolve};
use wisp_policy::capability::Decision;
use wit_parser::Resolve;

fn composed(bytes: &[u8]) -> Vec<u8> {
    let world = resolve("it", bytes, &nothing()).unwrap_or_else(|error| panic!("{error}"));
    assert!(world.imports().iter().any(|row| row.decision == Decision::Denied), "nothing to compose: {world:?}");
    compose(bytes, &[], &world).unwrap_or_else(|error| panic!("{error}")).bytes.into_owned()
}

/// The imports with what they require; `attest` compares only their names.
fn requirements(bytes: &[u8]) -> Vec<(String, Kind, Vec<String>)> {
    let outline = outline(bytes).unwrap_or_else(|error| panic!("{error}"));
    outline.imports.into_iter().map(|import| (import.name, import.kind, import.items)).collect()
}

#[test]
fn what_stays_open_is_imported_in_its_order_with_the_same_items() {
    let bytes = command("0.2.9", &format!("import wasi:filesystem/preopens@0.2.9; {}", sockets("0.2.9")));
    let mut expected = requirements(&bytes);
    expected.retain(|(name, ..)| !name.contains("sockets"));
    let mut left = requirements(&composed(&bytes));
    let report = left.pop();
    assert_eq!(report, Some((crate::import::REPORT.to_owned(), Kind::Instance, vec!["denied".to_owned()])));
    assert_eq!(left, expected);
}

#[test]
fn composing_twice_gives_the_same_bytes() {
    let bytes = command("0.2.9", &sockets("0.2.9"));
    assert_eq!(composed(&bytes), composed(&bytes));
}

#[test]
fn compatible_versions_of_an_interface_become_one_import_of_the_newest() {
    let mut resolve = wasi("0.2.3");
    resolve.merge(wasi("0.2.9")).unwrap_or_else(|error| panic!("{error:#}"));
    let text = "package test:it; world it {
        import wasi:sockets/tcp@0.2.3; import wasi:http/outgoing-handler@0.2.9; import wasi:io/poll@0.2.9;
        export run: func(); }";
    let bytes = composed(&unmerged(resolve, text));
    let names: Vec<String> = requirements(&bytes).into_iter().map(|(name, ..)| name).collect();
    let polls: Vec<&String> = names.iter().filter(|name| name.starts_with("wasi:io/poll@")).collect();
    assert_eq!(polls, ["wasi:io/poll@0.2.9"], "{names:?}");
    assert!(!names.iter().any(|name| name.contains("sockets") || name.contains("outgoing-handler")), "{names:?}");
}

#[test]
fn a_type_that_is_imported_by_name_stays_one() {
    let text = format!(
        "package test:it; world it {{ use wasi:io/poll@0.2.9.{{pollable}}; {} export run: func(of: borrow<pollable>); }}",
        sockets("0.2.9")
    );
    let named = |bytes: &[u8]| requirements(bytes).into_iter().filter(|(_, kind, _)| *kind == Kind::TypeName).collect::<Vec<_>>();
    let bytes = component(wasi("0.2.9"), &text);
    let before = named(&bytes);
    assert_eq!(before.len(), 1, "{before:?}");
    assert_eq!(named(&composed(&bytes)), before);
}

#[test]
fn definitions_between_imports_keep_their_places() {
    let text = r#"(component
        (core module $before (memory (export "memory") 1))
        (core instance $memory (instantiate $before))
        (type $own (resource (rep i32)))
        (type $text string)
        (instance $made (export "text" (type $text)))
        (import "wasi:sockets/network@0.2.9" (instance $network
            (export "network" (type (sub resource)))
            (type $code' (enum "unknown" "access-denied"))
            (export "error-code" (type (eq $code')))))
        (alias export $network "network" (type $network'))
        (alias export $network "error-code" (type $code))
        (alias export $made "text" (type $from-made))
        (import "wasi:io/poll@0.2.9" (instance $poll (export "pollable" (type (sub resource)))))
        (alias export $poll "pollable" (type $pollable))
        (import "wasi:sockets/ip-name-lookup@0.2.9" (instance
            (alias outer 1 $network' (type $n)) (export "network" (type $n' (eq $n)))
            (alias outer 1 $code (type $c)) (export "error-code" (type $c' (eq $c)))
            (alias outer 1 $pollable (type $p)) (export "pollable" (type $p' (eq $p)))
            (export "resolve-address-stream" (type $stream (sub resource)))
            (type $b (borrow $n')) (type $s (own $stream)) (type $r (result $s (error $c')))
            (export "resolve-addresses" (func (param "network" $b) (param "name" string) (result $r)))
            (type $self (borrow $stream)) (type $w (own $p'))
            (export "[method]resolve-address-stream.subscribe" (func (param "self" $self) (result $w)))))
        (import "wasi:cli/stdin@0.2.9" (instance
            (alias outer 1 $pollable (type $p)) (export "pollable" (type (eq $p)))))
        (core module $program (func (export "run") (result i32) i32.const 7))
        (core instance $running (instantiate $program))
        (func $run (result u32) (canon lift (core func $running "run")))
        (export "run" (func $run)))"#;
    let bytes = wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"));
    let denied = ["wasi:sockets/network@0.2.9", "wasi:sockets/ip-name-lookup@0.2.9"];
    let composed = joined(&bytes, &denied).unwrap_or_else(|error| panic!("{error}"));
    let outer = outline(&composed).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<&str> = outer.imports.iter().map(|import| import.name.as_str()).collect();
    assert_eq!(names, ["wasi:io/poll@0.2.9", "wasi:cli/stdin@0.2.9", crate::import::REPORT]);
    assert_eq!(outer.exports, ["run"]);
}

#[test]
fn an_import_that_needs_a_denied_type_is_an_error() {
    let text = "package test:it;
        interface things { resource thing; make: func() -> result<thing>; }
        interface user { use things.{thing}; take: func(t: thing); }
        world it { import things; import user; export run: func(); }";
    let bytes = component(Resolve::default(), text);
    let denied = ["test:it/things"];
    let error = joined(&bytes, &denied).expect_err("`user` cannot be imported without `things`").to_string();
    assert!(error.contains("type mismatch for import `test:it/user`"), "{error}");
    // Both denied, it composes.
    let denied = ["test:it/things", "test:it/user"];
    let composed = joined(&bytes, &denied).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(requirements(&composed).len(), 1, "only the report is left");
}

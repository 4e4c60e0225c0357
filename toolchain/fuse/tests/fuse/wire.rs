//! Names of files on their way to an import and back: `src/wire.rs`.

use wasmtime::component::{Component, Linker, Resource, ResourceType};
use wasmtime::{Engine, Store, StoreContextMut};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::support::fused;

const WIT: &str = "package test:wire;
package wasi:filesystem@0.2.9 {
    interface types {
        resource descriptor {
            readlink-at: func(path: string) -> result<string, u8>;
            rename-at: func(path: string, other: borrow<descriptor>, name: string) -> result<_, u8>;
        }
        resource directory-entry-stream {
            read-directory-entry: func() -> result<option<tuple<u8, string>>, u8>;
        }
        root: func() -> descriptor;
        entries: func() -> directory-entry-stream;
    }
}
package wasi:cli@0.2.9 {
    interface environment {
        get-arguments: func() -> list<string>;
        get-environment: func() -> list<tuple<string, string>>;
    }
}
world app {
    import wasi:filesystem/types@0.2.9;
    import wasi:cli/environment@0.2.9;
    export argument: func() -> list<u8>;
    export entry: func() -> list<u8>;
    export variable: func() -> list<u8>;
    export read: func(name: list<u8>) -> list<u8>;
    export rename: func(old: list<u8>, new: list<u8>);
}";

/// What the host says, and the bytes that it spells.
const TEXT: &str = "01234567\u{f7e9}é-89abcdef-\u{f7ef}\u{f79f}\u{f7a9}.txt";
const BYTES: &[u8] = b"01234567\xe9\xc3\xa9-89abcdef-\xef\x9f\xa9.txt";

/// A program that takes names as bytes, gives them to the import as they are, and returns the bytes that it gets.
const APP: &str = r#"(module
    (import "wasi:filesystem/types@0.2.9" "root" (func $root (result i32)))
    (import "wasi:filesystem/types@0.2.9" "[method]descriptor.readlink-at" (func $readlink (param i32 i32 i32 i32)))
    (import "wasi:filesystem/types@0.2.9" "[method]descriptor.rename-at" (func $rename (param i32 i32 i32 i32 i32 i32 i32)))
    (import "wasi:filesystem/types@0.2.9" "entries" (func $entries (result i32)))
    (import "wasi:filesystem/types@0.2.9" "[method]directory-entry-stream.read-directory-entry" (func $entry (param i32 i32)))
    (import "wasi:cli/environment@0.2.9" "get-arguments" (func $arguments (param i32)))
    (import "wasi:cli/environment@0.2.9" "get-environment" (func $variables (param i32)))
    (memory (export "memory") 1) (data (i32.const 8) "\00\10\00\00")
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
        ;; As the adapter of WASI 0.1: strings in one buffer, with a byte behind each.
        (local.set $at (i32.and (i32.add (i32.load (i32.const 8)) (i32.sub (local.get 2) (i32.const 1))) (i32.sub (i32.const 0) (local.get 2))))
        (i32.store (i32.const 8) (i32.add (i32.add (local.get $at) (local.get 3)) (i32.const 1)))
        local.get $at)
    (func (export "argument") (result i32)
        (call $arguments (i32.const 64))
        (i32.add (i32.load (i32.const 64)) (i32.const 8)))
    (func (export "variable") (result i32) (local $at i32)
        (call $variables (i32.const 64))
        (local.set $at (i32.add (i32.load (i32.const 64)) (i32.const 16)))
        (i32.store8 (i32.add (i32.load (local.get $at)) (i32.load offset=4 (local.get $at))) (i32.const 61))
        (i32.store (i32.const 64) (i32.load (local.get $at)))
        (i32.store (i32.const 68) (i32.sub
            (i32.add (i32.load offset=8 (local.get $at)) (i32.load offset=12 (local.get $at))) (i32.load (local.get $at))))
        i32.const 64)
    (func (export "entry") (result i32)
        (call $entry (call $entries) (i32.const 64))
        i32.const 76)
    (func (export "read") (param i32 i32) (result i32)
        (call $readlink (call $root) (local.get 0) (local.get 1) (i32.const 64))
        i32.const 68)
    (func (export "rename") (param i32 i32 i32 i32)
        (call $rename (call $root) (local.get 0) (local.get 1) (call $root) (local.get 2) (local.get 3) (i32.const 64))))"#;

fn app() -> Vec<u8> {
    let mut bytes = wat::parse_str(APP).expect("the text is a module");
    let mut resolve = Resolve::default();
    let package = resolve.push_str("test.wit", WIT).expect("the packages are right");
    let world = resolve.select_world(&[package], Some("app")).expect("the world is there");
    embed_component_metadata(&mut bytes, &resolve, world, StringEncoding::UTF8).expect("it takes the description");
    ComponentEncoder::default().validate(true).module(&bytes).expect("a module").encode().expect("it is a component")
}

/// The program, and what the host heard; to read a link answers with the name that was asked for.
struct Running {
    store: Store<Vec<String>>,
    instance: wasmtime::component::Instance,
}

impl Running {
    fn new(bytes: &[u8]) -> Self {
        let engine = Engine::default();
        let component = Component::new(&engine, bytes).expect("wasmtime takes it");
        let mut linker = Linker::<Vec<String>>::new(&engine);
        let mut types = linker.instance("wasi:filesystem/types@0.2.9").expect("a new interface");
        types.resource("descriptor", ResourceType::host::<u8>(), |_, _| Ok(())).expect("a resource");
        types.func_wrap("root", |_, ()| Ok((Resource::<u8>::new_own(1),))).expect("a function");
        let readlink = |mut store: StoreContextMut<'_, Vec<String>>, (_, path): (Resource<u8>, String)| {
            store.data_mut().push(path.clone());
            Ok((Ok::<String, u8>(path),))
        };
        types.func_wrap("[method]descriptor.readlink-at", readlink).expect("a function");
        let rename = |mut store: StoreContextMut<'_, Vec<String>>, (_, path, _, name): (Resource<u8>, String, Resource<u8>, String)| {
            store.data_mut().extend([path, name]);
            Ok((Ok::<(), u8>(()),))
        };
        types.func_wrap("[method]descriptor.rename-at", rename).expect("a function");
        types.resource("directory-entry-stream", ResourceType::host::<u16>(), |_, _| Ok(())).expect("a resource");
        types.func_wrap("entries", |_, ()| Ok((Resource::<u16>::new_own(1),))).expect("a function");
        let entry =
            |_: StoreContextMut<'_, Vec<String>>, (_,): (Resource<u16>,)| Ok((Ok::<Option<(u8, String)>, u8>(Some((1, TEXT.to_owned()))),));
        types.func_wrap("[method]directory-entry-stream.read-directory-entry", entry).expect("a function");
        let mut environment = linker.instance("wasi:cli/environment@0.2.9").expect("a new interface");
        let arguments = |_: StoreContextMut<'_, Vec<String>>, ()| Ok((vec!["a".to_owned(), TEXT.to_owned()],));
        environment.func_wrap("get-arguments", arguments).expect("a function");
        let both = || (TEXT.to_owned(), TEXT.to_owned());
        let variables = move |_: StoreContextMut<'_, Vec<String>>, ()| Ok((vec![both(), both()],));
        environment.func_wrap("get-environment", variables).expect("a function");
        let mut store = Store::new(&engine, Vec::new());
        let instance = linker.instantiate(&mut store, &component).expect("it instantiates");
        Self { store, instance }
    }

    fn read(&mut self, name: &[u8]) -> Result<Vec<u8>, String> {
        let read = self.instance.get_typed_func::<(Vec<u8>,), (Vec<u8>,)>(&mut self.store, "read").expect("an export");
        read.call(&mut self.store, (name.to_vec(),)).map(|(name,)| name).map_err(|error| error.root_cause().to_string())
    }

    /// What the program gets of arguments, variables or entries.
    fn got(&mut self, export: &str) -> Vec<u8> {
        let got = self.instance.get_typed_func::<(), (Vec<u8>,)>(&mut self.store, export).expect("an export");
        got.call(&mut self.store, ()).expect("it returns").0
    }

    fn rename(&mut self, from: &[u8], to: &[u8]) {
        let rename = self.instance.get_typed_func::<(Vec<u8>, Vec<u8>), ()>(&mut self.store, "rename").expect("an export");
        rename.call(&mut self.store, (from.to_vec(), to.to_vec())).expect("it returns");
    }
}

#[test]
fn names_are_spelled_and_read() {
    let before = app();
    let (after, _) = fused(&before);
    // Without it, a name that is not UTF-8 ends the program.
    assert!(Running::new(&before).read(b"caf\xe9").unwrap_err().contains("utf-8"));
    let cases: &[(&[u8], &str)] = &[
        (b"", ""),
        (b"plain.txt", "plain.txt"),
        ("日本/é".as_bytes(), "日本/é"),
        (b"caf\xe9.txt", "caf\u{f7e9}.txt"),
        (b"\xff\xfe/a", "\u{f7ff}\u{f7fe}/a"),
        (b"\xc0\xaf", "\u{f7c0}\u{f7af}"),
        (b"\xe0\x9f\xbf", "\u{f7e0}\u{f79f}\u{f7bf}"),
        (b"\xed\xa0\x80", "\u{f7ed}\u{f7a0}\u{f780}"),
        (b"\xf0\x8f\xbf\xbf", "\u{f7f0}\u{f78f}\u{f7bf}\u{f7bf}"),
        (b"\xf4\x90\x80\x80", "\u{f7f4}\u{f790}\u{f780}\u{f780}"),
        (b"\xf4\x8f\xbf\xbf", "\u{10ffff}"),
        (b"\xe2\x82A", "\u{f7e2}\u{f782}A"),
        (b"\xc3\xa9\xc3", "é\u{f7c3}"),
        // Eight bytes at once, and what is left.
        (b"01234567", "01234567"),
        (b"0123456789abcdef\xe9", "0123456789abcdef\u{f7e9}"),
        (b"0123456\xe9789abcdef01", "0123456\u{f7e9}789abcdef01"),
        ("0123456é89abcdef".as_bytes(), "0123456é89abcdef"),
        (BYTES, TEXT),
        // The characters that spell bytes.
        ("\u{f780}".as_bytes(), "\u{f7ef}\u{f79e}\u{f780}"),
        ("\u{f7ff}".as_bytes(), "\u{f7ef}\u{f79f}\u{f7bf}"),
        ("\u{f77f}\u{f800}".as_bytes(), "\u{f77f}\u{f800}"),
    ];
    let mut running = Running::new(&after);
    for (name, text) in cases {
        assert_eq!(running.read(name).as_deref(), Ok(*name), "{text:?}");
        assert_eq!(running.store.data().last().map(String::as_str), Some(*text));
    }
}

#[test]
fn names_in_results_are_read() {
    let (after, _) = fused(&app());
    let mut running = Running::new(&after);
    for export in ["argument", "entry"] {
        assert_eq!(running.got(export), BYTES, "{export}");
    }
    assert_eq!(running.got("variable"), [BYTES, b"=", BYTES].concat());
}

#[test]
fn each_name_of_a_call_has_a_place() {
    let (after, _) = fused(&app());
    let mut running = Running::new(&after);
    running.rename(b"\xe9", b"\xe8");
    running.rename(b"a", b"\xe8");
    running.rename(b"\xe9", b"b");
    assert_eq!(*running.store.data(), ["\u{f7e9}", "\u{f7e8}", "a", "\u{f7e8}", "\u{f7e9}", "b"]);
}

#[test]
fn a_name_that_is_too_long_stays_too_long() {
    let (after, _) = fused(&app());
    let mut running = Running::new(&after);
    assert!(running.read(&[0xff; 20_000]).is_ok());
    let heard = running.store.data().last().map_or(0, String::len);
    assert!((4 * 4096 - 8..4 * 4096).contains(&heard), "{heard}");
}

#[test]
fn a_fused_component_is_not_changed_again() {
    let (after, _) = fused(&app());
    let (again, _) = fused(&after);
    assert_eq!(Running::new(&again).read(b"caf\xe9"), Ok(b"caf\xe9".to_vec()));
    let mut running = Running::new(&again);
    assert_eq!(running.read("\u{f7e9}".as_bytes()), Ok("\u{f7e9}".as_bytes().to_vec()));
    assert_eq!(*running.store.data(), ["\u{f7ef}\u{f79f}\u{f7a9}"]);
}

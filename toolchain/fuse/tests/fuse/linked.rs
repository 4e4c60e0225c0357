//! Components as wit-component links them: shared libraries, adapters, shims, resources; and their worlds.

use wasmtime::component::Val;
use wit_component::{ComponentEncoder, Linker, StringEncoding, WitPrinter, embed_component_metadata};
use wit_parser::Resolve;

use crate::support::{Running, fused, inside, same_bytes};

const WIT: &str = "package test:linked;
interface log { say: func(text: string); }
interface thing { resource counter { constructor(start: u32); get: func() -> u32; } alive: func() -> u32; }
world library { import log; export greet: func(name: string) -> string; export count: func() -> u32; }
world adapter { import log; }
world adapted { export count: func() -> u32; }
world resourceful { import log; export thing; }";

/// A module with the description of a world of `WIT`.
fn module(text: &str, world: Option<&str>) -> Vec<u8> {
    let mut bytes = wat::parse_str(text).expect("the text is a module");
    if let Some(world) = world {
        let mut resolve = Resolve::default();
        let package = resolve.push_str("test.wit", WIT).expect("the package is right");
        let world = resolve.select_world(&[package], Some(world)).expect("the world is there");
        embed_component_metadata(&mut bytes, &resolve, world, StringEncoding::UTF8).expect("it takes the description");
    }
    bytes
}

/// The world of a component, as text.
fn world(bytes: &[u8]) -> String {
    let decoded = wit_component::decode(bytes).expect("it has a world");
    let mut printer = WitPrinter::default();
    let packages: Vec<_> = decoded.resolve().packages.iter().map(|(id, _)| id).filter(|id| *id != decoded.package()).collect();
    printer.print(decoded.resolve(), decoded.package(), &packages).expect("it can be printed");
    printer.output.to_string()
}

const LIBC: &str = r#"(module (@dylink.0 (mem-info (memory 0 4)))
    (import "env" "memory" (memory 1)) (import "GOT.mem" "__heap_base" (global $base (mut i32)))
    (global $heap (mut i32) (i32.const 0)) (global $calls (mut i32) (i32.const 0))
    (func (export "malloc") (param i32) (result i32)
        (if (i32.eqz (global.get $heap)) (then (global.set $heap (global.get $base))))
        global.get $heap (global.set $heap (i32.add (global.get $heap) (i32.and (i32.add (local.get 0) (i32.const 7)) (i32.const -8)))))
    (func (export "next") (result i32) (global.set $calls (i32.add (global.get $calls) (i32.const 1))) global.get $calls))"#;

const LIBRARY: &str = r#"(module (@dylink.0 (mem-info (memory 16 4)) (needed "libc.so"))
    (type $next (func (result i32)))
    (import "env" "memory" (memory 1)) (import "env" "__indirect_function_table" (table 0 funcref))
    (import "env" "__memory_base" (global $base i32)) (import "env" "__stack_pointer" (global $sp (mut i32)))
    (import "env" "next" (func $next (type $next))) (import "GOT.func" "next" (global $slot (mut i32)))
    (import "test:linked/log" "say" (func $say (param i32 i32)))
    (import "env" "malloc" (func $malloc (param i32) (result i32)))
    (data (global.get $base) "\00\00\00\00\00\00\00\00\05")
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) local.get 3 call $malloc)
    (func (export "greet") (param i32 i32) (result i32)
        (global.set $sp (i32.sub (global.get $sp) (i32.const 16)))
        (i32.store (global.get $sp) (local.get 0))
        (call $say (i32.load (global.get $sp)) (local.get 1))
        (global.set $sp (i32.add (global.get $sp) (i32.const 16)))
        (i32.store (global.get $base) (local.get 0)) (i32.store offset=4 (global.get $base) (local.get 1))
        global.get $base)
    (func (export "count") (result i32)
        (i32.add (i32.mul (call $next) (i32.load offset=8 (global.get $base))) (call_indirect (type $next) (global.get $slot)))))"#;

#[test]
fn shared_libraries() {
    let linker = Linker::default().validate(true);
    let linker = linker.library("libc.so", &module(LIBC, None), false).expect("a library");
    let linker = linker.library("libapp.so", &module(LIBRARY, Some("library")), false).expect("a library");
    let before = linker.encode().expect("they link");
    let (name, other) = ([Val::String("Ada".to_owned())], [Val::String("a longer name".to_owned())]);
    let calls: [(&str, &[Val]); 5] = [("greet", &name), ("count", &[]), ("greet", &other), ("count", &[]), ("greet", &name)];
    let (after, report) = same_bytes(&before, &calls);
    assert_eq!(world(&before), world(&after));
    assert!(world(&after).contains("greet: func(name: string) -> string"));

    assert_eq!((inside(&before).len(), inside(&after).len()), (6, 2));
    assert_eq!(report.merged, ["wit-component-shim-module", "main", "libc.so", "libapp.so", "__init"]);
    assert_eq!(report.kept, ["wit-component-fixup"]);
    assert_eq!((report.tables.before, report.tables.after), (2, 1));
    let merged = &inside(&after)[0];
    assert_eq!((merged.globals, merged.mutable_globals, merged.has_start), (1, 1, false));
    assert!(merged.imports.is_empty(), "`say` is called through the table: {:?}", merged.imports);
    assert_eq!(merged.exports.len(), 5, "memory, table, realloc, greet, count: {:?}", merged.exports);
    assert_eq!(report.remaining_globals[0].name.as_deref(), Some("__stack_pointer"));
    let moved: Vec<_> = report.moved_globals.iter().filter_map(|global| global.name.as_deref()).collect();
    assert_eq!(moved, ["heap", "calls"]);
    assert!(after.len() < before.len());
    // it can be fused again, and stays what it is
    let (again, report) = fused(&after);
    assert_eq!(world(&again), world(&after));
    assert_eq!((report.merged.len(), report.moved_globals.len()), (1, 0));
    assert_eq!(Running::new(&again).call("count", &[]), Running::new(&after).call("count", &[]));
}

const MAIN: &str = r#"(module
    (import "old" "ping" (func $ping (param i32) (result i32)))
    (memory (export "memory") 4) (global (mut i32) (i32.const 4096)) (global $heap (mut i32) (i32.const 8192))
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        global.get $heap (global.set $heap (i32.add (global.get $heap) (local.get 3))))
    (func (export "count") (result i32)
        (global.set 0 (i32.sub (global.get 0) (i32.const 16)))
        (call $ping (i32.const 7))
        (global.set 0 (i32.add (global.get 0) (i32.const 16)))))"#;

/// Like the adapter of WASI preview 1: it shares the memory, keeps state in globals, and has a stack of its own, which
/// wit-component has it allocate before its first call (it then sets `allocation_state` to 2).
const ADAPTER: &str = r#"(module
    (import "env" "memory" (memory 0)) (import "test:linked/log" "say" (func $say (param i32 i32)))
    (import "__main_module__" "cabi_realloc" (func $realloc (param i32 i32 i32 i32) (result i32)))
    (global $allocation_state (mut i32) (i32.const 0))
    (global $__stack_pointer (mut i32) (i32.const 0)) (global $calls (mut i32) (i32.const 0))
    (func (export "ping") (param i32) (result i32)
        (global.set $__stack_pointer (i32.sub (global.get $__stack_pointer) (i32.const 16)))
        (i32.store (global.get $__stack_pointer) (i32.const 0x6968))
        (call $say (global.get $__stack_pointer) (i32.const 2))
        (global.set $__stack_pointer (i32.add (global.get $__stack_pointer) (i32.const 16)))
        (global.set $calls (i32.add (global.get $calls) (global.get $allocation_state)))
        (i32.add (i32.mul (global.get $calls) (i32.const 1000)) (local.get 0))))"#;

#[test]
fn adapters() {
    let encoder = ComponentEncoder::default().validate(true).module(&module(MAIN, Some("adapted"))).expect("a module");
    let before = encoder.adapter("old", &module(ADAPTER, Some("adapter"))).expect("an adapter").encode().expect("they fit");
    let (after, report) = same_bytes(&before, &[("count", &[]), ("count", &[])]);
    assert_eq!(world(&before), world(&after));
    assert_eq!((report.merged.len(), report.kept.len()), (3, 1));
    assert_eq!((inside(&before).len(), inside(&after).len()), (4, 2));
    assert_eq!((report.tables.before, report.tables.after), (1, 1), "the program has no table, the shim's is the only one");
    assert_eq!((report.remaining_globals[0].module.as_str(), report.remaining_globals[0].index), ("main", 0));
    let moved: Vec<_> = report.moved_globals.iter().filter_map(|global| global.name.as_deref()).collect();
    assert!(moved.contains(&"__stack_pointer") && moved.contains(&"calls") && moved.contains(&"heap"), "{moved:?}");
    let mut running = Running::new(&after);
    assert_eq!(running.call("count", &[]), Ok(vec![Val::U32(2007)]));
    assert_eq!(running.call("count", &[]), Ok(vec![Val::U32(4007)]));
    assert_eq!(running.said(), ["hi", "hi"]);
}

const RESOURCES: &str = r#"(module
    (import "[export]test:linked/thing" "[resource-new]counter" (func $new (param i32) (result i32)))
    (import "[export]test:linked/thing" "[resource-drop]counter" (func $drop (param i32)))
    (import "test:linked/log" "say" (func $say (param i32 i32)))
    (memory (export "memory") 1) (data (i32.const 16) "made dropped") (global $alive (mut i32) (i32.const 0))
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) unreachable)
    (func (export "test:linked/thing#[constructor]counter") (param i32) (result i32)
        (global.set $alive (i32.add (global.get $alive) (i32.const 1))) (call $say (i32.const 16) (i32.const 4))
        (call $new (local.get 0)))
    (func (export "test:linked/thing#[method]counter.get") (param i32) (result i32) local.get 0)
    (func (export "test:linked/thing#[dtor]counter") (param i32)
        (global.set $alive (i32.sub (global.get $alive) (i32.const 1))) (call $say (i32.const 21) (i32.const 7)))
    (func (export "test:linked/thing#alive") (result i32)
        (call $drop (call $new (i32.const 5)))
        global.get $alive))"#;

#[test]
fn resources_with_destructors() {
    let mut encoder = ComponentEncoder::default().validate(true).module(&module(RESOURCES, Some("resourceful"))).expect("a module");
    let before = encoder.encode().expect("it is a component");
    let (after, report) = fused(&before);
    assert_eq!(world(&before), world(&after));
    // the destructor goes through the shim, and the program needs functions of the resource: the shim stays before it
    assert_eq!((report.merged.len(), report.kept.len()), (1, 2));
    for bytes in [&before, &after] {
        let mut running = Running::new(bytes);
        let made = running.call("test:linked/thing [constructor]counter", &[Val::U32(41)]).expect("a counter");
        assert_eq!(running.call("test:linked/thing [method]counter.get", &made), Ok(vec![Val::U32(41)]));
        // `alive` makes and drops one itself: one is alive, less one that was never counted
        assert_eq!(running.call("test:linked/thing alive", &[]), Ok(vec![Val::U32(0)]));
        assert_eq!(running.said(), ["made", "dropped"]);
    }
}

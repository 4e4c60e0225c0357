//! What instances cost, measured: `cost` must say at least as much as the host allocates to make one, for every kind of section.
//!
//! Measured are the bytes that the making thread allocates, not the resident memory of the test: they do not depend on other tests,
//! nor on what an allocator kept, and pages that nobody has touched yet count as well.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::Write;

use wasmparser::{Chunk, Parser, Payload};
use wasmtime::component::{Component, Linker};
use wasmtime::{Store, StoreLimits, StoreLimitsBuilder};

use super::super::memory::{Plan, instantiate};
use super::super::sections::sections;
use super::super::{FailPoints, Memory, MemoryChoice, Metering, Runtime, SlotBounds, without_waiting};
use super::cost;

/// Instances of each kind.
const INSTANCES: u64 = 200;

/// Bytes of an instance of the smallest component: each process is charged 64 KiB for what every process has.
const SMALLEST: u64 = 4096;

/// What an allocator adds to each allocation.
const OVERHEAD: u64 = 16;

thread_local! {
    /// Bytes that this thread allocated and has not freed.
    static HELD: Cell<u64> = const { Cell::new(0) };
}

/// Counts what each thread allocates.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(more: usize, less: usize) {
    let change = |bytes: usize| if bytes == 0 { 0 } else { bytes as u64 + OVERHEAD };
    // A thread that ends has no count any more. What another thread allocated is freed by this one at times, so it may be negative.
    let _ = HELD.try_with(|held| held.set(held.get().wrapping_add(change(more)).wrapping_sub(change(less))));
}

// SAFETY: the system's allocator does everything; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Components of one kind.
struct Kind {
    name: &'static str,
    /// The component, as text.
    text: String,
    /// Whether its instances keep something of it. If so, the measurement must see it: one that sees nothing proves nothing.
    kept: bool,
    /// Whether it needs the engine with exceptions.
    exceptions: bool,
}

/// Returns a component with one instance of a module.
fn core(name: &'static str, kept: bool, body: &str) -> Kind {
    let text = format!("(component (core module $m {body}) (core instance (instantiate $m)))");
    Kind { name, text, kept, exceptions: false }
}

/// Returns a component of these definitions.
fn whole(name: &'static str, kept: bool, body: &str) -> Kind {
    Kind { name, text: format!("(component {body})"), kept, exceptions: false }
}

/// Returns a text for each number below `count`.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, number| {
        let _ = write!(all, "{} ", text(number));
        all
    })
}

fn times(count: usize, text: &str) -> String {
    each(count, |_| text.to_owned())
}

/// Returns modules, by what they have much of.
fn modules() -> Vec<Kind> {
    let exported = |kind: &str, item: &str, count| each(count, |number| format!(r#"(export "{kind}{number}" ({item}))"#));
    let provider = format!(
        "(core module $f (memory 0) (table 0 funcref) (global i32 (i32.const 0)) (func) {}{}{}{}) (core instance $i (instantiate $f))",
        exported("f", "func 0", 2000),
        exported("g", "global 0", 2000),
        exported("t", "table 0", 90),
        exported("m", "memory 0", 50)
    );
    let imports =
        |imports: &str| format!(r#"{provider} (core module $m {imports}) (core instance (instantiate $m (with "a" (instance $i))))"#);
    let all = each(2000, |function| function.to_string());
    vec![
        core("nothing", false, ""),
        core("types", false, &each(1000, |number| format!("(type (func {}))", times(number % 50, "(param i32)")))),
        core("functions that have references", true, &format!("{} (elem declare func {all})", times(2000, "(func)"))),
        whole(
            "imports of functions that have references",
            true,
            &imports(&format!("{} (elem declare func {all})", each(2000, |number| format!(r#"(import "a" "f{number}" (func))"#)))),
        ),
        whole("imports of globals", true, &imports(&each(2000, |number| format!(r#"(import "a" "g{number}" (global i32))"#)))),
        whole("imports of tables", false, &imports(&each(90, |number| format!(r#"(import "a" "t{number}" (table 0 funcref))"#)))),
        whole("imports of memories", false, &imports(&each(50, |number| format!(r#"(import "a" "m{number}" (memory 0))"#)))),
        core("tables", true, &times(100, "(table 0 funcref)")),
        core("elements of tables", true, "(table 20000 funcref)"),
        core("memories", false, &times(8, "(memory 0)")),
        core("globals", true, &times(5000, "(global i64 (i64.const 1))")),
        core("globals that are computed", true, &times(2000, "(global i32 (i32.add (i32.const 1) (i32.const 2)))")),
        core("exports", false, &format!("(func $f) {}", each(1000, |number| format!("(export \"{number}\" (func $f))")))),
        core("a start function", false, "(func $f) (start $f)"),
        core("code", false, &format!("(func {})", times(10_000, "nop"))),
        core("custom sections", false, &each(20, |number| format!("(@custom \"{number}\" \"{}\")", "x".repeat(1000)))),
        core("passive elements", true, &format!("(elem funcref {})", times(5000, "(ref.null func)"))),
        core("passive elements that are functions", true, &format!("(func $f) (elem func {})", times(5000, "$f"))),
        core("passive segments of one element", true, &times(2000, "(elem funcref (ref.null func))")),
        core("passive segments of no element", true, &times(5000, "(elem funcref)")),
        core("declared elements", false, &format!("(func $f) (elem declare func {})", times(5000, "$f"))),
        core("active elements", true, &format!("(table 5000 funcref) (func $f) (elem (i32.const 0) func {})", times(5000, "$f"))),
        core("passive data", true, &format!("{} (func (data.drop 0))", times(5000, "(data \"\")"))),
        core("active data", false, &format!("(memory 1) {}", each(2000, |at| format!("(data (i32.const {}) \"x\")", at * 2)))),
        Kind { exceptions: true, ..core("tags", true, &times(5000, "(tag)")) },
    ]
}

/// Returns what only components have.
fn components() -> Vec<Kind> {
    let provider = r#"(core module $f (func (export "f"))) (core instance $i (instantiate $f))"#;
    // A module that imports all of these functions.
    let user = |count: usize, ty: &str| {
        let imports = each(count, |number| format!("(import \"a\" \"{number}\" (func {ty}))"));
        let given = each(count, |number| format!("(export \"{number}\" (func $l{number}))"));
        format!(r#"(core module $m {imports}) (core instance $l {given}) (core instance (instantiate $m (with "a" (instance $l))))"#)
    };
    let lowered = each(500, |number| format!("(core func $l{number} (canon lower (func $f)))"));
    let resources =
        each(300, |number| format!("(type $r{number} (resource (rep i32))) (core func $l{number} (canon resource.drop $r{number}))"));
    let doubled = each(10, |level| {
        let next = level + 1;
        format!("(component $c{next} (alias outer 1 $c{level} (component $x)) (instance (instantiate $x)) (instance (instantiate $x)))")
    });
    let lifted = each(200, |number| format!(r#"(func (export "f{number}") (canon lift (core func $i "f")))"#));
    let taken =
        each(200, |number| format!(r#"(import "f{number}" (func $f{number})) (core func $l{number} (canon lower (func $f{number})))"#));
    let given = each(200, |number| format!(r#"(with "f{number}" (func $a "f{number}"))"#));
    vec![
        whole("types of components", false, &format!("{} {}", times(500, "(core type (func))"), times(500, "(type (func))"))),
        whole("aliases", false, &format!("{provider} {}", times(500, r#"(alias core export $i "f" (core func))"#))),
        whole("functions of the host", true, &format!(r#"(import "f" (func $f)) {lowered} {}"#, user(500, ""))),
        whole("resources", true, &format!("{resources} {}", user(300, "(param i32)"))),
        whole("nested components", true, &format!("(component $c0) {doubled} (instance (instantiate $c10))")),
        whole(
            "adapters between components",
            true,
            &format!(
                "(component $A {provider} {lifted}) (component $B {taken} {}) (instance $a (instantiate $A)) (instance (instantiate $B {given}))",
                user(200, "")
            ),
        ),
    ]
}

/// Returns the bytes that an instance of the component allocates.
fn measured(bytes: &[u8], exceptions: bool) -> u64 {
    let (memory, _) = Memory::choose(MemoryChoice::Slots, SlotBounds::default(), FailPoints::default()).unwrap();
    let Memory::Slots(slots) = &memory else { panic!("slots were asked for") };
    let zero = slots.zero.clone();
    let runtime = match exceptions {
        true => Runtime::with_exceptions(Metering::Epochs, 1, memory),
        false => Runtime::new(Metering::Epochs, 1, memory),
    };
    let runtime = runtime.unwrap();
    let component = Component::new(runtime.engine(), bytes).unwrap();
    let mut linker = Linker::<StoreLimits>::new(runtime.engine());
    linker.root().func_wrap("f", |_, (): ()| Ok(())).unwrap();
    let pre = linker.instantiate_pre(&component).unwrap();
    let limits = StoreLimitsBuilder::new().instances(usize::MAX).tables(usize::MAX).memories(usize::MAX).build();
    let mut store = Store::new(runtime.engine(), limits);
    store.limiter(|limits| limits);
    store.set_epoch_deadline(1 << 40);
    let mut make = || {
        let plan = Plan { image: None, zero: zero.clone(), live: None, failed: None, faults: None };
        without_waiting(instantiate(plan, pre.instantiate_async(&mut store))).expect("nothing to wait for").0.unwrap();
    };
    // What a store keeps once.
    make();
    let before = HELD.get();
    for _ in 0..INSTANCES {
        make();
    }
    HELD.get().wrapping_sub(before) / INSTANCES
}

#[test]
fn an_instance_costs_no_more_than_is_said() {
    for Kind { name, text, kept, exceptions } in modules().into_iter().chain(components()) {
        let bytes = wat::parse_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let said = cost(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let measured = measured(&bytes, exceptions);
        assert!(measured <= said + SMALLEST, "{name}: an instance costs {measured} bytes, and {said} are said");
        if kept {
            assert!(said > 4 * SMALLEST, "{name}: too few to be measured, {said} bytes");
            assert!(measured > said / 16, "{name}: an instance costs {measured} bytes, far less than the {said} that are said");
        }
    }
}

const MODULE: &[u8] = b"\0asm\x01\0\0\0";
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// Returns the sections that are in a component, those of modules with `false`.
fn found(bytes: &[u8]) -> BTreeSet<(bool, u8)> {
    let (mut found, mut pending) = (BTreeSet::new(), vec![(true, 0..bytes.len())]);
    while let Some((component, range)) = pending.pop() {
        for payload in sections(bytes, range).unwrap() {
            let payload = payload.unwrap();
            found.extend(payload.as_section().map(|(id, _)| (component, id)));
            match payload {
                Payload::ModuleSection { unchecked_range, .. } => pending.push((false, unchecked_range)),
                Payload::ComponentSection { unchecked_range, .. } => pending.push((true, unchecked_range)),
                _ => {}
            }
        }
    }
    found
}

/// Returns the sections that the parser knows.
fn known(component: bool) -> impl Iterator<Item = (bool, u8)> {
    let knows = move |id: &u8| {
        let mut parser = Parser::new(0);
        let header = if component { COMPONENT } else { MODULE };
        assert!(parser.parse(header, false).is_ok());
        // An empty section: broken for some.
        !matches!(parser.parse(&[*id, 0], true), Ok(Chunk::Parsed { payload: Payload::UnknownSection { .. }, .. }))
    };
    // Larger numbers are no section's: the parser refuses them.
    (0..=0x7f).filter(knows).map(move |id| (component, id))
}

#[test]
fn every_kind_of_section_is_measured() {
    let mut measured: BTreeSet<_> =
        modules().into_iter().chain(components()).flat_map(|kind| found(&wat::parse_str(&kind.text).unwrap())).collect();
    // Refused, as `a_section_that_is_not_known_is_refused` shows: components that are started with values.
    measured.insert((true, 9));
    let known: BTreeSet<_> = known(false).chain(known(true)).collect();
    let forgotten: Vec<_> = known.difference(&measured).collect();
    assert!(forgotten.is_empty(), "of components (true) and modules (false): {forgotten:?}; add a kind, and count it in cost.rs");
}

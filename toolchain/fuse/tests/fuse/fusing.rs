//! Fused components do what they did before.

use crate::support::{Running, component, fused, inside, pair, same};
use wasmtime::component::Val;
use wisp_fuse::{Options, fuse};

#[test]
fn what_one_module_imports_from_another_becomes_direct() {
    let text = pair(
        r#"(func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add)"#,
        r#"(import "a" "add" (func $add (param i32 i32) (result i32)))
           (func (export "three") (param i32) (result i32) local.get 0 i32.const 3 call $add)"#,
        &[("three", r#"(param "v" u32) (result u32)"#)],
    );
    let (bytes, report) = same(&text, &[("three", &[Val::U32(4)])]);
    let modules = inside(&bytes);
    assert_eq!(modules.len(), 1);
    assert!(modules[0].imports.is_empty());
    assert_eq!(modules[0].exports, ["three"]);
    assert_eq!((report.merged.len(), report.kept.len()), (2, 0));
    assert_eq!((report.imports.before, report.imports.after, report.exports.before), (1, 0, 3));
}

#[test]
fn a_function_of_the_component_is_imported_once() {
    let text = r#"(component (import "double" (func $double (param "v" u32) (result u32)))
        (core module $A (import "host" "double" (func $d (param i32) (result i32)))
            (func (export "four") (param i32) (result i32) local.get 0 call $d call $d))
        (core module $B (import "x" "other name" (func $d (param i32) (result i32))) (import "a" "four" (func $f (param i32) (result i32)))
            (func (export "eight") (param i32) (result i32) local.get 0 call $f call $d))
        (core func $low (canon lower (func $double)))
        (core instance $h (export "double" (func $low)))
        (core instance $a (instantiate $A (with "host" (instance $h))))
        (core instance $x (export "other name" (func $low)))
        (core instance $b (instantiate $B (with "x" (instance $x)) (with "a" (instance $a))))
        (func (export "eight") (param "v" u32) (result u32) (canon lift (core func $b "eight"))))"#;
    let (bytes, report) = same(text, &[("eight", &[Val::U32(5)])]);
    assert_eq!(inside(&bytes)[0].imports, [("host".to_owned(), "double".to_owned())]);
    assert_eq!((report.imports.before, report.imports.after), (3, 1));
}

#[test]
fn globals_that_never_change_become_constants() {
    // as the dynamic linker does it: bases that are globals, a GOT that is mutable, sums in initialisers
    let text = pair(
        r#"(global (export "base") i32 (i32.const 1024)) (global (export "got") (mut i32) (i32.const 1028))
           (global (export "half") f64 (f64.const 0.5)) (table (export "table") 8 funcref) (global (export "slot") i32 (i32.const 3))"#,
        r#"(import "a" "base" (global $base i32)) (import "a" "got" (global $got (mut i32))) (import "a" "half" (global $half f64))
           (import "a" "table" (table 8 funcref)) (import "a" "slot" (global $slot i32))
           (global $own i32 (i32.add (global.get $base) (i32.const 8)))
           (type $t (func (result i32)))
           (func $seven (result i32) i32.const 7) (func $nine (result i32) i32.const 9)
           (elem (global.get $slot) func $seven $nine)
           (data (global.get $base) "\01\00\00\00\02\00\00\00") (data (i32.add (global.get $base) (i32.const 12)) "\2a")
           (func (export "load") (param i32) (result i32) global.get $base local.get 0 i32.add i32.load)
           (func (export "got") (result i32) global.get $got i32.load)
           (func (export "own") (result i32) global.get $own)
           (func (export "half") (result f64) global.get $half)
           (func (export "trap-call") (param i32) (result i32) local.get 0 call_indirect (type $t))"#,
        &[
            ("load", r#"(param "at" u32) (result u32)"#),
            ("got", "(result u32)"),
            ("own", "(result u32)"),
            ("half", "(result f64)"),
            ("trap-call", r#"(param "slot" u32) (result u32)"#),
        ],
    );
    let at = |offset| [Val::U32(offset)];
    let (bytes, report) = same(
        &text,
        &[
            ("load", &at(0)),
            ("load", &at(4)),
            ("load", &at(12)),
            ("got", &[]),
            ("own", &[]),
            ("half", &[]),
            ("trap-call", &at(3)),
            ("trap-call", &at(4)),
            ("trap-call", &at(5)),
        ],
    );
    assert_eq!(inside(&bytes)[0].globals, 0);
    assert_eq!(report.constant_globals, 4); // code reads neither $slot nor, any more, an offset
    assert!(report.moved_globals.is_empty() && report.remaining_globals.is_empty());
    assert_eq!((report.pages.before, report.pages.after), (1, 1));
}

/// A module with a global of every type, and functions that set and read them.
fn every_type() -> String {
    let (mut body, mut lifts) = (String::new(), Vec::new());
    for (name, core, ty, value) in
        [("i", "i32", "u32", "7"), ("l", "i64", "u64", "-1"), ("f", "f32", "f32", "1.5"), ("d", "f64", "f64", "-2.25")]
    {
        body += &format!(
            "(global ${name} (mut {core}) ({core}.const {value}))
             (func (export \"set-{name}\") (param {core}) local.get 0 global.set ${name} local.get 0 global.set ${name})
             (func (export \"get-{name}\") (result {core}) global.get ${name})"
        );
        lifts.push((format!("set-{name}"), format!("(param \"v\" {ty})")));
        lifts.push((format!("get-{name}"), format!("(result {ty})")));
    }
    body += r#"(global $v (mut v128) (v128.const i64x2 3 4))
        (func (export "set-v") (param i64) global.get $v local.get 0 i64x2.replace_lane 1 global.set $v)
        (func (export "get-v") (param i32) (result i64)
            global.get $v i64x2.extract_lane 0 global.get $v i64x2.extract_lane 1 local.get 0 select)"#;
    lifts.push(("set-v".to_owned(), "(param \"v\" u64)".to_owned()));
    lifts.push(("get-v".to_owned(), "(param \"lane\" u32) (result u64)".to_owned()));
    let lifts: Vec<(&str, &str)> = lifts.iter().map(|(name, ty)| (name.as_str(), ty.as_str())).collect();
    pair("(global $__stack_pointer (export \"__stack_pointer\") (mut i32) (i32.const 64))", &body, &lifts)
}

#[test]
fn globals_that_change_lie_in_memory() {
    let reads: [(&str, &[Val]); 6] =
        [("get-i", &[]), ("get-l", &[]), ("get-f", &[]), ("get-d", &[]), ("get-v", &[Val::U32(0)]), ("get-v", &[Val::U32(1)])];
    let sets: [(&str, &[Val]); 5] = [
        ("set-i", &[Val::U32(0xffff_ffff)]),
        ("set-l", &[Val::U64(1 << 40)]),
        ("set-f", &[Val::Float32(-0.0)]),
        ("set-d", &[Val::Float64(1e300)]),
        ("set-v", &[Val::U64(99)]),
    ];
    let calls: Vec<_> = reads.into_iter().chain(sets).chain(reads).collect();
    let (bytes, report) = same(&every_type(), &calls);
    assert_eq!(inside(&bytes)[0].globals, 0, "nobody sets the stack pointer here");
    let places: Vec<_> = report.moved_globals.iter().map(|global| (global.ty.as_str(), global.address, global.value.as_str())).collect();
    let page = 65536;
    assert_eq!(
        places,
        [
            ("i32", Some(page), "07000000"),
            ("i64", Some(page + 8), "ffffffffffffffff"),
            ("f32", Some(page + 16), "0000c03f"),
            ("f64", Some(page + 24), "00000000000002c0"),
            ("v128", Some(page + 32), "03000000000000000400000000000000"),
        ]
    );
    assert_eq!((report.pages.before, report.pages.after), (1, 2));
}

/// A function that makes and leaves a frame on the stack.
const FRAME: &str = r#"(func (export "frame") (param i32) (result i32)
    global.get $__stack_pointer i32.const 16 i32.sub global.set $__stack_pointer
    global.get $__stack_pointer local.get 0 i32.store
    global.get $__stack_pointer i32.load
    global.get $__stack_pointer i32.const 16 i32.add global.set $__stack_pointer)"#;

#[test]
fn the_stack_pointer_stays_a_global() {
    let by_export = pair(
        r#"(global $first (mut i32) (i32.const 1)) (func (export "bump") i32.const 2 global.set $first)
           (global (export "__stack_pointer") (mut i32) (i32.const 4096))"#,
        &format!(
            r#"(import "a" "__stack_pointer" (global $__stack_pointer (mut i32))) (import "a" "bump" (func $bump))
            (func (export "bump") call $bump) {FRAME}"#
        ),
        &[("frame", r#"(param "v" u32) (result u32)"#), ("bump", "")],
    );
    // as Rust links it: nameless and unexported, the first of the module with the memory; the other module has its own
    let by_place = format!(
        r#"(component (core module $A (memory (export "memory") 1) (global (mut i32) (i32.const 4096)) (global $other (mut i32) (i32.const 0))
            {} (func (export "other") (result i32) (global.set $other (i32.add (global.get $other) (i32.const 1))) global.get $other))
        (core module $B (import "a" "memory" (memory 0)) (import "a" "frame" (func $frame (param i32) (result i32)))
            (global $__stack_pointer (mut i32) (i32.const 2048)) {} (func (export "both") (param i32) (result i32)
                (i32.add (call $frame (local.get 0)) (call $own (local.get 0)))))
        (core instance $a (instantiate $A)) (core instance $b (instantiate $B (with "a" (instance $a))))
        (func (export "frame") (param "v" u32) (result u32) (canon lift (core func $b "both")))
        (func (export "other") (result u32) (canon lift (core func $a "other"))))"#,
        FRAME.replace("$__stack_pointer", "0"),
        FRAME.replace("(func ", "(func $own "),
    );
    let (bytes, report) = same(&by_export, &[("frame", &[Val::U32(6)]), ("bump", &[]), ("frame", &[Val::U32(7)])]);
    assert_eq!(inside(&bytes)[0].mutable_globals, 1);
    assert_eq!((report.remaining_globals[0].index, report.remaining_globals[0].name.as_deref()), (1, Some("__stack_pointer")));
    assert_eq!(report.moved_globals.len(), 1);

    let (bytes, report) = same(&by_place, &[("frame", &[Val::U32(6)]), ("other", &[]), ("frame", &[Val::U32(7)]), ("other", &[])]);
    assert_eq!(inside(&bytes)[0].mutable_globals, 1);
    assert_eq!((report.remaining_globals[0].module.as_str(), report.remaining_globals[0].value.as_str()), ("A", "00100000"));
    let moved: Vec<_> = report.moved_globals.iter().map(|global| (global.module.as_str(), global.name.as_deref())).collect();
    assert_eq!(moved, [("A", Some("other")), ("B", Some("__stack_pointer"))]);
}

#[test]
fn segments_of_all_modules_lie_over_each_other_in_their_order() {
    let text = pair(
        r#"(table (export "table") 4 funcref) (func $one (result i32) i32.const 1) (elem (i32.const 0) func $one $one $one)
           (data (i32.const 16) "aaaaaaaa") (data (i32.const 65528) "end")"#,
        r#"(import "a" "table" (table 4 funcref)) (type $t (func (result i32)))
           (func $two (result i32) i32.const 2) (elem (i32.const 1) funcref (ref.func $two) (ref.null func))
           (data (i32.const 18) "bb") (data (i32.const 20) "\00")
           (func (export "peek") (param i32) (result i64) local.get 0 i64.load)
           (func (export "trap-call") (param i32) (result i32) local.get 0 call_indirect (type $t))"#,
        &[("peek", r#"(param "at" u32) (result u64)"#), ("trap-call", r#"(param "slot" u32) (result u32)"#)],
    );
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|slot| [Val::U32(slot)]);
    let (at, end) = ([Val::U32(16)], [Val::U32(65528)]);
    let (bytes, report) = same(
        &text,
        &[("peek", &at), ("peek", &end), ("trap-call", &a), ("trap-call", &b), ("trap-call", &c), ("trap-call", &d), ("trap-call", &e)],
    );
    assert_eq!((inside(&bytes)[0].segments, report.segments.before, report.segments.after), (2, 4, 2));
    assert_eq!(report.data_end, 65531);
}

#[test]
fn what_nothing_reaches_is_left_out() {
    let text = pair(
        r#"(func $dead (export "dead") (result i64) call $deader) (func $deader (result i64) memory.size drop i64.const 1)
           (global $unused (export "unused") (mut i32) (i32.const 0)) (func (export "set") i32.const 1 global.set $unused)
           (table (export "table") 1 funcref) (elem (i32.const 0) $seen) (func $seen (param f32))"#,
        r#"(import "a" "dead" (func (result i64))) (func $also-dead (param i64 i64))
           (func $by-reference) (elem declare func $by-reference)
           (func (export "live") (result i32) ref.func $by-reference ref.is_null)"#,
        &[("live", "(result u32)")],
    );
    let (bytes, report) = same(&text, &[("live", &[])]);
    let module = &inside(&bytes)[0];
    assert_eq!((module.functions, module.globals), (3, 0), "live, what it refers to, what the table holds");
    assert_eq!(module.types, 3);
    assert_eq!((report.functions.before, report.functions.after), (7, 3));
    assert!(report.asks_memory_size.is_empty());
}

#[test]
fn who_asks_for_the_size_of_memory_is_named() {
    let text = pair("", r#"(func $size (export "size") (result i32) memory.size)"#, &[("size", "(result u32)")]);
    let (_, report) = same(&text, &[("size", &[])]);
    assert_eq!(report.asks_memory_size, ["size"]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let input = component(&every_type());
    assert!(fused(&input).0 == fused(&input).0);
    let (named, _) = fuse(&input, &Options { names: true, ..Options::default() }).expect("it fuses");
    assert!(inside(&named)[0].has_names && !inside(&fused(&input).0)[0].has_names);
    assert_eq!(Running::new(&named).call("get-i", &[]), Ok(vec![Val::U32(7)]));
}

#[test]
fn listed_objects_become_immortal() {
    let text = pair(
        r#"(data (i32.const 64) "\02\00\00\00") (data (i32.const 200) "x")"#,
        r#"(func (export "peek") (param i32) (result i32) local.get 0 i32.load)"#,
        &[("peek", r#"(param "at" u32) (result u32)"#)],
    );
    let options = Options { immortal: vec![64, 128], ..Options::default() };
    let (bytes, report) = fuse(&component(&text), &options).expect("it fuses");
    let mut running = Running::new(&bytes);
    for (at, value) in [(60, 0), (64, 0x5000_0000), (68, 0), (128, 0x5000_0000), (132, 0), (200, u32::from(b'x'))] {
        assert_eq!(running.call("peek", &[Val::U32(at)]), Ok(vec![Val::U32(value)]), "at {at}");
    }
    assert_eq!((report.immortal, report.made_immortal), (2, 2));
    let error = fuse(&component(&text), &Options { immortal: vec![204], ..Options::default() }).expect_err("outside of the data");
    assert!(error.to_string().contains("204"), "{error}");
}

#[test]
fn one_module_may_be_instantiated_twice() {
    let text = r#"(component
        (core module $M (memory (export "memory") 1))
        (core module $C (import "m" "memory" (memory 1)) (global $n (mut i32) (i32.const 0))
            (func (export "next") (result i32) (global.set $n (i32.add (global.get $n) (i32.const 1))) global.get $n))
        (core instance $m (instantiate $M))
        (core instance $one (instantiate $C (with "m" (instance $m)))) (core instance $two (instantiate $C (with "m" (instance $m))))
        (func (export "one") (result u32) (canon lift (core func $one "next")))
        (func (export "two") (result u32) (canon lift (core func $two "next"))))"#;
    let (_, report) = same(text, &[("one", &[]), ("one", &[]), ("two", &[]), ("one", &[]), ("two", &[])]);
    assert_eq!(report.moved_globals.len(), 2);
}

#[test]
fn a_call_that_leaves_the_stack_pointer_elsewhere_traps() {
    let text = pair(
        r#"(global $sp (export "__stack_pointer") (mut i32) (i32.const 4096))"#,
        r#"(import "a" "__stack_pointer" (global $sp (mut i32)))
           (func (export "leave") (param i32) (result i32)
               global.get $sp local.get 0 i32.sub global.set $sp
               local.get 0 i32.const 5 i32.eq if global.get $sp i32.const 5 i32.add global.set $sp end
               i32.const 1)"#,
        &[("leave", r#"(param "bytes" u32) (result u32)"#)],
    );
    let (bytes, _) = fused(&component(&text));
    let leave = |distance| Running::new(&bytes).call("leave", &[Val::U32(distance)]);
    assert_eq!(leave(0), Ok(vec![Val::U32(1)]));
    assert_eq!(leave(5), Ok(vec![Val::U32(1)]), "it moved, and is back");
    assert!(leave(16).is_err_and(|trap| trap.contains("unreachable")), "{:?}", leave(16));
}

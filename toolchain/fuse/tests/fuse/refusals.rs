//! What cannot be proven static is refused; beside each refusal stands what is allowed.

use crate::support::{component, fused, inside, pair, refused, same};
use wisp_fuse::{Options, fuse};

/// A pair of which `$b` exports `run`.
fn running(a: &str, b: &str) -> String {
    pair(a, b, &[("run", "(result u32)")])
}

/// Every refusal says what, why, and what to do.
fn names(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(message.contains(": ") && message.contains("; "), "{message}");
}

const RUN: &str = r#"(func (export "run") (result i32) i32.const 1)"#;

#[test]
fn start_functions() {
    names(&refused(&running("", &format!("{RUN} (func $go i32.const 0 i32.const 1 i32.store) (start $go)"))), &["`B`", "start function"]);
    let elsewhere =
        running(r#"(func (export "go") i32.const 0 i32.const 1 i32.store)"#, &format!(r#"(import "a" "go" (func $go)) {RUN} (start $go)"#));
    names(&refused(&elsewhere), &["start function", "initialise"]);
    let loops = running("", &format!("{RUN} (func $go call $go) (start $go)"));
    names(&refused(&loops), &["start function"]);
    // allowed: it does nothing, also through another module
    let empty = running(
        r#"(func (export "go") nop)"#,
        &format!(r#"(import "a" "go" (func $go)) {RUN} (func $start call $go return) (start $start)"#),
    );
    let (bytes, _) = same(&empty, &[("run", &[])]);
    assert!(!inside(&bytes)[0].has_start);
}

#[test]
fn tables_that_code_changes() {
    let table = r#"(table $t 4 4 funcref) (elem $e func $f) (func $f)"#;
    for (name, code) in [
        ("table.set", "i32.const 0 ref.null func table.set $t"),
        ("table.grow", "ref.null func i32.const 1 table.grow $t drop"),
        ("table.fill", "i32.const 0 ref.null func i32.const 1 table.fill $t"),
        ("table.copy", "i32.const 0 i32.const 1 i32.const 1 table.copy $t $t"),
        ("table.init", "i32.const 0 i32.const 0 i32.const 1 table.init $t $e"),
        ("elem.drop", "elem.drop $e"),
    ] {
        let used = running("", &format!(r#"{table} (func (export "run") (result i32) {code} i32.const 1)"#));
        names(&refused(&used), &[name, "`run` of `B`"]);
        // allowed: nothing calls it
        let unused = running("", &format!("{table} {RUN} (func (export \"other\") {code})"));
        same(&unused, &[("run", &[])]);
    }
    // allowed: looking
    let code = "i32.const 0 table.get $t ref.is_null table.size $t i32.add";
    same(&running("", &format!(r#"{table} (func (export "run") (result i32) {code})"#)), &[("run", &[])]);
}

#[test]
fn segments_that_code_copies() {
    let data = r#"(data $d "abc")"#;
    for (name, code) in [("memory.init", "i32.const 0 i32.const 0 i32.const 3 memory.init $d"), ("data.drop", "data.drop $d")] {
        names(&refused(&running("", &format!(r#"{data} (func (export "run") (result i32) {code} i32.const 1)"#))), &[name]);
        same(&running("", &format!("{data} {RUN} (func (export \"other\") {code})")), &[("run", &[])]);
    }
    // allowed: copying within memory
    let code = "i32.const 4 i32.const 8 i32.const 4 memory.copy i32.const 4 i32.load";
    same(&running(r#"(data (i32.const 8) "abcd")"#, &format!(r#"(func (export "run") (result i32) {code})"#)), &[("run", &[])]);
}

#[test]
fn two_memories() {
    let text = |second: &str| {
        format!(
            r#"(component (core module $A (memory (export "memory") 1)) (core module $B {second} {RUN})
            (core instance $a (instantiate $A)) (core instance $b (instantiate $B (with "a" (instance $a))))
            (func (export "run") (result u32) (canon lift (core func $b "run"))))"#
        )
    };
    names(&refused(&text("(memory 1)")), &["`A` and `B`", "memory"]);
    same(&text(r#"(import "a" "memory" (memory 1))"#), &[("run", &[])]);
}

#[test]
fn references_in_globals_that_change() {
    let set = r#"(global $g (mut funcref) (ref.null func)) (func (export "run") (result i32) ref.null func global.set $g global.get $g ref.is_null)"#;
    names(&refused(&running("", set)), &["reference", "`B`"]);
    let read = r#"(global $g (mut funcref) (ref.func $f)) (func $f) (func (export "run") (result i32) global.get $g ref.is_null)"#;
    same(&running("", read), &[("run", &[])]);
}

#[test]
fn more_globals_than_fit() {
    let globals = |count: usize| {
        let set: String = (0..count).map(|_| "i64.const 1 global.set $g ".to_owned()).collect();
        let mut text = format!("(func (export \"run\") (result i32) {set} i32.const 1)");
        for index in 0..count {
            text = text.replacen("global.set $g ", &format!("global.set $g{index} "), 1);
            text += &format!("(global $g{index} (mut i64) (i64.const 0))");
        }
        text
    };
    names(&refused(&running("", &globals(8193))), &["8193 globals"]);
    let (_, report) = same(&running("", &globals(64)), &[("run", &[])]);
    assert_eq!(report.moved_globals.len(), 64);
}

#[test]
fn globals_without_a_memory() {
    let text = |code: &str| {
        format!(
            r#"(component (core module $A (global $g (mut i32) (i32.const 1)) (func (export "run") (result i32) {code} global.get $g))
            (core instance $a (instantiate $A)) (func (export "run") (result u32) (canon lift (core func $a "run"))))"#
        )
    };
    names(&refused(&text("i32.const 2 global.set $g")), &["no memory"]);
    same(&text(""), &[("run", &[])]);
}

#[test]
fn segments_outside() {
    names(&refused(&running(r#"(data (i32.const 65535) "ab")"#, RUN)), &["data segment of `A`"]);
    names(&refused(&running("(table 1 funcref) (elem (i32.const 1) func $f) (func $f)", RUN)), &["element segment of `A`"]);
    same(&running(r#"(data (i32.const 65535) "a") (table 2 funcref) (elem (i32.const 1) func $f) (func $f)"#, RUN), &[("run", &[])]);
}

#[test]
fn modules_that_the_component_hands_around() {
    let module = r#"(core module $A (func (export "run") (result i32) i32.const 1))"#;
    let rest = r#"(core instance $a (instantiate $A)) (func (export "run") (result u32) (canon lift (core func $a "run")))"#;
    names(&refused(&format!(r#"(component {module} {rest} (export "module" (core module $A)))"#)), &["exports a core module"]);
    names(&refused(&format!(r#"(component (import "m" (core module $M)) {module} {rest})"#)), &["imports a core module"]);
    names(&refused(&format!("(component {module} {rest} (component {module} (core instance (instantiate $A))))")), &["nested"]);
    names(&refused(&format!("(component $c {module} {rest} (component (alias outer $c $A (core module $m))))")), &["nested"]);
    // allowed: nested components that only re-arrange types and functions, as wit-component makes them
    let nested = r#"(component $n (import "f" (func $f (result u32))) (export "g" (func $f)))
        (instance $i (instantiate $n (with "f" (func 0)))) (export "i" (instance $i))"#;
    let whole = format!(
        r#"(component {module} (core instance $a (instantiate $A)) (func $run (result u32) (canon lift (core func $a "run"))) {nested}
        (export "run" (func $run)))"#
    );
    same(&whole, &[("run", &[])]);
}

#[test]
fn modules_that_come_after_the_lowering() {
    // `$B` needs a function that is lowered with the memory of `$A`
    let text = |memory: &str, import: &str| {
        format!(
            r#"(component (import "double" (func $double (param "v" u32) (result u32)))
            (core module $A (memory (export "memory") 1) (func (export "one") (result i32) i32.const 1))
            (core module $B (import "h" "double" (func $d (param i32) (result i32))) {import}
                (func (export "run") (result i32) i32.const 21 call $d))
            (core instance $a (instantiate $A)) (alias core export $a "memory" (core memory $m))
            (core func $low (canon lower (func $double) {memory}))
            (core instance $h (export "double" (func $low)))
            (core instance $b (instantiate $B (with "h" (instance $h)) (with "a" (instance $a))))
            (func (export "run") (result u32) (canon lift (core func $b "run"))))"#
        )
    };
    names(&refused(&text("(memory $m)", r#"(import "a" "memory" (memory 1))"#)), &["`B`", "memory"]);
    names(&refused(&text("(memory $m)", "(memory 1)")), &["`B`", "memory"]);
    // allowed: it shares nothing but functions with the others, and stays as it is
    let (_, report) = same(&text("(memory $m)", r#"(import "a" "one" (func (result i32)))"#), &[("run", &[])]);
    assert_eq!((report.merged, report.kept), (vec!["A".to_owned()], vec!["B".to_owned()]));
    // allowed: the lowering needs no memory
    let (_, report) = same(&text("", r#"(import "a" "memory" (memory 1))"#), &[("run", &[])]);
    assert_eq!((report.merged.len(), report.kept.len()), (2, 0));
}

/// `$A` has a table of its own and one like that of a shim, `$B` comes late and has `code` and `elements` for it.
fn late_table(call: &str, code: &str, elements: &str) -> String {
    format!(
        r#"(component (import "double" (func $double (param "v" u32) (result u32)))
        (core module $A (memory (export "memory") 1) (type $t (func (param i32) (result i32)))
            (table $own 3 3 funcref) (elem (i32.const 1) func $add $add) (func $add (type $t) local.get 0 i32.const 100 i32.add)
            (table (export "table") 2 2 funcref)
            (func (export "trap-own") (type $t) local.get 0 local.get 0 call_indirect $own (type $t))
            (func (export "run") (result i32) {call}))
        (core module $B (import "h" "double" (func $d (param i32) (result i32))) (import "a" "table" (table 2 2 funcref)) {code}
            (elem (i32.const 0) func {elements}))
        (core instance $a (instantiate $A)) (alias core export $a "memory" (core memory $m))
        (core func $low (canon lower (func $double) (memory $m)))
        (core instance (instantiate $B (with "h" (instance (export "double" (func $low)))) (with "a" (instance $a))))
        (func (export "run") (result u32) (canon lift (core func $a "run")))
        (func (export "trap-own") (param "v" u32) (result u32) (canon lift (core func $a "trap-own"))))"#
    )
}

#[test]
fn tables_that_late_modules_fill() {
    let constant = "i32.const 4 i32.const 1 call_indirect 1 (type $t)";
    let set = r#"(func (export "set") i32.const 0 ref.null func table.set 0)"#;
    names(&refused(&late_table(constant, set, "$d $d")), &["table.set", "a function of `B`"]);
    // allowed: filling it once. Who calls through it by constants alone has it appended to the program's own table
    let own = [1, 2, 0].map(|slot| [wasmtime::component::Val::U32(slot)]);
    let calls: Vec<(&str, &[_])> = [("run", &[][..])].into_iter().chain(own.iter().map(|args| ("trap-own", &args[..]))).collect();
    let (_, report) = same(&late_table(constant, "", "$d $d"), &calls);
    assert_eq!((report.tables.before, report.tables.after), (2, 1));
    // allowed, but not appended: an entry that is computed, a module that does more than fill, code that looks at the table
    let computed = "i32.const 4 i32.const 0 i32.const 1 i32.add call_indirect 1 (type $t)";
    let size = "table.size 1";
    let block = "i32.const 4 (block (result i32) i32.const 1) call_indirect 1 (type $t)";
    for (call, code) in [(computed, ""), (size, ""), (block, ""), (constant, r#"(func (export "f"))"#)] {
        let (_, report) = same(&late_table(call, code, "$d $d"), &calls);
        assert_eq!((report.tables.before, report.tables.after), (2, 2), "{call} {code}");
    }
}

#[test]
fn late_modules_with_a_start_function() {
    let text = |start: &str| {
        format!(
            r#"(component (import "double" (func $double (param "v" u32) (result u32)))
            (core module $A (memory (export "memory") 1) {RUN})
            (core module $B (import "h" "double" (func $d (param i32) (result i32))) (func $go i32.const 1 call $d drop) {start})
            (core instance $a (instantiate $A)) (alias core export $a "memory" (core memory $m))
            (core func $low (canon lower (func $double) (memory $m)))
            (core instance (instantiate $B (with "h" (instance (export "double" (func $low))))))
            (func (export "run") (result u32) (canon lift (core func $a "run"))))"#
        )
    };
    names(&refused(&text("(start $go)")), &["`B`", "start function"]);
    same(&text(""), &[("run", &[])]);
}

#[test]
fn what_the_dialect_does_not_have() {
    let text = |memory: &str| {
        format!(
            r#"(component (core module $A {memory} {RUN}) (core instance $a (instantiate $A))
        (func (export "run") (result u32) (canon lift (core func $a "run"))))"#
        )
    };
    for beyond in ["(memory i64 1)", "(memory 1 2 shared)", "(tag)", "(type (struct))", "(memory 1) (memory 1)"] {
        names(&refused(&text(beyond)), &["not valid"]);
    }
    same(&text("(memory 1 2)"), &[("run", &[])]);
}

#[test]
fn no_component() {
    for bytes in [&b""[..], b"\0asm\x01\0\0\0", b"no wasm at all", &component("(component)")[..6]] {
        names(&fuse(bytes, &Options::default()).expect_err("no component").to_string(), &["component"]);
    }
    names(&refused("(component)"), &["nothing to fuse"]);
    fused(&component(&running("", RUN)));
}

#[test]
fn broken_bytes_are_no_panic() {
    let whole = component(&running("(data (i32.const 8) \"x\") (table 1 funcref)", &format!("(global (mut i32) (i32.const 1)) {RUN}")));
    for end in 0..whole.len() {
        let _ = fuse(&whole[..end], &Options::default());
    }
    let mut refusals = 0;
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            refusals += usize::from(fuse(&bytes, &Options::default()).is_err());
        }
    }
    assert!(refusals > whole.len());
}

//! The bridge: the core module between CPython's module, which has one host call, and the imports and exports of a world.
//!
//! A request is a number, relocations, and the arguments of one import as the canonical ABI flattens them, in slots of
//! eight bytes. A relocation is the place of an address in the request that counts from the request's start. The response
//! is the import's result, the bytes of the request that the import wrote its result to, and what the host put into memory
//! of the guest meanwhile (`cabi_realloc`: the arena).
//!
//! ```text
//! request:   u32 number, u32 relocations, u32 place of these, u32 place of the result, u32 its length, u32 0; the slots; the rest
//! response:  u64 result, u32 length, u32 chunks; the bytes of the result; for each chunk u32 address, u32 length, its bytes
//! ```
//!
//! The number after the last import asks which export was called, and with what: the response has the export's number in
//! the upper half of the result, and the address of its arguments, in slots, in the lower half. The number after that gives
//! the export's result: the flat result in its first slot, relocated like any other request, whose bytes stay.

use std::fmt::Write as _;

use wit_parser::abi::WasmType;

use crate::world::World;

/// What CPython runs when an export is called.
const TURN: &str = "__import__('_wisp_turn').go()";

/// Bytes before the slots of a request.
const HEAD: usize = 24;

/// The bridge as text. `arena` is the address of `length` bytes of the module's memory that nothing else uses.
pub(crate) fn text(world: &World, arena: u32, length: u32) -> String {
    let mut text = String::from(
        "(module
  (import \"env\" \"memory\" (memory 0))
  (import \"__main_module__\" \"turn\" (func $turn (param i32 i32) (result i32)))
  (import \"__main_module__\" \"host_alloc\" (func $alloc (param i32) (result i32)))\n",
    );
    let imports = world.imports();
    for (number, import) in imports.iter().enumerate() {
        let (params, result) = (list("param", &import.params), list("result", import.result.as_slice()));
        put(&mut text, format_args!("  (import \"{}\" \"{}\" (func $i{number}{params}{result}))", import.module, import.name));
    }
    put(&mut text, format_args!("  (global $base (mut i32) (i32.const {}))", arena.cast_signed()));
    put(&mut text, format_args!("  (global $size (mut i32) (i32.const {length}))"));
    text.push_str(FUNCTIONS);
    // The dispatch: the innermost block is the first import's.
    let count = imports.len();
    put(&mut text, format_args!("  (func $dispatch (param $p i32) (result i64)"));
    put(&mut text, format_args!("    block $bad block $give block $take"));
    for number in (0..count).rev() {
        put(&mut text, format_args!("    block $b{number}"));
    }
    let labels: String = (0..count).map(|number| format!(" $b{number}")).collect();
    put(&mut text, format_args!("    (br_table{labels} $take $give $bad (i32.load (local.get $p)))"));
    for (number, import) in imports.iter().enumerate() {
        put(&mut text, format_args!("    end"));
        for (place, param) in import.params.iter().enumerate() {
            put(&mut text, format_args!("    ({}.load offset={} (local.get $p))", core(*param), HEAD + 8 * place));
        }
        put(&mut text, format_args!("    call $i{number}"));
        text.push_str(match import.result.map(core) {
            None => "    i64.const 0\n",
            Some("i32") => "    i64.extend_i32_u\n",
            Some("f32") => "    i32.reinterpret_f32 i64.extend_i32_u\n",
            Some("f64") => "    i64.reinterpret_f64\n",
            Some(_) => "",
        });
        text.push_str("    return\n");
    }
    text.push_str(
        "    end (i64.or (i64.shl (i64.extend_i32_u (global.get $called)) (i64.const 32)) (i64.extend_i32_u (global.get $given))) return
    end (global.set $result (i32.load offset=24 (local.get $p))) (global.set $done (i32.const 1)) (i64.const 0) return
    end unreachable)\n",
    );
    put(
        &mut text,
        format_args!("  (func $is_result (param $p i32) (result i32) (i32.eq (i32.load (local.get $p)) (i32.const {})))", count + 1),
    );
    for (number, export) in world.exports().iter().enumerate() {
        let (params, result) = (list("param", &export.params), list("result", export.result.as_slice()));
        put(&mut text, format_args!("  (func (export \"{}\"){params}{result}", export.name));
        let size = 8 * export.params.len();
        put(
            &mut text,
            format_args!("    (global.set $given (call $realloc (i32.const 0) (i32.const 0) (i32.const 8) (i32.const {size})))"),
        );
        for (place, param) in export.params.iter().enumerate() {
            let (ty, at) = (core(*param), 8 * place);
            put(&mut text, format_args!("    ({ty}.store offset={at} (global.get $given) (local.get {place}))"));
        }
        put(&mut text, format_args!("    (global.set $called (i32.const {number})) call $run"));
        if export.result.is_some() {
            text.push_str("    global.get $result\n");
        }
        text.push_str("  )\n");
    }
    turn(&mut text);
    text.push_str(")\n");
    text
}

/// Runs CPython until it has given the result; without one the process is broken, and traps.
fn turn(text: &mut String) {
    put(text, format_args!("  (func $run (local $a i32)"));
    text.push_str("    (global.set $done (i32.const 0))\n");
    let bytes = TURN.as_bytes();
    // `turn` frees what it is given, so it is memory of the module's own allocator, and not of the arena.
    put(text, format_args!("    (local.set $a (call $alloc (i32.const {})))", bytes.len().next_multiple_of(8)));
    text.push_str("    (if (i32.eqz (local.get $a)) (then unreachable))\n");
    for (number, word) in bytes.chunks(8).enumerate() {
        let mut value = [0; 8];
        value[..word.len()].copy_from_slice(word);
        let value = i64::from_le_bytes(value);
        put(text, format_args!("    (i64.store offset={} (local.get $a) (i64.const {value}))", 8 * number));
    }
    put(text, format_args!("    (drop (call $turn (local.get $a) (i32.const {})))", bytes.len()));
    text.push_str("    (if (i32.eqz (global.get $done)) (then unreachable)))\n");
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{line}");
}

fn list(word: &str, types: &[WasmType]) -> String {
    if types.is_empty() {
        return String::new();
    }
    let types: Vec<&str> = types.iter().map(|ty| core(*ty)).collect();
    format!(" ({word} {})", types.join(" "))
}

fn core(ty: WasmType) -> &'static str {
    match ty {
        WasmType::I64 | WasmType::PointerOrI64 => "i64",
        WasmType::F32 => "f32",
        WasmType::F64 => "f64",
        WasmType::I32 | WasmType::Pointer | WasmType::Length => "i32",
    }
}

/// What does not depend on the world. A chunk of the arena begins with the address of the one before it and the bytes
/// used of that one; the present one has `$used` bytes. The last chunk stays, those before it are lost, for CPython's module has no
/// function that frees them: so each has twice the size of the one before, and what is lost in the life of a process is less than what
/// stays. `$keep` holds an export's result until the next.
const FUNCTIONS: &str = r#"
  (global $used (mut i32) (i32.const 8))
  (global $called (mut i32) (i32.const 0))
  (global $given (mut i32) (i32.const 0))
  (global $result (mut i32) (i32.const 0))
  (global $done (mut i32) (i32.const 0))
  (global $keep (mut i32) (i32.const 0))
  (global $kept (mut i32) (i32.const 0))
  (func $realloc (export "cabi_realloc") (param $old i32) (param $had i32) (param $align i32) (param $new i32) (result i32)
    (local $p i32) (local $n i32)
    (local.set $p (call $aligned (local.get $align)))
    (if (i32.gt_u (local.get $new) (i32.sub (i32.add (global.get $base) (global.get $size)) (local.get $p))) (then
      (if (i32.gt_u (local.get $new) (i32.const 0x20000000)) (then unreachable))
      (local.set $n (select (global.get $size) (i32.const 0x20000000) (i32.lt_u (global.get $size) (i32.const 0x20000000))))
      (local.set $n (select (local.get $n) (local.get $new) (i32.gt_u (local.get $n) (local.get $new))))
      (local.set $n (i32.shl (i32.and (i32.add (local.get $n) (i32.const 32775)) (i32.const -8)) (i32.const 1)))
      (local.set $p (call $alloc (local.get $n)))
      (if (i32.eqz (local.get $p)) (then unreachable))
      (i32.store (local.get $p) (global.get $base))
      (i32.store offset=4 (local.get $p) (global.get $used))
      (global.set $base (local.get $p))
      (global.set $size (local.get $n))
      (global.set $used (i32.const 8))
      (local.set $p (call $aligned (local.get $align)))))
    (global.set $used (i32.sub (i32.add (local.get $p) (local.get $new)) (global.get $base)))
    (if (local.get $had) (then
      (memory.copy (local.get $p) (local.get $old)
        (select (local.get $had) (local.get $new) (i32.lt_u (local.get $had) (local.get $new))))))
    (local.get $p))
  (func $aligned (param $align i32) (result i32)
    (i32.and (i32.sub (i32.add (i32.add (global.get $base) (global.get $used)) (local.get $align)) (i32.const 1))
      (i32.sub (i32.const 0) (local.get $align))))
  (func (export "call") (param $p i32) (param $n i32) (param $pp i32) (param $pl i32) (result i32)
    (local $r i64) (local $i i32) (local $q i32)
    (if (i32.lt_u (local.get $n) (i32.const 24)) (then (return (i32.const -2))))
    (if (call $is_result (local.get $p)) (then
      (if (i32.gt_u (local.get $n) (global.get $kept)) (then
        (global.set $keep (call $alloc (i32.shl (local.get $n) (i32.const 1))))
        (if (i32.eqz (global.get $keep)) (then unreachable))
        (global.set $kept (i32.shl (local.get $n) (i32.const 1)))))
      (memory.copy (global.get $keep) (local.get $p) (local.get $n))
      (local.set $p (global.get $keep))))
    (local.set $q (i32.add (local.get $p) (i32.load offset=8 (local.get $p))))
    (local.set $i (i32.load offset=4 (local.get $p)))
    block $end loop $next
      (br_if $end (i32.eqz (local.get $i)))
      (call $relocate (i32.add (local.get $p) (i32.load (local.get $q))) (local.get $p))
      (local.set $q (i32.add (local.get $q) (i32.const 4)))
      (local.set $i (i32.sub (local.get $i) (i32.const 1)))
      br $next
    end end
    (local.set $r (call $dispatch (local.get $p)))
    (call $respond (local.get $p) (local.get $r) (local.get $pp) (local.get $pl))
    (i32.const 0))
  (func $relocate (param $at i32) (param $by i32)
    (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $by))))
  (func $respond (param $p i32) (param $r i64) (param $pp i32) (param $pl i32)
    (local $n i32) (local $m i32) (local $c i32) (local $b i32) (local $u i32) (local $out i32) (local $q i32)
    (local.set $m (i32.load offset=16 (local.get $p)))
    (local.set $n (i32.add (i32.const 16) (local.get $m)))
    (local.set $b (global.get $base))
    (local.set $u (global.get $used))
    block $end loop $next
      (br_if $end (i32.and (i32.eq (local.get $u) (i32.const 8)) (i32.eqz (i32.load (local.get $b)))))
      (local.set $n (i32.add (local.get $n) (local.get $u)))
      (local.set $c (i32.add (local.get $c) (i32.const 1)))
      (local.set $u (i32.load offset=4 (local.get $b)))
      (local.set $b (i32.load (local.get $b)))
      (br_if $next (local.get $b))
    end end
    (local.set $out (call $alloc (local.get $n)))
    (if (i32.eqz (local.get $out)) (then unreachable))
    (i64.store (local.get $out) (local.get $r))
    (i32.store offset=8 (local.get $out) (local.get $m))
    (i32.store offset=12 (local.get $out) (local.get $c))
    (local.set $q (i32.add (local.get $out) (i32.const 16)))
    (memory.copy (local.get $q) (i32.add (local.get $p) (i32.load offset=12 (local.get $p))) (local.get $m))
    (local.set $q (i32.add (local.get $q) (local.get $m)))
    (local.set $b (global.get $base))
    (local.set $u (global.get $used))
    block $end loop $next
      (br_if $end (i32.eqz (local.get $c)))
      (i32.store (local.get $q) (i32.add (local.get $b) (i32.const 8)))
      (i32.store offset=4 (local.get $q) (i32.sub (local.get $u) (i32.const 8)))
      (memory.copy (i32.add (local.get $q) (i32.const 8)) (i32.add (local.get $b) (i32.const 8)) (i32.sub (local.get $u) (i32.const 8)))
      (local.set $q (i32.add (local.get $q) (local.get $u)))
      (local.set $u (i32.load offset=4 (local.get $b)))
      (local.set $b (i32.load (local.get $b)))
      (local.set $c (i32.sub (local.get $c) (i32.const 1)))
      br $next
    end end
    (i64.store (global.get $base) (i64.const 0))
    (global.set $used (i32.const 8))
    (i32.store (local.get $pp) (local.get $out))
    (i32.store (local.get $pl) (local.get $n)))
"#;

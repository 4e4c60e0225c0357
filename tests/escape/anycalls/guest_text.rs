//! The parts of the guest that do not depend on the WIT.

/// A text that a guest passes, repeated up to a length.
pub(crate) struct Text(pub &'static [u8], pub usize);

impl Text {
    pub(crate) fn repeat_to(&self) -> Vec<u8> {
        self.0.iter().copied().cycle().take(self.1.max(usize::from(!self.0.is_empty()))).collect()
    }
}

const fn text(text: &'static str) -> Text {
    Text(text.as_bytes(), text.len())
}

/// The number of the text that is passed to a function that keeps texts, large enough to show in the account.
pub(crate) const LONG: usize = 0;

/// The number of the text that names a program.
pub(crate) const PROGRAM: usize = 1;

/// The number of the text that names a file of a folder that can be listed.
pub(crate) const FOLDER: usize = 2;

/// The number of the text that names a file that can be created.
pub(crate) const FILE: usize = 3;

/// Values of strings: names, paths that lead out, too long ones, and invalid ones.
pub(crate) const STRINGS: &[Text] = &[
    Text(b"a", 16_000),
    text("/usr/bin/true"),
    text("tmp"),
    text("/tmp/a"),
    text("/tmp/b"),
    text("tmp/a"),
    text("../../etc/passwd"),
    text("/mnt/w/a"),
    text("mnt/w/b"),
    text("mnt/w"),
    text("/output/a"),
    text("text/plain"),
    text("GET"),
    text("http"),
    text("localhost"),
    text("content-type"),
    text("/dev/fd/1"),
    text("dev/urandom"),
    text("."),
    text(".."),
    text(""),
    text("/"),
    Text(b"a/", 4_200),
    Text(b"../", 4_095),
    Text(b"\0", 3),
    Text(b"\xff\xfe", 2),
    text("127.0.0.1"),
    Text("\u{202e}\u{0}\u{fffd}".as_bytes(), 7),
];

/// Random values, numbers, texts, allocation, and the loop. Results are at 256, the places of texts at 4096, slots of
/// handles at 8192, texts at 65536, what is made for one call from 1 MiB on, what the host passes from 2 MiB on.
pub(crate) const PRELUDE: &str = r#"
    (memory (export "memory") 64)
    (type $call (func))
    (global $mode (mut i32) (i32.const 0))
    (global $fixed (mut i32) (i32.const 0))
    (global $seed (mut i64) (i64.const 88172645463325252))
    (global $len (mut i32) (i32.const 0))
    (global $scratch (mut i32) (i32.const 1048576))
    (global $next (mut i32) (i32.const 2097152))
    (func $chance (result i32)
        (global.set $seed (i64.xor (global.get $seed) (i64.shl (global.get $seed) (i64.const 13))))
        (global.set $seed (i64.xor (global.get $seed) (i64.shr_u (global.get $seed) (i64.const 7))))
        (global.set $seed (i64.xor (global.get $seed) (i64.shl (global.get $seed) (i64.const 17))))
        (i32.wrap_i64 (i64.shr_u (global.get $seed) (i64.const 16))))
    (func $below (param $most i32) (result i32) (i32.rem_u (call $chance) (local.get $most)))
    (func $num64 (result i64) (local $kind i32)
        (if (global.get $mode) (then (return (i64.extend_i32_u (call $below (i32.const 4))))))
        (local.set $kind (call $below (i32.const 24)))
        (if (i32.eqz (local.get $kind)) (then (return (i64.const -1))))
        (if (i32.eq (local.get $kind) (i32.const 1)) (then (return (i64.const 0x7fffffffffffffff))))
        (if (i32.eq (local.get $kind) (i32.const 2)) (then (return (i64.const 0x80000000))))
        (if (i32.eq (local.get $kind) (i32.const 3)) (then (return (i64.const 65536))))
        (if (i32.lt_u (local.get $kind) (i32.const 8)) (then (return (i64.const 0))))
        (i64.extend_i32_u (call $below (i32.const 200))))
    (func $text (result i32) (local $place i32)
        (local.set $place (i32.add (i32.const 4096) (i32.shl
            (if (result i32) (global.get $mode) (then (global.get $fixed)) (else (call $below (call $strings))))
            (i32.const 3))))
        (global.set $len (i32.load offset=4 (local.get $place)))
        (i32.load (local.get $place)))
    (func $bytes (result i32)
        (global.set $len (i32.shl (call $below (i32.const 4)) (call $below (i32.const 14))))
        (if (global.get $mode) (then (return (call $text))))
        (i32.const 65536))
    (func $room (param $bytes i32) (result i32)
        (global.get $scratch)
        (global.set $scratch (i32.and (i32.add (i32.add (global.get $scratch) (local.get $bytes)) (i32.const 15)) (i32.const -8))))
    (func $begin
        (global.set $scratch (select (i32.const 1048576) (global.get $scratch) (i32.gt_u (global.get $scratch) (i32.const 1900000))))
        (global.set $next (i32.const 2097152)))
    (func $forget (param $slot i32) (param $handle i32) (local $left i32)
        (local.set $left (i32.const 8))
        (loop $again
            (if (i32.eq (i32.load (local.get $slot)) (local.get $handle)) (then (i32.store (local.get $slot) (i32.const 0))))
            (local.set $slot (i32.add (local.get $slot) (i32.const 4)))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (local.get $left))))
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        (local $at i32)
        (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
        (global.set $next (i32.add (local.get $at) (local.get 3)))
        (if (i32.gt_u (global.get $next) (i32.mul (memory.size) (i32.const 65536)))
            (then (drop (memory.grow (i32.add (i32.div_u (local.get 3) (i32.const 65536)) (i32.const 1))))))
        (local.get $at))
    (func $argument (param $list i32) (param $number i32) (result i32)
        (local $at i32) (local $end i32) (local $value i32)
        (local.set $list (i32.add (local.get $list) (i32.shl (local.get $number) (i32.const 3))))
        (local.set $at (i32.load (local.get $list)))
        (local.set $end (i32.add (local.get $at) (i32.load offset=4 (local.get $list))))
        (block $done (loop $again
            (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $value (i32.add (i32.mul (local.get $value) (i32.const 10))
                (i32.sub (i32.load8_u (local.get $at)) (i32.const 48))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $again)))
        (local.get $value))
    ;; arguments: 0 for chance or 1 for one function; the seed, or the function's number; how often; the text's number
    (func (export "wasi:cli/run@0.2.12#run") (result i32)
        (local $list i32) (local $what i32) (local $left i32)
        (call $arguments (i32.const 0))
        (if (i32.ne (i32.load (i32.const 4)) (i32.const 5)) (then (return (i32.const 1))))
        (local.set $list (i32.load (i32.const 0)))
        (global.set $mode (call $argument (local.get $list) (i32.const 1)))
        (local.set $what (call $argument (local.get $list) (i32.const 2)))
        (local.set $left (call $argument (local.get $list) (i32.const 3)))
        (global.set $fixed (call $argument (local.get $list) (i32.const 4)))
        (global.set $seed (i64.add (i64.mul (i64.extend_i32_u (i32.add (local.get $what) (i32.const 1))) (i64.const 0x9e3779b97f4a7c15)) (i64.const 1)))
        (loop $again
            (call_indirect (type $call)
                (if (result i32) (global.get $mode) (then (local.get $what)) (else (call $below (call $count)))))
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (local.get $left)))
        (i32.const 0))
"#;

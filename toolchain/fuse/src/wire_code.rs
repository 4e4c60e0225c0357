//! The code that spells names on their way out of a module, and reads them on their way in: `host/spelling` says what a spelling is.
//!
//! It is written here, and not by a compiler, because it belongs to no language: what it changes are the strings of an import, whichever
//! libc or library calls it. It needs nothing but the memory and two places of [`ROOM`] bytes there, where a spelling lies while the
//! import is called.

use wasm_encoder::{BlockType, Function, InstructionSink, MemArg, ValType};
use wasmparser::{FuncType, ValType as Type};

/// Bytes for one spelling. A path of 4,096 bytes, which is the longest that a session accepts, has at most three times as many; one that
/// is longer is cut off here, and still too long.
pub(crate) const ROOM: u32 = 16 * 1024;

/// Spellings that one call can need: `rename-at` takes two paths.
pub(crate) const PLACES: u32 = 2;

/// The bits that eight bytes of ASCII do not have.
const NOT_ASCII: i64 = i64::from_ne_bytes([0x80; 8]);

/// The functions, in the order of [`functions`].
#[derive(Debug, Clone, Copy)]
enum Helper {
    Length,
    Spell,
    Read,
    ReadAll,
    Take,
}

/// Returns the functions with their types; `first` is the number of the first.
pub(crate) fn functions(first: u32) -> [(FuncType, Function); 5] {
    let number = |helper: Helper| first + helper as u32;
    [
        (FuncType::new([Type::I32; 2], [Type::I32]), length()),
        (FuncType::new([Type::I32; 3], [Type::I32]), spell(number(Helper::Length))),
        (FuncType::new([Type::I32], []), read()),
        (FuncType::new([Type::I32; 2], []), read_all(number(Helper::Read))),
        (FuncType::new([Type::I32; 2], [Type::I32]), take()),
    ]
}

/// Returns the number of the function that takes the place of a libc's, which accepts only names in UTF-8: see [`take`].
pub(crate) fn taking(first: u32) -> u32 {
    first + Helper::Take as u32
}

/// What an import says of names.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The interface, without its version.
    pub(crate) interface: &'static str,
    pub(crate) name: &'static str,
    /// The number of its parameters, with strings as two and the address of the result as the last.
    pub(crate) parameters: u32,
    /// The parameters that are names: each is the address, and the next the length.
    pub(crate) names: &'static [u32],
    pub(crate) answer: Answer,
}

/// The names in the result, which lies in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    None,
    /// `result<string, _>`.
    Name,
    /// `result<option<record { type, name }>, _>`.
    Entry,
    /// `list<string>`, or of tuples of two strings: how many each is.
    List(u32),
}

fn at(offset: u64) -> MemArg {
    MemArg { offset, align: 0, memory_index: 0 }
}

/// (address, end) → how many bytes the character there has; 0 if the byte there is to be spelled.
fn length() -> Function {
    const AT: u32 = 0;
    const END: u32 = 1;
    const LEAD: u32 = 2;
    const COUNT: u32 = 3;
    const SECOND: u32 = 4;
    let mut function = Function::new([(3, ValType::I32)]);
    let mut code = function.instructions();
    code.local_get(AT).i32_load8_u(at(0)).local_tee(LEAD);
    code.i32_const(0x80).i32_lt_u().if_(BlockType::Empty).i32_const(1).return_().end();
    code.local_get(LEAD).i32_const(0xc2).i32_lt_u();
    code.local_get(LEAD).i32_const(0xf4).i32_gt_u().i32_or();
    code.if_(BlockType::Empty).i32_const(0).return_().end();
    code.i32_const(2).local_get(LEAD).i32_const(0xe0).i32_ge_u().i32_add();
    code.local_get(LEAD).i32_const(0xf0).i32_ge_u().i32_add().local_set(COUNT);
    code.local_get(END).local_get(AT).i32_sub().local_get(COUNT).i32_lt_u();
    code.if_(BlockType::Empty).i32_const(0).return_().end();
    // The second byte has bounds of its own after some first ones: no overlong form, no surrogate, none above U+10FFFF.
    code.local_get(AT).i32_load8_u(at(1)).local_tee(SECOND);
    code.i32_const(0xa0);
    code.i32_const(0x90).i32_const(0x80).local_get(LEAD).i32_const(0xf0).i32_eq().select();
    code.local_get(LEAD).i32_const(0xe0).i32_eq().select().i32_lt_u();
    code.local_get(SECOND);
    code.i32_const(0x9f);
    code.i32_const(0x8f).i32_const(0xbf).local_get(LEAD).i32_const(0xf4).i32_eq().select();
    code.local_get(LEAD).i32_const(0xed).i32_eq().select().i32_gt_u();
    code.i32_or();
    // The characters that spell bytes, U+F780 to U+F7FF: EF 9E or EF 9F first.
    code.local_get(LEAD).i32_const(0xef).i32_eq();
    code.local_get(SECOND).i32_const(1).i32_or().i32_const(0x9f).i32_eq().i32_and();
    code.i32_or().if_(BlockType::Empty).i32_const(0).return_().end();
    for (offset, than) in [(2, 2), (3, 3)] {
        code.local_get(COUNT).i32_const(than).i32_gt_u().if_(BlockType::Empty);
        code.local_get(AT).i32_load8_u(at(offset)).i32_const(0xc0).i32_and().i32_const(0x80).i32_ne();
        code.if_(BlockType::Empty).i32_const(0).return_().end().end();
    }
    code.local_get(COUNT).end();
    function
}

/// In a loop: goes on after eight bytes, if there are so many and all are ASCII, as in nearly every name.
fn pass_ascii(code: &mut InstructionSink<'_>, from: u32, end: u32) {
    code.local_get(end).local_get(from).i32_sub().i32_const(8).i32_ge_u().if_(BlockType::Empty);
    code.local_get(from).i64_load(at(0)).i64_const(NOT_ASCII).i64_and().i64_eqz().if_(BlockType::Empty);
    code.local_get(from).i32_const(8).i32_add().local_set(from).br(2).end().end();
}

/// (address, length, place) → the length of the spelling at the place; -1 if the name is its own.
fn spell(length: u32) -> Function {
    const NAME: u32 = 0;
    const LENGTH: u32 = 1;
    const PLACE: u32 = 2;
    const END: u32 = 3;
    const AT: u32 = 4;
    const COUNT: u32 = 5;
    const OUT: u32 = 6;
    let mut function = Function::new([(4, ValType::I32)]);
    let mut code = function.instructions();
    code.local_get(NAME).local_tee(AT).local_get(LENGTH).i32_add().local_set(END);
    code.block(BlockType::Empty).loop_(BlockType::Empty);
    code.local_get(AT).local_get(END).i32_ge_u().if_(BlockType::Empty).i32_const(-1).return_().end();
    pass_ascii(&mut code, AT, END);
    code.local_get(AT).local_get(END).call(length).local_tee(COUNT).i32_eqz().br_if(1);
    code.local_get(AT).local_get(COUNT).i32_add().local_set(AT).br(0);
    code.end().end();

    code.local_get(NAME).local_set(AT).local_get(PLACE).local_set(OUT);
    code.loop_(BlockType::Empty);
    code.local_get(AT).local_get(END).i32_ge_u();
    // A character has at most four bytes.
    code.local_get(OUT).local_get(PLACE).i32_sub().i32_const(ROOM as i32 - 4).i32_gt_u().i32_or();
    code.if_(BlockType::Empty).local_get(OUT).local_get(PLACE).i32_sub().return_().end();
    code.local_get(AT).local_get(END).call(length).local_tee(COUNT).if_(BlockType::Empty);
    code.local_get(OUT).local_get(AT).local_get(COUNT).memory_copy(0, 0);
    code.local_get(OUT).local_get(COUNT).i32_add().local_set(OUT);
    code.local_get(AT).local_get(COUNT).i32_add().local_set(AT);
    code.else_();
    code.local_get(AT).i32_load8_u(at(0)).local_set(COUNT);
    code.local_get(OUT).i32_const(0xef).i32_store8(at(0));
    code.local_get(OUT).local_get(COUNT).i32_const(6).i32_shr_u().i32_const(0x9c).i32_or().i32_store8(at(1));
    code.local_get(OUT).local_get(COUNT).i32_const(0x3f).i32_and().i32_const(0x80).i32_or().i32_store8(at(2));
    code.local_get(OUT).i32_const(3).i32_add().local_set(OUT);
    code.local_get(AT).i32_const(1).i32_add().local_set(AT);
    code.end();
    code.br(0).end();
    code.unreachable().end();
    function
}

/// (address of an address and a length) → nothing: the name takes the place of its spelling, and the length becomes its own.
fn read() -> Function {
    const PAIR: u32 = 0;
    const AT: u32 = 1;
    const END: u32 = 2;
    const OUT: u32 = 3;
    const BYTE: u32 = 4;
    let mut function = Function::new([(4, ValType::I32)]);
    let mut code = function.instructions();
    code.local_get(PAIR).i32_load(at(0)).local_tee(AT);
    code.local_get(PAIR).i32_load(at(4)).i32_add().local_set(END);
    // Nearly every text has none of the characters, and stays where it is.
    code.block(BlockType::Empty).loop_(BlockType::Empty);
    code.local_get(AT).local_get(END).i32_ge_u().if_(BlockType::Empty).return_().end();
    pass_ascii(&mut code, AT, END);
    code.local_get(AT).i32_load8_u(at(0)).i32_const(0xef).i32_eq().if_(BlockType::Empty);
    code.local_get(AT).i32_load8_u(at(1)).i32_const(1).i32_or().i32_const(0x9f).i32_eq().br_if(2).end();
    code.local_get(AT).i32_const(1).i32_add().local_set(AT).br(0);
    code.end().end();

    code.local_get(AT).local_set(OUT);
    code.block(BlockType::Empty).loop_(BlockType::Empty);
    code.local_get(AT).local_get(END).i32_ge_u().br_if(1);
    code.local_get(AT).i32_load8_u(at(0)).local_set(BYTE);
    code.local_get(BYTE).i32_const(0xef).i32_eq().if_(BlockType::Empty);
    // It is text, so a first byte of three has two more.
    code.local_get(AT).i32_load8_u(at(1)).i32_const(1).i32_or().i32_const(0x9f).i32_eq().if_(BlockType::Empty);
    code.local_get(AT).i32_load8_u(at(1)).i32_const(6).i32_shl();
    code.local_get(AT).i32_load8_u(at(2)).i32_const(0x3f).i32_and().i32_or().local_set(BYTE);
    code.local_get(AT).i32_const(2).i32_add().local_set(AT);
    code.end().end();
    code.local_get(OUT).local_get(BYTE).i32_store8(at(0));
    code.local_get(OUT).i32_const(1).i32_add().local_set(OUT);
    code.local_get(AT).i32_const(1).i32_add().local_set(AT);
    code.br(0).end().end();
    code.local_get(PAIR).local_get(OUT).local_get(PAIR).i32_load(at(0)).i32_sub().i32_store(at(4));
    code.end();
    function
}

/// (address of an address and a count, strings each) → nothing: reads all strings of a list.
fn read_all(read: u32) -> Function {
    const LIST: u32 = 0;
    const EACH: u32 = 1;
    const AT: u32 = 2;
    const END: u32 = 3;
    const SIZE: u32 = 4;
    const LESS: u32 = 5;
    let mut function = Function::new([(4, ValType::I32)]);
    let mut code = function.instructions();
    code.local_get(LIST).i32_load(at(0)).local_tee(AT);
    code.local_get(LIST).i32_load(at(4)).local_get(EACH).i32_mul().i32_const(8).i32_mul().i32_add().local_set(END);
    code.block(BlockType::Empty).loop_(BlockType::Empty);
    code.local_get(AT).local_get(END).i32_ge_u().br_if(1);
    code.local_get(AT).i32_load(at(4)).local_set(SIZE);
    code.local_get(AT).call(read);
    code.local_get(EACH).i32_const(2).i32_eq().if_(BlockType::Empty);
    // The adapter of WASI 0.1 has a name and its value in one buffer, with a byte between them that becomes `=`: there the name stays
    // beside the value. No allocator has two strings so near, so it is no address that is freed.
    code.local_get(SIZE).local_get(AT).i32_load(at(4)).i32_sub().local_tee(LESS).if_(BlockType::Empty);
    code.local_get(AT).i32_load(at(0)).local_get(SIZE).i32_add().i32_const(1).i32_add();
    code.local_get(AT).i32_load(at(8)).i32_eq().if_(BlockType::Empty);
    code.local_get(AT).i32_load(at(0)).local_get(LESS).i32_add();
    code.local_get(AT).i32_load(at(0)).local_get(AT).i32_load(at(4)).memory_copy(0, 0);
    code.local_get(AT).local_get(AT).i32_load(at(0)).local_get(LESS).i32_add().i32_store(at(0));
    code.end().end();
    code.local_get(AT).i32_const(8).i32_add().call(read);
    code.end();
    code.local_get(AT).local_get(EACH).i32_const(8).i32_mul().i32_add().local_set(AT);
    code.br(0).end().end().end();
    function
}

/// (address of a C string, place for an address and a length) → 0: gives its address and its length, whatever its bytes are.
fn take() -> Function {
    const NAME: u32 = 0;
    const PAIR: u32 = 1;
    const AT: u32 = 2;
    let mut function = Function::new([(1, ValType::I32)]);
    let mut code = function.instructions();
    code.local_get(NAME).local_set(AT);
    code.block(BlockType::Empty).loop_(BlockType::Empty);
    code.local_get(AT).i32_load8_u(at(0)).i32_eqz().br_if(1);
    code.local_get(AT).i32_const(1).i32_add().local_set(AT);
    code.br(0).end().end();
    code.local_get(PAIR).local_get(NAME).i32_store(at(0));
    code.local_get(PAIR).local_get(AT).local_get(NAME).i32_sub().i32_store(at(4));
    code.i32_const(0).end();
    function
}

/// Returns the function that takes the place of an import of this shape: it spells the names that it is given, calls number `target`,
/// and reads the names in the result. `first` is the number of the first of [`functions`], `places` the address of the places.
pub(crate) fn around(shape: &Shape, target: u32, first: u32, places: u32) -> Function {
    let spelled = shape.parameters;
    let mut function = Function::new([(1, ValType::I32)]);
    let mut code = function.instructions();
    for (name, place) in shape.names.iter().zip((places..).step_by(ROOM as usize)) {
        code.local_get(*name).local_get(name + 1).i32_const(place as i32).call(first + Helper::Spell as u32).local_tee(spelled);
        code.i32_const(-1).i32_ne().if_(BlockType::Empty);
        code.i32_const(place as i32).local_set(*name).local_get(spelled).local_set(name + 1);
        code.end();
    }
    for parameter in 0..shape.parameters {
        code.local_get(parameter);
    }
    code.call(target);
    let result = shape.parameters - 1;
    match shape.answer {
        Answer::None => {}
        Answer::Name => {
            code.local_get(result).i32_load8_u(at(0)).i32_eqz().if_(BlockType::Empty);
            code.local_get(result).i32_const(4).i32_add().call(first + Helper::Read as u32).end();
        }
        Answer::Entry => {
            code.local_get(result).i32_load8_u(at(0)).i32_eqz();
            code.local_get(result).i32_load8_u(at(4)).i32_and().if_(BlockType::Empty);
            code.local_get(result).i32_const(12).i32_add().call(first + Helper::Read as u32).end();
        }
        Answer::List(strings) => {
            code.local_get(result).i32_const(strings as i32).call(first + Helper::ReadAll as u32);
        }
    }
    code.end();
    function
}

//! The instructions of the machine.

use super::ast::{Arith, Cmp, Redirect};
use super::builtin::Builtin;
use super::value::Value;

/// Where a value is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// A variable of the language that the machine keeps.
    Special(u32),
    /// A variable of the program.
    Global(u32),
    /// A parameter.
    Local(u32),
    /// A field; its number is on the stack.
    Field,
    /// An element; array and key are on the stack.
    Elem,
}

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    /// A constant.
    Const(u32),
    /// A number.
    Num(f64),
    /// A variable's value.
    Load(Slot),
    /// A field by a known number.
    Field(u32),
    /// The same, as a number.
    FieldNum(u32),
    /// Assign the top; it stays on the stack.
    Store(Slot),
    /// Assign the top and drop it.
    StorePop(Slot),
    /// `+=` and so on; the result stays.
    Update(Slot, Arith),
    /// The same without a result.
    UpdatePop(Slot, Arith),
    /// `++`, `--`: the amount, and whether the new value stays.
    Step(Slot, i8, bool),
    /// The same without a result.
    StepPop(Slot, i8),
    /// Append texts to a variable.
    Append(Slot, u16),
    /// A variable as an array.
    ArrayGlobal(u32),
    /// A parameter as an array.
    ArrayLocal(u32),
    /// An element as an array.
    ArrayElem,
    /// A variable as an argument, which may become an array.
    ArgGlobal(u32),
    /// A parameter as an argument.
    ArgLocal(u32),
    /// An element as an argument; array and key are on the stack.
    ArgElem,
    /// Join subscripts.
    Join(u16),
    /// Drop the top.
    Pop,
    /// Jump there.
    Jump(u32),
    /// Jump if the top is false.
    JumpFalse(u32),
    /// Jump if the top is true.
    JumpTrue(u32),
    /// The top as 0 or 1.
    Truth,
    /// The opposite of the top, as 0 or 1.
    Not,
    /// `-`.
    Neg,
    /// `+`.
    Plus,
    /// An operation on two numbers.
    Arith(Arith),
    /// A comparison.
    Compare(Cmp),
    /// A comparison, then a jump if it is false.
    CompareJump(Cmp, u32),
    /// Join texts.
    Concat(u16),
    /// Matches the record against a regular expression of the program.
    MatchRecord(u32),
    /// Matches the top against one of the program.
    MatchConst(u32, bool),
    /// Matches a text against a value.
    Match(bool),
    /// A regular expression as an argument.
    Regex(u32),
    /// `@/re/`.
    Strong(u32),
    /// `in`.
    In,
    /// Calls a function with this many arguments.
    Call(u32, u16),
    /// Calls the function that a value names; the value lies under the arguments.
    Indirect(u16),
    /// Return the top.
    Return,
    /// Calls a builtin with this many arguments.
    Builtin(Builtin, u16),
    /// `sub` and `gsub` (flag) on a slot.
    Substitute(Slot, bool),
    /// The same on a value that cannot be assigned to.
    SubstituteValue(bool),
    /// `getline` from the main input; into `$0` if the flag is not set.
    GetlineMain(bool),
    /// `getline` from the file on the stack.
    GetlineFile(bool),
    /// `getline` from the command on the stack; the second flag is `|&`.
    GetlineCommand(bool, bool),
    /// If `getline` read nothing, drop the value and the operands of its target, and jump there.
    Unread(Slot, u32),
    /// The result of `getline`.
    Result,
    /// `print`.
    Print(u16, Option<Redirect>),
    /// `print` of the record.
    PrintRecord,
    /// Write a field.
    EmitField(u32),
    /// Write a constant.
    EmitConst(u32),
    /// Write the top.
    Emit,
    /// Write OFS.
    EmitSeparator,
    /// Write ORS.
    EmitEnd,
    /// `printf`.
    Printf(u16, Option<Redirect>),
    /// Begin `for (k in a)`.
    ForIn,
    /// The next key; jumps there if there is none.
    ForNext(u32),
    /// Leave the loop.
    ForEnd,
    /// `delete a[k]`.
    Delete,
    /// `delete a`.
    DeleteAll,
    /// Compares the top two for `switch`; the value stays.
    Case,
    /// A range pattern: its number; if the range is open, jump there, where its end is tested.
    RangeStart(u32, u32),
    /// The range begins.
    RangeOn(u32),
    /// The range ends if the top is true.
    RangeOff(u32),
    /// `next`.
    Next,
    /// `nextfile`.
    NextFile,
    /// `exit`; with a status on the stack if the flag is set.
    Exit(bool),
    /// A fatal error.
    Fail(u32),
    /// A warning.
    Warn(u32),
    /// The line, for messages.
    Line(u32),
    /// The end of a piece of program.
    Halt,
}

/// A compiled function.
#[derive(Debug)]
pub(super) struct Code {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub params: Vec<String>,
    /// Where it begins.
    pub start: u32,
}

/// A compiled program.
pub(super) struct Compiled {
    /// All instructions.
    pub ops: Vec<Op>,
    /// Their lines.
    pub lines: Vec<u32>,
    /// Constants.
    pub consts: Vec<Value>,
    /// Regular expressions.
    pub regexes: Vec<Vec<u8>>,
    /// Functions.
    pub functions: Vec<Code>,
    /// Where the pieces begin.
    pub begin: Vec<u32>,
    /// Rules; `None` if there are none.
    pub main: Option<u32>,
    /// END.
    pub end: Vec<u32>,
    /// BEGINFILE.
    pub begin_file: Vec<u32>,
    /// ENDFILE.
    pub end_file: Vec<u32>,
    /// How many range patterns there are.
    pub ranges: usize,
    /// Names of the variables.
    pub globals: Vec<String>,
}

impl Compiled {
    /// Moves the notes of lines out of the instructions into a table.
    pub(super) fn strip(&mut self) {
        let mut place = Vec::with_capacity(self.ops.len() + 1);
        let (mut kept, mut line) = (Vec::new(), 1);
        for op in &self.ops {
            place.push(kept.len() as u32);
            match op {
                Op::Line(number) => line = *number,
                op => {
                    kept.push(*op);
                    self.lines.push(line);
                }
            }
        }
        place.push(kept.len() as u32);
        for op in &mut kept {
            match op {
                Op::Jump(to)
                | Op::JumpFalse(to)
                | Op::JumpTrue(to)
                | Op::CompareJump(_, to)
                | Op::Unread(_, to)
                | Op::ForNext(to)
                | Op::RangeStart(_, to) => *to = place[*to as usize],
                _ => {}
            }
        }
        let starts = [&mut self.begin, &mut self.end, &mut self.begin_file, &mut self.end_file].into_iter().flatten();
        for at in starts.chain(self.main.as_mut()).chain(self.functions.iter_mut().map(|f| &mut f.start)) {
            *at = place[*at as usize];
        }
        self.ops = kept;
    }
}

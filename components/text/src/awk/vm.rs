//! Running instructions.

use super::machine::{Frame, Keys, Machine, Run, Stop, fatal};
use super::ops::{Op, Slot};
use super::slots::{argument, arith};
use super::value::Value;
use super::vm_parts::operands;

/// Deeper calls are an error, because every call takes memory.
const DEEPEST: usize = 400_000;

/// The return place of a call from a builtin.
const OUTSIDE: usize = usize::MAX;

impl Machine {
    /// Takes the top of the stack.
    #[inline]
    pub(super) fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or(Value::Unset)
    }
    /// Puts a value on top of the stack.
    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }
    /// Calls a function from a builtin.
    pub(super) fn call(&mut self, function: u32, args: Vec<Value>) -> Run<Value> {
        let count = args.len();
        self.stack.extend(args);
        let start = self.enter(function, count, OUTSIDE)?;
        self.run(start)?;
        Ok(self.pop())
    }

    pub(super) fn enter(&mut self, function: u32, args: usize, back: usize) -> Run<usize> {
        if self.frames.len() >= DEEPEST {
            return fatal(format!("function `{}': calls nested deeper than {DEEPEST}", self.code.functions[function as usize].name));
        }
        let code = &self.code.functions[function as usize];
        let base = self.stack.len() - args;
        for _ in args..code.params.len() {
            self.stack.push(Value::Unset);
        }
        let start = code.start as usize;
        self.frames.push(Frame { back, base: self.base, function, loops: self.loops.len() });
        self.base = base;
        Ok(start)
    }

    /// Leaves the current function with a result; returns where to continue.
    fn leave(&mut self, result: Value) -> Option<usize> {
        let frame = self.frames.pop()?;
        self.stack.truncate(self.base);
        self.base = frame.base;
        self.loops.truncate(frame.loops);
        self.stack.push(result);
        Some(frame.back)
    }

    /// Runs from `start` to the end of the piece.
    pub(super) fn run(&mut self, start: usize) -> Run<()> {
        let mut pc = start;
        let result = self.steps(&mut pc);
        match result {
            // A caller may turn `next` into an error at this line.
            Err(Stop::Next | Stop::NextFile) => self.line = self.code.lines[pc - 1],
            Err(Stop::Fatal(_)) if !std::mem::replace(&mut self.failed, true) => self.line = self.code.lines[pc - 1],
            _ => {}
        }
        result
    }

    fn steps(&mut self, place: &mut usize) -> Run<()> {
        let code = self.code.clone();
        let ops = &code.ops[..];
        let mut pc = *place;
        loop {
            let op = ops[pc];
            pc += 1;
            *place = pc;
            match op {
                Op::Line(_) => {}
                Op::Fail(message) => return fatal(String::from_utf8_lossy(&code.consts[message as usize].text(b"")).into_owned()),
                Op::Warn(message) => {
                    self.line = code.lines[pc - 1];
                    self.warn(&String::from_utf8_lossy(&code.consts[message as usize].text(b"")));
                }
                Op::Const(at) => self.stack.push(code.consts[at as usize].clone()),
                Op::Num(n) => self.stack.push(Value::Num(n)),
                Op::Load(Slot::Global(n)) if matches!(self.globals[n as usize], Value::Num(_)) => {
                    let n = self.globals[n as usize].num();
                    self.stack.push(Value::Num(n));
                }
                Op::Load(slot) => {
                    let value = self.load(slot)?;
                    self.stack.push(value);
                }
                Op::Field(n) => {
                    let value = self.field(n as usize);
                    self.stack.push(value);
                }
                Op::FieldNum(0) => {
                    let value = super::number::parse(self.record.text(&self.ofs, &self.convfmt));
                    self.stack.push(Value::Num(value));
                }
                Op::FieldNum(n) => {
                    let value = self.record.number(n as usize);
                    self.stack.push(Value::Num(value));
                }
                Op::Store(slot) => {
                    let value = self.stack[self.stack.len() - operands(slot)].clone();
                    self.store(slot, value)?;
                }
                Op::StorePop(slot) => self.store_pop(slot)?,
                Op::Update(slot, op) => {
                    let amount = self.stack[self.stack.len() - operands(slot)].num();
                    let (_, new) = self.change(slot, |old| arith(op, old, amount))?;
                    if let Some(top) = self.stack.last_mut() {
                        *top = Value::Num(new);
                    }
                }
                Op::UpdatePop(Slot::Global(n), op) if matches!(self.globals[n as usize], Value::Num(_)) => {
                    let amount = self.pop().num();
                    if let Value::Num(old) = &mut self.globals[n as usize] {
                        *old = arith(op, *old, amount)?;
                    }
                }
                Op::UpdatePop(slot, op) => {
                    let amount = self.stack[self.stack.len() - operands(slot)].num();
                    self.change(slot, |old| arith(op, old, amount))?;
                    self.pop();
                }
                Op::StepPop(Slot::Global(n), by) if matches!(self.globals[n as usize], Value::Num(_)) => {
                    if let Value::Num(old) = &mut self.globals[n as usize] {
                        *old += f64::from(by);
                    }
                }
                Op::Step(slot, by, before) => {
                    let (old, new) = self.change(slot, |old| Ok(old + f64::from(by)))?;
                    self.stack.push(Value::Num(if before { new } else { old }));
                }
                Op::StepPop(slot, by) => {
                    self.change(slot, |old| Ok(old + f64::from(by)))?;
                }
                Op::Append(slot, count) => self.append(slot, count as usize)?,
                Op::ArrayGlobal(n) => {
                    let array = Self::array(&mut self.globals[n as usize], || code.globals[n as usize].clone())?;
                    self.stack.push(Value::Array(array));
                }
                Op::ArrayLocal(n) => self.array_local(n)?,
                Op::ArrayElem => self.array_element()?,
                Op::ArgGlobal(n) => {
                    let value = argument(&mut self.globals[n as usize]);
                    self.stack.push(value);
                }
                Op::ArgLocal(n) => {
                    let at = self.base + n as usize;
                    let value = argument(&mut self.stack[at]);
                    self.stack.push(value);
                }
                Op::ArgElem => {
                    let key = self.pop_key();
                    let array = self.pop_array()?;
                    let value = argument(array.table.borrow_mut().entry(key));
                    self.stack.push(value);
                }
                Op::Join(count) => self.join(count as usize),
                Op::Pop => {
                    self.pop();
                }
                Op::Jump(to) => pc = to as usize,
                Op::JumpFalse(to) => {
                    if !self.pop().truth() {
                        pc = to as usize;
                    }
                }
                Op::JumpTrue(to) => {
                    if self.pop().truth() {
                        pc = to as usize;
                    }
                }
                Op::Truth => {
                    let truth = self.pop().truth();
                    self.stack.push(Value::bool(truth));
                }
                Op::Not => {
                    let truth = self.pop().truth();
                    self.stack.push(Value::bool(!truth));
                }
                Op::Neg => {
                    let n = self.pop().num();
                    self.stack.push(Value::Num(-n));
                }
                Op::Plus => {
                    let n = self.pop().num();
                    self.stack.push(Value::Num(n));
                }
                Op::Arith(op) => {
                    let b = self.pop().num();
                    if let Some(top) = self.stack.last_mut() {
                        *top = Value::Num(arith(op, top.num(), b)?);
                    }
                }
                Op::Compare(cmp) => {
                    let truth = self.compare(cmp);
                    self.stack.push(Value::bool(truth));
                }
                Op::CompareJump(cmp, to) => {
                    if !self.compare_top(cmp) {
                        pc = to as usize;
                    }
                }
                Op::Concat(count) => {
                    let value = self.concat(count as usize);
                    self.stack.push(value);
                }
                Op::MatchRecord(at) => {
                    let regex = self.regex(at)?;
                    let found = regex.is_match(self.record.text(&self.ofs, &self.convfmt));
                    self.stack.push(Value::bool(found));
                }
                Op::MatchConst(at, negate) => {
                    let regex = self.regex(at)?;
                    let value = self.pop();
                    let found = match &value {
                        Value::Str(s) | Value::Input(s) => regex.is_match(s),
                        other => regex.is_match(&other.text(&self.convfmt)),
                    };
                    self.stack.push(Value::bool(found != negate));
                }
                Op::Match(negate) => {
                    self.line = code.lines[pc - 1];
                    let pattern = self.pop();
                    let text = self.pop().text(&self.convfmt);
                    let found = self.pattern(&pattern)?.is_match(&text);
                    self.stack.push(Value::bool(found != negate));
                }
                Op::Regex(at) => {
                    let value = self.regex_value(at, false)?;
                    self.stack.push(value);
                }
                Op::Strong(at) => {
                    let value = self.regex_value(at, true)?;
                    self.stack.push(value);
                }
                Op::In => {
                    let key = self.pop_key();
                    let array = self.pop_array()?;
                    let found = array.table.borrow().contains(&key);
                    self.stack.push(Value::bool(found));
                }
                Op::Call(function, args) => pc = self.enter(function, args as usize, pc)?,
                Op::Indirect(args) => pc = self.call_by_name(args as usize, pc)?,
                Op::Return => {
                    let result = self.pop();
                    match self.leave(if let Value::Array(_) = result { Value::Unset } else { result }) {
                        Some(OUTSIDE) | None => return Ok(()),
                        Some(back) => pc = back,
                    }
                }
                Op::Builtin(builtin, args) => {
                    self.line = code.lines[pc - 1];
                    self.builtin(builtin, args as usize)?;
                }
                Op::Substitute(slot, global) => self.substitute(slot, global)?,
                Op::SubstituteValue(global) => self.substitute_value(global)?,
                Op::GetlineMain(into) => self.getline_main(into)?,
                Op::GetlineFile(into) => self.getline_file(into)?,
                Op::GetlineCommand(into, both) => self.getline_command(into, both)?,
                Op::Unread(slot, to) => {
                    if self.got <= 0.0 {
                        self.drop_target(slot)?;
                        pc = to as usize;
                    }
                }
                Op::Result => {
                    let got = self.got;
                    self.stack.push(Value::Num(got));
                }
                Op::Print(count, target) => self.print(count as usize, target)?,
                Op::PrintRecord => self.print_record()?,
                Op::EmitField(0) => {
                    let text = self.record.text(&self.ofs, &self.convfmt);
                    self.streams.buffer.extend_from_slice(text);
                }
                Op::EmitField(n) => self.record.emit(n as usize, &self.ofmt, &mut self.streams.buffer),
                Op::EmitConst(at) => code.consts[at as usize].append(&self.ofmt, &mut self.streams.buffer),
                Op::Emit => {
                    let value = self.pop();
                    value.append(&self.ofmt, &mut self.streams.buffer);
                }
                Op::EmitSeparator => self.streams.buffer.extend_from_slice(&self.ofs),
                Op::EmitEnd => self.print_end()?,
                Op::Printf(count, target) => self.printf(count as usize, target)?,
                Op::ForIn => {
                    let array = self.pop_array()?;
                    let keys = self.sorted_keys(&array)?;
                    self.loops.push(Keys { keys: keys.into_iter() });
                }
                Op::ForNext(to) => match self.loops.last_mut().and_then(|l| l.keys.next()) {
                    Some(key) => self.stack.push(Value::Str(key.to_text())),
                    None => pc = to as usize,
                },
                Op::ForEnd => {
                    self.loops.pop();
                }
                Op::Delete => {
                    let key = self.pop_key();
                    let array = self.pop_array()?;
                    array.table.borrow_mut().remove(&key);
                }
                Op::DeleteAll => {
                    let array = self.pop_array()?;
                    array.table.borrow_mut().clear();
                }
                Op::Case => self.case(),
                Op::RangeStart(number, end) => {
                    if self.ranges[number as usize] {
                        pc = end as usize;
                    }
                }
                Op::RangeOn(number) => self.ranges[number as usize] = true,
                Op::RangeOff(number) => {
                    if self.pop().truth() {
                        self.ranges[number as usize] = false;
                    }
                }
                Op::Next => return Err(Stop::Next),
                Op::NextFile => return Err(Stop::NextFile),
                Op::Exit(with) => {
                    if with {
                        self.status = self.pop().num() as i64 as u8;
                    }
                    return Err(Stop::Exit);
                }
                Op::Halt => return Ok(()),
            }
        }
    }

    /// Leaves all calls and loops, after `next` and similar.
    pub(super) fn unwind(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.loops.clear();
        self.base = 0;
    }
}

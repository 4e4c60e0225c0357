//! Compiling statements and rules to instructions.

use super::ast::{ArrayExpr, Expr, Kind, Lvalue, Program, Redirect, Stmt, Var, When};
use super::ops::{Code, Compiled, Op, Slot};
use super::special;
use super::value::Value;
use std::collections::HashMap;

/// A message and its line.
pub(super) type Answer<T> = Result<T, (usize, String)>;

/// The compiler.
pub(super) struct Compiler {
    /// Instructions so far.
    pub ops: Vec<Op>,
    consts: Vec<Value>,
    texts: HashMap<Vec<u8>, u32>,
    regexes: Vec<Vec<u8>>,
    functions: HashMap<String, u32>,
    /// How many parameters functions have.
    params: Vec<usize>,
    /// The open loops and switches, the innermost last.
    loops: Vec<Loop>,
    /// The current line.
    pub line: usize,
}

struct Loop {
    breaks: Vec<usize>,
    continues: Vec<usize>,
    switch: bool,
}

/// Compiles a program.
pub(super) fn compile(program: &Program) -> Answer<Compiled> {
    let functions = program.functions.iter().enumerate().map(|(at, f)| (f.name.clone(), at as u32)).collect();
    let params = program.functions.iter().map(|f| f.params.len()).collect();
    let mut c = Compiler {
        ops: Vec::new(),
        consts: Vec::new(),
        texts: HashMap::new(),
        regexes: Vec::new(),
        functions,
        params,
        loops: Vec::new(),
        line: 1,
    };
    let mut codes = Vec::new();
    for function in &program.functions {
        codes.push(Code { name: function.name.clone(), params: function.params.clone(), start: c.here() });
        c.block(&function.body)?;
        c.text(b"");
        let unset = c.unset();
        c.ops.push(Op::Const(unset));
        c.ops.push(Op::Return);
    }
    let mut pieces: [Vec<u32>; 4] = Default::default();
    for (at, wanted) in [When::Begin, When::End, When::BeginFile, When::EndFile].iter().enumerate() {
        for rule in program.rules.iter().filter(|r| std::mem::discriminant(&r.when) == std::mem::discriminant(wanted)) {
            pieces[at].push(c.here());
            c.block(rule.action.as_deref().unwrap_or_default())?;
            c.ops.push(Op::Halt);
        }
    }
    let mut ranges = 0;
    let start = c.here();
    let mut rules = false;
    for rule in &program.rules {
        c.line(rule.line);
        let skip = match &rule.when {
            When::Always => None,
            When::If(test) => {
                let jump = c.test(test)?;
                Some(jump)
            }
            When::Range(from, to) => {
                let number = ranges as u32;
                ranges += 1;
                let inside = c.hole();
                c.expr(from)?;
                let out = c.hole();
                c.ops.push(Op::RangeOn(number));
                c.ops[inside] = Op::RangeStart(number, c.here());
                c.expr(to)?;
                c.ops.push(Op::RangeOff(number));
                Some((out, None))
            }
            _ => continue,
        };
        rules = true;
        match &rule.action {
            Some(body) => c.block(body)?,
            None => c.ops.push(Op::PrintRecord),
        }
        if let Some((hole, cmp)) = skip {
            c.ops[hole] = match cmp {
                Some(cmp) => Op::CompareJump(cmp, c.here()),
                None => Op::JumpFalse(c.here()),
            };
        }
    }
    c.ops.push(Op::Halt);
    let [begin, end, begin_file, end_file] = pieces;
    let main = (rules || !end.is_empty() || !begin_file.is_empty() || !end_file.is_empty()).then_some(start);
    let mut compiled = Compiled {
        ops: c.ops,
        lines: Vec::new(),
        consts: c.consts,
        regexes: c.regexes,
        functions: codes,
        begin,
        main,
        end,
        begin_file,
        end_file,
        ranges,
        globals: program.globals.clone(),
    };
    compiled.strip();
    Ok(compiled)
}

impl Compiler {
    /// Returns the index of the next instruction.
    pub(super) fn here(&self) -> u32 {
        self.ops.len() as u32
    }
    /// Adds an instruction that is filled in later.
    pub(super) fn hole(&mut self) -> usize {
        self.ops.push(Op::Jump(0));
        self.ops.len() - 1
    }
    /// Returns an error in the current line.
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Answer<T> {
        Err((self.line, message.into()))
    }
    /// Returns the number of a constant string.
    pub(super) fn text(&mut self, text: &[u8]) -> u32 {
        if let Some(at) = self.texts.get(text) {
            return *at;
        }
        let at = self.consts.len() as u32;
        self.consts.push(Value::str(text));
        self.texts.insert(text.to_vec(), at);
        at
    }
    fn unset(&mut self) -> u32 {
        self.consts.push(Value::Unset);
        self.consts.len() as u32 - 1
    }
    /// Returns the number of a regular expression.
    pub(super) fn regex(&mut self, source: &[u8]) -> u32 {
        let at = self.regexes.iter().position(|r| r == source).unwrap_or_else(|| {
            self.regexes.push(source.to_vec());
            self.regexes.len() - 1
        });
        at as u32
    }
    /// Returns the number of a function, and how many parameters it has.
    pub(super) fn function(&self, name: &str) -> Option<(u32, usize)> {
        let at = *self.functions.get(name)?;
        Some((at, self.params[at as usize]))
    }
    /// Notes the line.
    pub(super) fn line(&mut self, line: usize) {
        if self.line != line || self.ops.is_empty() {
            self.line = line;
        }
        self.ops.push(Op::Line(line as u32));
    }

    fn block(&mut self, body: &[Stmt]) -> Answer<()> {
        body.iter().try_for_each(|s| self.statement(s))
    }

    /// Compiles a condition; returns the index of the jump for when it is false.
    fn test(&mut self, test: &Expr) -> Answer<(usize, Option<super::ast::Cmp>)> {
        self.expr(test)?;
        if let Some(Op::Compare(cmp)) = self.ops.last().copied() {
            self.ops.pop();
            return Ok((self.hole(), Some(cmp)));
        }
        Ok((self.hole(), None))
    }

    fn patch(&mut self, hole: (usize, Option<super::ast::Cmp>)) {
        let here = self.here();
        self.ops[hole.0] = match hole.1 {
            Some(cmp) => Op::CompareJump(cmp, here),
            None => Op::JumpFalse(here),
        };
    }

    fn open(&mut self, switch: bool) {
        self.loops.push(Loop { breaks: Vec::new(), continues: Vec::new(), switch });
    }

    fn close(&mut self, next: u32) {
        let end = self.here();
        if let Some(one) = self.loops.pop() {
            one.breaks.iter().for_each(|at| self.ops[*at] = Op::Jump(end));
            one.continues.iter().for_each(|at| self.ops[*at] = Op::Jump(next));
        }
    }

    fn statement(&mut self, s: &Stmt) -> Answer<()> {
        if !matches!(s.kind, Kind::Block(_)) {
            self.line(s.line);
        }
        match &s.kind {
            Kind::Expr(e) => self.discard(e)?,
            Kind::Print(args, target) => self.print(args, target.as_ref())?,
            Kind::Printf(args, target) => {
                args.iter().try_for_each(|a| self.expr(a))?;
                self.target(target.as_ref())?;
                self.ops.push(Op::Printf(args.len() as u16, target.as_ref().map(|t| t.0)));
            }
            Kind::If(test, yes, no) => self.if_else(test, yes, no.as_deref())?,
            Kind::While(test, body) => {
                let start = self.here();
                self.open(false);
                let out = self.test(test)?;
                self.statement(body)?;
                self.ops.push(Op::Jump(start));
                self.patch(out);
                self.close(start);
            }
            Kind::Do(body, test) => {
                let start = self.here();
                self.open(false);
                self.statement(body)?;
                let next = self.here();
                self.expr(test)?;
                self.ops.push(Op::JumpTrue(start));
                self.close(next);
            }
            Kind::For(init, test, step, body) => self.for_loop(init.as_deref(), test.as_ref(), step.as_deref(), body)?,
            Kind::ForIn(target, array, body) => self.for_in(target, array, body)?,
            Kind::Switch(value, cases) => self.switch(value, cases)?,
            Kind::Block(body) => self.block(body)?,
            Kind::Next => self.ops.push(Op::Next),
            Kind::NextFile => self.ops.push(Op::NextFile),
            Kind::Exit(status) => {
                if let Some(status) = status {
                    self.expr(status)?;
                }
                self.ops.push(Op::Exit(status.is_some()));
            }
            Kind::Return(value) => {
                match value {
                    Some(value) => self.expr(value)?,
                    None => {
                        let unset = self.unset();
                        self.ops.push(Op::Const(unset));
                    }
                }
                self.ops.push(Op::Return);
            }
            Kind::Break => {
                let hole = self.hole();
                if let Some(one) = self.loops.last_mut() {
                    one.breaks.push(hole);
                }
            }
            Kind::Continue => self.continue_loop()?,
            Kind::Delete(array, keys) => {
                self.array(array)?;
                if keys.is_empty() {
                    self.ops.push(Op::DeleteAll);
                } else {
                    self.key(keys)?;
                    self.ops.push(Op::Delete);
                }
            }
        }
        Ok(())
    }

    fn if_else(&mut self, test: &Expr, yes: &Stmt, no: Option<&Stmt>) -> Answer<()> {
        let jump = self.test(test)?;
        self.statement(yes)?;
        match no {
            Some(no) => {
                let end = self.hole();
                self.patch(jump);
                self.statement(no)?;
                self.ops[end] = Op::Jump(self.here());
            }
            None => self.patch(jump),
        }
        Ok(())
    }

    fn for_loop(&mut self, init: Option<&Stmt>, test: Option<&Expr>, step: Option<&Stmt>, body: &Stmt) -> Answer<()> {
        if let Some(init) = init {
            self.statement(init)?;
        }
        let start = self.here();
        self.open(false);
        let out = test.map(|t| self.test(t)).transpose()?;
        self.statement(body)?;
        let next = self.here();
        if let Some(step) = step {
            self.statement(step)?;
        }
        self.ops.push(Op::Jump(start));
        if let Some(out) = out {
            self.patch(out);
        }
        self.close(next);
        Ok(())
    }

    /// Compiles `continue`: leaves the switches around it, dropping their values.
    fn continue_loop(&mut self) -> Answer<()> {
        let Some(at) = self.loops.iter().rposition(|l| !l.switch) else {
            return self.fail("`continue' is not allowed outside a loop");
        };
        let switches = self.loops.len() - 1 - at;
        (0..switches).for_each(|_| self.ops.push(Op::Pop));
        let hole = self.hole();
        self.loops[at].continues.push(hole);
        Ok(())
    }

    fn for_in(&mut self, target: &Lvalue, array: &ArrayExpr, body: &Stmt) -> Answer<()> {
        self.array(array)?;
        self.ops.push(Op::ForIn);
        let start = self.here();
        self.open(false);
        let next = self.hole();
        // The key is on the stack; the operands of an element or field must be under it.
        match target {
            Lvalue::Var(var) => {
                let slot = slot(*var);
                self.ops.push(Op::StorePop(slot));
            }
            _ => {
                let slot = self.operands(target)?;
                self.ops.push(Op::StorePop(slot));
            }
        }
        self.statement(body)?;
        self.ops.push(Op::Jump(start));
        self.ops[next] = Op::ForNext(self.here());
        self.close(start);
        self.ops.push(Op::ForEnd);
        Ok(())
    }

    fn switch(&mut self, value: &Expr, cases: &[(Option<Expr>, Vec<Stmt>)]) -> Answer<()> {
        self.expr(value)?;
        self.open(true);
        let mut jumps = Vec::new();
        for (case, _) in cases {
            if let Some(case) = case {
                match case {
                    Expr::Regex(source) => {
                        let regex = self.regex(source);
                        self.ops.push(Op::Regex(regex));
                    }
                    case => self.expr(case)?,
                }
                self.ops.push(Op::Case);
                jumps.push(self.hole());
            }
        }
        let default = self.hole();
        let mut jumps = jumps.into_iter();
        let mut has_default = false;
        for (case, body) in cases {
            let here = self.here();
            match case {
                Some(_) => {
                    if let Some(hole) = jumps.next() {
                        self.ops[hole] = Op::JumpTrue(here);
                    }
                }
                None => {
                    self.ops[default] = Op::Jump(here);
                    has_default = true;
                }
            }
            self.block(body)?;
        }
        if !has_default {
            self.ops[default] = Op::Jump(self.here());
        }
        let end = self.here();
        self.close(end);
        self.ops.push(Op::Pop);
        Ok(())
    }

    fn target(&mut self, target: Option<&(Redirect, Expr)>) -> Answer<()> {
        target.map_or(Ok(()), |(_, e)| self.expr(e))
    }

    fn print(&mut self, args: &[Expr], target: Option<&(Redirect, Expr)>) -> Answer<()> {
        if target.is_none() && args.is_empty() {
            self.ops.push(Op::PrintRecord);
            return Ok(());
        }
        if target.is_none() && args.iter().all(direct) {
            for (at, arg) in args.iter().enumerate() {
                if at > 0 {
                    self.ops.push(Op::EmitSeparator);
                }
                self.emit(arg)?;
            }
            self.ops.push(Op::EmitEnd);
            return Ok(());
        }
        if args.is_empty() {
            self.ops.push(Op::Field(0));
        }
        args.iter().try_for_each(|a| self.expr(a))?;
        self.target(target)?;
        self.ops.push(Op::Print(args.len().max(1) as u16, target.map(|t| t.0)));
        Ok(())
    }

    fn emit(&mut self, e: &Expr) -> Answer<()> {
        match e {
            Expr::Str(text) => {
                let text = self.text(text);
                self.ops.push(Op::EmitConst(text));
            }
            Expr::Lvalue(Lvalue::Field(index)) if matches!(**index, Expr::Num(_)) => {
                self.expr(e)?;
                if let Some(Op::Field(n)) = self.ops.last().copied() {
                    self.ops.pop();
                    self.ops.push(Op::EmitField(n));
                } else {
                    self.ops.push(Op::Emit);
                }
            }
            Expr::Concat(parts) if parts.iter().all(|p| direct(p) && !matches!(p, Expr::Num(_) | Expr::Lvalue(Lvalue::Var(_)))) => {
                parts.iter().try_for_each(|p| self.emit(p))?;
            }
            e => {
                self.expr(e)?;
                self.ops.push(Op::Emit);
            }
        }
        Ok(())
    }
}

/// Returns whether an expression can be written to the output as soon as its value is known, because nothing after it can fail or print.
fn direct(e: &Expr) -> bool {
    match e {
        Expr::Str(_) | Expr::Num(_) => true,
        Expr::Lvalue(Lvalue::Var(_)) => true,
        Expr::Lvalue(Lvalue::Field(index)) => matches!(**index, Expr::Num(n) if (0.0..1e6).contains(&n)),
        Expr::Concat(parts) => parts.iter().all(direct),
        _ => false,
    }
}

/// Returns where a variable is kept.
pub(super) fn slot(var: Var) -> Slot {
    match var {
        Var::Global(n) if n < special::HOOKED => Slot::Special(n as u32),
        Var::Global(n) => Slot::Global(n as u32),
        Var::Local(n) => Slot::Local(n as u32),
    }
}

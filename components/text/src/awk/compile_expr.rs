//! Compiling expressions to instructions.

use super::ast::{Arith, ArrayExpr, Expr, Lvalue, Origin, Var};
use super::builtin::Builtin;
use super::compile::{Answer, Compiler, slot};
use super::ops::{Op, Slot};

impl Compiler {
    /// Compiles an expression whose value is not used.
    pub(super) fn discard(&mut self, e: &Expr) -> Answer<()> {
        match e {
            Expr::Group(inner) => self.discard(inner),
            Expr::Step(target, by, _) => {
                let slot = self.operands(target)?;
                self.ops.push(Op::StepPop(slot, *by as i8));
                Ok(())
            }
            _ => {
                self.expr(e)?;
                if let Some(Op::Store(slot)) = self.ops.last().copied() {
                    self.ops.pop();
                    self.ops.push(Op::StorePop(slot));
                } else if let Some(Op::Update(slot, op)) = self.ops.last().copied() {
                    self.ops.pop();
                    self.ops.push(Op::UpdatePop(slot, op));
                } else {
                    self.ops.push(Op::Pop);
                }
                Ok(())
            }
        }
    }

    /// Pushes what a target needs.
    pub(super) fn operands(&mut self, target: &Lvalue) -> Answer<Slot> {
        match target {
            Lvalue::Var(var) => Ok(slot(*var)),
            Lvalue::Field(index) => {
                self.expr(index)?;
                Ok(Slot::Field)
            }
            Lvalue::Elem(array, keys) => {
                self.array(array)?;
                self.key(keys)?;
                Ok(Slot::Elem)
            }
        }
    }

    /// Pushes an array.
    pub(super) fn array(&mut self, array: &ArrayExpr) -> Answer<()> {
        match array {
            ArrayExpr::Var(Var::Global(n)) => self.ops.push(Op::ArrayGlobal(*n as u32)),
            ArrayExpr::Var(Var::Local(n)) => self.ops.push(Op::ArrayLocal(*n as u32)),
            ArrayExpr::Elem(outer, keys) => {
                self.array(outer)?;
                self.key(keys)?;
                self.ops.push(Op::ArrayElem);
            }
        }
        Ok(())
    }

    /// Joins subscripts into one key.
    pub(super) fn key(&mut self, keys: &[Expr]) -> Answer<()> {
        keys.iter().try_for_each(|k| self.expr(k))?;
        if keys.len() > 1 {
            self.ops.push(Op::Join(keys.len() as u16));
        }
        Ok(())
    }

    /// Compiles an operand that is used as a number.
    fn number(&mut self, e: &Expr) -> Answer<()> {
        self.expr(e)?;
        if let Some(Op::Field(n)) = self.ops.last().copied() {
            self.ops.pop();
            self.ops.push(Op::FieldNum(n));
        }
        Ok(())
    }

    /// Compiles an expression.
    pub(super) fn expr(&mut self, e: &Expr) -> Answer<()> {
        match e {
            Expr::Num(n) => self.ops.push(Op::Num(*n)),
            Expr::Str(text) => {
                let at = self.text(text);
                self.ops.push(Op::Const(at));
            }
            Expr::Regex(source) => {
                let at = self.regex(source);
                self.ops.push(Op::MatchRecord(at));
            }
            Expr::Strong(source) => {
                let at = self.regex(source);
                self.ops.push(Op::Strong(at));
            }
            Expr::Group(inner) => self.expr(inner)?,
            Expr::List(_) => return self.fail("syntax error: a list in parentheses is for `in' and `print' only"),
            Expr::Lvalue(Lvalue::Field(index)) => match **index {
                Expr::Num(n) if (0.0..1e6).contains(&n) => self.ops.push(Op::Field(n as u32)),
                ref index => {
                    self.expr(index)?;
                    self.ops.push(Op::Load(Slot::Field));
                }
            },
            Expr::Lvalue(target) => {
                let slot = self.operands(target)?;
                self.ops.push(Op::Load(slot));
            }
            Expr::Assign(target, value) => self.assign(target, value)?,
            Expr::Update(op, target, value) => {
                self.number(value)?;
                let slot = self.operands(target)?;
                self.ops.push(Op::Update(slot, *op));
            }
            Expr::Step(target, by, before) => {
                let slot = self.operands(target)?;
                self.ops.push(Op::Step(slot, *by as i8, *before));
            }
            Expr::Cond(test, yes, no) => self.conditional(test, yes, no)?,
            Expr::And(a, b) => self.shortcut(true, a, b)?,
            Expr::Or(a, b) => self.shortcut(false, a, b)?,
            Expr::Not(a) => self.unary(a, Op::Not)?,
            Expr::Neg(a) => match **a {
                Expr::Num(n) => self.ops.push(Op::Num(-n)),
                ref a => self.unary(a, Op::Neg)?,
            },
            Expr::Plus(a) => self.unary(a, Op::Plus)?,
            Expr::Arith(op @ (Arith::Div | Arith::Mod), _, b) if matches!(&**b, Expr::Num(n) if *n == 0.0) => {
                return self.fail(format!("error: division by zero attempted{}", if *op == Arith::Mod { " in `%'" } else { "" }));
            }
            Expr::Arith(op, a, b) => {
                self.number(a)?;
                self.number(b)?;
                self.ops.push(Op::Arith(*op));
            }
            Expr::Compare(cmp, a, b) => {
                self.expr(a)?;
                self.expr(b)?;
                self.ops.push(Op::Compare(*cmp));
            }
            Expr::Concat(parts) => {
                parts.iter().try_for_each(|p| self.expr(p))?;
                self.ops.push(Op::Concat(parts.len() as u16));
            }
            Expr::Match(text, pattern, negate) => self.matching(text, pattern, *negate)?,
            Expr::In(keys, array) => {
                self.array(array)?;
                self.key(keys)?;
                self.ops.push(Op::In);
            }
            Expr::Call(name, args) => self.call(name, args)?,
            Expr::Indirect(name, args) => {
                self.expr(name)?;
                self.arguments(args)?;
                self.ops.push(Op::Indirect(args.len() as u16));
            }
            Expr::Builtin(builtin, args) => self.builtin(*builtin, args)?,
            Expr::Getline(target, origin) => self.getline(target.as_ref(), origin)?,
        }
        Ok(())
    }

    fn conditional(&mut self, test: &Expr, yes: &Expr, no: &Expr) -> Answer<()> {
        self.expr(test)?;
        let jump = self.hole();
        self.expr(yes)?;
        let end = self.hole();
        self.ops[jump] = Op::JumpFalse(self.here());
        self.expr(no)?;
        self.ops[end] = Op::Jump(self.here());
        // The last operation belongs to one branch only, so it must not be fused with the next one.
        self.ops.push(Op::Line(self.line as u32));
        Ok(())
    }

    /// Compiles `a && b` or `a || b`: the second is evaluated only if the first does not decide.
    fn shortcut(&mut self, and: bool, a: &Expr, b: &Expr) -> Answer<()> {
        self.expr(a)?;
        let jump = self.hole();
        self.expr(b)?;
        self.ops.push(Op::Truth);
        let end = self.hole();
        let short = self.here();
        self.ops[jump] = if and { Op::JumpFalse(short) } else { Op::JumpTrue(short) };
        self.ops.push(Op::Num(f64::from(u8::from(!and))));
        self.ops[end] = Op::Jump(self.here());
        self.ops.push(Op::Line(self.line as u32));
        Ok(())
    }

    fn matching(&mut self, text: &Expr, pattern: &Expr, negate: bool) -> Answer<()> {
        self.expr(text)?;
        match ungroup(pattern) {
            Expr::Regex(source) => {
                let at = self.regex(source);
                self.ops.push(Op::MatchConst(at, negate));
            }
            pattern => {
                self.expr(pattern)?;
                self.ops.push(Op::Match(negate));
            }
        }
        Ok(())
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Answer<()> {
        let Some((function, params)) = self.function(name) else {
            // It is an error only when it is called.
            let message = self.text(format!("function `{name}' not defined").as_bytes());
            self.ops.push(Op::Fail(message));
            return Ok(());
        };
        self.arguments(args)?;
        // Surplus arguments are evaluated and dropped.
        for _ in params..args.len() {
            self.ops.push(Op::Pop);
        }
        if args.len() > params {
            let message = self.text(format!("function `{name}' called with more arguments than declared").as_bytes());
            self.ops.push(Op::Warn(message));
        }
        self.ops.push(Op::Call(function, args.len().min(params) as u16));
        Ok(())
    }

    fn unary(&mut self, a: &Expr, op: Op) -> Answer<()> {
        if matches!(op, Op::Not) {
            self.expr(a)?;
        } else {
            self.number(a)?;
        }
        self.ops.push(op);
        Ok(())
    }

    fn assign(&mut self, target: &Lvalue, value: &Expr) -> Answer<()> {
        // `s = s x y`: append in place.
        if let (Lvalue::Var(var), Expr::Concat(parts)) = (target, value)
            && let Some(Expr::Lvalue(Lvalue::Var(first))) = parts.first()
            && first == var
            && !matches!(slot(*var), Slot::Special(_))
            && parts[1..].iter().all(|p| !assigns(p))
        {
            parts[1..].iter().try_for_each(|p| self.expr(p))?;
            self.ops.push(Op::Append(slot(*var), parts.len() as u16 - 1));
            return Ok(());
        }
        self.expr(value)?;
        let slot = self.operands(target)?;
        self.ops.push(Op::Store(slot));
        Ok(())
    }

    /// Compiles arguments of a function: names may be arrays.
    fn arguments(&mut self, args: &[Expr]) -> Answer<()> {
        for arg in args {
            match arg {
                Expr::Lvalue(Lvalue::Var(Var::Local(n))) => self.ops.push(Op::ArgLocal(*n as u32)),
                Expr::Lvalue(Lvalue::Var(var @ Var::Global(n))) if !matches!(slot(*var), Slot::Special(_)) => {
                    self.ops.push(Op::ArgGlobal(*n as u32));
                }
                Expr::Lvalue(Lvalue::Elem(array, keys)) => {
                    self.array(array)?;
                    self.key(keys)?;
                    self.ops.push(Op::ArgElem);
                }
                other => self.expr(other)?,
            }
        }
        Ok(())
    }

    /// Compiles a regular expression, or a value that is used as one.
    fn pattern(&mut self, e: &Expr) -> Answer<()> {
        match ungroup(e) {
            Expr::Regex(source) => {
                let at = self.regex(source);
                self.ops.push(Op::Regex(at));
                Ok(())
            }
            _ => self.expr(e),
        }
    }

    /// Compiles an argument that must be an array.
    fn array_argument(&mut self, e: &Expr, builtin: Builtin, place: &str) -> Answer<()> {
        match ungroup(e) {
            Expr::Lvalue(Lvalue::Var(var)) => self.array(&ArrayExpr::Var(*var)),
            Expr::Lvalue(Lvalue::Elem(array, keys)) => self.array(&ArrayExpr::Elem(array.clone(), keys.clone())),
            _ => self.fail(format!("fatal: {}: {place} argument is not an array", super::builtin::facts(builtin).0)),
        }
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) -> Answer<()> {
        match builtin {
            Builtin::Sub | Builtin::Gsub => {
                self.pattern(&args[0])?;
                self.expr(&args[1])?;
                let global = builtin == Builtin::Gsub;
                match args.get(2).map(ungroup) {
                    None => {
                        self.ops.push(Op::Num(0.0));
                        self.ops.push(Op::Substitute(Slot::Field, global));
                    }
                    Some(Expr::Lvalue(target)) => {
                        let slot = self.operands(target)?;
                        self.ops.push(Op::Substitute(slot, global));
                    }
                    Some(other) => {
                        self.expr(other)?;
                        self.ops.push(Op::SubstituteValue(global));
                    }
                }
                return Ok(());
            }
            Builtin::Split | Builtin::Patsplit => {
                self.expr(&args[0])?;
                self.array_argument(&args[1], builtin, "second")?;
                if let Some(separator) = args.get(2) {
                    self.pattern(separator)?;
                }
                if let Some(separators) = args.get(3) {
                    self.array_argument(separators, builtin, "fourth")?;
                }
            }
            Builtin::Match => {
                self.expr(&args[0])?;
                self.pattern(&args[1])?;
                if let Some(groups) = args.get(2) {
                    self.array_argument(groups, builtin, "third")?;
                }
            }
            Builtin::Gensub => {
                self.pattern(&args[0])?;
                args[1..].iter().try_for_each(|a| self.expr(a))?;
            }
            Builtin::Asort | Builtin::Asorti => {
                self.array_argument(&args[0], builtin, "first")?;
                if let Some(into) = args.get(1) {
                    self.array_argument(into, builtin, "second")?;
                }
                if let Some(how) = args.get(2) {
                    self.expr(how)?;
                }
            }
            Builtin::Length | Builtin::IsArray | Builtin::Typeof => match args.first().map(ungroup) {
                // A name or an element, which may be an array.
                Some(Expr::Lvalue(Lvalue::Var(_) | Lvalue::Elem(..))) => self.arguments(&[ungroup(&args[0]).clone()])?,
                Some(Expr::Regex(source)) if builtin == Builtin::Typeof => {
                    let at = self.regex(source);
                    self.ops.push(Op::MatchRecord(at));
                }
                Some(Expr::Lvalue(Lvalue::Field(index))) if builtin == Builtin::Typeof => {
                    self.expr(index)?;
                    self.ops.push(Op::Builtin(Builtin::FieldType, 1));
                    return Ok(());
                }
                Some(other) => self.expr(other)?,
                None => {}
            },
            _ => args.iter().try_for_each(|a| self.expr(a))?,
        }
        self.ops.push(Op::Builtin(builtin, args.len() as u16));
        Ok(())
    }

    fn getline(&mut self, target: Option<&Lvalue>, origin: &Origin) -> Answer<()> {
        // The source comes before the operands of the target, and must be read before they are consumed.
        let into = target.is_some();
        match origin {
            Origin::Main => self.ops.push(Op::GetlineMain(into)),
            Origin::File(file) => {
                self.expr(file)?;
                self.ops.push(Op::GetlineFile(into));
            }
            Origin::Command(command, both) => {
                self.expr(command)?;
                self.ops.push(Op::GetlineCommand(into, *both));
            }
        }
        if let Some(target) = target {
            let slot = self.operands(target)?;
            let unread = self.hole();
            self.ops.push(Op::StorePop(slot));
            self.ops[unread] = Op::Unread(slot, self.here());
        }
        self.ops.push(Op::Result);
        Ok(())
    }
}

/// Returns the expression without parentheses.
fn ungroup(e: &Expr) -> &Expr {
    match e {
        Expr::Group(inner) => ungroup(inner),
        e => e,
    }
}

/// Returns whether evaluating this may change a variable.
fn assigns(e: &Expr) -> bool {
    match e {
        Expr::Num(_) | Expr::Str(_) | Expr::Regex(_) | Expr::Strong(_) | Expr::Lvalue(Lvalue::Var(_)) => false,
        Expr::Lvalue(Lvalue::Field(index)) => assigns(index),
        Expr::Lvalue(Lvalue::Elem(_, keys)) => keys.iter().any(assigns),
        Expr::Concat(parts) => parts.iter().any(assigns),
        Expr::Group(inner) | Expr::Not(inner) | Expr::Neg(inner) | Expr::Plus(inner) => assigns(inner),
        Expr::Arith(op, a, b) => matches!(op, Arith::Div | Arith::Mod) || assigns(a) || assigns(b),
        Expr::Compare(_, a, b) | Expr::Match(a, b, _) | Expr::And(a, b) | Expr::Or(a, b) => assigns(a) || assigns(b),
        Expr::Cond(a, b, c) => assigns(a) || assigns(b) || assigns(c),
        Expr::Builtin(b, args) => {
            !matches!(b, Builtin::Sprintf | Builtin::Substr | Builtin::Toupper | Builtin::Tolower | Builtin::Int | Builtin::Index)
                || args.iter().any(assigns)
        }
        _ => true,
    }
}

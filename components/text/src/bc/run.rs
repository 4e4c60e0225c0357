//! Running a bc program.

use super::number::{Number, wrapped};
use super::parser::{Expr, Function, Stmt};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::rc::Rc;

/// How a statement ended.
pub(super) enum Flow {
    /// At its end.
    Next,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Number),
    /// `halt` or `quit`.
    Halt,
}

type Array = HashMap<usize, Number>;

/// The machine.
pub(super) struct Machine {
    names: HashMap<String, Number>,
    arrays: HashMap<String, Array>,
    functions: HashMap<String, Rc<Function>>,
    scale: usize,
    ibase: u32,
    obase: u32,
    last: Number,
    depth: usize,
    width: usize,
    /// Whether the library is available.
    pub math: bool,
    /// The output.
    pub out: Vec<u8>,
    place: Vec<String>,
}

/// The output of `limits`.
const LIMITS: &str = "BC_BASE_MAX     = 999999999\nBC_DIM_MAX      = 16777215\nBC_SCALE_MAX    = 1000000\n\
    BC_STRING_MAX   = 2147483647\nMAX Exponent    = 2147483647\nNumber of vars  = 32767\n";

type Run<T> = Result<T, String>;

/// Deeper calls are an error, because they run on the stack of the process.
const DEEPEST: usize = if cfg!(target_family = "wasm") { 10_000 } else { 1500 };

impl Machine {
    /// Creates a new machine.
    pub(super) fn new() -> Self {
        let width = std::env::var("BC_LINE_LENGTH").ok().and_then(|w| w.parse().ok()).unwrap_or(70);
        Self {
            names: HashMap::new(),
            arrays: HashMap::new(),
            functions: HashMap::new(),
            scale: 0,
            ibase: 10,
            obase: 10,
            last: Number::zero(),
            depth: 0,
            width,
            math: false,
            out: Vec::new(),
            place: vec!["(main)".into()],
        }
    }

    /// Sets the decimal places of quotients.
    pub(super) fn set_scale(&mut self, scale: usize) {
        self.scale = scale;
    }

    /// Returns where we are, for messages.
    pub(super) fn place(&mut self) -> String {
        let name = self.place.last().cloned().unwrap_or_default();
        self.place.truncate(1);
        self.depth = 0;
        name
    }

    /// Writes the output.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        crate::sys::descriptor(1).write_all(&self.out)?;
        self.out.clear();
        Ok(())
    }

    /// Runs statements.
    pub(super) fn block(&mut self, body: &[Stmt]) -> Run<Flow> {
        for statement in body {
            match self.statement(statement)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt) -> Run<Flow> {
        match statement {
            Stmt::Expr(e) => {
                let value = self.value(e)?;
                let void = matches!(e, Expr::Call(name, _) if self.functions.get(name).is_some_and(|f| f.void));
                if !void && !matches!(e, Expr::Assign(..)) {
                    let text = wrapped(value.show(self.obase).trim_start(), self.width);
                    self.out.extend(format!("{}{text}\n", if self.obase > 16 { " " } else { "" }).bytes());
                    self.last = value;
                }
            }
            Stmt::Text(text) => self.out.extend_from_slice(text.as_bytes()),
            Stmt::Print(parts) => {
                for part in parts {
                    match part {
                        Ok(e) => {
                            let value = self.value(e)?;
                            let text = wrapped(&value.show(self.obase), self.width);
                            self.out.extend_from_slice(text.as_bytes());
                            self.last = value;
                        }
                        Err(text) => self.out.extend(unescape(text)),
                    }
                }
            }
            Stmt::Block(body) => return self.block(body),
            Stmt::If(test, yes, no) => {
                if !self.value(test)?.is_zero() {
                    return self.statement(yes);
                }
                if let Some(no) = no {
                    return self.statement(no);
                }
            }
            Stmt::While(test, body) => {
                while !self.value(test)?.is_zero() {
                    match self.statement(body)? {
                        Flow::Break => break,
                        Flow::Next | Flow::Continue => {}
                        other => return Ok(other),
                    }
                }
            }
            Stmt::For(init, test, step, body) => {
                if let Some(init) = init {
                    self.value(init)?;
                }
                while test.as_ref().map_or(Ok(true), |t| self.value(t).map(|v| !v.is_zero()))? {
                    match self.statement(body)? {
                        Flow::Break => break,
                        Flow::Next | Flow::Continue => {}
                        other => return Ok(other),
                    }
                    if let Some(step) = step {
                        self.value(step)?;
                    }
                }
            }
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
            Stmt::Return(value) => {
                let value = value.as_ref().map_or(Ok(Number::zero()), |v| self.value(v))?;
                return Ok(Flow::Return(value));
            }
            Stmt::Limits => self.out.extend_from_slice(LIMITS.as_bytes()),
            Stmt::Halt | Stmt::Quit => return Ok(Flow::Halt),
            Stmt::Define(name, function) => {
                self.functions.insert(name.clone(), Rc::new(function.clone()));
            }
        }
        Ok(Flow::Next)
    }

    fn warn(&mut self, message: &str) {
        // The warning comes after what was printed before it.
        let _ = self.flush();
        let place = self.place.last().cloned().unwrap_or_default();
        eprintln!("Runtime warning (func={place}, adr=0): {message}");
    }

    fn index(&mut self, e: &Expr) -> Run<usize> {
        let index = self.value(e)?.to_i64();
        index.and_then(|i| usize::try_from(i).ok()).filter(|i| *i < 1 << 24).ok_or_else(|| "Array subscript out of bounds".to_owned())
    }

    fn assign(&mut self, target: &Expr, value: Number) -> Run<()> {
        match target {
            Expr::Element(name, index) => {
                let index = self.index(index)?;
                self.arrays.entry(name.clone()).or_default().insert(index, value);
            }
            Expr::Name(name) => match name.as_str() {
                "scale" if value.digits.sign() == num_bigint::Sign::Minus => {
                    self.scale = 0;
                    self.warn("negative scale, set to 0");
                }
                "ibase" | "obase" if value.to_i64().is_some_and(|n| n < 2) => {
                    *(if name == "ibase" { &mut self.ibase } else { &mut self.obase }) = 2;
                    self.warn(&format!("{name} too small, set to 2"));
                }
                "scale" => self.scale = value.to_i64().unwrap_or(0).clamp(0, 1_000_000) as usize,
                "ibase" => self.ibase = value.to_i64().unwrap_or(10).clamp(2, 36) as u32,
                "obase" => self.obase = value.to_i64().unwrap_or(10).clamp(2, 999_999_999) as u32,
                "last" => self.last = value,
                _ => {
                    self.names.insert(name.clone(), value);
                }
            },
            _ => return Err("syntax error".into()),
        }
        Ok(())
    }

    fn binary(&mut self, sign: &str, a: &Number, b: &Number) -> Run<Number> {
        let truth = |t: bool| Ok(Number::int(i64::from(t)));
        match sign {
            "+" => Ok(a.add(b)),
            "-" => Ok(a.sub(b)),
            "*" => Ok(a.mul(b, self.scale)),
            "/" => a.div(b, self.scale).ok_or_else(|| "Divide by zero".to_owned()),
            "%" => a.rem(b, self.scale).ok_or_else(|| "Modulo by zero".to_owned()),
            "^" => {
                if b.scale > 0 {
                    self.warn("non-zero scale in exponent");
                }
                a.pow(b, self.scale).map_err(str::to_owned)
            }
            "==" => truth(a.compare(b) == Ordering::Equal),
            "!=" => truth(a.compare(b) != Ordering::Equal),
            "<" => truth(a.compare(b) == Ordering::Less),
            "<=" => truth(a.compare(b) != Ordering::Greater),
            ">" => truth(a.compare(b) == Ordering::Greater),
            ">=" => truth(a.compare(b) != Ordering::Less),
            "&&" => truth(!a.is_zero() && !b.is_zero()),
            _ => truth(!a.is_zero() || !b.is_zero()),
        }
    }

    fn value(&mut self, e: &Expr) -> Run<Number> {
        Ok(match e {
            Expr::Number(digits) => Number::parse(digits, self.ibase),
            Expr::Name(name) => match name.as_str() {
                "scale" => Number::int(self.scale as i64),
                "ibase" => Number::int(i64::from(self.ibase)),
                "obase" => Number::int(i64::from(self.obase)),
                "last" => self.last.clone(),
                _ => self.names.get(name).cloned().unwrap_or_else(Number::zero),
            },
            Expr::Element(name, index) => {
                let index = self.index(index)?;
                self.arrays.get(name).and_then(|a| a.get(&index)).cloned().unwrap_or_else(Number::zero)
            }
            Expr::Array(_) => return Err("array used as a number".into()),
            Expr::Assign(target, "=", value) => {
                let value = self.value(value)?;
                self.assign(target, value.clone())?;
                value
            }
            Expr::Assign(target, sign, value) => {
                let old = self.value(target)?;
                let value = self.value(value)?;
                let new = self.binary(&sign[..1], &old, &value)?;
                self.assign(target, new.clone())?;
                new
            }
            Expr::Step(target, by, before) => {
                let old = self.value(target)?;
                let new = old.add(&Number::int(*by));
                self.assign(target, new.clone())?;
                if *before { new } else { old }
            }
            Expr::Binary(sign, a, b) => {
                let a = self.value(a)?;
                let b = self.value(b)?;
                self.binary(sign, &a, &b)?
            }
            Expr::Neg(a) => self.value(a)?.neg(),
            Expr::Not(a) => Number::int(i64::from(self.value(a)?.is_zero())),
            Expr::Group(a) => self.value(a)?,
            Expr::Call(name, args) => self.call(name, args)?,
        })
    }

    fn call(&mut self, name: &str, args: &[Expr]) -> Run<Number> {
        match (name, args) {
            ("sqrt", [x]) => {
                let x = self.value(x)?;
                return x.sqrt(self.scale).ok_or_else(|| "Square root of a negative number".to_owned());
            }
            ("length", [Expr::Array(name)]) => return Ok(Number::int(self.arrays.get(name).map_or(0, HashMap::len) as i64)),
            ("length", [x]) => return Ok(Number::int(self.value(x)?.length() as i64)),
            ("scale", [x]) => return Ok(Number::int(self.value(x)?.scale as i64)),
            ("abs", [x]) => {
                let x = self.value(x)?;
                return Ok(if x.compare(&Number::zero()) == Ordering::Less { x.neg() } else { x });
            }
            ("read", []) => {
                self.flush().map_err(|e| e.to_string())?;
                let mut line = String::new();
                std::io::stdin().lock().read_line(&mut line).map_err(|e| e.to_string())?;
                return Ok(Number::parse(line.trim(), self.ibase));
            }
            _ => {}
        }
        let Some(function) = self.functions.get(name).cloned() else {
            if self.math && args.len() <= 2 {
                let values = args.iter().map(|a| self.value(a)).collect::<Run<Vec<_>>>()?;
                if let Some(result) = super::math::function(name, &values, self.scale) {
                    return Ok(result);
                }
            }
            return Err(format!("Function {name} not defined."));
        };
        if args.len() != function.params.len() {
            return Err("Parameter number mismatch".into());
        }
        self.depth += 1;
        if self.depth > DEEPEST || low_on_stack() {
            return Err(format!("Function {name} calls itself too deeply"));
        }
        // The values that parameters and local variables hide are restored at the end.
        let mut hidden_names = Vec::new();
        let mut hidden_arrays = Vec::new();
        let mut new_names = Vec::new();
        let mut new_arrays = Vec::new();
        let mut shared = Vec::new();
        for (param, arg) in function.params.iter().zip(args) {
            let own = param.trim_start_matches('*');
            if let (true, Some(array), Expr::Array(from) | Expr::Name(from)) = (own != param, own.strip_suffix("[]"), arg) {
                shared.push((array.to_owned(), from.clone()));
            }
            match (own.strip_suffix("[]"), arg) {
                (Some(array), Expr::Array(from) | Expr::Name(from)) => {
                    new_arrays.push((array.to_owned(), self.arrays.get(from).cloned().unwrap_or_default()));
                }
                (Some(_), _) => return Err("Parameter type mismatch".into()),
                (None, arg) => new_names.push((own.to_owned(), self.value(arg)?)),
            }
        }
        for auto in &function.autos {
            match auto.strip_suffix("[]") {
                Some(array) => new_arrays.push((array.to_owned(), Array::new())),
                None => new_names.push((auto.clone(), Number::zero())),
            }
        }
        for (name, value) in new_names {
            hidden_names.push((name.clone(), self.names.insert(name, value)));
        }
        for (name, value) in new_arrays {
            hidden_arrays.push((name.clone(), self.arrays.insert(name, value)));
        }
        self.place.push(name.to_owned());
        let flow = self.block(&function.body);
        for (name, old) in hidden_names.into_iter().rev() {
            match old {
                Some(old) => self.names.insert(name, old),
                None => self.names.remove(&name),
            };
        }
        // Copy back the arrays that were passed by reference.
        let changed: Vec<_> = shared.into_iter().map(|(array, from)| (from, self.arrays.get(&array).cloned())).collect();
        for (name, old) in hidden_arrays.into_iter().rev() {
            match old {
                Some(old) => self.arrays.insert(name, old),
                None => self.arrays.remove(&name),
            };
        }
        for (name, array) in changed {
            self.arrays.insert(name, array.unwrap_or_default());
        }
        let flow = flow?;
        self.place.pop();
        self.depth -= 1;
        Ok(match flow {
            Flow::Return(value) => value,
            _ => Number::zero(),
        })
    }
}

/// Returns whether the stack is nearly full: in a component it grows down to address 0.
fn low_on_stack() -> bool {
    let here = std::hint::black_box(0_u8);
    cfg!(target_family = "wasm") && std::ptr::from_ref(&here).addr() < 128 * 1024
}

/// Escapes of `print`.
fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'\\' {
            out.push(b);
            continue;
        }
        match bytes.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(b'r') => out.push(b'\r'),
            Some(b'a') => out.push(7),
            Some(b'b') => out.push(8),
            Some(b'f') => out.push(12),
            Some(b'q') => out.push(b'"'),
            Some(b'\\') => out.push(b'\\'),
            Some(_) => {}
            None => out.push(b'\\'),
        }
    }
    out
}

//! Running the builtin functions.

use super::builtin::Builtin as B;
use super::machine::{Machine, Run, fatal};
use super::math::{BITS, Random, bits};
use super::number;
use super::time;
use super::value::Value;

impl Machine {
    /// Runs a builtin on the top of the stack.
    pub(super) fn builtin(&mut self, builtin: B, count: usize) -> Run<()> {
        let from = self.stack.len() - count;
        let value = match (builtin, count) {
            // The frequent ones run without a list of arguments.
            (B::Length, 1) => {
                let value = self.pop();
                self.length(&value)
            }
            (B::Int, 1) => Value::Num(self.pop().num().trunc()),
            (B::Substr, _) => {
                let length = if count == 3 { Some(self.pop().num()) } else { None };
                let start = self.pop().num();
                let text = self.pop().text(&self.convfmt);
                Value::str(super::strings::substr(&text, start, length, self.utf8))
            }
            _ => {
                let args: Vec<Value> = self.stack.drain(from..).collect();
                self.evaluate(builtin, &args)?
            }
        };
        self.push(value);
        Ok(())
    }

    /// Implements `@f(…)` where `f` names a builtin: its arguments can be counted only now.
    pub(super) fn indirect(&mut self, builtin: B, count: usize) -> Run<()> {
        let (name, least, most) = super::builtin::facts(builtin);
        let least = if builtin == B::Length { 1 } else { least };
        if count < least || count > most {
            return fatal(format!("{name}: called with {count} arguments"));
        }
        match (builtin, count) {
            (B::Sub | B::Gsub, 2) => {
                // The operand is `$0`.
                self.push(Value::Num(0.0));
                return self.substitute(super::ops::Slot::Field, builtin == B::Gsub);
            }
            (B::Sub | B::Gsub, _) => return fatal(format!("{name}: can be called indirectly only with two arguments")),
            (B::Split | B::Patsplit | B::Match | B::Asort | B::Asorti, _) => {
                // A name that was never used becomes an array.
                let from = self.stack.len() - count;
                let places: &[usize] = match builtin {
                    B::Split | B::Patsplit => &[1, 3],
                    B::Match => &[2],
                    _ => &[0, 1],
                };
                for value in places.iter().filter_map(|at| self.stack.get(from + at)) {
                    if let Value::Array(array) = value {
                        array.real.set(!array.scalar.get());
                    }
                }
            }
            _ => {}
        }
        self.builtin(builtin, count)
    }

    fn length(&mut self, value: &Value) -> Value {
        let length = match value {
            Value::Array(array) => array.table.borrow().len(),
            other => {
                let text = other.text(&self.convfmt);
                if self.utf8 { super::format::count(&text) } else { text.len() }
            }
        };
        Value::Num(length as f64)
    }

    /// Sets the seed of `rand`, to the time if none is given; returns the seed before.
    fn srand(&mut self, seed: Option<f64>) -> Value {
        let before = self.random.seed;
        let seed = seed.unwrap_or_else(time::now);
        self.random = Random::new(seed as i64 as u32);
        self.random.seed = seed;
        Value::Num(before)
    }

    fn strftime(&self, args: &[Value]) -> Value {
        let format = match args.first() {
            Some(format) => String::from_utf8_lossy(&format.text(&self.convfmt)).into_owned(),
            None => "%a %b %e %H:%M:%S %Z %Y".to_owned(),
        };
        let seconds = args.get(1).map_or_else(time::now, Value::num);
        let utc = args.get(2).is_some_and(Value::truth);
        time::strftime(&format, seconds, utc).map_or(Value::str(""), Value::str)
    }

    /// Implements `typeof($n)`; the field may not exist.
    fn field_type(&mut self, n: f64) -> Value {
        let n = n.max(0.0) as usize;
        let there = n <= self.record.count() && (n > 0 || self.record.is_set());
        let value = self.field(n);
        let made = matches!(&value, Value::Input(text) if text.is_empty() && self.record.is_made(n));
        Value::str(if there && !made { kind(&value) } else { "unassigned" })
    }

    fn evaluate(&mut self, builtin: B, args: &[Value]) -> Run<Value> {
        let num = |n: usize| args.get(n).map_or(0.0, Value::num);
        let text = |m: &Self, n: usize| args.get(n).map(|v| v.text(&m.convfmt)).unwrap_or_default();
        Ok(match builtin {
            B::Length => {
                let whole = Value::Str(self.whole());
                self.length(&whole)
            }
            B::Int => Value::Num(num(0).trunc()),
            B::Sqrt | B::Log if num(0) < 0.0 => {
                let name = if builtin == B::Log { "log" } else { "sqrt" };
                self.warn(&format!("{name}: received negative argument {}", shown(num(0))));
                Value::Num(-f64::NAN.abs())
            }
            B::Sqrt => Value::Num(num(0).sqrt()),
            B::Log => Value::Num(num(0).ln()),
            B::Exp => {
                let result = num(0).exp();
                if result.is_infinite() && num(0).is_finite() {
                    self.warn(&format!("exp: argument {} is out of range", shown(num(0))));
                }
                Value::Num(result)
            }
            B::Sin => Value::Num(num(0).sin()),
            B::Cos => Value::Num(num(0).cos()),
            B::Atan2 => Value::Num(num(0).atan2(num(1))),
            B::Rand => Value::Num(self.random.next()),
            B::Srand => self.srand(args.first().map(Value::num)),
            B::And | B::Or | B::Xor => bitwise(builtin, args)?,
            B::Lshift => Value::Num((bits("lshift", num(0))?.checked_shl(bits("lshift", num(1))? as u32).unwrap_or(0) & BITS) as f64),
            B::Rshift => Value::Num(bits("rshift", num(0))?.checked_shr(bits("rshift", num(1))? as u32).unwrap_or(0) as f64),
            B::Compl => Value::Num((!bits("compl", num(0))? & BITS) as f64),
            B::Index => Value::Num(self.index(&text(self, 0), &text(self, 1))),
            B::Substr => Value::str(super::strings::substr(&text(self, 0), num(1), args.get(2).map(Value::num), self.utf8)),
            B::Tolower | B::Toupper => Value::str(super::strings::map_case(&text(self, 0), builtin == B::Toupper, self.utf8)),
            B::Sprintf => Value::str(self.formatted(args)?),
            B::Match => self.match_text(args)?,
            B::Split => self.split(args, false)?,
            B::Patsplit => self.split(args, true)?,
            B::Gensub => self.gensub(args)?,
            B::Asort => self.asort(args, false)?,
            B::Asorti => self.asort(args, true)?,
            B::Close => self.close(args)?,
            B::System => self.system(&args[0])?,
            B::Fflush => self.fflush(args)?,
            B::Systime => Value::Num(time::now()),
            B::Strftime => self.strftime(args),
            B::Mktime => {
                let text = String::from_utf8_lossy(&text(self, 0)).into_owned();
                Value::Num(time::mktime(&text, args.get(1).is_some_and(Value::truth)).unwrap_or(-1.0))
            }
            B::Strtonum => match &args[0] {
                Value::Num(n) => Value::Num(*n),
                other => Value::Num(strtonum(&other.text(&self.convfmt))),
            },
            // Nothing is translated.
            B::Dcgettext => Value::Str(text(self, 0)),
            B::Dcngettext => Value::Str(text(self, usize::from(num(2) != 1.0))),
            B::Bindtextdomain => Value::Str(text(self, 0)),
            B::IsArray => Value::bool(matches!(&args[0], Value::Array(array) if array.real.get())),
            B::Mkbool => Value::bool(args[0].truth()),
            B::FieldType => self.field_type(num(0)),
            B::Typeof => Value::str(kind(&args[0])),
            B::Sub | B::Gsub => return fatal("sub and gsub cannot be called indirectly here"),
        })
    }
}

/// Performs `and`, `or` and `xor` of all arguments.
fn bitwise(builtin: B, args: &[Value]) -> Run<Value> {
    let name = super::builtin::facts(builtin).0;
    let mut all = args.iter().map(|a| bits(name, a.num()));
    let mut result = all.next().unwrap_or(Ok(0))?;
    for next in all {
        let next = next?;
        result = match builtin {
            B::And => result & next,
            B::Or => result | next,
            _ => result ^ next,
        };
    }
    Ok(Value::Num(result as f64))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Array(array) if array.real.get() => "array",
        Value::Array(array) if array.scalar.get() => "unassigned",
        Value::Array(_) => "untyped",
        Value::Unset => "unassigned",
        Value::Num(_) => "number",
        Value::Str(_) => "string",
        Value::Input(text) => {
            if number::looks(text).is_some() {
                "strnum"
            } else {
                "string"
            }
        }
        Value::Regex(pattern) => {
            if pattern.strong {
                "regexp"
            } else {
                "number"
            }
        }
    }
}

/// Returns a number for a message.
fn shown(n: f64) -> String {
    let mut out = Vec::new();
    number::write(n, b"%.6g", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Implements `strtonum`: accepts hexadecimal and octal too.
fn strtonum(text: &[u8]) -> f64 {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let (base, rest) = match digits {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => (8, rest),
        _ => return number::parse(text),
    };
    // With a fraction or a digit of a larger base, the number is decimal.
    let length = rest.iter().take_while(|b| char::from(**b).is_digit(base)).count();
    if base == 8 && matches!(rest.get(length), Some(b'.' | b'e' | b'E' | b'8' | b'9')) {
        return number::parse(text);
    }
    let value = rest[..length].iter().fold(0.0, |n, b| n * f64::from(base) + f64::from(char::from(*b).to_digit(base).unwrap_or(0)));
    if negative { -value } else { value }
}

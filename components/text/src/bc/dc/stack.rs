//! `dc`'s stack: taking values, arranging them, measuring them.

use super::{Machine, Value};
use crate::bc::number::Number;
use num_traits::{Signed, ToPrimitive};

impl Machine {
    pub(super) fn pop(&mut self) -> Option<Value> {
        let value = self.stack.pop();
        if value.is_none() {
            self.complain("stack empty");
        }
        value
    }

    pub(super) fn number(&mut self) -> Option<Number> {
        match self.pop()? {
            Value::Number(n) => Some(n),
            text => {
                self.stack.push(text);
                self.complain("non-numeric value");
                None
            }
        }
    }

    pub(super) fn pair(&mut self) -> Option<(Number, Number)> {
        if self.stack.len() < 2 {
            self.complain("stack empty");
            return None;
        }
        let b = self.number()?;
        match self.number() {
            Some(a) => Some((a, b)),
            None => {
                self.stack.push(Value::Number(b));
                None
            }
        }
    }

    pub(super) fn push_count(&mut self, count: i64) {
        self.stack.push(Value::Number(Number::int(count)));
    }

    /// Implements `c`, `d`, `r` and `R`: clears, duplicates the top, swaps the two on top, rotates.
    pub(super) fn rearrange(&mut self, command: u8) {
        let length = self.stack.len();
        match command {
            b'c' => self.stack.clear(),
            b'd' => {
                if let Some(value) = self.pop() {
                    self.stack.extend([value.clone(), value]);
                }
            }
            b'r' if length < 2 => self.complain("stack empty"),
            b'r' => self.stack.swap(length - 1, length - 2),
            _ => {
                if let Some(n) = self.number().and_then(|n| n.to_i64()) {
                    self.rotate(n);
                }
            }
        }
    }

    /// Rotates the `|n|` values on top, upwards if `n` is positive.
    fn rotate(&mut self, n: i64) {
        let length = self.stack.len();
        let count = (n.unsigned_abs() as usize).min(length);
        if count > 1 {
            let part = &mut self.stack[length - count..];
            if n > 0 { part.rotate_left(1) } else { part.rotate_right(1) }
        }
    }

    /// Implements `z`, `Z` and `X`: pushes the depth of the stack; the length and the scale of the value on top.
    pub(super) fn measure(&mut self, command: u8) {
        let size = if command == b'z' {
            self.stack.len()
        } else {
            let Some(value) = self.pop() else { return };
            match (&value, command) {
                // Digits, without leading zeros.
                (Value::Number(n), b'Z') => n.digits.abs().to_str_radix(10).len(),
                (Value::Text(t), b'Z') => t.len(),
                (Value::Number(n), _) => n.scale,
                (Value::Text(_), _) => 0,
            }
        };
        self.push_count(size as i64);
    }

    pub(super) fn square_root(&mut self) {
        if let Some(n) = self.number() {
            match n.sqrt(self.scale) {
                Some(root) => self.stack.push(Value::Number(root)),
                None => self.complain("square root of negative number"),
            }
        }
    }

    /// Implements `a`: a number becomes the byte of its lowest eight bits, a string its first byte.
    pub(super) fn character(&mut self) {
        if let Some(value) = self.pop() {
            let text = match value {
                Value::Number(n) => vec![(n.with_scale(0).digits & num_bigint::BigInt::from(0xff)).to_u8().unwrap_or(0)],
                Value::Text(t) => t.into_iter().take(1).collect(),
            };
            self.stack.push(Value::Text(text));
        }
    }
}

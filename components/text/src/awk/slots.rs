//! The effects of instructions on variables, fields, elements and values.

use super::array::{Array, Key};
use super::ast::{Arith, Cmp};
use super::machine::{Machine, Run, fatal};
use super::ops::Slot;
use super::value::{Value, compare};
use std::cmp::Ordering;
use std::rc::Rc;

impl Machine {
    pub(super) fn pop_key(&mut self) -> Key {
        let value = self.pop();
        Key::value(&value, &self.convfmt)
    }
    /// Takes an array from the stack.
    pub(super) fn pop_array(&mut self) -> Run<super::array::ArrayRef> {
        match self.pop() {
            Value::Array(array) => Ok(array),
            _ => fatal("attempt to use a scalar value as array"),
        }
    }
    pub(super) fn field_number(&mut self) -> Run<usize> {
        let n = self.pop().num();
        if n < 0.0 {
            return fatal(format!("attempt to access field {}", n.trunc()));
        }
        if n > 50_000_000.0 {
            return fatal(format!("attempt to access field {n}: that many fields do not fit into memory"));
        }
        Ok(n as usize)
    }

    pub(super) fn local_name(&self, n: u32) -> String {
        let function = self.frames.last().map_or(0, |f| f.function);
        let name = self.code.functions.get(function as usize).and_then(|f| f.params.get(n as usize));
        name.cloned().unwrap_or_default()
    }

    /// Returns the value in a slot; takes the operands of fields and elements from the stack.
    pub(super) fn load(&mut self, slot: Slot) -> Run<Value> {
        match slot {
            Slot::Special(n) => Ok(self.special(n as usize)),
            Slot::Global(n) => match &self.globals[n as usize] {
                Value::Array(array) if array.real.get() => {
                    fatal(format!("attempt to use array `{}' in a scalar context", self.code.globals[n as usize]))
                }
                Value::Array(array) => {
                    array.scalar.set(true);
                    Ok(Value::Unset)
                }
                Value::Unset => {
                    self.globals[n as usize] = self.unassigned.clone();
                    Ok(Value::Unset)
                }
                value => Ok(value.clone()),
            },
            Slot::Local(n) => match &self.stack[self.base + n as usize] {
                Value::Array(array) if array.real.get() => {
                    fatal(format!("attempt to use array `{}' in a scalar context", self.parameter(n)))
                }
                Value::Array(array) => {
                    array.scalar.set(true);
                    Ok(Value::Unset)
                }
                value => Ok(value.clone()),
            },
            Slot::Field => {
                let n = self.field_number()?;
                Ok(self.field(n))
            }
            Slot::Elem => {
                let key = self.pop_key();
                let array = self.pop_array()?;
                let value = array.table.borrow_mut().entry(key.clone()).clone();
                match &value {
                    Value::Array(inner) if inner.real.get() => self.not_scalar(&array, &key),
                    Value::Array(_) => Ok(Value::Unset),
                    _ => Ok(value),
                }
            }
        }
    }

    fn not_scalar<T>(&self, array: &super::array::ArrayRef, key: &Key) -> Run<T> {
        fatal(format!("attempt to use array `{}' in a scalar context", self.element(array, &key.to_text())))
    }

    pub(super) fn field(&mut self, n: usize) -> Value {
        if n == 0 { self.record.whole(&self.ofs, &self.convfmt) } else { self.record.field(n) }
    }

    pub(super) fn store(&mut self, slot: Slot, value: Value) -> Run<()> {
        // Only values are assigned: a passed name that was never used becomes the empty value.
        let value = match (value, slot) {
            (Value::Array(_) | Value::Unset, Slot::Global(_) | Slot::Local(_) | Slot::Elem) => self.unassigned.clone(),
            (Value::Array(_), _) => Value::Unset,
            (value, _) => value,
        };
        match slot {
            Slot::Special(n) => return self.set_special(n as usize, value),
            Slot::Global(n) => {
                let place = &mut self.globals[n as usize];
                if let Value::Array(array) = place {
                    if array.real.get() {
                        return fatal(format!("attempt to use array `{}' in a scalar context", self.code.globals[n as usize]));
                    }
                    array.scalar.set(true);
                }
                *place = value;
            }
            Slot::Local(n) => {
                let at = self.base + n as usize;
                if let Value::Array(array) = &self.stack[at] {
                    if array.real.get() {
                        return fatal(format!("attempt to use array `{}' in a scalar context", self.parameter(n)));
                    }
                    array.scalar.set(true);
                }
                self.stack[at] = value;
            }
            Slot::Field => {
                let n = self.field_number()?;
                self.assign_field(n, value);
            }
            Slot::Elem => {
                let key = self.pop_key();
                let array = self.pop_array()?;
                let mut table = array.table.borrow_mut();
                let place = table.entry(key.clone());
                if matches!(place, Value::Array(inner) if inner.real.get()) {
                    drop(table);
                    return self.not_scalar(&array, &key);
                }
                *place = value;
            }
        }
        Ok(())
    }

    /// Assigns a field.
    pub(super) fn assign_field(&mut self, n: usize, value: Value) {
        if n == 0 {
            let text = value.text(&self.convfmt);
            self.set_record(text);
            if !matches!(value, Value::Input(_)) {
                self.record.assign_whole(value);
            }
        } else {
            self.record.assign(n, value);
        }
    }

    /// Changes the value in a slot; returns the old and the new one as numbers.
    pub(super) fn change(&mut self, slot: Slot, change: impl FnOnce(f64) -> Run<f64>) -> Run<(f64, f64)> {
        match slot {
            Slot::Elem => {
                let key = self.pop_key();
                let array = self.pop_array()?;
                let mut table = array.table.borrow_mut();
                let place = table.entry(key.clone());
                if matches!(place, Value::Array(inner) if inner.real.get()) {
                    drop(table);
                    return self.not_scalar(&array, &key);
                }
                let old = place.num();
                let new = change(old)?;
                *place = Value::Num(new);
                Ok((old, new))
            }
            Slot::Field => {
                let n = self.field_number()?;
                let old = self.field(n).num();
                let new = change(old)?;
                self.assign_field(n, Value::Num(new));
                Ok((old, new))
            }
            Slot::Global(n) if matches!(self.globals[n as usize], Value::Num(_)) => {
                let old = self.globals[n as usize].num();
                let new = change(old)?;
                self.globals[n as usize] = Value::Num(new);
                Ok((old, new))
            }
            slot => {
                let old = self.load(slot)?.num();
                let new = change(old)?;
                self.store(slot, Value::Num(new))?;
                Ok((old, new))
            }
        }
    }

    pub(super) fn compare(&mut self, cmp: Cmp) -> bool {
        let b = self.pop();
        let a = self.pop();
        let ordering = match (&a, &b) {
            (Value::Num(x), Value::Num(y)) => x.partial_cmp(y),
            _ if self.fold => self.compare_folded(&a, &b),
            _ => compare(&a, &b, &self.convfmt),
        };
        match cmp {
            Cmp::Lt => ordering == Some(Ordering::Less),
            Cmp::Le => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
            Cmp::Eq => ordering == Some(Ordering::Equal),
            Cmp::Ne => ordering != Some(Ordering::Equal),
            Cmp::Gt => ordering == Some(Ordering::Greater),
            Cmp::Ge => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        }
    }

    pub(super) fn compare_folded(&self, a: &Value, b: &Value) -> Option<Ordering> {
        if let (Some(x), Some(y)) = (a.numeric(), b.numeric()) {
            return x.partial_cmp(&y);
        }
        let lower = |v: &Value| super::strings::map_case(&v.text(&self.convfmt), false, self.utf8);
        Some(lower(a).cmp(&lower(b)))
    }

    pub(super) fn concat(&mut self, count: usize) -> Value {
        let from = self.stack.len() - count;
        let length = self.stack[from..].iter().map(|v| if let Value::Str(s) | Value::Input(s) = v { s.len() } else { 8 }).sum();
        let mut out = Vec::with_capacity(length);
        for value in self.stack.drain(from..) {
            value.append(&self.convfmt, &mut out);
        }
        Value::str(out)
    }

    pub(super) fn append(&mut self, slot: Slot, count: usize) -> Run<()> {
        let from = self.stack.len() - count;
        let parts: Vec<Value> = self.stack.drain(from..).collect();
        let place = match slot {
            Slot::Global(n) => &mut self.globals[n as usize],
            Slot::Local(n) => &mut self.stack[self.base + n as usize],
            _ => return fatal("internal error: append to a target that is not a variable"),
        };
        if let Value::Array(array) = place
            && array.real.get()
        {
            return fatal("attempt to use an array in a scalar context");
        }
        // Outside the variable, the text has one owner and can grow in place.
        let mut text = match std::mem::replace(place, Value::Unset) {
            Value::Str(text) | Value::Input(text) => text,
            other => other.text(&self.convfmt),
        };
        let out = Rc::make_mut(&mut text);
        parts.iter().for_each(|p| p.append(&self.convfmt, out));
        *place = Value::Str(text);
        self.push(Value::Str(self.text_of(slot)));
        Ok(())
    }

    pub(super) fn text_of(&self, slot: Slot) -> super::value::Str {
        match slot {
            Slot::Global(n) => self.globals[n as usize].text(&self.convfmt),
            Slot::Local(n) => self.stack[self.base + n as usize].text(&self.convfmt),
            _ => Rc::default(),
        }
    }
}

/// Returns a name as an argument: an array, or a name that may become one.
pub(super) fn argument(place: &mut Value) -> Value {
    if let Value::Unset = place {
        *place = Value::Array(Rc::new(Array::default()));
    }
    place.clone()
}

/// Returns an operation on two numbers.
#[inline]
pub(super) fn arith(op: Arith, a: f64, b: f64) -> Run<f64> {
    Ok(match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div if b == 0.0 => return fatal("division by zero attempted"),
        Arith::Div => a / b,
        Arith::Mod if b == 0.0 => return fatal("division by zero attempted in `%'"),
        Arith::Mod => a % b,
        Arith::Pow => super::math::power(a, b),
    })
}

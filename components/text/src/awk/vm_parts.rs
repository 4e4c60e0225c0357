//! Running the longer instructions. What is on the path of every loop is inlined into the machine's.

use super::ast::Cmp;
use super::machine::{Machine, Run, fatal};
use super::ops::Slot;
use super::value::Value;

/// Returns how many values on top of the stack an assignment to a slot takes: the new value, and the indexes of the target.
#[inline]
pub(super) fn operands(slot: Slot) -> usize {
    match slot {
        Slot::Field => 2,
        Slot::Elem => 3,
        _ => 1,
    }
}

impl Machine {
    /// Stores a value that is not needed further.
    #[inline]
    pub(super) fn store_pop(&mut self, slot: Slot) -> Run<()> {
        match slot {
            Slot::Field => {
                let n = self.field_number()?;
                let value = self.pop();
                self.assign_field(n, value);
            }
            Slot::Elem => {
                let at = self.stack.len() - 3;
                let value = std::mem::replace(&mut self.stack[at], Value::Unset);
                self.store(slot, value)?;
                self.pop();
            }
            slot => {
                let value = self.pop();
                self.store(slot, value)?;
            }
        }
        Ok(())
    }

    /// Pushes a parameter that is used as an array.
    #[inline]
    pub(super) fn array_local(&mut self, n: u32) -> Run<()> {
        let at = self.base + n as usize;
        let array = match &self.stack[at] {
            Value::Array(array) if array.scalar.get() => {
                return fatal(format!("attempt to use scalar parameter `{}' as an array", self.local_name(n)));
            }
            Value::Array(_) | Value::Unset => Self::array(&mut self.stack[at], String::new)?,
            _ => return fatal(format!("attempt to use scalar parameter `{}' as an array", self.local_name(n))),
        };
        self.stack.push(Value::Array(array));
        Ok(())
    }

    /// Pushes an element that is an array.
    #[inline]
    pub(super) fn array_element(&mut self) -> Run<()> {
        let key = self.pop_key();
        let array = self.pop_array()?;
        let inner = Self::array(array.table.borrow_mut().entry(key.clone()), String::new)
            .or_else(|_| fatal(format!("attempt to use scalar `{}' as an array", self.element(&array, &key.to_text()))))?;
        self.stack.push(Value::Array(inner));
        Ok(())
    }

    /// Pushes the key of several subscripts, with SUBSEP between them.
    #[inline]
    pub(super) fn join(&mut self, count: usize) {
        let from = self.stack.len() - count;
        let mut out = Vec::new();
        for (at, value) in self.stack.drain(from..).enumerate() {
            if at > 0 {
                out.extend_from_slice(&self.subsep);
            }
            value.append(&self.convfmt, &mut out);
        }
        self.stack.push(Value::str(out));
    }

    /// Compares the two values on top, which are mostly numbers.
    #[inline]
    pub(super) fn compare_top(&mut self, cmp: Cmp) -> bool {
        let [.., Value::Num(a), Value::Num(b)] = self.stack[..] else { return self.compare(cmp) };
        let top = self.stack.len() - 2;
        self.stack.truncate(top);
        match cmp {
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }

    /// Implements `@name(…)`; returns where to go on.
    pub(super) fn call_by_name(&mut self, args: usize, back: usize) -> Run<usize> {
        let at = self.stack.len() - 1 - args;
        let name = self.stack.remove(at).text(&self.convfmt);
        let name = String::from_utf8_lossy(&name).into_owned();
        match self.code.functions.iter().position(|f| f.name == name) {
            Some(function) if self.code.functions[function].params.len() < args => {
                fatal(format!("function `{name}' called with more arguments than declared"))
            }
            Some(function) => self.enter(function as u32, args, back),
            None => match super::builtin::find(&name) {
                Some(builtin) => {
                    self.indirect(builtin, args)?;
                    Ok(back)
                }
                None => fatal(format!("`{name}' is not a function, so it cannot be called indirectly")),
            },
        }
    }

    /// Drops the target of a `getline` that read nothing.
    pub(super) fn drop_target(&mut self, slot: Slot) -> Run<()> {
        match slot {
            Slot::Field => drop(self.field_number()?),
            Slot::Elem => {
                let key = self.pop_key();
                self.pop_array()?.table.borrow_mut().entry(key);
            }
            _ => {}
        }
        self.pop();
        Ok(())
    }

    /// Pushes whether the value of a `switch`, which stays on the stack, is that of a `case`.
    pub(super) fn case(&mut self) {
        let case = self.pop();
        let value = self.stack.last().cloned().unwrap_or(Value::Unset);
        let found = match &case {
            Value::Regex(pattern) => pattern.regex.is_match(&value.text(&self.convfmt)),
            other => super::value::equal(&value, other, &self.convfmt),
        };
        self.stack.push(Value::bool(found));
    }
}

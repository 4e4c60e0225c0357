//! The names of variables and elements, for messages.

use super::array::ArrayRef;
use super::machine::Machine;
use super::value::Value;
use std::rc::Rc;

/// Elements nested deeper than this have no name.
const DEEPEST: usize = 8;

impl Machine {
    /// Returns a parameter that is an array: its name, and the name of the array that was passed.
    pub(super) fn parameter(&self, number: u32) -> String {
        let own = self.local_name(number);
        let Some(Value::Array(array)) = self.stack.get(self.base + number as usize) else { return own };
        let mut from = Vec::new();
        for at in (0..self.frames.len()).rev() {
            let name = match at.checked_sub(1) {
                Some(outer) => self.in_frame(array, self.frames[outer].function, self.frames[at].base, 0),
                None => self.in_globals(array),
            };
            match name {
                Some(name) => from.push(format!("from {name}")),
                None => break,
            }
        }
        if from.is_empty() { own } else { format!("{own} ({})", from.join(", ")) }
    }

    /// Returns the name of an element of an array: `x["1"]`.
    pub(super) fn element(&self, array: &ArrayRef, key: &[u8]) -> String {
        let here = || self.frames.last().and_then(|f| self.in_frame(array, f.function, self.base, DEEPEST));
        let outer = self.in_globals(array).or_else(here).unwrap_or_default();
        format!("{outer}[\"{}\"]", String::from_utf8_lossy(key))
    }

    fn in_frame(&self, array: &ArrayRef, function: u32, base: usize, depth: usize) -> Option<String> {
        let params = &self.code.functions.get(function as usize)?.params;
        params.iter().enumerate().find_map(|(at, name)| find(self.stack.get(base + at)?, array, name, depth))
    }

    fn in_globals(&self, array: &ArrayRef) -> Option<String> {
        self.globals.iter().zip(&self.code.globals).find_map(|(value, name)| find(value, array, name, DEEPEST))
    }
}

fn find(value: &Value, wanted: &ArrayRef, name: &str, depth: usize) -> Option<String> {
    let Value::Array(array) = value else { return None };
    if Rc::ptr_eq(array, wanted) {
        return Some(name.to_owned());
    }
    // A table that is being changed cannot be searched for names.
    let table = array.table.try_borrow().ok().filter(|_| depth > 0)?;
    let mut inner = table.iter().filter(|(_, value)| matches!(value, Value::Array(_)));
    inner.find_map(|(key, value)| find(value, wanted, &format!("{name}[\"{}\"]", String::from_utf8_lossy(&key.to_text())), depth - 1))
}

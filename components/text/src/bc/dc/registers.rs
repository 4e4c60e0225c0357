//! The registers of `dc`: each has a stack and arrays.

use super::{Machine, Value};
use crate::bc::number::Number;
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct Register {
    stack: Vec<Value>,
    arrays: Vec<HashMap<i64, Value>>,
}

impl Machine {
    pub(super) fn register(&mut self, what: u8, name: u8) {
        let shown = || if name.is_ascii_graphic() { format!("'{}' (0{name:o})", char::from(name)) } else { format!("0{name:o}") };
        match what {
            b's' | b'S' => {
                let Some(value) = self.pop() else { return };
                let register = self.registers.entry(name).or_default();
                if what == b's' {
                    register.stack.pop();
                } else {
                    register.arrays.push(HashMap::new());
                }
                register.stack.push(value);
            }
            b'l' => {
                let value = self.registers.get(&name).and_then(|r| r.stack.last()).cloned();
                self.stack.push(value.unwrap_or_else(|| Value::Number(Number::zero())));
            }
            b'L' => match self.registers.get_mut(&name).and_then(|r| r.stack.pop()) {
                Some(value) => self.stack.push(value),
                None => self.complain(&format!("stack register {} is empty", shown())),
            },
            _ => {
                let Some(index) = self.number().and_then(|n| n.to_i64()) else { return };
                if what == b':' {
                    let Some(value) = self.pop() else { return };
                    let register = self.registers.entry(name).or_default();
                    if register.arrays.is_empty() {
                        register.arrays.push(HashMap::new());
                    }
                    if let Some(array) = register.arrays.last_mut() {
                        array.insert(index, value);
                    }
                } else {
                    let value = self.registers.get(&name).and_then(|r| r.arrays.last()).and_then(|a| a.get(&index)).cloned();
                    self.stack.push(value.unwrap_or_else(|| Value::Number(Number::zero())));
                }
            }
        }
    }

    pub(super) fn macro_of(&mut self, name: u8) -> Option<Vec<u8>> {
        match self.registers.get(&name).and_then(|r| r.stack.last()).cloned() {
            Some(Value::Text(text)) => Some(text),
            Some(number) => {
                self.stack.push(number);
                None
            }
            None => {
                self.stack.push(Value::Number(Number::zero()));
                None
            }
        }
    }
}

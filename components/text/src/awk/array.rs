//! Arrays. Elements stay in the order of insertion; a key whose text is an integer is stored as a number.

use super::value::{Str, Value};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// An array; variables, parameters and elements may share it.
pub(super) type ArrayRef = Rc<Array>;

/// A key: an integer if its text is the usual way of writing one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// `12`.
    Int(i64),
    /// Anything else.
    Str(Str),
}

impl Key {
    /// Returns the key for a text.
    pub(super) fn text(text: &Str) -> Self {
        canonical(text).map_or_else(|| Self::Str(text.clone()), Self::Int)
    }
    /// Returns the key for a value.
    pub(super) fn value(value: &Value, format: &[u8]) -> Self {
        match value {
            Value::Num(n) if n.trunc() == *n && n.abs() < 1e15 => Self::Int(*n as i64),
            other => Self::text(&other.text(format)),
        }
    }
    /// Returns the text of the key.
    pub(super) fn to_text(&self) -> Str {
        match self {
            Self::Int(n) => {
                let mut text = Vec::with_capacity(8);
                super::number::write(*n as f64, b"", &mut text);
                Rc::new(text)
            }
            Self::Str(s) => s.clone(),
        }
    }
}

/// Returns the integer of which a text is the usual way of writing.
fn canonical(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || digits.len() > 15 || (digits[0] == b'0' && text.len() > 1) {
        return None;
    }
    let mut value = 0_i64;
    for b in digits {
        if !b.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(b - b'0');
    }
    Some(if digits.len() < text.len() { -value } else { value })
}

/// A fast hash. It need not resist attacks: all keys belong to the user.
#[derive(Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_i64(&mut self, n: i64) {
        self.write_u64(n as u64);
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

/// The contents of an array.
#[derive(Default)]
pub(super) struct Table {
    index: HashMap<Key, u32, BuildHasherDefault<Mix>>,
    entries: Vec<Option<(Key, Value)>>,
    /// Elements whose keys are consecutive numbers, and the first key: 0 or 1.
    dense: Vec<Value>,
    base: i64,
    /// Whether the first key was a number.
    numbers: bool,
}

impl Table {
    /// Returns how many elements there are.
    pub(super) fn len(&self) -> usize {
        self.dense.len() + self.index.len()
    }
    /// Returns the place of a key among the dense ones.
    fn slot(&self, key: &Key) -> Option<usize> {
        match key {
            Key::Int(n) => usize::try_from(n - self.base).ok().filter(|at| *at < self.dense.len()),
            Key::Str(_) => None,
        }
    }
    /// Returns whether an element exists.
    pub(super) fn contains(&self, key: &Key) -> bool {
        self.slot(key).is_some() || self.index.contains_key(key)
    }
    /// Returns an element.
    pub(super) fn get(&self, key: &Key) -> Option<&Value> {
        if let Some(at) = self.slot(key) {
            return self.dense.get(at);
        }
        let at = *self.index.get(key)?;
        self.entries[at as usize].as_ref().map(|(_, v)| v)
    }
    /// Returns an element; creates it if it does not exist.
    pub(super) fn entry(&mut self, key: Key) -> &mut Value {
        if let Some(at) = self.slot(&key) {
            return &mut self.dense[at];
        }
        if self.index.is_empty()
            && let Key::Int(n) = key
        {
            if self.dense.is_empty() && (n == 0 || n == 1) {
                self.base = n;
            }
            if n - self.base == self.dense.len() as i64 && (n > 1 || n == self.base) {
                self.numbers |= self.dense.is_empty();
                let at = self.dense.len();
                self.dense.push(Value::Unset);
                return &mut self.dense[at];
            }
        }
        if self.index.is_empty() {
            if self.dense.is_empty() {
                self.numbers = matches!(key, Key::Int(_));
            }
            self.entries.clear();
        }
        let at = match self.index.entry(key) {
            Entry::Occupied(found) => *found.get() as usize,
            Entry::Vacant(place) => {
                let at = self.entries.len();
                self.entries.push(Some((place.key().clone(), Value::Unset)));
                place.insert(at as u32);
                at
            }
        };
        // The index holds only filled places.
        &mut self.entries[at].get_or_insert_with(|| (Key::Int(0), Value::Unset)).1
    }
    /// Sets an element.
    pub(super) fn set(&mut self, key: Key, value: Value) {
        *self.entry(key) = value;
    }
    /// Removes an element.
    pub(super) fn remove(&mut self, key: &Key) {
        if let Some(at) = self.slot(key) {
            if at + 1 == self.dense.len() {
                self.dense.pop();
                return;
            }
            self.spill();
        }
        if let Some(at) = self.index.remove(key) {
            self.entries[at as usize] = None;
            if self.entries.len() > 32 && self.index.len() * 2 < self.entries.len() {
                self.entries.retain(Option::is_some);
                self.index.clear();
                let keys = self.entries.iter().enumerate().filter_map(|(at, e)| e.as_ref().map(|(k, _)| (k.clone(), at as u32)));
                self.index.extend(keys);
            }
        }
    }
    /// Turns the dense elements into ordinary ones.
    fn spill(&mut self) {
        let base = self.base;
        let dense = std::mem::take(&mut self.dense);
        let mut entries: Vec<Option<(Key, Value)>> =
            dense.into_iter().enumerate().map(|(n, v)| Some((Key::Int(base + n as i64), v))).collect();
        entries.append(&mut self.entries);
        self.entries = entries;
        let keys = self.entries.iter().enumerate().filter_map(|(at, e)| e.as_ref().map(|(k, _)| (k.clone(), at as u32)));
        self.index = keys.collect();
    }
    /// Returns the elements in the order of insertion.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, &Value)> {
        let dense = self.dense.iter().enumerate().map(|(n, v)| (Key::Int(self.base + n as i64), v));
        dense.chain(self.entries.iter().flatten().map(|(k, v)| (k.clone(), v)))
    }
    /// Returns the keys in the order in which gawk visits them. An array whose first key was a number gives the other keys first, then
    /// its numbers by size. Strings follow the hash table of 13, 127, 1021, … chains, the newest key of a chain first.
    pub(super) fn usual_order(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = self.iter().map(|(k, _)| k).collect();
        let number = |k: &Key| matches!(k, Key::Int(n) if *n > 0);
        if self.numbers && self.index.is_empty() {
            return keys;
        }
        if !self.numbers {
            return chains(keys);
        }
        let mut numbers: Vec<Key> = keys.iter().filter(|k| number(k)).cloned().collect();
        numbers.sort_by_key(|k| if let Key::Int(n) = k { *n } else { 0 });
        keys.retain(|k| !number(k));
        let mut all = chains(keys);
        all.extend(numbers);
        all
    }
    /// Removes everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// How many chains a table has, growing when more than two keys would share one on average.
const CHAINS: [usize; 8] = [13, 127, 1021, 8191, 131_071, 1_048_573, 8_388_593, 16_777_213];

fn hash(key: &Key) -> u32 {
    key.to_text().iter().fold(0_u32, |h, b| h.wrapping_mul(65599).wrapping_add(u32::from(*b)))
}

/// Returns the order of keys in a table of chains.
fn chains(keys: Vec<Key>) -> Vec<Key> {
    let hashes: Vec<u32> = keys.iter().map(hash).collect();
    let mut level = 0;
    let place = |at: usize, level: usize| hashes[at] as usize % CHAINS[level];
    // A chain has its newest key last here, and is read from its end.
    let mut table: Vec<Vec<u32>> = vec![Vec::new(); CHAINS[0]];
    for at in 0..keys.len() {
        if (at + 1) / CHAINS[level] > 2 && level + 1 < CHAINS.len() {
            level += 1;
            let mut grown = vec![Vec::new(); CHAINS[level]];
            for chain in table {
                for key in chain.into_iter().rev() {
                    grown[place(key as usize, level)].push(key);
                }
            }
            table = grown;
        }
        table[place(at, level)].push(at as u32);
    }
    let mut keys: Vec<Option<Key>> = keys.into_iter().map(Some).collect();
    table.into_iter().flat_map(|chain| chain.into_iter().rev()).filter_map(|at| keys[at as usize].take()).collect()
}

/// An array, or a name that may become one because a function received it before its first use.
#[derive(Default)]
pub(super) struct Array {
    /// The elements.
    pub table: RefCell<Table>,
    /// Whether it was used as an array.
    pub real: Cell<bool>,
    /// Whether it was used as a scalar, so that it cannot become an array.
    pub scalar: Cell<bool>,
}

impl Array {
    /// Creates a new array.
    pub(super) fn real() -> ArrayRef {
        let array = Self::default();
        array.real.set(true);
        Rc::new(array)
    }
    /// Returns the value of a name that was used, but never assigned.
    pub(super) fn unassigned() -> ArrayRef {
        let array = Self::default();
        array.scalar.set(true);
        Rc::new(array)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_integers() {
        let key = |s: &str| Key::text(&Rc::new(s.as_bytes().to_vec()));
        assert_eq!(key("12"), Key::Int(12));
        assert_eq!(key("-3"), Key::Int(-3));
        assert!(matches!(key("012"), Key::Str(_)));
        assert!(matches!(key("-0"), Key::Str(_)));
        assert!(matches!(key("1.0"), Key::Str(_)));
        assert_eq!(key("0"), Key::Int(0));
    }

    /// What gawk 5.2.1 printed.
    #[test]
    fn keys_come_in_gawks_order() {
        let order = |keys: &str| {
            let mut table = Table::default();
            keys.split(' ').for_each(|k| table.set(Key::text(&Rc::new(k.as_bytes().to_vec())), Value::Unset));
            let all: Vec<String> = table.usual_order().iter().map(|k| String::from_utf8_lossy(&k.to_text()).into_owned()).collect();
            all.join(" ")
        };
        assert_eq!(order("foo bar baz"), "foo baz bar");
        assert_eq!(order("3 1 2 10 7 100 -5"), "-5 1 2 3 7 10 100");
        assert_eq!(order("x 1 a 5 01 2.5"), "5 x 01 a 1 2.5");
        assert_eq!(
            order("zebra apple mango kiwi banana cherry fig date grape lemon"),
            "mango zebra fig apple banana grape lemon cherry date kiwi"
        );
    }

    #[test]
    fn order_survives_removal() {
        let mut table = Table::default();
        (0..100).for_each(|n| table.set(Key::Int(n), Value::Num(n as f64)));
        (0..80).for_each(|n| table.remove(&Key::Int(n)));
        let keys: Vec<Key> = table.iter().map(|(k, _)| k).collect();
        assert_eq!(keys, (80..100).map(Key::Int).collect::<Vec<_>>());
        assert_eq!(table.get(&Key::Int(85)).map(Value::num), Some(85.0));
    }
}

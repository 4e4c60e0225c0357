//! Arrays.

use std::collections::BTreeMap;

/// An indexed array: dense at its start, as nearly all are, and sparse after that.
#[derive(Debug, Clone, Default)]
pub struct Indexed {
    dense: Vec<Option<Vec<u8>>>,
    sparse: BTreeMap<i64, Vec<u8>>,
    count: usize,
}

/// How far after the end of the dense part an element may be and still extend it.
const GAP: i64 = 64;

impl Indexed {
    /// Returns an array of these elements, from 0.
    pub fn from_list(list: Vec<Vec<u8>>) -> Self {
        let count = list.len();
        Self { dense: list.into_iter().map(Some).collect(), sparse: BTreeMap::new(), count }
    }
    /// Returns the element at `index`.
    pub fn get(&self, index: i64) -> Option<&[u8]> {
        match usize::try_from(index).ok().and_then(|at| self.dense.get(at)) {
            Some(slot) => slot.as_deref(),
            None => self.sparse.get(&index).map(Vec::as_slice),
        }
    }
    /// Sets the element at `index`, which is not negative.
    pub fn set(&mut self, index: i64, value: Vec<u8>) {
        let len = self.dense.len() as i64;
        if index < len + GAP && self.sparse.is_empty() {
            if index >= len {
                self.dense.resize(index as usize + 1, None);
            }
            if self.dense[index as usize].replace(value).is_none() {
                self.count += 1;
            }
        } else if index < len {
            if self.dense[index as usize].replace(value).is_none() {
                self.count += 1;
            }
        } else if self.sparse.insert(index, value).is_none() {
            self.count += 1;
        }
    }
    /// Removes the element at `index`.
    pub fn remove(&mut self, index: i64) {
        let removed = match usize::try_from(index).ok().and_then(|at| self.dense.get_mut(at)) {
            Some(slot) => slot.take(),
            None => self.sparse.remove(&index),
        };
        if removed.is_some() {
            self.count -= 1;
            while matches!(self.dense.last(), Some(None)) {
                self.dense.pop();
            }
        }
    }
    /// Returns how many elements there are.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Returns one more than the highest index.
    pub fn end(&self) -> i64 {
        match self.sparse.last_key_value() {
            Some((index, _)) => index.saturating_add(1),
            None => self.dense.len() as i64,
        }
    }
    /// Returns the elements with their indices, in order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Vec<u8>)> {
        self.dense
            .iter()
            .enumerate()
            .filter_map(|(at, slot)| slot.as_ref().map(|value| (at as i64, value)))
            .chain(self.sparse.iter().map(|(at, value)| (*at, value)))
    }
}

/// An associative array. Its order is the one bash shows: by the FNV-1 hash of the key over 1,024 buckets, the newest
/// key of a bucket first.
#[derive(Debug, Clone, Default)]
pub struct Assoc {
    buckets: BTreeMap<u32, Vec<Pair>>,
    count: usize,
}

/// A key and its value.
type Pair = (Vec<u8>, Vec<u8>);

/// Buckets of bash's associative arrays.
const BUCKETS: u32 = 1024;

fn bucket(key: &[u8]) -> u32 {
    let mut hash: u32 = 2_166_136_261;
    for byte in key {
        // bash's characters have a sign.
        hash = hash.wrapping_mul(16_777_619) ^ (*byte as i8 as u32);
    }
    hash & (BUCKETS - 1)
}

impl Assoc {
    /// Returns the value of `key`.
    pub fn get(&self, key: &[u8]) -> Option<&[u8]> {
        self.buckets.get(&bucket(key))?.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_slice())
    }
    /// Sets the value of `key`.
    pub fn set(&mut self, key: Vec<u8>, value: Vec<u8>) {
        let bucket = self.buckets.entry(bucket(&key)).or_default();
        match bucket.iter_mut().find(|(k, _)| *k == key) {
            Some((_, old)) => *old = value,
            None => {
                bucket.insert(0, (key, value));
                self.count += 1;
            }
        }
    }
    /// Removes `key`.
    pub fn remove(&mut self, key: &[u8]) {
        let at = bucket(key);
        if let Some(bucket) = self.buckets.get_mut(&at) {
            let before = bucket.len();
            bucket.retain(|(k, _)| k != key);
            self.count -= before - bucket.len();
            if bucket.is_empty() {
                self.buckets.remove(&at);
            }
        }
    }
    /// Returns how many keys there are.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Returns the keys and values in bash's order.
    pub fn iter(&self) -> impl Iterator<Item = (&Vec<u8>, &Vec<u8>)> {
        self.buckets.values().flatten().map(|(k, v)| (k, v))
    }
}

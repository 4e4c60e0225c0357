//! JSON values as jq has them: objects in the order of insertion, numbers that keep their literal.

mod number;
mod order;
mod parse;
mod paths;
mod print;
mod stream;

pub(crate) use number::{Literal, format_number, number_from_text};
pub(crate) use order::{compare, contains, equal, sort_values, sorted_keys};
pub(crate) use parse::{Parser, parse_all, parse_one};
pub(crate) use paths::{delete_paths, extreme, get, get_path, has, merge, set_path, take_path, type_error, type_error2, without};
pub(crate) use print::{Colors, Style, brief, print, to_text};

use indexmap::IndexMap;
use std::cell::{Cell, RefCell};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// Text of JSON, shared.
pub(crate) type Str = Rc<String>;
/// The members of an object.
pub(crate) type Map = IndexMap<Str, Val, BuildHasherDefault<Fnv>>;

/// Deepest nesting that is read, compared or printed.
pub(crate) const MAX_DEPTH: usize = 10_000;

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Val {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number whose literal, if there was one, says no more than the double does.
    Num(f64),
    /// A number as it was written.
    Lit(Rc<Literal>),
    /// A string.
    Str(Str),
    /// An array.
    Arr(Rc<Items>),
    /// An object.
    Obj(Rc<Fields>),
}

/// The elements of an array.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items(pub Vec<Val>);

/// The members of an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(pub Map);

impl Val {
    /// Returns a string.
    pub(crate) fn str(text: impl Into<String>) -> Self {
        Self::Str(Rc::new(text.into()))
    }
    /// Returns an array.
    pub(crate) fn arr(items: Vec<Self>) -> Self {
        Self::Arr(Rc::new(Items(items)))
    }
    /// Returns an object.
    pub(crate) fn obj(map: Map) -> Self {
        Self::Obj(Rc::new(Fields(map)))
    }
    /// Returns an object from pairs.
    pub(crate) fn fields<const N: usize>(pairs: [(&str, Self); N]) -> Self {
        Self::obj(pairs.into_iter().map(|(k, v)| (Rc::new(k.to_owned()), v)).collect())
    }
    /// Returns what `type` says.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Num(_) | Self::Lit(_) => "number",
            Self::Str(_) => "string",
            Self::Arr(_) => "array",
            Self::Obj(_) => "object",
        }
    }
    /// Returns whether a condition holds: everything but `null` and `false`.
    pub(crate) fn is_true(&self) -> bool {
        !matches!(self, Self::Null | Self::Bool(false))
    }
    /// Returns the number, if it is one.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Num(n) => Some(*n),
            Self::Lit(l) => Some(l.value),
            _ => None,
        }
    }
    /// Returns the string, if it is one.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(s) => Some(s),
            _ => None,
        }
    }
    /// Returns whether two values are one: the same storage, or the same scalar. jq's path tracking asks this.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Num(a), Self::Num(b)) => a.to_bits() == b.to_bits(),
            (Self::Lit(a), Self::Lit(b)) => Rc::ptr_eq(a, b),
            (Self::Str(a), Self::Str(b)) => Rc::ptr_eq(a, b),
            (Self::Arr(a), Self::Arr(b)) => Rc::ptr_eq(a, b),
            (Self::Obj(a), Self::Obj(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
    /// Returns the value as text: a string is itself, everything else is JSON.
    pub(crate) fn text(&self) -> Str {
        match self {
            Self::Str(s) => s.clone(),
            other => Rc::new(to_text(other)),
        }
    }
}

/// The hash of keys: FNV-1a, good enough for names of members.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    fn finish(&self) -> u64 {
        // The table takes its tag from the top bits, which FNV mixes least.
        self.0 ^ self.0.rotate_left(29)
    }
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LATER: RefCell<Vec<Vec<Val>>> = const { RefCell::new(Vec::new()) };
}

/// How deep values are dropped by recursion; what is deeper is dropped later, in a loop.
const DROP_DEPTH: u32 = 100;

fn bury(children: Vec<Val>) {
    let depth = DEPTH.with(Cell::get);
    if depth >= DROP_DEPTH {
        LATER.with(|later| later.borrow_mut().push(children));
        return;
    }
    DEPTH.with(|d| d.set(depth + 1));
    drop(children);
    if depth == 0 {
        while let Some(more) = LATER.with(|later| later.borrow_mut().pop()) {
            drop(more);
        }
    }
    DEPTH.with(|d| d.set(depth));
}

fn has_children(val: &Val) -> bool {
    matches!(val, Val::Arr(_) | Val::Obj(_))
}

impl Drop for Items {
    fn drop(&mut self) {
        if self.0.iter().any(has_children) {
            bury(std::mem::take(&mut self.0));
        }
    }
}

impl Drop for Fields {
    fn drop(&mut self) {
        if self.0.values().any(has_children) {
            bury(std::mem::take(&mut self.0).into_values().collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_values_are_dropped_without_recursion() {
        let mut val = Val::arr(Vec::new());
        for at in 0..200_000 {
            val = if at % 2 == 0 { Val::arr(vec![val]) } else { Val::fields([("a", val)]) };
        }
        drop(val);
    }

    #[test]
    fn identity_is_storage_or_scalar() {
        let a = Val::str("x");
        assert!(a.same(&a.clone()));
        assert!(!a.same(&Val::str("x")));
        assert!(Val::Num(1.0).same(&Val::Num(1.0)));
        assert!(!Val::Null.same(&Val::Bool(false)));
    }
}

//! The frames of continuations (what to do with a value), and the choices to which the machine can return.

use super::Native;
use super::env::{Env, Kont, Place};
use crate::json::{Fields, Items, Val};
use crate::lang::{Node, Op};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What becomes of the values that a [`Gather`] has collected.
#[derive(Clone, Copy)]
pub(super) enum Then {
    Native(Native),
    Binary(Op),
    Negate,
    /// The key is known: continue with the term that it indexes.
    Index(&'static Node, bool),
    /// The term, whether there is a start and an end, whether it is optional.
    Slice(&'static Node, bool, bool, bool),
    Text(&'static Node),
    Object,
    GetPath,
    Range,
}

/// Collects the values of several parts, each in turn evaluated with the same input and no path tracking.
#[derive(Clone)]
pub(super) struct Gather {
    pub parts: Rc<[&'static Node]>,
    pub values: Vec<Val>,
    pub input: Val,
    pub env: Env,
    pub saved: Option<Place>,
    pub then: Then,
}

/// The state of `paths |= change`.
pub(super) struct Change {
    pub val: Val,
    pub paths: Vec<Val>,
    pub at: usize,
    pub gone: Vec<Val>,
}

/// What to do with a value.
#[derive(Clone)]
pub(super) enum Frame {
    Pipe(&'static Node, Env),
    Gather(Box<Gather>),
    /// The value is a term: take what the key names.
    IndexBy(Val, bool),
    Iterate(bool),
    Branch(&'static Node, &'static Node, Val, Env, Option<Place>),
    /// The left side of `and` (true) or `or` is known.
    Logic(bool, &'static Node, Val, Env, Option<Place>),
    Truth(Option<Place>),
    Alternative(Rc<Cell<bool>>),
    Bind(&'static Node, Val, Env, Option<Place>),
    TryEnd(u64),
    Collect(Rc<RefCell<Vec<Val>>>),
    CollectPath(Rc<RefCell<Vec<Val>>>),
    PathEnd(Option<Place>),
    ReduceInit(&'static Node, Val, Env),
    ReduceItem(Rc<RefCell<Val>>, &'static Node, Env),
    ReduceStore(Rc<RefCell<Val>>),
    ForeachInit(&'static Node, Val, Env),
    ForeachItem(Rc<RefCell<Val>>, &'static Node, Env),
    /// The change of one path is known; the choices above this number are its other values.
    Changed(Rc<RefCell<Change>>, &'static Node, Env, usize),
}

/// A choice to which the machine can return.
pub(super) enum Choice {
    /// Run another node with the same input.
    Other(&'static Node, Val, Env, Kont, Option<Place>),
    Elements(Rc<Items>, usize, Kont, Option<Place>),
    Members(Rc<Fields>, usize, Kont, Option<Place>),
    Range(f64, f64, Kont, Option<Place>),
    Collected(Rc<RefCell<Vec<Val>>>, Kont, Option<Place>),
    /// All paths are known: set them to this, or change them.
    SetPaths(Rc<RefCell<Vec<Val>>>, Val, Val, Kont, Option<Place>),
    ChangePaths(Rc<RefCell<Vec<Val>>>, &'static Node, Val, Env, Kont, Option<Place>),
    /// A path whose change gives nothing.
    Unchanged(Rc<RefCell<Change>>, &'static Node, Env, Kont, Option<Place>),
    Reduced(Rc<RefCell<Val>>, Kont, Option<Place>),
    Try(u64, Option<&'static Node>, Env, Kont, Option<Place>),
    /// The body of that `try` has given a value: it does not catch later errors.
    TryPassed(u64),
    Label(u64),
    Alternative(Rc<Cell<bool>>, &'static Node, Val, Env, Kont, Option<Place>),
    /// `?//`: the patterns that are left.
    Patterns(&'static [&'static Node], Val, Env, Kont, Option<Place>),
}

//! Environments and continuations: linked lists that share their tails, and are dropped without recursion.

use super::frame::Frame;
use crate::json::Val;
use crate::lang::Node;
use std::cell::RefCell;
use std::rc::Rc;

/// One binding.
#[derive(Clone)]
pub(super) enum Entry {
    /// A variable.
    Val(Val),
    /// An argument: what to run, and where its names are bound.
    Closure(&'static Node, Env),
    /// A label that `break` can name.
    Label(u64),
    /// The state of a `foreach`.
    State(Rc<RefCell<Val>>),
}

/// An environment.
#[derive(Clone, Default)]
pub(super) struct Env(Option<Rc<Bound>>);

pub(super) struct Bound {
    entry: Entry,
    next: Env,
}

impl Env {
    /// Returns the environment with one more binding.
    pub(super) fn with(self, entry: Entry) -> Self {
        Self(Some(Rc::new(Bound { entry, next: self })))
    }

    /// Returns the binding at a place, the innermost being 0.
    pub(super) fn at(&self, mut place: usize) -> Option<&Entry> {
        let mut bound = self.0.as_ref()?;
        while place > 0 {
            bound = bound.next.0.as_ref()?;
            place -= 1;
        }
        Some(&bound.entry)
    }

    /// Returns the environment without the innermost bindings.
    pub(super) fn up(&self, mut levels: usize) -> Self {
        let mut env = self;
        while levels > 0
            && let Some(bound) = &env.0
        {
            env = &bound.next;
            levels -= 1;
        }
        env.clone()
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        let Some(bound) = self.0.take() else { return };
        let mut todo = vec![bound];
        while let Some(bound) = todo.pop() {
            if let Ok(mut bound) = Rc::try_unwrap(bound) {
                todo.extend(bound.next.0.take());
                if let Entry::Closure(_, env) = &mut bound.entry {
                    todo.extend(env.0.take());
                }
            }
        }
    }
}

/// What to do with a value: a list of frames.
#[derive(Clone, Default)]
pub(super) struct Kont(Option<Rc<Link>>);

pub(super) struct Link {
    frame: Frame,
    next: Kont,
}

impl Kont {
    /// Returns the stack with one more frame to go through first.
    pub(super) fn with(self, frame: Frame) -> Self {
        Self(Some(Rc::new(Link { frame, next: self })))
    }

    /// Returns the first frame, moved out if it is not shared.
    pub(super) fn pop(mut self) -> Option<(Frame, Self)> {
        let link = self.0.take()?;
        Some(match Rc::try_unwrap(link) {
            Ok(link) => (link.frame, link.next),
            Err(link) => (link.frame.clone(), link.next.clone()),
        })
    }
}

impl Drop for Kont {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            next = match Rc::try_unwrap(link) {
                Ok(mut link) => link.next.0.take(),
                Err(_) => None,
            };
        }
    }
}

/// Where path tracking is: the keys so far, last first, and the value they lead to.
#[derive(Clone)]
pub(super) struct Place {
    keys: Option<Rc<Key>>,
    /// The value at the end of the path.
    pub at: Val,
}

struct Key {
    key: Val,
    before: Option<Rc<Self>>,
}

impl Place {
    /// Returns the start of a path.
    pub(super) fn root(at: Val) -> Self {
        Self { keys: None, at }
    }

    /// Returns the path one key further.
    pub(super) fn then(&self, key: Val, at: Val) -> Self {
        Self { keys: Some(Rc::new(Key { key, before: self.keys.clone() })), at }
    }

    /// Returns the path as an array.
    pub(super) fn path(&self) -> Val {
        let mut keys = Vec::new();
        let mut next = self.keys.as_ref();
        while let Some(key) = next {
            keys.push(key.key.clone());
            next = key.before.as_ref();
        }
        keys.reverse();
        Val::arr(keys)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut next = self.keys.take();
        while let Some(key) = next {
            next = match Rc::try_unwrap(key) {
                Ok(mut key) => key.before.take(),
                Err(_) => None,
            };
        }
    }
}

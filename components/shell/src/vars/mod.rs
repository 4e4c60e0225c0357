//! Variables. Every name has one slot in a table, found by its symbol; a local variable puts the outer one aside, and
//! the end of the function restores it, so a lookup never walks scopes.

mod array;
mod value;

pub use array::{Assoc, Indexed};
pub use value::{Attrs, Value, Var, format_int, parse_int};

use crate::sym::{self, Sym};
use std::rc::Rc;

/// A slot.
pub type Slot = Option<Rc<Var>>;

/// The variables that a scope put aside.
#[derive(Debug, Clone, Default)]
struct Scope {
    saved: Vec<(Sym, Slot)>,
    /// A function's scope; others hold the assignments before a command.
    function: bool,
    /// What the assignments in it are before.
    before: Before,
    /// Variables of `saved` that keep their new values.
    kept: Vec<Sym>,
    /// Locals that took the place of an assignment before the function's call.
    taken: Vec<Sym>,
    /// Globals that a local of the same name refers to, and their temporary names.
    lent: Vec<(Sym, Sym)>,
}

/// What the assignments of a scope precede.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Before {
    /// Nothing, or a program or builtin.
    #[default]
    Command,
    /// `declare`, `export` or a similar builtin.
    Declaration,
    /// The call of a function.
    Call,
}

/// All variables.
#[derive(Debug, Clone, Default)]
pub struct Vars {
    table: Vec<Slot>,
    scopes: Vec<Scope>,
    /// Set when `IFS` may have changed.
    pub ifs_changed: bool,
    /// Set when the locale may have changed.
    pub locale_changed: bool,
    /// Set when `PATH` may have changed.
    pub path_changed: bool,
}

impl Vars {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self { ifs_changed: true, ..Self::default() }
    }

    /// Returns the variable, if its name has one.
    #[inline]
    pub fn get(&self, name: Sym) -> Option<&Var> {
        self.table.get(name.0 as usize).and_then(|slot| slot.as_deref())
    }

    fn slot(&mut self, name: Sym) -> &mut Slot {
        let at = name.0 as usize;
        if at >= self.table.len() {
            self.table.resize(at + 1, None);
        }
        &mut self.table[at]
    }

    fn touched(&mut self, name: Sym) {
        if name == sym::IFS {
            self.ifs_changed = true;
        } else if name == sym::PATH {
            self.path_changed = true;
        } else if matches!(name, sym::LC_ALL | sym::LC_CTYPE | sym::LANG) {
            self.locale_changed = true;
        }
    }

    /// Returns the variable for writing; made (without a value) if absent.
    #[inline]
    pub fn make(&mut self, name: Sym) -> &mut Var {
        self.touched(name);
        Rc::make_mut(self.slot(name).get_or_insert_with(Default::default))
    }

    /// Stores a whole variable.
    pub fn put(&mut self, name: Sym, var: Var) {
        self.touched(name);
        *self.slot(name) = Some(Rc::new(var));
    }

    /// Begins the scope of a function.
    pub fn push_scope(&mut self) {
        self.scopes.push(Scope { function: true, ..Scope::default() });
    }

    /// Begins a scope for the assignments before a command.
    pub fn push_temporary(&mut self, before: Before) {
        self.scopes.push(Scope { before, ..Scope::default() });
    }

    /// Ends a scope: the variables that it put aside are restored.
    pub fn pop_scope(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            for (name, slot) in scope.saved.into_iter().rev() {
                if scope.kept.contains(&name) && self.get(name).is_some_and(|var| !var.is_bare()) {
                    self.make(name).attrs.set(Attrs::TEMPORARY, false);
                    continue;
                }
                self.touched(name);
                *self.slot(name) = slot;
            }
            for (name, lent) in scope.lent {
                let var = std::mem::take(self.slot(lent));
                self.with_global(name, |vars| *vars.slot(name) = var);
            }
        }
    }

    /// Ends all scopes.
    pub fn pop_scopes(&mut self) {
        while !self.scopes.is_empty() {
            self.pop_scope();
        }
    }

    /// Moves the global variable of this name to another name, for a local reference with the same name, until the end
    /// of the function.
    pub fn lend_global(&mut self, name: Sym) -> Sym {
        let lent = sym::intern(&[&name.name()[..], b"\0"].concat());
        let known = self.scopes.iter().any(|scope| scope.lent.iter().any(|(known, _)| *known == name));
        if let (Some(at), false) = (self.function_scope(), known) {
            let var = self.with_global(name, |vars| vars.slot(name).clone());
            *self.slot(lent) = var;
            self.scopes[at].lent.push((name, lent));
        }
        lent
    }

    /// Returns whether a function is running.
    pub fn in_function(&self) -> bool {
        self.scopes.iter().any(|scope| scope.function)
    }

    /// Returns whether the innermost function has a local of this name.
    pub fn is_local(&self, name: Sym) -> bool {
        self.function_scope().is_some_and(|at| self.scopes[at].saved.iter().any(|(saved, _)| *saved == name))
    }

    /// Returns whether any function has a local of this name, or a command an assignment to it.
    pub fn is_hidden(&self, name: Sym) -> bool {
        self.scopes.iter().any(|scope| scope.saved.iter().any(|(saved, _)| *saved == name))
    }

    /// Returns whether the running command is preceded by an assignment to this name.
    pub fn is_temporary(&self, name: Sym) -> bool {
        self.scopes.last().is_some_and(|scope| !scope.function && scope.saved.iter().any(|(saved, _)| *saved == name))
    }

    /// Keeps a variable that was assigned before a declaration, or before the call of a function, after its end.
    pub fn keep_temporary(&mut self, name: Sym) {
        for scope in self.scopes.iter_mut().rev().filter(|scope| scope.saved.iter().any(|(saved, _)| *saved == name)) {
            if if scope.function { !scope.taken.contains(&name) } else { scope.before == Before::Command } {
                return;
            }
            scope.kept.push(name);
        }
    }

    /// Returns whether the innermost function was called with an assignment to this name before it.
    pub fn is_given_to_call(&self, name: Sym) -> bool {
        let Some(at) = self.function_scope().and_then(|at| at.checked_sub(1)) else { return false };
        self.scopes[at].before == Before::Call && self.scopes[at].saved.iter().any(|(saved, _)| *saved == name)
    }

    fn function_scope(&self) -> Option<usize> {
        self.scopes.iter().rposition(|scope| scope.function)
    }

    fn put_aside(&mut self, at: usize, name: Sym) {
        if !self.scopes[at].saved.iter().any(|(saved, _)| *saved == name) {
            let old = self.slot(name).clone();
            self.scopes[at].saved.push((name, old));
        }
    }

    /// Makes a local of the innermost function. A new one starts without a value; whether it is exported is inherited.
    pub fn make_local(&mut self, name: Sym) {
        let Some(at) = self.function_scope() else { return };
        if self.is_local(name) {
            return;
        }
        // An assignment before this very command (`x=1 declare x`) gives the local its value.
        for above in at + 1..self.scopes.len() {
            if let Some(place) = self.scopes[above].saved.iter().position(|(saved, _)| *saved == name) {
                let outer = self.scopes[above].saved.remove(place);
                self.scopes[at].saved.push(outer);
                return;
            }
        }
        // Assignments before the function's own call belong to the function: the local takes the place of theirs.
        let given = at.checked_sub(1).filter(|at| self.scopes[*at].before == Before::Call);
        let outer = given.and_then(|at| Some((at, self.scopes[at].saved.iter().position(|(saved, _)| *saved == name)?)));
        match outer {
            Some((above, place)) => {
                let outer = self.scopes[above].saved.remove(place);
                self.scopes[at].saved.push(outer);
                self.scopes[at].taken.push(name);
                if self.scopes[above].kept.contains(&name) {
                    self.scopes[at].kept.push(name);
                }
            }
            None => self.put_aside(at, name),
        }
        self.touched(name);
        let slot = self.slot(name);
        let exported = slot.as_ref().is_some_and(|var| var.attrs.has(Attrs::EXPORT));
        let mut var = Var::default();
        if exported {
            var.attrs.set(Attrs::EXPORT, true);
        }
        *slot = Some(Rc::new(var));
    }

    /// Puts the variable aside in the innermost scope, of whichever kind, and keeps its value.
    pub fn shadow(&mut self, name: Sym) {
        if !self.scopes.is_empty() {
            let at = self.scopes.len() - 1;
            self.put_aside(at, name);
        }
    }

    /// Removes a variable. A local of the running function stays local, without a value; removing a local of an outer
    /// function uncovers the variable that it hid.
    pub fn unset(&mut self, name: Sym) {
        self.touched(name);
        let innermost = self.function_scope();
        for at in (0..self.scopes.len()).rev() {
            if let Some(index) = self.scopes[at].saved.iter().position(|(saved, _)| *saved == name) {
                if Some(at) == innermost && self.scopes[at].function {
                    *self.slot(name) = Some(Rc::default());
                } else {
                    let (_, slot) = self.scopes[at].saved.remove(index);
                    *self.slot(name) = slot;
                }
                return;
            }
        }
        *self.slot(name) = None;
    }

    /// Removes a variable; a local of any function stays local, as `localvar_unset` requires.
    pub fn unset_local(&mut self, name: Sym) {
        self.touched(name);
        let local = self.scopes.iter().any(|scope| scope.function && scope.saved.iter().any(|(saved, _)| *saved == name));
        if local { *self.slot(name) = Some(Rc::default()) } else { self.unset(name) }
    }

    /// Runs `change` on the global variable, past all locals.
    pub fn with_global<T>(&mut self, name: Sym, change: impl FnOnce(&mut Self) -> T) -> T {
        let found = self.scopes.iter().position(|scope| scope.saved.iter().any(|(saved, _)| *saved == name));
        let Some(at) = found else { return change(self) };
        let Some(index) = self.scopes[at].saved.iter().position(|(saved, _)| *saved == name) else { return change(self) };
        let outer = std::mem::take(&mut self.scopes[at].saved[index].1);
        let inner = std::mem::replace(self.slot(name), outer);
        let scopes = std::mem::take(&mut self.scopes);
        let result = change(self);
        self.scopes = scopes;
        let outer = std::mem::replace(self.slot(name), inner);
        self.scopes[at].saved[index].1 = outer;
        result
    }

    /// Returns all variables, by name.
    pub fn sorted(&self) -> Vec<(Rc<[u8]>, Sym, Rc<Var>)> {
        let mut all: Vec<_> = self
            .table
            .iter()
            .enumerate()
            .filter_map(|(at, slot)| slot.as_ref().map(|var| (Sym(at as u32), var.clone())))
            .map(|(name, var)| (name.name(), name, var))
            .filter(|(name, _, _)| !name.ends_with(b"\0"))
            .collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    /// Returns the exported variables as `NAME=value`.
    pub fn environment(&self) -> Vec<Vec<u8>> {
        let mut env = Vec::new();
        for (at, slot) in self.table.iter().enumerate() {
            if let Some(var) = slot
                && var.attrs.has(Attrs::EXPORT)
                && let Some(value) = var.value.scalar()
                && !matches!(var.value, Value::Indexed(_) | Value::Assoc(_))
            {
                let name = Sym(at as u32).name();
                let name = name.strip_suffix(b"\0").unwrap_or(&name);
                env.push([name, &b"="[..], &value].concat());
            }
        }
        env
    }

    /// Drops what outer scopes put aside: a new process never returns to them.
    pub fn flatten(&mut self) {
        self.scopes.clear();
    }
}

//! Patterns: `[$a, {b: $c}]` becomes one binding after the other, `?//` a choice of such chains.

use super::compile::{Binding, Compiler};
use super::node::{Node, NodeKind};
use super::tree::{Key, Pattern};
use crate::json::Val;

impl Compiler<'_> {
    /// Returns what runs with an item bound to patterns; the item itself is the innermost binding before them.
    pub(super) fn item(&mut self, patterns: &[Pattern], body: impl Fn(&mut Self) -> &'static Node) -> &'static Node {
        if let [Pattern::Var(name)] = patterns {
            let binding = Binding::Var(name.clone(), self.level);
            return self.bound(Some(binding), body);
        }
        let item = self.level;
        self.bound(None, |c| {
            if let [pattern] = patterns {
                return c.chain(vec![(pattern, item)], &body);
            }
            let mut names = Vec::new();
            for pattern in patterns {
                variables(pattern, &mut names);
            }
            let bodies = patterns.iter().map(|pattern| c.with_nulls(&names, &|c| c.chain(vec![(pattern, item)], &body)));
            NodeKind::Patterns(bodies.collect()).leak()
        })
    }

    /// Makes all variables of all patterns exist in every branch, as null where a pattern does not set them.
    fn with_nulls(&mut self, names: &[String], body: &dyn Fn(&mut Self) -> &'static Node) -> &'static Node {
        let Some((name, rest)) = names.split_first() else { return body(self) };
        let binding = Binding::Var(name.clone(), self.level);
        let inner = self.bound(Some(binding), |c| c.with_nulls(rest, body));
        NodeKind::Bind(NodeKind::Const(Val::Null).leak(), inner).leak()
    }

    /// Matches the first of `todo` (a pattern, and where its value is bound), then the others, then runs the body.
    fn chain(&mut self, mut todo: Vec<(&Pattern, usize)>, body: &dyn Fn(&mut Self) -> &'static Node) -> &'static Node {
        if todo.is_empty() {
            return body(self);
        }
        let (pattern, place) = todo.remove(0);
        match pattern {
            Pattern::Var(name) => {
                let binding = Binding::Var(name.clone(), place);
                let mark = self.scope.len();
                self.scope.push(binding);
                let node = self.chain(todo, body);
                self.scope.truncate(mark);
                node
            }
            Pattern::Array(list) => self.elements(list, 0, place, todo, body),
            Pattern::Object(list) => self.members(list, place, todo, body),
        }
    }

    fn here(&self, place: usize) -> &'static Node {
        NodeKind::Var(self.level - 1 - place).leak()
    }

    fn elements<'p>(
        &mut self,
        list: &'p [Pattern],
        at: usize,
        place: usize,
        todo: Vec<(&'p Pattern, usize)>,
        body: &dyn Fn(&mut Self) -> &'static Node,
    ) -> &'static Node {
        let Some(pattern) = list.get(at) else { return self.chain(todo, body) };
        let key = NodeKind::Const(Val::Num(at as f64)).leak();
        let source = NodeKind::Index(self.here(place), key, false).leak();
        let element = self.level;
        let inner = self.bound(None, |c| c.chain_then(pattern, element, &|c| c.elements(list, at + 1, place, todo.clone(), body)));
        NodeKind::Bind(source, inner).leak()
    }

    fn members<'p>(
        &mut self,
        list: &'p [(Option<String>, Key, Option<Pattern>)],
        place: usize,
        todo: Vec<(&'p Pattern, usize)>,
        body: &dyn Fn(&mut Self) -> &'static Node,
    ) -> &'static Node {
        let Some(((name, key, pattern), rest)) = list.split_first() else { return self.chain(todo, body) };
        let here = self.here(place);
        let key = match key {
            Key::Name(name) => NodeKind::Const(Val::str(name.clone())).leak(),
            // The key is computed from the value that is taken apart.
            Key::Code(code) => NodeKind::Pipe(here, self.node(code)).leak(),
        };
        let source = NodeKind::Index(here, key, false).leak();
        let member = self.level;
        let binding = name.as_ref().map(|name| Binding::Var(name.clone(), member));
        let mark = self.scope.len();
        self.scope.extend(binding);
        self.level += 1;
        let more = |c: &mut Self| c.members(rest, place, todo.clone(), body);
        let inner = match pattern {
            Some(pattern) => self.chain_then(pattern, member, &more),
            None => more(self),
        };
        self.level -= 1;
        self.scope.truncate(mark);
        NodeKind::Bind(source, inner).leak()
    }

    fn chain_then(&mut self, pattern: &Pattern, place: usize, then: &dyn Fn(&mut Self) -> &'static Node) -> &'static Node {
        self.chain(vec![(pattern, place)], then)
    }
}

/// Adds the variables of a pattern, in order.
fn variables(pattern: &Pattern, names: &mut Vec<String>) {
    let mut add = |name: &String| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    };
    match pattern {
        Pattern::Var(name) => add(name),
        Pattern::Array(list) => list.iter().for_each(|p| variables(p, names)),
        Pattern::Object(list) => {
            for (name, _, inner) in list {
                if let Some(name) = name
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
                if let Some(inner) = inner {
                    variables(inner, names);
                }
            }
        }
    }
}

//! Names are resolved here: variables to places, calls to functions, filters to what they are made of.

use super::modules::Library;
use super::node::{Def, Node, NodeKind, Part};
use super::tree::{Function, Key, Op, Piece, Tree};
use super::{Mistake, parse, prelude};
use crate::json::{Map, Val};
use crate::run::natives;
use std::cell::OnceCell;
use std::collections::HashMap;

/// A program that can run.
pub(crate) struct Program {
    /// Where it starts.
    pub main: &'static Node,
}

/// A name that is known at some point of the text.
#[derive(Clone)]
pub(super) enum Binding {
    Var(String, usize),
    Param(String, usize),
    Label(String, usize),
    Func(String, &'static Def, usize),
    Data(String, Val),
}

/// Resolves one file.
pub(super) struct Compiler<'a> {
    pub(super) scope: Vec<Binding>,
    /// How many bindings the environment holds at this point of the text.
    pub(super) level: usize,
    pub(super) globals: &'a Map,
    pub(super) library: &'a Library,
    pub(super) mistakes: Vec<Mistake>,
    pub(super) prelude: HashMap<(String, usize), &'static Def>,
}

/// Makes a program of its text. The error is ready to print.
pub(crate) fn compile(text: &str, file: &str, globals: &Map, library: &Library) -> Result<Program, String> {
    let failed = |mistakes: &[Mistake]| {
        let mut list: Vec<String> = Vec::new();
        for mistake in mistakes {
            list.push(mistake.show(file, text));
            list.extend(mistake.note.as_ref().map(|(message, at)| Mistake::new(message.clone(), *at).show(file, text)));
        }
        let plural = if list.len() > 1 { "s" } else { "" };
        format!("{}\njq: {} compile error{plural}", list.join("\n"), list.len())
    };
    let source = parse::parse(text).map_err(|m| failed(&[m]))?;
    let mut compiler = Compiler { scope: Vec::new(), level: 0, globals, library, mistakes: Vec::new(), prelude: HashMap::new() };
    let imported = compiler.imports(&source, &library.origin, &mut Vec::new());
    if let Err(mistake) = imported.and_then(|()| compiler.home()) {
        return Err(failed(&[mistake]));
    }
    for function in &source.functions {
        compiler.function(function);
    }
    let Some(main) = &source.main else {
        return Err(failed(&[Mistake { message: "Top-level program not given (try \".\")".into(), at: None, note: None }]));
    };
    let main = compiler.node(main);
    if compiler.mistakes.is_empty() { Ok(Program { main }) } else { Err(failed(&compiler.mistakes)) }
}

impl Compiler<'_> {
    pub(super) fn mistake(&mut self, message: String, at: usize) -> &'static Node {
        self.mistakes.push(Mistake::new(message, at));
        NodeKind::Empty.leak()
    }

    /// Runs `inner` with one more binding in the environment.
    pub(super) fn bound<T>(&mut self, binding: Option<Binding>, inner: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.scope.len();
        self.scope.extend(binding);
        self.level += 1;
        let result = inner(self);
        self.level -= 1;
        self.scope.truncate(mark);
        result
    }

    /// Defines a function for what follows.
    pub(super) fn function(&mut self, function: &Function) {
        self.function_named(function, function.name.clone());
    }

    pub(super) fn function_named(&mut self, function: &Function, name: String) {
        let def: &'static Def = Box::leak(Box::new(Def { params: function.params.len(), body: OnceCell::new() }));
        self.scope.push(Binding::Func(name, def, self.level));
        let mark = self.scope.len();
        let level = self.level;
        for param in &function.params {
            self.scope.push(Binding::Param(param.clone(), self.level));
            self.level += 1;
        }
        let body = self.node(&function.body);
        self.level = level;
        self.scope.truncate(mark);
        // The cell was made above and is set only here.
        let _ = def.body.set(body);
    }

    fn list(&mut self, trees: &[Tree]) -> Vec<&'static Node> {
        trees.iter().map(|tree| self.node(tree)).collect()
    }

    /// Resolves a tree.
    pub(super) fn node(&mut self, tree: &Tree) -> &'static Node {
        let kind = match tree {
            Tree::Identity => NodeKind::Identity,
            Tree::RecurseAll => return self.call("recurse", &[], 0),
            Tree::Const(val) => NodeKind::Const(val.clone()),
            Tree::Text(format, pieces) => return self.text(format.as_ref(), pieces),
            Tree::Format(name) => NodeKind::Native(natives::FORMAT, vec![NodeKind::Const(Val::str(name.clone())).leak()]),
            Tree::Index(term, key, optional) => NodeKind::Index(self.node(term), self.node(key), *optional),
            Tree::Slice(term, start, end, optional) => {
                let term = self.node(term);
                let start = start.as_ref().map(|s| self.node(s));
                NodeKind::Slice(term, start, end.as_ref().map(|e| self.node(e)), *optional)
            }
            Tree::Iterate(term, optional) => NodeKind::Iterate(self.node(term), *optional),
            Tree::Try(body, handler) => NodeKind::Try(self.node(body), handler.as_ref().map(|h| self.node(h))),
            Tree::Negate(inner) => NodeKind::Negate(self.node(inner)),
            Tree::Pipe(a, b) => NodeKind::Pipe(self.node(a), self.node(b)),
            Tree::Comma(a, b) => NodeKind::Comma(self.node(a), self.node(b)),
            Tree::Binary(op, a, b) => NodeKind::Binary(*op, self.node(a), self.node(b)),
            Tree::And(a, b) => NodeKind::And(self.node(a), self.node(b)),
            Tree::Or(a, b) => NodeKind::Or(self.node(a), self.node(b)),
            Tree::Alternative(a, b) => NodeKind::Alternative(self.node(a), self.node(b)),
            Tree::Assign(paths, value) => {
                let value = self.node(value);
                NodeKind::Bind(value, self.bound(None, |c| NodeKind::SetAll(c.node(paths)).leak()))
            }
            Tree::Modify(paths, change) => NodeKind::Modify(self.node(paths), self.node(change)),
            Tree::Update(op, paths, value) => {
                let value = self.node(value);
                let body = self.bound(None, |c| {
                    let (here, other) = (NodeKind::Identity.leak(), NodeKind::Var(0).leak());
                    let change = op.map_or(NodeKind::Alternative(here, other), |op: Op| NodeKind::Binary(op, here, other));
                    NodeKind::Modify(c.node(paths), change.leak()).leak()
                });
                NodeKind::Bind(value, body)
            }
            Tree::If(condition, then, otherwise) => {
                let (condition, then) = (self.node(condition), self.node(then));
                NodeKind::If(condition, then, otherwise.as_ref().map_or_else(|| NodeKind::Identity.leak(), |o| self.node(o)))
            }
            Tree::Reduce(source, patterns, init, update) => {
                let (source, init) = (self.node(source), self.node(init));
                NodeKind::Reduce(source, init, self.item(patterns, |c| c.node(update)))
            }
            Tree::Foreach(source, patterns, init, update, extract) => {
                let (source, init) = (self.node(source), self.node(init));
                let state = self.level;
                let update = self.bound(None, |c| {
                    c.item(patterns, |c| {
                        let update = c.node(update);
                        let store = NodeKind::Store(c.level - 1 - state, extract.as_ref().map(|e| c.node(e))).leak();
                        NodeKind::Pipe(update, store).leak()
                    })
                });
                NodeKind::Foreach(source, init, update)
            }
            Tree::Define(function, rest) => {
                let mark = self.scope.len();
                self.function(function);
                let node = self.node(rest);
                self.scope.truncate(mark);
                return node;
            }
            Tree::Call(name, args, at) => return self.call(name, args, *at),
            Tree::Var(name, at) => return self.variable(name, *at),
            Tree::Bind(source, patterns, body) => {
                let source = self.node(source);
                NodeKind::Bind(source, self.item(patterns, |c| c.node(body)))
            }
            Tree::Label(name, body) => {
                let binding = Binding::Label(name.clone(), self.level);
                NodeKind::Label(self.bound(Some(binding), |c| c.node(body)))
            }
            Tree::Break(name, at) => {
                let found = self.scope.iter().rev().find_map(|b| match b {
                    Binding::Label(label, place) if label == name => Some(*place),
                    _ => None,
                });
                match found {
                    Some(place) => NodeKind::Break(self.level - 1 - place),
                    None => return self.mistake(format!("$*label-{name} is not defined"), *at),
                }
            }
            Tree::Array(None) => NodeKind::Const(Val::arr(Vec::new())),
            Tree::Array(Some(inner)) => NodeKind::Array(self.node(inner)),
            Tree::Object(pairs) => return self.object(pairs),
            Tree::Location(line) => NodeKind::Const(Val::fields([("file", Val::str("<top-level>")), ("line", Val::Num(*line as f64))])),
        };
        kind.leak()
    }

    fn text(&mut self, format: Option<&String>, pieces: &[Piece]) -> &'static Node {
        if pieces.is_empty() {
            return NodeKind::Const(Val::str("")).leak();
        }
        if let [Piece::Text(text)] = pieces {
            return NodeKind::Const(Val::str(text.clone())).leak();
        }
        let parts = pieces.iter().map(|piece| match piece {
            Piece::Text(text) => Part::Text(text.clone()),
            Piece::Code(code) => Part::Code(self.node(code)),
        });
        let parts = parts.collect();
        NodeKind::Text(format.cloned(), parts).leak()
    }

    fn object(&mut self, pairs: &[(Key, Option<Tree>, usize)]) -> &'static Node {
        let mut list = Vec::new();
        for (key, value, at) in pairs {
            let key = match key {
                Key::Name(name) => NodeKind::Const(Val::str(name.clone())).leak(),
                Key::Code(code) => self.node(code),
            };
            if let NodeKind::Const(val) = &key.kind
                && !matches!(val, Val::Str(_))
            {
                let message = crate::json::brief(val, 15);
                self.mistake(format!("Cannot use {} ({message}) as object key", val.kind()), *at);
            }
            let value = match value {
                Some(value) => self.node(value),
                None => NodeKind::Index(NodeKind::Identity.leak(), key, false).leak(),
            };
            list.push((key, value));
        }
        if list.is_empty() {
            return NodeKind::Const(Val::obj(Map::default())).leak();
        }
        NodeKind::Object(list).leak()
    }

    fn variable(&mut self, name: &str, at: usize) -> &'static Node {
        for binding in self.scope.iter().rev() {
            match binding {
                Binding::Var(var, place) if var == name => return NodeKind::Var(self.level - 1 - place).leak(),
                Binding::Data(data, val) if data == name => return NodeKind::Const(val.clone()).leak(),
                _ => {}
            }
        }
        if let Some(val) = self.globals.get(&name.to_owned()) {
            return NodeKind::Const(val.clone()).leak();
        }
        if name == "ENV" {
            return NodeKind::Native(natives::ENV, Vec::new()).leak();
        }
        self.mistake(format!("${name} is not defined"), at)
    }

    fn call(&mut self, name: &str, args: &[Tree], at: usize) -> &'static Node {
        for binding in self.scope.iter().rev() {
            match binding {
                Binding::Param(param, place) if args.is_empty() && param == name => return NodeKind::Param(self.level - 1 - place).leak(),
                Binding::Func(func, def, level) if func == name && def.params == args.len() => {
                    let (def, up) = (*def, self.level - level);
                    let args = self.list(args);
                    return NodeKind::Call(def, up, args).leak();
                }
                _ => {}
            }
        }
        if let Some(kind) = self.special(name, args) {
            return kind.leak();
        }
        if let Some(native) = natives::find(name, args.len()) {
            return NodeKind::Native(native, self.list(args)).leak();
        }
        if let Some(def) = self.prelude_def(name, args.len()) {
            let args = self.list(args);
            return NodeKind::Call(def, self.level, args).leak();
        }
        self.mistake(format!("{name}/{} is not defined", args.len()), at)
    }

    /// Compiles a filter that the machine knows itself, or that is written out in place.
    fn special(&mut self, name: &str, args: &[Tree]) -> Option<NodeKind> {
        Some(match (name, args) {
            ("empty", []) => NodeKind::Empty,
            ("true", []) => NodeKind::Const(Val::Bool(true)),
            ("false", []) => NodeKind::Const(Val::Bool(false)),
            ("null", []) => NodeKind::Const(Val::Null),
            ("path", [paths]) => NodeKind::Path(self.node(paths)),
            ("getpath", [path]) => NodeKind::GetPath(self.node(path)),
            ("select", [condition]) => NodeKind::If(self.node(condition), NodeKind::Identity.leak(), NodeKind::Empty.leak()),
            ("map", [change]) => {
                let each = NodeKind::Iterate(NodeKind::Identity.leak(), false).leak();
                NodeKind::Array(NodeKind::Pipe(each, self.node(change)).leak())
            }
            ("map_values", [change]) => {
                let each = NodeKind::Iterate(NodeKind::Identity.leak(), false).leak();
                NodeKind::Modify(each, self.node(change))
            }
            ("_range", [from, upto]) => NodeKind::Range(self.node(from), self.node(upto)),
            ("builtins", []) => NodeKind::Const(Val::arr(prelude::names().map(Val::str).collect())),
            _ => return None,
        })
    }

    /// Returns a function of the prelude, compiled when it is first used.
    fn prelude_def(&mut self, name: &str, arity: usize) -> Option<&'static Def> {
        if let Some(def) = self.prelude.get(&(name.to_owned(), arity)) {
            return Some(def);
        }
        let text = prelude::find(name, arity)?;
        let source = parse::parse(text).ok()?;
        let function = source.functions.first()?;
        let (scope, level) = (std::mem::take(&mut self.scope), std::mem::replace(&mut self.level, 0));
        let def: &'static Def = Box::leak(Box::new(Def { params: arity, body: OnceCell::new() }));
        self.prelude.insert((name.to_owned(), arity), def);
        for param in &function.params {
            self.scope.push(Binding::Param(param.clone(), self.level));
            self.level += 1;
        }
        let body = self.node(&function.body);
        let _ = def.body.set(body);
        (self.scope, self.level) = (scope, level);
        Some(def)
    }
}

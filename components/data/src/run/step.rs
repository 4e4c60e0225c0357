//! Forward: evaluating a node.

use super::Error;
use super::arith::{binary, negate};
use super::env::{Entry, Env, Kont, Place};
use super::frame::{Choice, Frame, Gather, Then};
use super::machine::{Machine, Step};
use super::simple::{get_path_leniently, insert, interpolate, simple, slice_key, variable};
use crate::json::{Map, Val, brief};
use crate::lang::{Def, Node, NodeKind, Part};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

impl From<Result<Self, Error>> for Step {
    fn from(result: Result<Self, Error>) -> Self {
        result.unwrap_or_else(Self::Fail)
    }
}

/// Returns the code parts of a node, in the order in which they are evaluated.
fn parts_of(node: &'static Node) -> Rc<[&'static Node]> {
    match &node.kind {
        NodeKind::Text(_, parts) => parts
            .iter()
            .rev()
            .filter_map(|part| match part {
                Part::Code(code) => Some(*code),
                Part::Text(_) => None,
            })
            .collect(),
        NodeKind::Object(pairs) => pairs.iter().flat_map(|(k, v)| [*k, *v]).collect(),
        NodeKind::Native(_, args) => args.iter().rev().copied().collect(),
        _ => Rc::new([]),
    }
}

impl Machine {
    fn gather(&mut self, parts: Rc<[&'static Node]>, input: Val, env: Env, kont: Kont, then: Then) -> Step {
        let saved = self.place.take();
        let gather = Gather { values: Vec::with_capacity(parts.len()), parts, input, env, saved, then };
        self.gathered(Box::new(gather), kont)
    }

    /// Evaluates the next part, or puts the values together.
    pub(super) fn gathered(&mut self, mut gather: Box<Gather>, kont: Kont) -> Step {
        while let Some(part) = gather.parts.get(gather.values.len()) {
            if !part.simple {
                let (input, env) = (gather.input.clone(), gather.env.clone());
                return Step::Eval(part, input, env, kont.with(Frame::Gather(gather)));
            }
            match simple(&mut self.context, part, gather.input.clone(), &gather.env) {
                Ok(val) => gather.values.push(val),
                Err(error) => return Step::Fail(error),
            }
        }
        self.place = gather.saved.take();
        self.finish(*gather, kont).into()
    }

    fn finish(&mut self, gather: Gather, kont: Kont) -> Result<Step, Error> {
        let Gather { mut values, input, env, then, .. } = gather;
        let val = match then {
            Then::Native(native) => {
                values.reverse();
                native(&mut self.context, input, values)?
            }
            Then::Binary(op) => {
                let left = values.pop().unwrap_or(Val::Null);
                drop(input);
                binary(op, left, values.pop().unwrap_or(Val::Null))?
            }
            Then::Negate => negate(&values.pop().unwrap_or(Val::Null))?,
            Then::Index(term, optional) => {
                let key = values.pop().unwrap_or(Val::Null);
                return Ok(Step::Eval(term, input, env, kont.with(Frame::IndexBy(key, optional))));
            }
            Then::Slice(term, has_start, has_end, optional) => {
                let mut values = values.into_iter();
                let start = if has_start { values.next() } else { None };
                let end = if has_end { values.next() } else { None };
                let key = slice_key(start.unwrap_or(Val::Null), end.unwrap_or(Val::Null));
                return Ok(Step::Eval(term, input, env, kont.with(Frame::IndexBy(key, optional))));
            }
            Then::Text(node) => match &node.kind {
                NodeKind::Text(format, parts) => interpolate(format.as_deref(), parts, values)?,
                _ => Val::Null,
            },
            Then::Object => {
                let mut map = Map::default();
                let mut values = values.into_iter();
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    insert(&mut map, key, value)?;
                }
                Val::obj(map)
            }
            Then::GetPath => return self.get_path(&input, &values.pop().unwrap_or(Val::Null), kont),
            Then::Range => {
                let (upto, from) = (values.pop().unwrap_or(Val::Null), values.pop().unwrap_or(Val::Null));
                let (Some(from), Some(upto)) = (from.number(), upto.number()) else { return Err("Range bounds must be numeric".into()) };
                let place = self.place.clone();
                return Ok(self.retreat(Choice::Range(from, upto, kont, place)));
            }
        };
        Ok(Step::Return(val, kont))
    }

    fn get_path(&mut self, input: &Val, path: &Val, kont: Kont) -> Result<Step, Error> {
        let val = get_path_leniently(input, path)?;
        if let Some(place) = &self.place {
            if !place.at.same(input) {
                return Err(format!("Invalid path expression with result {}", brief(input, 30)).into());
            }
            let mut longer = place.clone();
            if let Val::Arr(keys) = path {
                for key in &keys.0 {
                    longer = longer.then(key.clone(), Val::Null);
                }
            }
            longer.at = val.clone();
            self.place = Some(longer);
        }
        Ok(Step::Return(val, kont))
    }

    /// Evaluates a node.
    pub(super) fn eval(&mut self, node: &'static Node, val: Val, env: Env, kont: Kont) -> Step {
        if node.simple && self.place.is_none() {
            return match simple(&mut self.context, node, val, &env) {
                Ok(val) => Step::Return(val, kont),
                Err(error) => Step::Fail(error),
            };
        }
        match &node.kind {
            NodeKind::Identity => Step::Return(val, kont),
            NodeKind::Const(constant) => Step::Return(constant.clone(), kont),
            NodeKind::Var(place) => Step::Return(variable(&env, *place), kont),
            NodeKind::Empty => Step::Back,
            NodeKind::Pipe(a, b) => Step::Eval(a, val, env.clone(), kont.with(Frame::Pipe(b, env))),
            NodeKind::Comma(a, b) => {
                self.choices.push(Choice::Other(b, val.clone(), env.clone(), kont.clone(), self.place.clone()));
                Step::Eval(a, val, env, kont)
            }
            NodeKind::Index(term, key, optional) => self.gather(Rc::new([*key]), val, env, kont, Then::Index(term, *optional)),
            NodeKind::Slice(term, start, end, optional) => {
                let parts: Rc<[&'static Node]> = start.iter().chain(end).copied().collect();
                self.gather(parts, val, env, kont, Then::Slice(term, start.is_some(), end.is_some(), *optional))
            }
            NodeKind::Iterate(term, optional) => Step::Eval(term, val, env, kont.with(Frame::Iterate(*optional))),
            NodeKind::Text(..) => self.gather(parts_of(node), val, env, kont, Then::Text(node)),
            NodeKind::Object(_) => self.gather(parts_of(node), val, env, kont, Then::Object),
            NodeKind::Native(native, _) => self.gather(parts_of(node), val, env, kont, Then::Native(*native)),
            NodeKind::Binary(op, a, b) => self.gather(Rc::new([*b, *a]), val, env, kont, Then::Binary(*op)),
            NodeKind::Negate(a) => self.gather(Rc::new([*a]), val, env, kont, Then::Negate),
            NodeKind::GetPath(path) => self.gather(Rc::new([*path]), val, env, kont, Then::GetPath),
            NodeKind::Range(from, upto) => self.gather(Rc::new([*from, *upto]), val, env, kont, Then::Range),
            NodeKind::If(condition, then, otherwise) => self.branch(condition, [then, otherwise], val, env, kont),
            NodeKind::And(a, b) => self.logic(true, a, b, val, env, kont),
            NodeKind::Or(a, b) => self.logic(false, a, b, val, env, kont),
            NodeKind::Alternative(a, b) => {
                let found = Rc::new(Cell::new(false));
                self.choices.push(Choice::Alternative(found.clone(), b, val.clone(), env.clone(), kont.clone(), self.place.clone()));
                Step::Eval(a, val, env, kont.with(Frame::Alternative(found)))
            }
            NodeKind::Try(body, handler) => {
                let mark = self.mark();
                self.choices.push(Choice::Try(mark, *handler, env.clone(), kont.clone(), self.place.clone()));
                Step::Eval(body, val, env, kont.with(Frame::TryEnd(mark)))
            }
            NodeKind::Bind(source, body) => self.bind(source, body, val, env, kont),
            NodeKind::Patterns(bodies) => self.patterns(bodies, val, env, kont),
            NodeKind::Call(def, up, args) => call(def, *up, args, val, env, kont),
            NodeKind::Param(place) => match env.at(*place) {
                Some(Entry::Closure(node, closed)) => {
                    let closed = closed.clone();
                    Step::Eval(node, val, closed, kont)
                }
                _ => Step::Back,
            },
            NodeKind::Label(body) => {
                let mark = self.mark();
                self.choices.push(Choice::Label(mark));
                Step::Eval(body, val, env.with(Entry::Label(mark)), kont)
            }
            NodeKind::Break(place) => match env.at(*place) {
                Some(Entry::Label(mark)) => Step::Fail(Error::Break(*mark)),
                _ => Step::Back,
            },
            NodeKind::Array(inner) => {
                let list = Rc::new(RefCell::new(Vec::new()));
                self.choices.push(Choice::Collected(list.clone(), kont, self.place.clone()));
                Step::Eval(inner, val, env, Kont::default().with(Frame::Collect(list)))
            }
            NodeKind::Path(paths) => {
                let saved = self.place.replace(Place::root(val.clone()));
                Step::Eval(paths, val, env, kont.with(Frame::PathEnd(saved)))
            }
            NodeKind::SetAll(paths) => {
                let to = variable(&env, 0);
                self.change_all(paths, val, env, |list, val, _, saved| Choice::SetPaths(list, val, to, kont, saved))
            }
            NodeKind::Modify(paths, change) => {
                self.change_all(paths, val, env, |list, val, env, saved| Choice::ChangePaths(list, change, val, env, kont, saved))
            }
            NodeKind::Reduce(_, init, _) => Step::Eval(init, val.clone(), env.clone(), kont.with(Frame::ReduceInit(node, val, env))),
            NodeKind::Foreach(_, init, _) => Step::Eval(init, val.clone(), env.clone(), kont.with(Frame::ForeachInit(node, val, env))),
            NodeKind::Store(place, extract) => store(*place, *extract, val, env, kont),
        }
    }

    /// Implements `if`: evaluates the condition, then one of the two branches.
    fn branch(&mut self, condition: &'static Node, branches: [&'static Node; 2], val: Val, env: Env, kont: Kont) -> Step {
        let saved = self.place.take();
        let [then, otherwise] = branches;
        if condition.simple {
            return match simple(&mut self.context, condition, val.clone(), &env) {
                Ok(holds) => {
                    self.place = saved;
                    Step::Eval(if holds.is_true() { then } else { otherwise }, val, env, kont)
                }
                Err(error) => Step::Fail(error),
            };
        }
        let frame = Frame::Branch(then, otherwise, val.clone(), env.clone(), saved);
        Step::Eval(condition, val, env, kont.with(frame))
    }

    /// Implements `source as $name | body`.
    fn bind(&mut self, source: &'static Node, body: &'static Node, val: Val, env: Env, kont: Kont) -> Step {
        let saved = self.place.take();
        if source.simple {
            return match simple(&mut self.context, source, val.clone(), &env) {
                Ok(item) => {
                    self.place = saved;
                    Step::Eval(body, val, env.with(Entry::Val(item)), kont)
                }
                Err(error) => Step::Fail(error),
            };
        }
        Step::Eval(source, val.clone(), env.clone(), kont.with(Frame::Bind(body, val, env, saved)))
    }

    /// Collects the paths that `paths` names; `then` makes the choice that changes what is at them.
    fn change_all(
        &mut self,
        paths: &'static Node,
        val: Val,
        env: Env,
        then: impl FnOnce(Rc<RefCell<Vec<Val>>>, Val, Env, Option<Place>) -> Choice,
    ) -> Step {
        let list = Rc::new(RefCell::new(Vec::new()));
        let saved = self.place.replace(Place::root(val.clone()));
        self.choices.push(then(list.clone(), val.clone(), env.clone(), saved));
        Step::Eval(paths, val, env, Kont::default().with(Frame::CollectPath(list)))
    }

    fn logic(&mut self, and: bool, a: &'static Node, b: &'static Node, val: Val, env: Env, kont: Kont) -> Step {
        let saved = self.place.take();
        let frame = Frame::Logic(and, b, val.clone(), env.clone(), saved);
        Step::Eval(a, val, env, kont.with(frame))
    }

    pub(super) fn patterns(&mut self, bodies: &'static [&'static Node], val: Val, env: Env, kont: Kont) -> Step {
        match bodies {
            [] => Step::Back,
            [last] => Step::Eval(last, val, env, kont),
            [first, rest @ ..] => {
                self.choices.push(Choice::Patterns(rest, val.clone(), env.clone(), kont.clone(), self.place.clone()));
                Step::Eval(first, val, env, kont)
            }
        }
    }
}

/// Runs the body of a function in the environment of its definition.
fn call(def: &'static Def, up: usize, args: &'static [&'static Node], val: Val, env: Env, kont: Kont) -> Step {
    let mut inner = env.up(up);
    for arg in args {
        let entry = match &arg.kind {
            // An argument that is only passed on stays as it is.
            NodeKind::Param(place) => env.at(*place).cloned(),
            _ => None,
        };
        inner = inner.with(entry.unwrap_or_else(|| Entry::Closure(arg, env.clone())));
    }
    match def.body.get() {
        Some(body) => Step::Eval(body, val, inner, kont),
        None => Step::Fail("a filter was called that has no body".into()),
    }
}

/// Stores the state of a `foreach`, then gives out the value or what `extract` makes of it.
fn store(place: usize, extract: Option<&'static Node>, val: Val, env: Env, kont: Kont) -> Step {
    if let Some(Entry::State(state)) = env.at(place) {
        *state.borrow_mut() = val.clone();
    }
    match extract {
        Some(extract) => Step::Eval(extract, val, env, kont),
        None => Step::Return(val, kont),
    }
}

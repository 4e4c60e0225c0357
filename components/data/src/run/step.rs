//! Forward: evaluating a node, and giving a value to what waits for it.

use super::Error;
use super::arith::{binary, negate};
use super::env::{Entry, Env, Kont, Place};
use super::frame::{Change, Choice, Frame, Gather, Then};
use super::machine::{Machine, Step};
use super::simple::{get_path_leniently, insert, interpolate, simple, slice_key, variable};
use crate::json::{Map, Val, brief, get, type_error};
use crate::lang::{Node, NodeKind, Part};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

impl From<Result<Step, Error>> for Step {
    fn from(result: Result<Step, Error>) -> Step {
        result.unwrap_or_else(Step::Fail)
    }
}

/// The code parts of a node, in the order in which they are evaluated.
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
    fn gathered(&mut self, mut gather: Box<Gather>, kont: Kont) -> Step {
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
            NodeKind::If(condition, then, otherwise) => {
                let saved = self.place.take();
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
            NodeKind::Bind(source, body) => {
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
            NodeKind::Patterns(bodies) => self.patterns(bodies, val, env, kont),
            NodeKind::Call(def, up, args) => {
                let mut inner = env.up(*up);
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
                let list = Rc::new(RefCell::new(Vec::new()));
                let saved = self.place.replace(Place::root(val.clone()));
                self.choices.push(Choice::SetPaths(list.clone(), val.clone(), variable(&env, 0), kont, saved));
                Step::Eval(paths, val, env, Kont::default().with(Frame::CollectPath(list)))
            }
            NodeKind::Modify(paths, change) => {
                let list = Rc::new(RefCell::new(Vec::new()));
                let saved = self.place.replace(Place::root(val.clone()));
                self.choices.push(Choice::ChangePaths(list.clone(), change, val.clone(), env.clone(), kont, saved));
                Step::Eval(paths, val, env, Kont::default().with(Frame::CollectPath(list)))
            }
            NodeKind::Reduce(_, init, _) => Step::Eval(init, val.clone(), env.clone(), kont.with(Frame::ReduceInit(node, val, env))),
            NodeKind::Foreach(_, init, _) => Step::Eval(init, val.clone(), env.clone(), kont.with(Frame::ForeachInit(node, val, env))),
            NodeKind::Store(place, extract) => {
                if let Some(Entry::State(state)) = env.at(*place) {
                    *state.borrow_mut() = val.clone();
                }
                match extract {
                    Some(extract) => Step::Eval(extract, val, env, kont),
                    None => Step::Return(val, kont),
                }
            }
        }
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

    /// Gives a value to the first frame of a continuation.
    pub(super) fn give(&mut self, val: Val, kont: Kont) -> Step {
        let Some((frame, kont)) = kont.pop() else { return Step::Output(val) };
        match frame {
            Frame::Pipe(node, env) => Step::Eval(node, val, env, kont),
            Frame::Gather(mut gather) => {
                gather.values.push(val);
                self.gathered(gather, kont)
            }
            Frame::IndexBy(key, optional) => self.index(&val, key, optional, kont).into(),
            Frame::Iterate(optional) => self.iterate(val, optional, kont).into(),
            Frame::Branch(then, otherwise, input, env, saved) => {
                self.place = saved;
                Step::Eval(if val.is_true() { then } else { otherwise }, input, env, kont)
            }
            Frame::Logic(and, right, input, env, saved) => {
                if val.is_true() == and {
                    return Step::Eval(right, input, env, kont.with(Frame::Truth(saved)));
                }
                self.place = saved;
                Step::Return(Val::Bool(!and), kont)
            }
            Frame::Truth(saved) => {
                self.place = saved;
                Step::Return(Val::Bool(val.is_true()), kont)
            }
            Frame::Alternative(found) => {
                if !val.is_true() {
                    return Step::Back;
                }
                found.set(true);
                Step::Return(val, kont)
            }
            Frame::Bind(body, input, env, saved) => {
                self.place = saved;
                Step::Eval(body, input, env.with(Entry::Val(val)), kont)
            }
            Frame::TryEnd(mark) => {
                // Where the body has no more values, its `try` is over; else errors from here on pass it by.
                if matches!(self.choices.last(), Some(Choice::Try(top, ..)) if *top == mark) {
                    self.choices.pop();
                } else {
                    self.choices.push(Choice::TryPassed(mark));
                }
                Step::Return(val, kont)
            }
            Frame::Collect(list) => {
                list.borrow_mut().push(val);
                Step::Back
            }
            Frame::CollectPath(list) => match self.path_of(&val) {
                Ok(path) => {
                    list.borrow_mut().push(path);
                    Step::Back
                }
                Err(error) => Step::Fail(error),
            },
            Frame::PathEnd(saved) => match self.path_of(&val) {
                Ok(path) => {
                    self.place = saved;
                    Step::Return(path, kont)
                }
                Err(error) => Step::Fail(error),
            },
            Frame::ReduceInit(node, input, env) => {
                let NodeKind::Reduce(source, _, update) = &node.kind else { return Step::Back };
                let state = Rc::new(RefCell::new(val));
                self.choices.push(Choice::Reduced(state.clone(), kont, self.place.clone()));
                let frame = Frame::ReduceItem(state, update, env.clone());
                Step::Eval(source, input, env, Kont::default().with(frame))
            }
            Frame::ReduceItem(state, update, env) => {
                let before = state.replace(Val::Null);
                let kont = Kont::default().with(Frame::ReduceStore(state));
                Step::Eval(update, before, env.with(Entry::Val(val)), kont)
            }
            Frame::ReduceStore(state) => {
                state.replace(val);
                Step::Back
            }
            Frame::ForeachInit(node, input, env) => {
                let NodeKind::Foreach(source, _, update) = &node.kind else { return Step::Back };
                let state = Rc::new(RefCell::new(val));
                let frame = Frame::ForeachItem(state, update, env.clone());
                Step::Eval(source, input, env, kont.with(frame))
            }
            Frame::ForeachItem(state, update, env) => {
                let before = state.replace(Val::Null);
                let env = env.with(Entry::State(state)).with(Entry::Val(val));
                Step::Eval(update, before, env, kont)
            }
            Frame::Changed(change, node, env, choices) => {
                // Only the first value counts.
                self.choices.truncate(choices);
                self.changed(&change, Some(val), node, env, kont).into()
            }
        }
    }

    /// The path that leads to a value, which must be the one at its end.
    fn path_of(&mut self, val: &Val) -> Result<Val, Error> {
        match &self.place {
            Some(place) if place.at.same(val) => Ok(place.path()),
            _ => Err(format!("Invalid path expression with result {}", brief(val, 30)).into()),
        }
    }

    fn index(&mut self, val: &Val, key: Val, optional: bool, kont: Kont) -> Result<Step, Error> {
        if let Some(place) = &self.place
            && !place.at.same(val)
        {
            let (key, val) = (brief(&key, 15), brief(val, 30));
            return Err(format!("Invalid path expression near attempt to access element {key} of {val}").into());
        }
        let inner = match get(val, &key) {
            Ok(inner) => inner,
            Err(_) if optional => return Ok(Step::Back),
            Err(error) => return Err(error.into()),
        };
        if let Some(place) = &self.place {
            self.place = Some(place.then(key, inner.clone()));
        }
        Ok(Step::Return(inner, kont))
    }

    fn iterate(&mut self, val: Val, optional: bool, kont: Kont) -> Result<Step, Error> {
        if let Some(place) = &self.place
            && !place.at.same(&val)
        {
            return Err(format!("Invalid path expression near attempt to iterate through {}", brief(&val, 30)).into());
        }
        let place = self.place.clone();
        match val {
            Val::Arr(items) => Ok(self.retreat(Choice::Elements(items, 0, kont, place))),
            Val::Obj(fields) => Ok(self.retreat(Choice::Members(fields, 0, kont, place))),
            _ if optional => Ok(Step::Back),
            other => Err(format!("Cannot iterate over {}", type_error(&other, "").trim_end()).into()),
        }
    }

    /// Puts a changed value in its place (or notes that it is gone) and continues with the next path.
    pub(super) fn changed(
        &mut self,
        change: &Rc<RefCell<Change>>,
        val: Option<Val>,
        node: &'static Node,
        env: Env,
        kont: Kont,
    ) -> Result<Step, Error> {
        let mut state = change.borrow_mut();
        let path = state.paths[state.at].clone();
        match val {
            Some(val) => {
                let whole = std::mem::replace(&mut state.val, Val::Null);
                state.val = crate::json::set_path(whole, &path, val)?;
            }
            None => state.gone.push(path),
        }
        state.at += 1;
        drop(state);
        self.change_next(change, node, env, kont)
    }

    /// Changes what the next path names.
    pub(super) fn change_next(&mut self, change: &Rc<RefCell<Change>>, node: &'static Node, env: Env, kont: Kont) -> Result<Step, Error> {
        let mut state = change.borrow_mut();
        let Some(path) = state.paths.get(state.at).cloned() else {
            let whole = std::mem::replace(&mut state.val, Val::Null);
            let gone = std::mem::take(&mut state.gone);
            let val = crate::json::delete_paths(whole, &Val::arr(gone))?;
            return Ok(Step::Return(val, kont));
        };
        let mut inner = Val::Null;
        let whole = std::mem::replace(&mut state.val, Val::Null);
        state.val = crate::json::take_path(whole, &path, &mut inner)?;
        drop(state);
        let choices = self.choices.len();
        self.choices.push(Choice::Unchanged(change.clone(), node, env.clone(), kont.clone(), self.place.take()));
        let frame = Frame::Changed(change.clone(), node, env.clone(), choices);
        Ok(Step::Eval(node, inner, env, kont.with(frame)))
    }
}

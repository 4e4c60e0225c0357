//! Forward: giving a value to the frame that waits for it.

use super::Error;
use super::env::{Entry, Env, Kont};
use super::frame::{Change, Choice, Frame};
use super::machine::{Machine, Step};
use crate::json::{Val, brief, get, type_error};
use crate::lang::{Node, NodeKind};
use std::cell::RefCell;
use std::rc::Rc;

impl Machine {
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

    /// Returns the path that leads to a value, which must be the one at its end.
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

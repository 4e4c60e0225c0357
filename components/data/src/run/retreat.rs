//! Backward: trying the next choice, and unwinding after an error.

use super::Error;
use super::frame::{Change, Choice};
use super::machine::{Machine, Step};
use crate::json::{Val, set_path};
use std::cell::RefCell;
use std::rc::Rc;

impl Machine {
    /// Goes on with a choice that was left.
    pub(super) fn retreat(&mut self, choice: Choice) -> Step {
        match choice {
            Choice::Other(node, val, env, kont, place) => {
                self.place = place;
                Step::Eval(node, val, env, kont)
            }
            Choice::Elements(items, at, kont, place) => {
                let Some(item) = items.0.get(at).cloned() else { return Step::Back };
                self.place = place.as_ref().map(|p| p.then(Val::Num(at as f64), item.clone()));
                if at + 1 < items.0.len() {
                    self.choices.push(Choice::Elements(items, at + 1, kont.clone(), place));
                }
                Step::Return(item, kont)
            }
            Choice::Members(fields, at, kont, place) => {
                let Some((key, item)) = fields.0.get_index(at).map(|(k, v)| (k.clone(), v.clone())) else { return Step::Back };
                self.place = place.as_ref().map(|p| p.then(Val::Str(key), item.clone()));
                if at + 1 < fields.0.len() {
                    self.choices.push(Choice::Members(fields, at + 1, kont.clone(), place));
                }
                Step::Return(item, kont)
            }
            Choice::Range(from, upto, kont, place) => {
                if from >= upto || from.is_nan() || upto.is_nan() {
                    return Step::Back;
                }
                self.place.clone_from(&place);
                if from + 1.0 < upto {
                    self.choices.push(Choice::Range(from + 1.0, upto, kont.clone(), place));
                }
                Step::Return(Val::Num(from), kont)
            }
            Choice::Collected(list, kont, place) => {
                self.place = place;
                Step::Return(Val::arr(list.take()), kont)
            }
            Choice::SetPaths(list, val, new, kont, place) => {
                self.place = place;
                let mut val = val;
                for path in list.take() {
                    val = match set_path(val, &path, new.clone()) {
                        Ok(val) => val,
                        Err(error) => return Step::Fail(error.into()),
                    };
                }
                Step::Return(val, kont)
            }
            Choice::ChangePaths(list, node, val, env, kont, place) => {
                self.place = place;
                let change = Change { val, paths: list.take(), at: 0, gone: Vec::new() };
                self.change_next(&Rc::new(RefCell::new(change)), node, env, kont).into()
            }
            Choice::Unchanged(change, node, env, kont, place) => {
                self.place = place;
                self.changed(&change, None, node, env, kont).into()
            }
            Choice::Reduced(state, kont, place) => {
                self.place = place;
                Step::Return(state.replace(Val::Null), kont)
            }
            Choice::Try(..) | Choice::TryPassed(_) | Choice::Label(_) | Choice::Patterns(..) => Step::Back,
            Choice::Alternative(found, node, val, env, kont, place) => {
                if found.get() {
                    return Step::Back;
                }
                self.place = place;
                Step::Eval(node, val, env, kont)
            }
        }
    }

    /// Drops choices until one deals with the error.
    pub(super) fn unwind(&mut self, error: Error) -> Result<Step, Error> {
        let mut passed: Vec<u64> = Vec::new();
        while let Some(choice) = self.choices.pop() {
            match (choice, &error) {
                (Choice::TryPassed(mark), _) => passed.push(mark),
                (Choice::Label(mark), Error::Break(wanted)) if mark == *wanted => return Ok(Step::Back),
                (Choice::Try(mark, handler, env, kont, place), Error::Value(val)) if !passed.contains(&mark) => {
                    self.place = place;
                    return Ok(match handler {
                        Some(handler) => Step::Eval(handler, val.clone(), env, kont),
                        None => Step::Back,
                    });
                }
                (Choice::Patterns(rest, val, env, kont, place), Error::Value(_)) => {
                    self.place = place;
                    return Ok(self.patterns(rest, val, env, kont));
                }
                _ => {}
            }
        }
        Err(error)
    }
}

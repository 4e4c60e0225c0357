//! The machine: a value, what to do with it, and choices to return to. It keeps no state on the stack of the process,
//! so neither deep recursion nor long loops of a program can exhaust it.

use super::env::{Env, Kont, Place};
use super::frame::Choice;
use super::{Context, Error};
use crate::json::Val;
use crate::lang::Node;

/// What to do next.
pub(super) enum Step {
    Eval(&'static Node, Val, Env, Kont),
    Return(Val, Kont),
    Back,
    Fail(Error),
    Output(Val),
}

/// Runs one program over one input after the other.
pub(crate) struct Machine {
    /// What the program can reach.
    pub context: Context,
    pub(super) choices: Vec<Choice>,
    pub(super) place: Option<Place>,
    pub(super) marks: u64,
    next: Option<Step>,
}

impl Machine {
    /// Creates a machine with nothing to do.
    pub(crate) fn new(context: Context) -> Self {
        Self { context, choices: Vec::new(), place: None, marks: 0, next: None }
    }

    /// Begins with an input.
    pub(crate) fn start(&mut self, program: &'static Node, input: Val) {
        self.choices.clear();
        self.place = None;
        self.next = Some(Step::Eval(program, input, Env::default(), Kont::default()));
    }

    /// Returns the next result.
    pub(crate) fn next(&mut self) -> Result<Option<Val>, Error> {
        let mut step = self.next.take().unwrap_or(Step::Back);
        loop {
            step = match step {
                Step::Eval(node, val, env, kont) => self.eval(node, val, env, kont),
                Step::Return(val, kont) => self.give(val, kont),
                Step::Back => match self.choices.pop() {
                    Some(choice) => self.retreat(choice),
                    None => return Ok(None),
                },
                Step::Fail(error) => match self.unwind(error) {
                    Ok(step) => step,
                    Err(error) => {
                        self.choices.clear();
                        return Err(error);
                    }
                },
                Step::Output(val) => return Ok(Some(val)),
            };
        }
    }

    pub(super) fn mark(&mut self) -> u64 {
        self.marks += 1;
        self.marks
    }
}

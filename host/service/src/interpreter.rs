//! The live interpreters of a session, by name.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use wisp::{Code, Interpreter};
use wisp_api::InterpreterInfo;

use crate::error::ServiceError;
use crate::evaluation::{Evaluated, Kept};
use crate::session::{Entry, SessionHandle};

/// What an interpreter runs if nothing else is asked for.
const TOOL: &str = "python3";

/// The interpreters by name.
#[derive(Default)]
pub(crate) struct Interpreters(Mutex<Places>);

#[derive(Default)]
struct Places {
    all: BTreeMap<String, Place>,
    /// The session has ended: what calls still have does not come back.
    gone: bool,
}

/// An interpreter, or where one will be.
struct Place {
    tool: String,
    held: Held,
}

enum Held {
    Here(Box<Interpreter>),
    /// A call has it, which does this.
    Away(&'static str),
}

impl Interpreters {
    /// Starts an evaluation, and lists it. The interpreter starts if there is none of this name.
    pub(crate) async fn start(entry: &Arc<Entry>, name: &str, tool: Option<&str>, code: Code) -> Result<Kept, ServiceError> {
        // It is away until the evaluation is listed: who takes all interpreters finds none that evaluates without being listed. And
        // without the lock: functions of the program run.
        let mut taken = Taken::to_evaluate(entry, name, tool)?;
        let interpreter = match &mut taken.interpreter {
            Some(interpreter) => interpreter,
            none => none.insert(Box::new(entry.session.interpreter(&taken.tool).await?)),
        };
        let running = interpreter.start(code)?;
        Ok(entry.evaluations.keep(name.into(), running))
    }

    /// Adds an interpreter, in place of one with the same name.
    pub(crate) fn put(&self, name: String, tool: String, interpreter: Interpreter) {
        let mut places = self.0.lock();
        if !places.gone {
            places.all.insert(name, Place { tool, held: Held::Here(Box::new(interpreter)) });
        }
    }

    /// Returns what is known about them.
    pub(crate) fn infos(&self, evaluations: &Evaluated) -> Vec<InterpreterInfo> {
        let places = self.0.lock();
        let info = |(name, place): (&String, &Place)| {
            let evaluation = evaluations.running_in(name);
            let ended = matches!(&place.held, Held::Here(interpreter) if interpreter.ended().is_some());
            InterpreterInfo { name: name.clone(), tool: place.tool.clone(), ended: ended && evaluation.is_none(), evaluation }
        };
        places.all.iter().map(info).collect()
    }

    /// Ends all of them, and what calls have when they put it back.
    pub(crate) fn clear(&self) {
        let places = std::mem::replace(&mut *self.0.lock(), Places { gone: true, ..Places::default() });
        drop(places);
    }
}

fn busy(name: &str, doing: &'static str) -> ServiceError {
    ServiceError::Busy { kind: "interpreter", name: name.to_owned(), doing }
}

/// An interpreter that one call has. It goes back to its place when this is dropped.
pub(crate) struct Taken {
    entry: Arc<Entry>,
    pub(crate) name: String,
    pub(crate) tool: String,
    /// Taken when it ends.
    interpreter: Option<Box<Interpreter>>,
}

impl Taken {
    /// Takes the interpreter of this name for an evaluation, or the place of one that is to start.
    fn to_evaluate(entry: &Arc<Entry>, name: &str, tool: Option<&str>) -> Result<Self, ServiceError> {
        let mut places = entry.interpreters.0.lock();
        match places.all.get(name) {
            Some(place) if tool.is_some_and(|tool| tool != place.tool) => {
                Err(ServiceError::OtherTool { name: name.to_owned(), tool: place.tool.clone() })
            }
            Some(_) => Self::from_places(&mut places, entry, name, "starts an evaluation"),
            None => {
                let _still = entry.may_begin()?;
                let tool = tool.unwrap_or(TOOL).to_owned();
                places.all.insert(name.to_owned(), Place { tool: tool.clone(), held: Held::Away("starts") });
                Ok(Self { entry: entry.clone(), name: name.to_owned(), tool, interpreter: None })
            }
        }
    }

    /// Takes the interpreter of this name.
    fn one(entry: &Arc<Entry>, name: &str, doing: &'static str) -> Result<Self, ServiceError> {
        Self::from_places(&mut entry.interpreters.0.lock(), entry, name, doing)
    }

    fn from_places(places: &mut Places, entry: &Arc<Entry>, name: &str, doing: &'static str) -> Result<Self, ServiceError> {
        let place = places.all.get_mut(name).ok_or_else(|| ServiceError::not_found("interpreter", name))?;
        if let Held::Away(doing) = place.held {
            return Err(busy(name, doing));
        }
        let Held::Here(interpreter) = std::mem::replace(&mut place.held, Held::Away(doing)) else { return Err(busy(name, doing)) };
        Ok(Self { entry: entry.clone(), name: name.to_owned(), tool: place.tool.clone(), interpreter: Some(interpreter) })
    }

    /// Takes every interpreter, if none evaluates or is away.
    pub(crate) fn all(entry: &Arc<Entry>, doing: &'static str) -> Result<Vec<Self>, ServiceError> {
        let names: Vec<String> = entry.interpreters.0.lock().all.keys().cloned().collect();
        let idle = |name: &String| match entry.evaluations.running_in(name) {
            None => Self::one(entry, name, doing),
            Some(_) => Err(busy(name, "evaluates")),
        };
        names.iter().map(idle).collect()
    }

    pub(crate) fn get(&mut self) -> Option<&mut Interpreter> {
        self.interpreter.as_deref_mut()
    }

    /// Ends it. Its name is free.
    async fn close(mut self) {
        if let Some(interpreter) = self.interpreter.take() {
            interpreter.close().await;
        }
    }

    /// Ends it without waiting.
    pub(crate) fn end(mut self) {
        drop(self.interpreter.take());
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut places = self.entry.interpreters.0.lock();
        match self.interpreter.take() {
            Some(interpreter) if !places.gone => {
                places.all.insert(self.name.clone(), Place { tool: self.tool.clone(), held: Held::Here(interpreter) });
            }
            _ => drop(places.all.remove(&self.name)),
        }
    }
}

impl SessionHandle {
    /// Ends an interpreter, with what it evaluates, and starts a fresh one in its place. The session's files stay.
    ///
    /// # Errors
    /// If there is none of this name, another call has it, or the fresh one cannot start.
    pub async fn reset_interpreter(&self, name: &str) -> Result<(), ServiceError> {
        let (call, name) = (self.call()?, name.to_owned());
        self.service
            .on(async move {
                let mut taken = Taken::one(&call.entry, &name, "is being reset")?;
                match taken.get() {
                    Some(interpreter) => Ok(interpreter.reset().await?),
                    None => Err(ServiceError::not_found("interpreter", &name)),
                }
            })
            .await
    }

    /// Ends an interpreter, with what it evaluates. The next evaluation of this name starts another.
    ///
    /// # Errors
    /// If there is none of this name, or another call has it.
    pub async fn close_interpreter(&self, name: &str) -> Result<(), ServiceError> {
        let (call, name) = (self.call()?, name.to_owned());
        self.service
            .on(async move {
                Taken::one(&call.entry, &name, "is being closed")?.close().await;
                Ok(())
            })
            .await
    }
}

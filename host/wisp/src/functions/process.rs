//! The functions of one process: decides on its calls, and begins them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};

use super::function::HostFunction;
use super::gate::Gate;
use super::record::Answers;
use super::work::{Source, Step, Work};
use crate::wasi::{Asker, CallError, Charge, HostAnswer, HostCalls, HostDescription, HostValue, outside};
use wisp_api::ReceiptKind;
use wisp_policy::schema::Key;
use wisp_process::Withheld;

/// What the host holds for a running call beside its arguments and items: its task, its channel, its timer; after its end, what a
/// failure says. What the function itself holds is the host program's.
const CALL_COST: u64 = 8 << 10;

impl Gate {
    /// Decides on a call.
    fn admit(self: &Arc<Self>, asker: Asker, name: String, arguments: HostValue) -> Result<(Work, bool), CallError> {
        let (function, rule) = self.find(&asker, &name)?;
        let (grant, process, size) = (&self.grant, asker.process, arguments.size());
        if size > grant.max_arguments {
            return Err(self.exceeded(process, &name, Key::MaxArguments));
        }
        if self.calls.fetch_add(1, Ordering::Relaxed) >= grant.max_calls {
            return Err(self.exceeded(process, &name, Key::MaxCalls));
        }
        self.transfer(process, &name, size)?;
        let charge = Charge::new(&asker.memory, size).ok_or_else(|| self.no_memory())?;
        let own = Some(Charge::new(&asker.memory, CALL_COST).ok_or_else(|| self.no_memory())?);
        let (source, entry) = match &self.answers {
            Answers::Live => (Source::Function(function.body().clone(), arguments), None),
            Answers::Record(recorder) => {
                let entry = recorder.entry(&name, &arguments, &asker.memory).ok_or_else(|| self.no_memory())?;
                (Source::Function(function.body().clone(), arguments), Some(entry))
            }
            Answers::Replay(replay) => (Source::Replay(replay.next(&name, &arguments)), None),
        };
        self.receipts.allowed(process, ReceiptKind::Function, &name, rule);
        let streams = function.streams();
        let work = Work {
            gate: self.clone(),
            process,
            name,
            memory: asker.memory,
            charge,
            own,
            deadline: Instant::now().checked_add(grant.timeout),
            left: grant.max_result,
            step: Step::Begin(source),
            turn: None,
            entry,
        };
        Ok((work, streams))
    }

    /// Decides on a call, and does the whole of it here.
    pub(super) async fn complete(self: &Arc<Self>, asker: Asker, name: String, arguments: HostValue) -> Result<HostAnswer, CallError> {
        let (work, streams) = self.admit(asker, name, arguments)?;
        work.complete(streams).await
    }
}

/// The functions that one process may call.
pub(crate) struct ProcessFunctions {
    gate: Arc<Gate>,
    /// The tool that took the right to call, and its rule.
    withheld: Option<(String, String)>,
}

impl ProcessFunctions {
    /// Returns the functions of a process: all of its session, or none.
    pub(crate) fn of(gate: &Arc<Gate>, right: Result<(), &Withheld>) -> Arc<dyn HostCalls> {
        let withheld = right.err().map(|withheld| (withheld.tool.clone(), withheld.rule.clone()));
        Arc::new(Self { gate: gate.clone(), withheld })
    }
}

impl HostCalls for ProcessFunctions {
    fn functions(&self) -> Vec<HostDescription> {
        let may = |name: &&String| self.withheld.is_none() && self.gate.allowed.contains_key(*name);
        let names = self.gate.functions.keys().filter(may);
        names.filter_map(|name| self.gate.functions.get(name)).map(HostFunction::describe).collect()
    }

    fn call(&self, asker: Asker, name: String, arguments: HostValue) -> BoxFuture<'static, Result<HostAnswer, CallError>> {
        let gate = &self.gate;
        if let Some((tool, rule)) = &self.withheld {
            let reason = format!("the tool `{tool}`, and what it starts, may call no function of the host");
            let help = format!("write `host = true` in `[tools.custom.{tool}]`");
            return ready(Err(gate.denied(asker.process, &name, reason, rule.clone(), help))).boxed();
        }
        match gate.admit(asker, name, arguments) {
            Err(error) => ready(Err(error)).boxed(),
            Ok((work, streams)) if gate.policy.determinism().is_some() => outside(work.complete(streams)).boxed(),
            Ok((work, streams)) => ready(work.begin(streams)).boxed(),
        }
    }
}

//! `wisp:sandbox/host`: functions of the host program. What a call may do is decided by [`HostCalls`]; this file is the
//! guest's side of it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt};
use serde::de::DeserializeOwned;
use wasmtime::component::{HasData, Resource};
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::bindings::wisp::sandbox::host as wit;
use super::context::{Part, WasiView};
use super::{Charge, Handles, Held, HostMemory};

/// Arguments, a result, or an item of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostValue {
    /// JSON as text. Arguments are an object: the parameters by name. The host does not check what a guest sends.
    Json(String),
    /// Bytes as they are.
    Bytes(Vec<u8>),
}

impl HostValue {
    /// Reads JSON into a type of the function's. Prefer a type with its own fields to [`serde_json::Value`], which takes
    /// up to fifty times the memory of its text.
    ///
    /// # Errors
    /// `InvalidArguments`, if it is bytes, no JSON, or not of that type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, HostFailure> {
        let invalid = |message: String| HostFailure::new("InvalidArguments", message);
        match self {
            Self::Json(text) => serde_json::from_str(text).map_err(|error| invalid(error.to_string())),
            Self::Bytes(_) => Err(invalid("expected JSON, not bytes".to_owned())),
        }
    }

    /// Returns its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Json(text) => text.len() as u64,
            Self::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

impl From<serde_json::Value> for HostValue {
    fn from(value: serde_json::Value) -> Self {
        Self::Json(value.to_string())
    }
}

impl From<Vec<u8>> for HostValue {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// Maximum bytes of what a failure says to a guest, and of them for its name. A call has paid for as much (`CALL_COST`). Attack: a guest
/// that makes a function fail with a text of any size, which no limit counts.
const FAILURE: usize = 8 << 10;
const FAILURE_NAME: usize = 128;

/// Why a function could not do what it was asked. The guest sees both texts: at most 8 KiB of them together, 128 bytes of the name. What is
/// longer is cut there, and ends with how long it was. They count towards `host.max_bytes` of the policy, as a result does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {message}")]
#[non_exhaustive]
pub struct HostFailure {
    /// The kind of the failure, such as `NotFound`.
    pub name: String,
    /// What went wrong.
    pub message: String,
}

impl HostFailure {
    /// Creates a failure of this kind.
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), message: message.into() }
    }

    /// Returns as much of it as a guest gets.
    pub(crate) fn for_guest(self) -> Self {
        let name = cut(self.name, FAILURE_NAME);
        let left = FAILURE - name.len();
        Self { name, message: cut(self.message, left) }
    }

    /// Returns its size in bytes.
    pub(crate) fn size(&self) -> u64 {
        (self.name.len() + self.message.len()) as u64
    }
}

/// Returns a text of at most `most` bytes: this one, or its beginning with a mark.
fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let mark = format!("… (cut: {} bytes)", text.len());
        text.truncate(text.floor_char_boundary(most.saturating_sub(mark.len())));
        text.push_str(&mark);
        text.shrink_to_fit();
    }
    text
}

/// What a guest may know about a function.
#[derive(Debug, Clone)]
pub struct HostDescription {
    /// Its name.
    pub name: String,
    /// What it does.
    pub documentation: String,
    /// The JSON Schema of its arguments; may be empty.
    pub parameters: String,
    /// The JSON Schema of its result or items; may be empty.
    pub returns: String,
    /// Whether it returns items.
    pub streams: bool,
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallError {
    /// The policy does not allow it.
    Denied {
        /// The function.
        name: String,
        /// What refused it.
        reason: String,
        /// The rule.
        rule: String,
        /// The change that would allow it.
        help: String,
    },
    /// There is no such function.
    NotFound(String),
    /// The function failed.
    Failed(HostFailure),
    /// A limit ended or refused it.
    Limited {
        /// The policy's key.
        limit: String,
        /// Its value.
        value: String,
        /// The rule that set it.
        rule: String,
    },
}

/// A result or an item, and the charge for it.
pub struct HostItem {
    /// The value.
    pub value: HostValue,
    /// Released when the guest has a copy, or does not want one.
    #[expect(dead_code, reason = "held with the value; released on drop")]
    pub charge: Charge,
}

/// The items of a call. Dropping them ends the call.
pub type HostItems = BoxStream<'static, Result<HostItem, CallError>>;

/// What a call returns.
pub enum HostAnswer {
    /// The result.
    Done(HostItem),
    /// The call runs.
    Running(HostItems),
}

/// The process that calls.
pub struct Asker {
    /// Its number, for receipts.
    pub process: u32,
    /// Pays for what the host holds.
    pub memory: Arc<dyn HostMemory>,
}

/// The functions that one process may call.
pub trait HostCalls: Send + Sync {
    /// Returns the functions that exist and are allowed, sorted by name.
    fn functions(&self) -> Vec<HostDescription>;

    /// Calls a function. The future is ready at once, unless the policy is deterministic: then it ends with the call.
    fn call(&self, asker: Asker, name: String, arguments: HostValue) -> BoxFuture<'static, Result<HostAnswer, CallError>>;
}

/// A call that runs.
pub struct RunningCall {
    /// `None` once it has ended.
    items: Option<HostItems>,
    /// What `ready` found, for `next`.
    next: Option<Result<Option<HostItem>, CallError>>,
}

impl Held for RunningCall {
    const CHARGED: &'static str = "the call has a `Charge` in its stream, and each item has its own";
}

#[async_trait]
impl Pollable for RunningCall {
    async fn ready(&mut self) {
        if self.next.is_none()
            && let Some(items) = &mut self.items
        {
            let next = items.next().await;
            self.next = Some(next.transpose());
        }
    }
}

impl RunningCall {
    /// Returns what it has now; `None` if it must be waited for.
    fn take(&mut self) -> Option<Result<Option<HostItem>, CallError>> {
        let next = match self.next.take() {
            Some(next) => next,
            None => match &mut self.items {
                Some(items) => items.next().now_or_never()?.transpose(),
                None => Ok(None),
            },
        };
        if !matches!(next, Ok(Some(_))) {
            self.items = None;
        }
        Some(next)
    }
}

/// The part of a process that `wisp:sandbox/host` sees.
pub(super) struct HasHost;

impl HasData for HasHost {
    type Data<'a> = HostView<'a>;
}

impl Part for HasHost {
    fn of(view: WasiView<'_>) -> HostView<'_> {
        let ctx = view.ctx;
        HostView { table: view.table, functions: ctx.functions.as_ref(), process: ctx.process.pid(), memory: &ctx.memory }
    }
}

/// The functions, and the table that holds the running calls.
pub(super) struct HostView<'a> {
    table: &'a mut Handles,
    functions: Option<&'a Arc<dyn HostCalls>>,
    process: u32,
    memory: &'a Arc<dyn HostMemory>,
}

impl wit::Host for HostView<'_> {
    fn functions(&mut self) -> wasmtime::Result<Result<Vec<wit::Description>, wit::Error>> {
        // A world that links this interface has functions. If there are none after all, none is called.
        let Some(functions) = self.functions else { return Ok(Err(wit::Error::AccessDenied)) };
        Ok(Ok(functions.functions().into_iter().map(description).collect()))
    }

    async fn call(&mut self, name: String, arguments: wit::Value) -> wasmtime::Result<Result<wit::Answer, wit::Error>> {
        let Some(functions) = self.functions else { return Ok(Err(wit::Error::AccessDenied)) };
        let asker = Asker { process: self.process, memory: self.memory.clone() };
        let arguments = match arguments {
            wit::Value::Json(text) => HostValue::Json(text),
            wit::Value::Bytes(bytes) => HostValue::Bytes(bytes),
        };
        let answer = functions.call(asker, name, arguments).await;
        Ok(match answer {
            Ok(HostAnswer::Done(item)) => Ok(wit::Answer::Done(value(item))),
            Ok(HostAnswer::Running(items)) => Ok(wit::Answer::Running(self.table.push(RunningCall { items: Some(items), next: None })?)),
            Err(error) => Err(failed(error)),
        })
    }
}

impl wit::HostRunningCall for HostView<'_> {
    fn subscribe(&mut self, call: Resource<RunningCall>) -> wasmtime::Result<Resource<DynPollable>> {
        self.table.subscribe(call)
    }

    fn next(&mut self, call: Resource<RunningCall>) -> wasmtime::Result<Result<wit::Progress, wit::Error>> {
        Ok(match self.table.get_mut(&call)?.take() {
            None => Ok(wit::Progress::Waiting),
            Some(Ok(Some(item))) => Ok(wit::Progress::Item(value(item))),
            Some(Ok(None)) => Ok(wit::Progress::Ended),
            Some(Err(error)) => Err(failed(error)),
        })
    }

    fn drop(&mut self, call: Resource<RunningCall>) -> wasmtime::Result<()> {
        self.table.delete(call)?;
        Ok(())
    }
}

/// Returns a value for the guest, which has room for it or ends by its own limit.
fn value(item: HostItem) -> wit::Value {
    match item.value {
        HostValue::Json(text) => wit::Value::Json(text),
        HostValue::Bytes(bytes) => wit::Value::Bytes(bytes),
    }
}

fn description(of: HostDescription) -> wit::Description {
    let HostDescription { name, documentation, parameters, returns, streams } = of;
    wit::Description { name, documentation, parameters, returns, streams }
}

fn failed(error: CallError) -> wit::Error {
    match error {
        CallError::Denied { name, reason, rule, help } => wit::Error::Denied(wit::Denial { name, reason, rule, help }),
        CallError::NotFound(name) => wit::Error::NotFound(name),
        CallError::Failed(HostFailure { name, message }) => wit::Error::Failed(wit::Failure { name, message }),
        CallError::Limited { limit, value, rule } => wit::Error::Limited(wit::Excess { limit, value, rule }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::charge::tests::Account;
    use super::*;

    fn items(texts: &[&str], memory: &Arc<dyn HostMemory>) -> HostItems {
        let item = |text: &&str| {
            let charge = Charge::new(memory, text.len() as u64).expect("room");
            Ok(HostItem { value: HostValue::Json((*text).to_owned()), charge })
        };
        futures_util::stream::iter(texts.iter().map(item).collect::<Vec<_>>()).boxed()
    }

    #[tokio::test]
    async fn a_running_call_gives_its_items_then_ends_and_stays_ended() {
        let (account, memory) = Account::of(100);
        let mut call = RunningCall { items: Some(items(&["1", "22"], &memory)), next: None };
        assert_eq!(account.left(), 97);
        call.ready().await;
        call.ready().await;
        let first = call.take().expect("it was ready").expect("an item").expect("an item");
        assert_eq!(first.value, HostValue::Json("1".to_owned()));
        drop(first);
        assert_eq!(account.left(), 98, "what the guest has is the guest's own memory");
        assert!(matches!(call.take(), Some(Ok(Some(_)))));
        for _ in 0..2 {
            call.ready().await;
            assert!(matches!(call.take(), Some(Ok(None))));
        }
        assert_eq!(account.left(), 100);
    }

    #[test]
    fn a_call_that_waits_says_so_and_keeps_its_place() {
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let (_, memory) = Account::of(100);
        let later = async move {
            let _ = receiver.await;
            Err(CallError::NotFound("x".to_owned()))
        };
        let mut call = RunningCall { items: Some(futures_util::stream::once(later).boxed()), next: None };
        assert!(call.take().is_none() && call.take().is_none());
        sender.send(()).expect("it waits");
        assert!(matches!(call.take(), Some(Err(CallError::NotFound(_)))));
        assert!(matches!(call.take(), Some(Ok(None))), "an error ends it");
        drop(memory);
    }

    #[test]
    fn a_guest_gets_at_most_so_much_of_a_failure() {
        let short = HostFailure::new("NotFound", "x".repeat(FAILURE - "NotFound".len()));
        assert_eq!(short.clone().for_guest(), short);
        let long = HostFailure::new("é".repeat(1000), "é".repeat(1 << 20)).for_guest();
        assert!(long.name.len() <= FAILURE_NAME && long.name.ends_with("é… (cut: 2000 bytes)"), "{}", long.name);
        assert!(long.message.ends_with("é… (cut: 2097152 bytes)"), "{}", long.message.len());
        // A replayed one is cut already.
        assert!((FAILURE - 4..=FAILURE).contains(&(long.name.len() + long.message.len())));
        assert_eq!(long.clone().for_guest(), long);
    }

    #[test]
    fn arguments_are_read_by_type() {
        let arguments = HostValue::Json(r#"{"query": "x", "count": 2}"#.to_owned());
        let read: std::collections::BTreeMap<String, serde_json::Value> = arguments.read().expect("an object");
        assert_eq!(read["count"], 2);
        for wrong in [HostValue::Json("{".to_owned()), HostValue::Json("[]".to_owned()), HostValue::Bytes(vec![123, 125])] {
            let failure = wrong.read::<std::collections::BTreeMap<String, u8>>().expect_err("not an object");
            assert_eq!(failure.name, "InvalidArguments");
        }
    }
}

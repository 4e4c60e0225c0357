//! What a program registers: a function with its name, its documentation and its schemas.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, Stream};
use futures_util::{FutureExt, StreamExt};

use crate::wasi::{HostDescription, HostFailure, HostValue};
use wisp_api::FunctionInfo;

/// What a function returns: a result, or items.
#[derive(Clone)]
pub(crate) enum Body {
    Once(Arc<dyn Fn(HostValue) -> BoxFuture<'static, Result<HostValue, HostFailure>> + Send + Sync>),
    Items(Arc<dyn Fn(HostValue) -> BoxStream<'static, Result<HostValue, HostFailure>> + Send + Sync>),
}

/// Functions by their names.
pub(crate) type Functions = BTreeMap<String, HostFunction>;

/// A function of the host program that code in a sandbox may call, if the policy allows it (`host.allow`).
///
/// Python has it as `from host import NAME`, the shell as `host NAME`. It is called with arguments that the guest
/// chose: check them as you would check a request from the internet. Its results are visible to the guest.
///
/// The function runs on the runtime of the session. It is dropped when its time (`host.timeout`) is over, when the guest
/// drops the call, and when the guest ends. It must not block a thread ([`HostFunction::blocking`] may), and under
/// `[determinism]` not wait for its own session, which waits for it. If it panics, its caller gets a failure called
/// `Panic`, and nothing else happens.
///
/// # Example
/// ```
/// use serde_json::json;
/// use wisp::{HostFunction, HostValue};
///
/// let add = HostFunction::new("add", |arguments: HostValue| async move {
///     let numbers: std::collections::BTreeMap<String, f64> = arguments.read()?;
///     Ok(json!(numbers.values().sum::<f64>()))
/// });
/// let add = add.documentation("Adds `a` and `b`.").parameters(&json!({
///     "type": "object",
///     "properties": { "a": { "type": "number" }, "b": { "type": "number" } },
///     "required": ["a", "b"],
/// }));
/// # let _ = add;
/// ```
#[derive(Clone)]
#[must_use]
pub struct HostFunction {
    name: String,
    documentation: String,
    parameters: String,
    returns: String,
    body: Body,
}

impl HostFunction {
    /// Creates a function that returns one result.
    ///
    /// The name has letters, digits and `_`, and does not begin with a digit: a policy can allow no other.
    pub fn new<F, W, R>(name: &str, function: F) -> Self
    where
        F: Fn(HostValue) -> W + Send + Sync + 'static,
        W: Future<Output = Result<R, HostFailure>> + Send + 'static,
        R: Into<HostValue> + 'static,
    {
        let once = move |arguments: HostValue| function(arguments).map(|result| result.map(Into::<HostValue>::into)).boxed();
        Self::with(name, Body::Once(Arc::new(once)))
    }

    /// Returns a function that blocks its thread, for which it gets one of its own. Its processor time is charged to
    /// `limits.cpu`. It cannot be stopped: when its time is over, its caller goes on and the thread does not.
    pub fn blocking<F, R>(name: &str, function: F) -> Self
    where
        F: Fn(HostValue) -> Result<R, HostFailure> + Send + Sync + 'static,
        R: Into<HostValue> + 'static,
    {
        let function = Arc::new(function);
        let once = move |arguments: HostValue| {
            let function = function.clone();
            let work = async move {
                // A panic is the function's failure, as that of one that does not block: wisp goes on.
                let call = move || catch_unwind(AssertUnwindSafe(|| function(arguments).map(Into::<HostValue>::into)));
                match crate::meter::blocking(call).await {
                    Ok(Ok(ended)) => ended,
                    Ok(Err(panic)) => resume_unwind(panic),
                    Err(_) => Err(HostFailure::new("Ended", "the host program is ending")),
                }
            };
            work.boxed()
        };
        Self::with(name, Body::Once(Arc::new(once)))
    }

    /// Returns a function that returns any number of items, one after the other. The next one is asked for when there is room
    /// for it: a guest that does not read stops the function. A failure ends it.
    pub fn streaming<F, S, R>(name: &str, function: F) -> Self
    where
        F: Fn(HostValue) -> S + Send + Sync + 'static,
        S: Stream<Item = Result<R, HostFailure>> + Send + 'static,
        R: Into<HostValue> + 'static,
    {
        let items = move |arguments: HostValue| function(arguments).map(|item| item.map(Into::<HostValue>::into)).boxed();
        Self::with(name, Body::Items(Arc::new(items)))
    }

    fn with(name: &str, body: Body) -> Self {
        Self { name: name.to_owned(), documentation: String::new(), parameters: String::new(), returns: String::new(), body }
    }

    /// Sets what people and models read about it: a sentence, then paragraphs.
    pub fn documentation(mut self, text: &str) -> Self {
        text.clone_into(&mut self.documentation);
        self
    }

    /// Sets the JSON Schema of its arguments: of an object with a property for each parameter. Python makes the
    /// signature from it, and the shell reads the values of options by their types. Nothing checks arguments by it.
    pub fn parameters(mut self, schema: &serde_json::Value) -> Self {
        self.parameters = schema.to_string();
        self
    }

    /// Does what [`parameters`](Self::parameters) does, with the schema as text: the parameters have the order that they have there,
    /// which a [`serde_json::Value`] can lose. What is no JSON describes nothing.
    pub fn parameters_text(mut self, schema: &str) -> Self {
        schema.clone_into(&mut self.parameters);
        self
    }

    /// Sets the JSON Schema of its result, or of each item.
    pub fn returns(mut self, schema: &serde_json::Value) -> Self {
        self.returns = schema.to_string();
        self
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn body(&self) -> &Body {
        &self.body
    }

    /// Returns whether it returns items.
    pub(super) fn streams(&self) -> bool {
        matches!(self.body, Body::Items(_))
    }

    /// Returns what a guest may know.
    pub(super) fn describe(&self) -> HostDescription {
        HostDescription {
            name: self.name.clone(),
            documentation: self.documentation.clone(),
            parameters: self.parameters.clone(),
            returns: self.returns.clone(),
            streams: self.streams(),
        }
    }

    /// Returns what the host program may know, with the rule that allows it.
    pub(super) fn info(&self, rule: &str) -> FunctionInfo {
        // Both were written from JSON, or are empty.
        let schema = |text: &str| serde_json::from_str(text).ok().filter(|schema: &serde_json::Value| !schema.is_null());
        FunctionInfo {
            name: self.name.clone(),
            documentation: self.documentation.clone(),
            parameters: schema(&self.parameters),
            returns: schema(&self.returns),
            items: self.streams(),
            rule: rule.to_owned(),
        }
    }
}

impl fmt::Debug for HostFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostFunction").field("name", &self.name).field("streams", &self.streams()).finish_non_exhaustive()
    }
}

//! Functions of the host as tools: what a client sees of them, and calls of them.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use rmcp::service::Peer;
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use wisp::{FunctionError, FunctionResult, HostValue, Policy};
use wisp_api::FunctionInfo;
use wisp_service::ServiceError;

use crate::arguments::{ExplainPolicy, schema};
use crate::call::Call;
use crate::connection::Connection;
use crate::error::CallError;
use crate::report::{ERROR, PICTURE, PICTURES, Report};
use crate::sessions::{Core, Found};
use crate::text::{Gap, shortened, with_newline};
use crate::timer::at_most;

use super::files::media_type;
use super::{bounded, output as bound};

/// The argument that says in which session a tool does its work.
const SESSION: &str = "session";

/// The tool whose description says what is wrong with the others.
const EXPLAINS: &str = "explain_policy";

/// What the service says: the functions, or why there are none.
type Asked = Shared<BoxFuture<'static, Result<Arc<Vec<FunctionInfo>>, Arc<str>>>>;

/// The functions of the policy. The service is asked for them when they are first needed, and again if it failed.
#[derive(Default)]
pub(crate) struct Functions(Mutex<Option<Asked>>);

impl Functions {
    fn asked(&self, core: &Core) -> Asked {
        let mut asked = self.0.lock();
        if let Some(asked) = asked.as_ref().filter(|asked| !matches!(asked.peek(), Some(Err(_)))) {
            return asked.clone();
        }
        let (service, policy) = (core.service.clone(), core.options.policy.clone());
        let ask = async move {
            let found = service.functions(policy.as_deref()).await;
            found.map(Arc::new).map_err(|error| Arc::<str>::from(format!("{error} [{}]", error.code())))
        };
        asked.insert(ask.boxed().shared()).clone()
    }
}

/// Tells a client whose list lacked the functions, once there is another list. It ends with the connection.
#[derive(Default)]
pub(crate) struct Late {
    task: Mutex<Option<AbortHandle>>,
    /// How many lists lacked them that were answers to requests which stood alone.
    lacked: watch::Sender<u64>,
}

impl Late {
    /// Tells nothing more.
    pub(crate) fn clear(&self) {
        if let Some(task) = self.task.lock().take() {
            task.abort();
        }
    }

    /// Waits until there is another list than a client has got whose requests stand alone; `told` counts for whoever listens.
    pub(crate) async fn another(&self, core: &Core, told: &mut u64) {
        let (mut lacked, before) = (self.lacked.subscribe(), *told);
        // It fails only if `self` is gone.
        if let Ok(count) = lacked.wait_for(|count| *count > before).await {
            *told = *count;
        }
        // If there are none, the next list says why.
        let _ = core.functions.asked(core).await;
    }

    fn tell(&self, core: &Core, client: Peer<RoleServer>) {
        let asked = core.functions.asked(core);
        let tell = async move {
            // If there are none, the next list says why.
            let _ = asked.await;
            // It fails only if the client is gone.
            let _ = client.notify_tool_list_changed().await;
        };
        self.clear();
        #[expect(clippy::disallowed_methods, reason = "it ends with the connection")]
        let task = tokio::spawn(tell);
        *self.task.lock() = Some(task.abort_handle());
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Returns whether the policy grants any.
pub(crate) fn granted(policy: &Policy) -> bool {
    policy.host().is_some_and(|host| host.functions().next().is_some())
}

/// Returns wisp's own tools, and after them the functions. What is missing among these, and why, is in the description of
/// `explain_policy`. If servers of the policy have not answered in time, `client` is told later that there is another list; without it,
/// those who listen are.
pub(crate) async fn listed(connection: &Connection, own: &[Tool], client: Option<Peer<RoleServer>>) -> Vec<Tool> {
    let (core, mut tools) = (connection.core(), own.to_vec());
    if !granted(&core.policy) {
        return tools;
    }
    match at_most(core.options.listing, core.functions.asked(core)).await {
        Some(Ok(functions)) => {
            let (taken, free): (Vec<_>, Vec<_>) = functions.iter().partition(|one| own.iter().any(|tool| tool.name == one.name));
            tools.extend(free.into_iter().map(tool));
            for FunctionInfo { name, .. } in taken {
                let how = by_code(name);
                explain(&mut tools, &format!("The function `{name}` of the host is no tool, because wisp has one of that name: {how}."));
            }
        }
        Some(Err(why)) => explain(&mut tools, &format!("The functions of the host are not among the tools: {why}")),
        None => {
            let names = core.policy.host().map(|host| host.functions().collect::<Vec<_>>().join(", ")).unwrap_or_default();
            let why = "are not among the tools yet, because servers of the policy have not answered";
            explain(&mut tools, &format!("The functions of the host {why}: {names}."));
            match client {
                Some(client) => connection.late.tell(core, client),
                None => connection.late.lacked.send_modify(|lacked| *lacked += 1),
            }
        }
    }
    tools
}

/// Adds a line to the description of `explain_policy`.
fn explain(tools: &mut [Tool], line: &str) {
    if let Some(tool) = tools.iter_mut().find(|tool| tool.name == EXPLAINS) {
        let said = tool.description.take().unwrap_or_default();
        tool.description = Some(format!("{said}\n{line}").into());
    }
}

/// Returns how code calls a function.
fn by_code(name: &str) -> String {
    format!("code in `run_python` calls it (`from host import {name}`)")
}

/// Returns the tool that a function is. What it does outside is not known.
fn tool(function: &FunctionInfo) -> Tool {
    let annotations = ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(true);
    let said = match function.documentation.as_str() {
        "" => "A function of the host, without a description.",
        said => said,
    };
    let items = if function.items { "\n\nReturns items, each on a line of its own." } else { "" };
    bounded(Tool::new(function.name.clone(), format!("{said}{items}"), Arc::new(parameters(function))).with_annotations(annotations))
}

/// Returns the schema of a function's arguments, with the session beside them. One that does not list its parameters takes any.
fn parameters(function: &FunctionInfo) -> JsonObject {
    let mut all = match &function.parameters {
        Some(Value::Object(schema)) if schema.get("properties").is_none_or(Value::is_object) => schema.clone(),
        _ => JsonObject::new(),
    };
    all.insert("type".to_owned(), "object".into());
    if !has_own_session(function) {
        let mut of_tools = schema::<ExplainPolicy>();
        let session = of_tools.get_mut("properties").and_then(|properties| properties.get_mut(SESSION)).map(Value::take);
        if let Value::Object(properties) = all.entry("properties").or_insert_with(|| JsonObject::new().into()) {
            properties.insert(SESSION.to_owned(), session.unwrap_or_default());
        }
    }
    all
}

/// Returns whether a parameter of the function is called as the argument is that all tools have. Then it is the function's.
fn has_own_session(function: &FunctionInfo) -> bool {
    function.parameters.as_ref().is_some_and(|schema| schema["properties"].get(SESSION).is_some())
}

/// Calls a function.
///
/// # Errors
/// If there is none of this name, the arguments are wrong, or no session can be opened.
pub(super) async fn call(
    connection: &Connection,
    call: &Call,
    name: &str,
    arguments: Option<JsonObject>,
) -> Result<CallToolResult, CallError> {
    let core = connection.core();
    let none = || CallError::Arguments(format!("there is no tool `{name}`: `tools/list` names those that there are"));
    if !core.policy.host().is_some_and(|host| host.functions().any(|function| function == name)) {
        return Err(none());
    }
    let functions = core.functions.asked(core).await.map_err(|why| CallError::failed(&*why))?;
    let function = functions.iter().find(|function| function.name == name).ok_or_else(none)?;
    let mut arguments = arguments.unwrap_or_default();
    let session = if has_own_session(function) { None } else { arguments.remove(SESSION) };
    let session = match session {
        None | Some(Value::Null) => None,
        Some(Value::String(session)) => Some(session),
        Some(_) => {
            return Err(CallError::Arguments(format!("the arguments of `{name}` are wrong: `{SESSION}` is the name of a session")));
        }
    };
    let found = connection.session(session.as_deref()).await?;
    let log = call.log(connection, &found.place);
    let returned = found.place.handle.call_function(name, Value::Object(arguments).into()).await;
    if let Some(log) = &log {
        log.flush().await;
    }
    let limit = bound(connection, None);
    match returned {
        Ok(result) => Ok(answer(&found, name, result, limit)),
        Err(ServiceError::Function(error)) => Ok(failure(&found, *error, limit)),
        Err(other) => Err(other.into()),
    }
}

/// Returns the answer with what a function has returned: text, and pictures.
fn answer(found: &Found, name: &str, result: FunctionResult, limit: usize) -> CallToolResult {
    let (mut report, mut text, mut pictures, mut hidden) = (Report::new(found), String::new(), 0, 0);
    let items = match result {
        FunctionResult::Value(value) => vec![value],
        FunctionResult::Items(items) => items,
    };
    for item in items {
        match item {
            HostValue::Json(json) => text = with_newline(text) + &plain(json),
            HostValue::Bytes(bytes) => match media_type(&bytes) {
                Some(kind) if bytes.len() <= PICTURE && pictures < PICTURES => {
                    report.picture(kind, &bytes);
                    pictures += 1;
                }
                _ => hidden += bytes.len(),
            },
        }
    }
    let note = |gap: Gap| format!("[{} bytes are left out here: {}, and prints what you need]", gap.to - gap.from, by_code(name));
    report.text(&shortened(text.as_bytes(), limit, note));
    if hidden > 0 {
        report.note(format!(
            "[{hidden} bytes are not shown: an answer has text, and at most {PICTURES} PNG or JPEG pictures of at most {PICTURE} bytes; {}]",
            by_code(name)
        ));
    }
    report.done()
}

/// Returns a result as text: a string is what is in it.
fn plain(json: String) -> String {
    serde_json::from_str(&json).unwrap_or(json)
}

/// Returns the answer to a call that has no result.
fn failure(found: &Found, error: FunctionError, limit: usize) -> CallToolResult {
    let mut report = Report::new(found);
    report.fail();
    match error {
        FunctionError::Failed { source, .. } => {
            let note = |gap: Gap| format!("[{} bytes are left out here]", gap.to - gap.from);
            report.text(&shortened(source.to_string().as_bytes(), limit.min(ERROR), note));
        }
        FunctionError::Denied { name, reason, rule, help } => {
            report.note(format!("[denied: function {name} by {rule}]"));
            report.note(format!("[{reason}, and only the policy's author can change that: {help}]"));
        }
        FunctionError::Limited { name, limit, value, rule } => {
            report.note(format!("[denied: function {name}: {limit} = {value} by {rule}]"));
            report.note("[only the policy's author can change that: `explain_policy` says what is allowed]");
        }
        other => report.note(format!("[{other}]")),
    }
    report.done()
}

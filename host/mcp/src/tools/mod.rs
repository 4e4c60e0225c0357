//! The tools: what a client can call, and what it may expect of each under the policy.

mod files;
mod find;
pub(crate) mod functions;
mod run;
mod state;

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolResult, JsonObject, MetaObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use wisp::Policy;
use wisp::policy::Access;

use crate::arguments::{self, read, schema};
use crate::call::Call;
use crate::connection::Connection;
use crate::error::CallError;
use crate::structured::{CommandDocument, EvaluationDocument, schema as schema_of};

/// Maximum bytes of output that a call can ask for.
const OUTPUT: u32 = 200_000;

/// What a tool does to the world outside of its session.
#[derive(Clone, Copy)]
enum Effect {
    /// It changes nothing.
    Reads,
    /// It changes the session only, and takes nothing away.
    Adds,
    /// It changes files: those of the host if the policy mounts a folder for writing.
    Writes,
    /// It replaces the state of the session.
    Replaces,
    /// It runs code, which does what the policy allows.
    Runs,
}

/// Runs the tool with this name.
///
/// # Errors
/// If there is none, the arguments are wrong, it fails, or the call is cancelled.
pub(crate) async fn run(
    connection: &Connection,
    call: &Call,
    tool: &str,
    arguments: Option<JsonObject>,
) -> Result<CallToolResult, CallError> {
    // These wait for their turn in the session first.
    match tool {
        "run_python" => return run::python(connection, call, read(tool, arguments)?).await,
        "checkpoint" => return state::checkpoint(connection, call, read(tool, arguments)?).await,
        "fork_session" => return state::fork(connection, call, read(tool, arguments)?).await,
        "restore_session" => return state::restore(connection, call, read(tool, arguments)?).await,
        _ => {}
    }
    let _permit = connection.core().bounds.run(call).await?;
    match tool {
        "run_shell" => run::shell(connection, call, read(tool, arguments)?).await,
        "read_output" => run::output(connection, call, read(tool, arguments)?).await,
        "read_file" => call.or_cancelled(files::read_file(connection, read(tool, arguments)?)).await?,
        "write_file" => files::write_file(connection, read(tool, arguments)?).await,
        "edit_file" => files::edit_file(connection, read(tool, arguments)?).await,
        "list_files" => call.or_cancelled(find::list_files(connection, read(tool, arguments)?)).await?,
        "search_files" => call.or_cancelled(find::search_files(connection, read(tool, arguments)?)).await?,
        "view_image" => call.or_cancelled(files::view_image(connection, read(tool, arguments)?)).await?,
        "session_diff" => call.or_cancelled(state::diff(connection, read(tool, arguments)?)).await?,
        "explain_policy" => state::explain(connection, read(tool, arguments)?).await,
        other => call.or_cancelled(functions::call(connection, call, other, arguments)).await?,
    }
}

/// Returns the tools, with annotations that this policy makes true; those that run something with the schema of their results, if these are
/// data.
pub(crate) fn list(policy: &Policy, structured: bool) -> Vec<Tool> {
    let outside = Outside::of(policy);
    let python = if policy.tools().python.is_some() { "CPython 3.15 with numpy, pandas and matplotlib" } else { "CPython" };
    let mut tools = vec![
        outside.tool::<arguments::RunPython>(
            "run_python",
            "Run Python",
            &format!(
                "Runs code in the session's live Python interpreter ({python}) in a sandbox. Returns what it prints, the value of its last \
                 expression, pictures that it displays, and the traceback of an error. State stays from call to call; one evaluation \
                 runs at a time in a session."
            ),
            Effect::Runs,
        ),
        outside.tool::<arguments::RunShell>(
            "run_shell",
            "Run a shell command",
            "Runs a script in a sandbox, in a shell that behaves as bash, with the usual Unix programs. Returns standard output and \
             standard error in one, the exit code if it is not 0, and what the policy refused. It returns when the shell ends; what was \
             started in the background goes on.",
            Effect::Runs,
        ),
        outside.tool::<arguments::ReadOutput>(
            "read_output",
            "Read more output",
            "Reads the output of a command or an evaluation from any offset, also while it runs: what another result left out, or what a \
             command in the background says. Says whether it still runs, and how it ended.",
            Effect::Reads,
        ),
        outside.tool::<arguments::ReadFile>("read_file", "Read a file", "Reads lines of a text file of the sandbox.", Effect::Reads),
        outside.tool::<arguments::WriteFile>(
            "write_file",
            "Write a file",
            "Writes a text file of the sandbox, in place of what it had.",
            Effect::Writes,
        ),
        outside.tool::<arguments::EditFile>(
            "edit_file",
            "Edit a file",
            "Replaces a piece of text in a file of the sandbox.",
            Effect::Writes,
        ),
        outside.tool::<arguments::ListFiles>(
            "list_files",
            "List files",
            "Lists the files of a directory of the sandbox, or those that match a pattern.",
            Effect::Reads,
        ),
        outside.tool::<arguments::SearchFiles>(
            "search_files",
            "Search in files",
            "Finds the lines of the sandbox's files that match a regular expression.",
            Effect::Reads,
        ),
        outside.tool::<arguments::ViewImage>("view_image", "View an image", "Shows a picture from the sandbox.", Effect::Reads),
        outside.tool::<arguments::Checkpoint>(
            "checkpoint",
            "Take a checkpoint",
            "Takes a checkpoint of a session: its files, and its Python interpreter with all variables. `restore_session` goes back to \
             it, `fork_session` starts another session from it.",
            Effect::Adds,
        ),
        outside.tool::<arguments::ForkSession>(
            "fork_session",
            "Fork a session",
            "Starts another session with the files and the Python variables of this one, or of a checkpoint, to try something without \
             changing the first. Returns its name, for the argument `session` of all tools.",
            Effect::Adds,
        ),
        outside.tool::<arguments::RestoreSession>(
            "restore_session",
            "Restore a checkpoint",
            "Brings a session back to a checkpoint: its files and its Python variables are what they were.",
            Effect::Replaces,
        ),
        outside.tool::<arguments::SessionDiff>(
            "session_diff",
            "What changed",
            "Shows which files of the session differ from those that it began with, and how: in a mounted project, what would change on \
             the user's disk.",
            Effect::Reads,
        ),
        outside.tool::<arguments::ExplainPolicy>(
            "explain_policy",
            "Explain the policy",
            "Says what the sandbox allows: programs, folders, network, limits.",
            Effect::Reads,
        ),
    ];
    if structured {
        let documents = [("run_python", schema_of::<EvaluationDocument>()), ("run_shell", schema_of::<CommandDocument>())];
        for tool in &mut tools {
            tool.output_schema = documents.iter().find(|(name, _)| tool.name == *name).map(|(_, schema)| schema.clone());
        }
    }
    tools
}

/// What code in a session can reach.
#[derive(Clone, Copy)]
struct Outside {
    /// A network, or functions of the host program.
    world: bool,
    /// Files of the host.
    files: bool,
}

impl Outside {
    fn of(policy: &Policy) -> Self {
        let files = policy.filesystem().mounts.iter().any(|mount| mount.access == Access::Write);
        Self { world: policy.network().is_some() || functions::granted(policy), files }
    }

    fn tool<T: JsonSchema>(self, name: &'static str, title: &str, description: &str, effect: Effect) -> Tool {
        let reads = matches!(effect, Effect::Reads);
        let destroys = match effect {
            Effect::Reads | Effect::Adds => false,
            Effect::Writes => self.files,
            Effect::Runs => self.files || self.world,
            Effect::Replaces => true,
        };
        let runs = matches!(effect, Effect::Runs);
        let annotations = ToolAnnotations::with_title(title)
            .read_only(reads)
            .destructive(destroys)
            .idempotent(reads)
            .open_world(runs && (self.files || self.world));
        bounded(Tool::new(name, description.to_owned(), Arc::new(schema::<T>())).with_title(title).with_annotations(annotations))
    }
}

/// Returns the tool, which says that it bounds its results: Claude Code writes longer ones to a file of the user otherwise.
fn bounded(tool: Tool) -> Tool {
    let mut meta = MetaObject::new();
    meta.insert("anthropic/maxResultSizeChars".to_owned(), OUTPUT.into());
    tool.with_meta(meta)
}

/// Returns how much output a call asks for.
fn output(connection: &Connection, asked: Option<u32>) -> usize {
    let most = usize::try_from(OUTPUT).unwrap_or(usize::MAX);
    let asked = asked.map_or(connection.core().options.output, |asked| usize::try_from(asked).unwrap_or(most));
    asked.clamp(200, most)
}

fn milliseconds(time: Option<u64>) -> Option<Duration> {
    time.map(Duration::from_millis)
}

//! The input of a hook, as each agent gives it.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::call::{HookCall, HookError, Tool};
use crate::Client;

/// Reads the input of a hook. `project` is the project as the agent's environment names it.
pub(super) fn read(client: Client, value: &Value, project: Option<&str>) -> Result<HookCall, HookError> {
    let asked = Asked { client, value };
    match client {
        Client::Claude => claude(&asked, project),
        Client::Cursor => cursor(&asked),
        Client::OpenCode => opencode(&asked),
        Client::Codex | Client::VsCode => Err(HookError::Client { client }),
    }
}

/// The input of a hook.
struct Asked<'a> {
    client: Client,
    value: &'a Value,
}

impl Asked<'_> {
    fn missing(&self, key: &'static str) -> HookError {
        HookError::Missing { key, client: self.client }
    }

    fn text(&self, key: &'static str) -> Result<&str, HookError> {
        self.value[key].as_str().filter(|text| !text.is_empty()).ok_or_else(|| self.missing(key))
    }

    /// Returns the tool's input, and the command in it.
    fn command(&self) -> Result<(Map<String, Value>, String), HookError> {
        let input = self.value["tool_input"].as_object().ok_or_else(|| self.missing("tool_input"))?;
        let command = input.get("command").and_then(Value::as_str).ok_or_else(|| self.missing("tool_input.command"))?;
        Ok((input.clone(), command.to_owned()))
    }

    /// Returns a call that is refused if the command would run beside others: a session runs one command at a time.
    fn in_background(&self, input: &Map<String, Value>) -> Option<HookCall> {
        let asked = ["run_in_background", "is_background"].iter().any(|key| input.get(*key) == Some(&Value::Bool(true)));
        let reason = "the sandbox runs one command at a time, and one in the background would keep all others out; run it in the \
                      foreground, with `timeout` before it if it does not end by itself";
        asked.then(|| self.without_project(Tool::Refused(reason.to_owned())))
    }

    /// Returns a call that needs no project.
    fn without_project(&self, tool: Tool) -> HookCall {
        let (session, project, folder) = (String::new(), String::new(), String::new());
        HookCall { client: self.client, tool, session, project, folder, stays: true, apart: false, input: Map::new() }
    }
}

fn claude(asked: &Asked<'_>, project: Option<&str>) -> Result<HookCall, HookError> {
    let (client, event) = (asked.client, asked.text("hook_event_name")?);
    if event != "PreToolUse" {
        return Err(HookError::Event { event: event.to_owned(), client });
    }
    match asked.text("tool_name")? {
        "Bash" => {}
        other @ ("Monitor" | "PowerShell") => {
            return Ok(asked.without_project(Tool::Refused(format!("`{other}` would run its command outside of the sandbox; use Bash"))));
        }
        _ => return Ok(asked.without_project(Tool::Other)),
    }
    let (input, command) = asked.command()?;
    if let Some(refused) = asked.in_background(&input) {
        return Ok(refused);
    }
    let folder = absolute(asked.text("cwd")?)?;
    let project = project.filter(|project| !project.is_empty()).map_or_else(|| Ok(folder.clone()), absolute)?;
    let session = asked.text("session_id")?.to_owned();
    // What it tells the model is that the directory stays, within the project; not to an agent that this conversation has started, which has
    // a directory of its own.
    let helper = !asked.value["agent_id"].is_null();
    Ok(HookCall { client, tool: Tool::Command(command), session, project, folder, stays: !helper, apart: helper, input })
}

fn cursor(asked: &Asked<'_>) -> Result<HookCall, HookError> {
    let client = asked.client;
    let (tool, input) = match asked.text("hook_event_name")? {
        "preToolUse" => match asked.text("tool_name")? {
            "Shell" => {
                let (input, command) = asked.command()?;
                if let Some(refused) = asked.in_background(&input) {
                    return Ok(refused);
                }
                (Tool::Command(command), input)
            }
            _ => return Ok(asked.without_project(Tool::Other)),
        },
        "beforeShellExecution" => (Tool::Gate(asked.text("command")?.to_owned()), Map::new()),
        event => return Err(HookError::Event { event: event.to_owned(), client }),
    };
    // The first of several: the command's folder is the model's choice, and what is mounted is not.
    let project = absolute(asked.value["workspace_roots"][0].as_str().ok_or_else(|| asked.missing("workspace_roots"))?)?;
    let named = ["working_directory", "cwd"].iter().find_map(|key| input.get(*key)?.as_str().filter(|folder| !folder.is_empty()));
    let folder = match tool {
        Tool::Command(_) => joined(&project, named.or_else(|| asked.value["cwd"].as_str()).unwrap_or_default()),
        // It is in the command already.
        _ => project.clone(),
    };
    let (stays, session) = (named.is_none(), asked.text("conversation_id")?.to_owned());
    Ok(HookCall { client, tool, session, project, folder, stays, apart: false, input })
}

/// Reads what the plugin asks, in words of its own.
fn opencode(asked: &Asked<'_>) -> Result<HookCall, HookError> {
    let client = asked.client;
    if asked.text("tool_name")? != "bash" {
        return Ok(asked.without_project(Tool::Other));
    }
    let (input, command) = asked.command()?;
    let (project, folder) = (absolute(asked.text("project")?)?, absolute(asked.text("cwd")?)?);
    let folder = joined(&folder, input.get("workdir").and_then(Value::as_str).unwrap_or_default());
    let session = asked.text("session_id")?.to_owned();
    // It tells the model that each command starts again.
    Ok(HookCall { client, tool: Tool::Command(command), session, project, folder, stays: false, apart: false, input })
}

/// Returns an absolute path in its shortest form.
fn absolute(path: &str) -> Result<String, HookError> {
    let found = Path::new(path);
    if found.is_relative() || found.components().any(|part| part == Component::ParentDir) || path.chars().any(char::is_control) {
        return Err(HookError::Project { project: path.to_owned() });
    }
    Ok(found.components().collect::<PathBuf>().to_string_lossy().into_owned())
}

/// Returns a path that may be relative to a folder.
fn joined(folder: &str, path: &str) -> String {
    Path::new(folder).join(path).components().collect::<PathBuf>().to_string_lossy().into_owned()
}

//! What an agent asks its hook, and what the hook answers.

use std::path::Path;

use serde_json::{Map, Value, json};
use wisp_api::{ErrorCode, wisp_error};

use super::asked;
use crate::{Client, shell};

/// Maximum bytes of a command in an answer. The kernel takes 128 KiB in one word, and an agent puts the command between quotes again.
const LONGEST: usize = 96 << 10;

/// What stands behind the words. Some agents give a command their terminal, and a session that stays open has none.
const NO_INPUT: &str = " < /dev/null";

/// Maximum characters of the project's name in that of a session.
const NAME: usize = 30;

/// Why the input of a hook says nothing that could be answered. The agent must be told to block the tool: what runs then is unknown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// The input is not JSON.
    #[error("the hook's input is not JSON: {source}")]
    Syntax {
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Something is missing, or has no text.
    #[error("the hook's input has no text `{key}`, which {} gives the hook that `wisp hooks install {client}` writes", client.title())]
    Missing {
        /// The key.
        key: &'static str,
        /// The agent.
        client: Client,
    },
    /// The hook was put where the agent asks about something else.
    #[error("wisp's hook does not answer for `{event}`; `wisp hooks install {client}` puts it where it belongs")]
    Event {
        /// What the agent asks about.
        event: String,
        /// The agent.
        client: Client,
    },
    /// The project cannot be mounted under its name.
    #[error("`{project}` cannot be the project: wisp needs an absolute path, without `..`")]
    Project {
        /// The path.
        project: String,
    },
    /// wisp has no hook for the agent.
    #[error("{} has no hook that wisp answers; `wisp hooks` knows claude, cursor and opencode", client.title())]
    Client {
        /// The agent.
        client: Client,
    },
}

impl HookError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Syntax { .. } | Self::Missing { .. } | Self::Event { .. } => ErrorCode::InvalidData,
            Self::Project { .. } | Self::Client { .. } => ErrorCode::InvalidArgument,
        }
    }
}

wisp_error!(HookError);

/// The sandbox in which an agent's commands run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    /// The absolute path of `wisp`.
    pub program: String,
    /// Options of `wisp run`: the policy, and what adds to it.
    pub arguments: Vec<String>,
    /// Whether commands change the project's files. Without it they change a copy, which stays in the session.
    pub write: bool,
    /// Whether what commands do can be seen outside of the sandbox, so that the agent's own rules decide whether a person is asked.
    pub reaches_out: bool,
}

/// What an agent is about to do, as it told its hook.
#[derive(Debug, Clone)]
pub struct HookCall {
    pub(super) client: Client,
    pub(super) tool: Tool,
    /// The agent's name of the conversation.
    pub(super) session: String,
    pub(super) project: String,
    pub(super) folder: String,
    /// Whether the command starts where the one before it ended, as the agent tells its model.
    pub(super) stays: bool,
    /// Whether the command leaves the shell as it was: another conversation goes on with it.
    pub(super) apart: bool,
    /// The tool's input, which has the command and more.
    pub(super) input: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tool {
    /// Runs a command, which can be replaced.
    Command(String),
    /// Runs a command, which can be refused only.
    Gate(String),
    /// Runs a command in a way that wisp has no place for.
    Refused(String),
    /// Is none of wisp's business.
    Other,
}

impl HookCall {
    /// Reads the input of a hook. `project` is the project as the agent's environment names it, if it does: `CLAUDE_PROJECT_DIR`.
    ///
    /// # Errors
    /// If the input is not one that the agent gives to the hook that [`Client::plan_hook_install`] writes.
    pub fn read(client: Client, text: &str, project: Option<&str>) -> Result<Self, HookError> {
        let value = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|source| HookError::Syntax { source })?;
        asked::read(client, &value, project)
    }

    /// Returns the answer if it needs no sandbox: the tool runs no command, or runs it where wisp has no place for it.
    pub fn settled(&self) -> Option<String> {
        match &self.tool {
            Tool::Other => Some(json!({}).to_string()),
            Tool::Refused(reason) => Some(self.deny(reason)),
            Tool::Command(_) | Tool::Gate(_) => None,
        }
    }

    /// Returns the project's folder, by the name that the agent has for it.
    pub fn project(&self) -> &Path {
        Path::new(&self.project)
    }

    /// Returns the folder in which the agent would start the command.
    pub fn folder(&self) -> &Path {
        Path::new(&self.folder)
    }

    /// Returns the name of the session that keeps what the commands of this conversation do in this project.
    pub fn session(&self) -> String {
        let plain = |char: char| if char.is_ascii_alphanumeric() || "._-".contains(char) { char } else { '-' };
        let name: String = self.project.rsplit('/').next().unwrap_or_default().chars().map(plain).take(NAME).collect();
        // The conversation's own name may be long, and two projects may have one name.
        let digest = blake3::hash(format!("{}\0{}", self.session, self.project).as_bytes()).to_hex();
        format!("{}-{name}-{:.16}", self.client, digest.as_str())
    }

    /// Returns the answer that keeps the tool from running, with the reason for the model.
    pub fn deny(&self, reason: &str) -> String {
        match self.client {
            Client::Claude => decided(json!({ "permissionDecision": "deny", "permissionDecisionReason": format!("wisp: {reason}") })),
            Client::Cursor => {
                let reason = format!("wisp: {reason}");
                json!({ "permission": "deny", "user_message": reason, "agent_message": reason }).to_string()
            }
            _ => json!({ "reason": reason }).to_string(),
        }
    }

    /// Returns the answer with which the command runs in `sandbox`, from `folder`, which is in the project. What cannot be handed over
    /// exactly is denied.
    pub fn answer(&self, sandbox: &Sandbox, folder: &Path) -> String {
        match &self.tool {
            Tool::Other | Tool::Refused(_) => self.settled().unwrap_or_default(),
            // Another copy of this hook was here before, or this is Cursor's second question.
            Tool::Command(command) | Tool::Gate(command) if self.is_rewritten(sandbox, command) => self.allow(sandbox, command),
            Tool::Gate(_) => self.deny("this command did not go through wisp's hook `preToolUse`, so it would run outside of the sandbox"),
            Tool::Command(command) => match self.rewritten(sandbox, command, folder) {
                Ok(command) => self.allow(sandbox, &command),
                Err(reason) => self.deny(&reason),
            },
        }
    }

    fn allow(&self, sandbox: &Sandbox, command: &str) -> String {
        let mut input = self.input.clone();
        input.insert("command".to_owned(), command.into());
        match (self.client, &self.tool) {
            (Client::Claude, _) if sandbox.reaches_out => decided(json!({ "updatedInput": input })),
            (Client::Claude, _) => {
                let reason = format!("it runs in wisp, in the session {}", self.session());
                decided(json!({ "permissionDecision": "allow", "permissionDecisionReason": reason, "updatedInput": input }))
            }
            (Client::Cursor, Tool::Gate(_)) => {
                let permission = if sandbox.reaches_out { "ask" } else { "allow" };
                json!({ "permission": permission }).to_string()
            }
            (Client::Cursor, _) => json!({ "permission": "allow", "updated_input": input }).to_string(),
            _ => json!({ "command": command }).to_string(),
        }
    }

    /// Returns the command that runs `command` in the sandbox, or why there is none.
    fn rewritten(&self, sandbox: &Sandbox, command: &str, folder: &Path) -> Result<String, String> {
        if command.contains('\0') {
            return Err("the command has a byte 0 in it, which no command line can hold".to_owned());
        }
        if self.project.contains(':') {
            return Err(format!("`{}` cannot be mounted: its name has a colon in it", self.project));
        }
        let (project, folder) = (shell::quoted(&self.project), shell::quoted(&folder.to_string_lossy()));
        // On the line of the command, so that a message of the shell names the line that the model wrote.
        let start = match self.stays {
            true => format!("case \"$PWD/\" in {project}/*) ;; *) cd {folder} || exit 1;; esac; "),
            false => format!("cd {folder} || exit 1; "),
        };
        let script = if self.apart { format!("({start}{command}\n)") } else { start + command };
        let words = self.words(sandbox, script);
        let rewritten = shell::line(words.iter().map(String::as_str)) + NO_INPUT;
        if rewritten.len() > LONGEST {
            let message = format!("the command has {} bytes with its quotes, more than the {LONGEST} that are handed on", rewritten.len());
            return Err(format!("{message}: write long text into a file piece by piece"));
        }
        Ok(rewritten)
    }

    /// Returns whether a command is one that this hook wrote, with the same sandbox: then it cannot run outside.
    fn is_rewritten(&self, sandbox: &Sandbox, command: &str) -> bool {
        let found = command.strip_suffix(NO_INPUT).and_then(shell::words).unwrap_or_default();
        let wanted = self.words(sandbox, String::new());
        found.len() == wanted.len() && found.iter().zip(&wanted).take(wanted.len() - 1).all(|(found, wanted)| found == wanted)
    }

    /// Returns the words of the command that runs `script` in the sandbox: the last is the script.
    fn words(&self, sandbox: &Sandbox, script: String) -> Vec<String> {
        let mount = format!("{0}:{0}:{1}", self.project, if sandbox.write { "write" } else { "overlay" });
        let mut words = vec![sandbox.program.clone()];
        words.extend(["run", "--session"].map(str::to_owned));
        words.push(self.session());
        words.push("--resident".to_owned());
        words.extend(sandbox.arguments.iter().cloned());
        words.extend(["--mount".to_owned(), mount, "--".to_owned(), "sh".to_owned(), "-c".to_owned(), script]);
        words
    }
}

/// Returns an answer of Claude Code's hook.
fn decided(mut decision: Value) -> String {
    decision["hookEventName"] = "PreToolUse".into();
    json!({ "hookSpecificOutput": decision }).to_string()
}

//! What an entry says: the hooks that each agent reads, and whose a hook is.

use serde_json::Value;

use super::Hook;
use crate::json::Item;
use crate::{Client, shell};

/// What a shell does when wisp does not answer: Claude Code lets a tool run after any other failure of its hook.
const BLOCK: &str = " || exit 2";

/// Seconds that an agent waits for the hook, which answers in a few milliseconds.
const PATIENCE: u64 = 60;

/// Where an entry stands, and what it says.
pub(super) struct Entry {
    pub(super) path: &'static [&'static str],
    pub(super) item: Item,
}

/// Returns the lists of an agent's file that have entries of wisp's.
pub(super) fn paths(client: Client) -> &'static [&'static [&'static str]] {
    match client {
        Client::Claude => &[&["hooks", "PreToolUse"]],
        Client::Cursor => &[&["hooks", "preToolUse"], &["hooks", "beforeShellExecution"]],
        Client::Codex | Client::VsCode | Client::OpenCode => &[],
    }
}

/// Returns an entry for each of [`paths`], with the hook that these words start.
pub(super) fn entries(client: Client, words: &[String]) -> Vec<Entry> {
    let line = shell::line(words.iter().map(String::as_str));
    let items = match client {
        // The three tools that run commands. A Claude Code that knows `onFailure` needs no shell to say what a failure means.
        Client::Claude => {
            let command = [("type", text("command")), ("command", text(line + BLOCK)), ("timeout", number()), ("onFailure", text("block"))];
            vec![members([("matcher", text("Bash|Monitor|PowerShell")), ("hooks", Item::Elements(vec![members(command)]))])]
        }
        // The first rewrites a command; the second, which cannot, refuses each that the first has not rewritten.
        Client::Cursor => {
            let closed = |line: String| [("command", text(line)), ("timeout", number()), ("failClosed", Item::Value(true.into()))];
            vec![members([("matcher", text("Shell"))].into_iter().chain(closed(line.clone()))), members(closed(line))]
        }
        Client::Codex | Client::VsCode | Client::OpenCode => Vec::new(),
    };
    paths(client).iter().copied().zip(items).map(|(path, item)| Entry { path, item }).collect()
}

fn text(text: impl Into<String>) -> Item {
    Item::Value(Value::String(text.into()))
}

fn number() -> Item {
    Item::Value(PATIENCE.into())
}

fn members(members: impl IntoIterator<Item = (&'static str, Item)>) -> Item {
    Item::Members(members.into_iter().map(|(key, item)| (key.to_owned(), item)).collect())
}

/// Whose the commands of an entry are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Wisp,
    Others,
    /// A group in which a person put wisp's beside others.
    Both,
}

/// Returns whose the commands of an entry are.
pub(super) fn owner(entry: &Value, hook: &Hook) -> Owner {
    let commands = commands(entry);
    let ours = commands.iter().filter(|command| words(command).is_some_and(|words| hook.is_called_by(&words))).count();
    match ours {
        0 => Owner::Others,
        ours if ours == commands.len() => Owner::Wisp,
        _ => Owner::Both,
    }
}

/// Returns the commands of an entry: Claude Code has groups of hooks, Cursor a hook.
pub(super) fn commands(entry: &Value) -> Vec<&str> {
    let hooks = entry["hooks"].as_array().map_or(std::slice::from_ref(entry), Vec::as_slice);
    hooks.iter().filter_map(|hook| hook["command"].as_str()).collect()
}

/// Returns the words of a command that wisp wrote.
pub(super) fn words(command: &str) -> Option<Vec<String>> {
    shell::words(command.strip_suffix(BLOCK).unwrap_or(command))
}

/// Returns whether an entry that is not wisp's may answer for shell commands too.
pub(super) fn sees_commands(client: Client, entry: &Value) -> bool {
    let tool = if client == Client::Claude { "Bash" } else { "Shell" };
    entry["matcher"].as_str().is_none_or(|matcher| matcher.is_empty() || matcher == "*" || matcher.contains(tool))
}

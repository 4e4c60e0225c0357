//! OpenCode's hook: a plugin, which is a file of its own.

use std::path::PathBuf;

use super::Hook;
use super::plan::HookStatus;
use crate::change::{Change, Kind};
use crate::disk::{self, Target};
use crate::{Client, Home, InstallError, State};

/// The plugin, but for the command that it starts.
const PLUGIN: &str = include_str!("plugin.js");

/// The line of the plugin that names the command.
const COMMAND: &str = "const hook = ";

/// Mode of the file that is made, before the umask.
const MODE: u32 = 0o666;

struct Plugin {
    path: PathBuf,
    target: Target,
}

impl Plugin {
    /// Reads the file, if it exists. Every version of OpenCode reads the folder `plugin`; newer ones, `plugins` as well.
    fn read(home: &Home) -> Result<Self, InstallError> {
        let path = home.config()?.join("opencode/plugin/wisp.js");
        Ok(Self { target: disk::read(&path)?, path })
    }

    /// Returns what is in the file; nothing if it is empty.
    fn text(&self) -> Option<&str> {
        self.target.text().filter(|text| !text.trim().is_empty())
    }

    /// Returns the command of a file that wisp wrote, now or in an older version.
    fn command(&self, hook: &Hook) -> Option<Vec<String>> {
        let line = self.text()?.lines().find_map(|line| line.strip_prefix(COMMAND))?;
        serde_json::from_str(line).ok().filter(|words: &Vec<String>| hook.is_called_by(words))
    }

    fn change(self, kind: Kind, after: Option<String>) -> Change {
        Change { path: self.path, target: self.target, after, kind, mode: MODE }
    }
}

/// Returns the text of the plugin that starts these words.
fn text(words: &[String]) -> String {
    PLUGIN.replacen(&format!("{COMMAND}[]"), &format!("{COMMAND}{}", serde_json::Value::from(words)), 1)
}

pub(super) fn plan_install(home: &Home, hook: &Hook) -> Result<Change, InstallError> {
    let (plugin, text) = (Plugin::read(home)?, text(&hook.words(Client::OpenCode)?));
    let kind = match plugin.text() {
        None => Kind::Added,
        Some(found) if found == text => Kind::Unchanged,
        Some(_) if plugin.command(hook).is_some() => Kind::Updated,
        Some(_) => return Err(InstallError::ForeignFile { path: plugin.path }),
    };
    Ok(plugin.change(kind, Some(text)))
}

pub(super) fn plan_uninstall(home: &Home, hook: &Hook) -> Result<Change, InstallError> {
    let plugin = Plugin::read(home)?;
    if plugin.text().is_none() {
        let same = plugin.target.text().map(str::to_owned);
        return Ok(plugin.change(Kind::Unchanged, same));
    }
    if plugin.command(hook).is_none() {
        return Err(InstallError::ForeignFile { path: plugin.path });
    }
    // Behind a link, a module that exports nothing is left: the link is not ours.
    let after = plugin.target.is_linked().then(String::new);
    Ok(plugin.change(Kind::Removed, after))
}

pub(super) fn status(home: &Home, hook: &Hook) -> Result<HookStatus, InstallError> {
    let (plugin, text) = (Plugin::read(home)?, text(&hook.words(Client::OpenCode)?));
    let state = match (plugin.text(), plugin.command(hook)) {
        (None, _) => State::Absent,
        (Some(found), _) if found == text => State::Installed,
        (Some(_), Some(command)) => State::Differs { command },
        (Some(_), None) => State::Foreign { command: Vec::new() },
    };
    Ok(HookStatus { exists: plugin.target.text().is_some(), path: plugin.path, state, others: Vec::new() })
}

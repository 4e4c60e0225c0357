//! From an agent's file of hooks to the change of it.

use std::path::PathBuf;

use serde_json::Value;

use super::entry::{self, Entry, Owner};
use super::{Hook, plugin};
use crate::change::{Change, Kind};
use crate::config::Config;
use crate::format::{Format, Trouble};
use crate::{Client, Home, InstallError, Scope, State, json};

/// Whether an agent asks wisp before it runs a command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HookStatus {
    /// The file that says so, or that an installation would write.
    pub path: PathBuf,
    /// Whether the file exists.
    pub exists: bool,
    /// What it has.
    pub state: State,
    /// The commands of hooks that are not wisp's, and that the agent asks about shell commands too.
    pub others: Vec<String>,
}

impl Client {
    /// Plans to put wisp's hook into the agent's configuration, or to bring it up to date. Nothing is written yet.
    ///
    /// Other hooks stay, in their order.
    ///
    /// # Errors
    /// If wisp has no hook for the client, the file cannot be read or edited, the client asks no hook because of it, or wisp's hook stands
    /// in a group with others.
    pub fn plan_hook_install(self, home: &Home, hook: &Hook) -> Result<Change, InstallError> {
        if self == Self::OpenCode {
            return plugin::plan_install(home, hook);
        }
        let found = Found::read(self, home)?.heard()?;
        let entries = entry::entries(self, &hook.words(self)?);
        let (mut text, mut had, mut same) = (found.0.text.clone(), false, true);
        for Entry { path, item } in &entries {
            let (list, ours) = (found.list(path), found.ours(path, hook)?);
            had |= !ours.is_empty();
            let edited = match ours.as_slice() {
                [one] if list.get(*one) == Some(&item.value()) => continue,
                [] => json::push(&text, found.comments(), path, item.clone()),
                [first, rest @ ..] => {
                    found.without(text, path, rest).and_then(|text| json::swap(&text, found.comments(), path, *first, item))
                }
            };
            text = edited.map_err(|trouble| found.0.trouble(trouble))?;
            same = false;
        }
        if same {
            return Ok(found.0.unchanged());
        }
        found.check(&text, &entries, hook)?;
        let kind = if had { Kind::Updated } else { Kind::Added };
        Ok(found.0.change(kind, &text, self.mode(&Scope::User)))
    }

    /// Plans to take wisp's hook out of the agent's configuration, wherever its command leads. Nothing is written yet.
    ///
    /// A file that holds nothing more is removed: it says what a missing one says.
    ///
    /// # Errors
    /// Those of [`Client::plan_hook_install`].
    pub fn plan_hook_uninstall(self, home: &Home, hook: &Hook) -> Result<Change, InstallError> {
        if self == Self::OpenCode {
            return plugin::plan_uninstall(home, hook);
        }
        let found = Found::read(self, home)?;
        let (mut text, mut had) = (found.0.text.clone(), false);
        // The last list first: an object is taken out with its last member.
        for path in entry::paths(self).iter().rev() {
            let ours = found.ours(path, hook)?;
            if !ours.is_empty() {
                had = true;
                let edited = found.without(text, path, &ours).and_then(|text| json::tidy(&text, found.comments(), path));
                text = edited.map_err(|trouble| found.0.trouble(trouble))?;
            }
        }
        if !had {
            return Ok(found.0.unchanged());
        }
        found.check(&text, &[], hook)?;
        Ok(found.0.removal(&text))
    }

    /// Looks up what the agent's configuration has of wisp's hook.
    ///
    /// # Errors
    /// Those of [`Client::plan_hook_install`].
    pub fn hook_status(self, home: &Home, hook: &Hook) -> Result<HookStatus, InstallError> {
        if self == Self::OpenCode {
            return plugin::status(home, hook);
        }
        let found = Found::read(self, home)?.heard()?;
        let entries = entry::entries(self, &hook.words(self)?);
        let (mut here, mut missing, mut wanted) = (Vec::new(), false, true);
        for Entry { path, item } in &entries {
            let ours = found.ours(path, hook)?;
            let list = found.list(path);
            missing |= ours.is_empty();
            wanted &= matches!(ours.as_slice(), [one] if list.get(*one) == Some(&item.value()));
            here.extend(ours.into_iter().filter_map(|index| list.get(index)));
        }
        let first = here.first().and_then(|entry| entry::commands(entry).first().and_then(|command| entry::words(command)));
        let state = match first {
            None => State::Absent,
            Some(_) if wanted && !missing => State::Installed,
            Some(command) => State::Differs { command },
        };
        let others = entry::paths(self).iter().take(1).flat_map(|path| found.list(path));
        let others = others.filter(|entry| entry::owner(entry, hook) == Owner::Others && entry::sees_commands(self, entry));
        let others = others.flat_map(entry::commands).map(str::to_owned).collect();
        Ok(HookStatus { exists: found.0.exists(), path: found.0.path, state, others })
    }
}

/// Returns where an agent's hooks are, and how the file is written.
fn file(client: Client, home: &Home) -> Result<(PathBuf, Format), InstallError> {
    match client {
        Client::Claude => {
            let folder = match home.variable("CLAUDE_CONFIG_DIR")? {
                Some(folder) => folder.to_owned(),
                None => home.home()?.join(".claude"),
            };
            // It skips the whole file if a comment is in it, with the hooks.
            Ok((folder.join("settings.json"), Format::Json))
        }
        Client::Cursor => Ok((home.home()?.join(".cursor/hooks.json"), Format::Jsonc)),
        Client::Codex | Client::VsCode | Client::OpenCode => Err(InstallError::NoHook { client }),
    }
}

/// Returns a file that says nothing, for one that does not exist.
fn blank(client: Client) -> &'static str {
    if client == Client::Cursor { "{\n  \"version\": 1\n}\n" } else { "{}\n" }
}

/// An agent's file of hooks.
struct Found(Config);

impl Found {
    fn read(client: Client, home: &Home) -> Result<Self, InstallError> {
        let (path, format) = file(client, home)?;
        Config::read(client, path, format, blank(client)).map(Self)
    }

    /// Fails if the client asks no hook: wisp's would stand there, and commands would run on this machine.
    fn heard(self) -> Result<Self, InstallError> {
        if self.0.client == Client::Claude && self.0.value["disableAllHooks"] == true {
            return Err(InstallError::HooksOff { client: self.0.client, path: self.0.path });
        }
        Ok(self)
    }

    fn comments(&self) -> bool {
        self.0.format.comments()
    }

    /// Returns the entries of a list; none if there is no such list.
    fn list(&self, path: &[&str]) -> &[Value] {
        list(&self.0.value, path)
    }

    /// Returns the places of wisp's entries in a list.
    fn ours(&self, path: &[&str], hook: &Hook) -> Result<Vec<usize>, InstallError> {
        let mut ours = Vec::new();
        for (index, entry) in self.list(path).iter().enumerate() {
            match entry::owner(entry, hook) {
                Owner::Wisp => ours.push(index),
                Owner::Others => {}
                Owner::Both => return Err(InstallError::MixedHooks { path: self.0.path.clone() }),
            }
        }
        Ok(ours)
    }

    /// Takes entries out of a list, the last one first.
    fn without(&self, text: String, path: &[&str], places: &[usize]) -> Result<String, Trouble> {
        places.iter().rev().try_fold(text, |text, place| json::pull(&text, self.comments(), path, *place))
    }

    /// Checks that an edit did what it should and nothing else, by reading both texts. wisp's are then `entries`, and no others.
    fn check(&self, after: &str, entries: &[Entry], hook: &Hook) -> Result<(), InstallError> {
        let wrong = |what| InstallError::Unsafe { path: self.0.path.clone(), what };
        let after = self.0.format.value(after).map_err(|_| wrong("the new text cannot be read"))?;
        for path in entry::paths(self.0.client) {
            let ours: Vec<&Value> = list(&after, path).iter().filter(|entry| entry::owner(entry, hook) == Owner::Wisp).collect();
            let wanted: Vec<Value> = entries.iter().filter(|entry| entry.path == *path).map(|entry| entry.item.value()).collect();
            if ours != wanted.iter().collect::<Vec<_>>() {
                return Err(wrong("the entry is not as it should be"));
            }
        }
        let (mut before, mut after) = (self.0.value.clone(), after);
        for path in entry::paths(self.0.client) {
            strip(&mut before, path, hook);
            strip(&mut after, path, hook);
        }
        if before == after { Ok(()) } else { Err(wrong("another setting is different in it")) }
    }
}

fn list<'v>(value: &'v Value, path: &[&str]) -> &'v [Value] {
    let found = path.iter().try_fold(value, |value, key| value.get(key)).and_then(Value::as_array);
    found.map(Vec::as_slice).unwrap_or_default()
}

/// Takes wisp's entries out of a list, and the list and the objects around it if they hold nothing else.
fn strip(value: &mut Value, path: &[&str], hook: &Hook) {
    let Some((key, rest)) = path.split_first() else {
        if let Some(list) = value.as_array_mut() {
            list.retain(|entry| entry::owner(entry, hook) != Owner::Wisp);
        }
        return;
    };
    let Some(members) = value.as_object_mut() else { return };
    let Some(inner) = members.get_mut(*key) else { return };
    strip(inner, rest, hook);
    let empty = match inner {
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if empty {
        members.remove(*key);
    }
}

//! From a client's file to the change of it.

use std::path::PathBuf;

use serde_json::Value;

use crate::change::{Change, Kind};
use crate::config::Config;
use crate::entry::{self, Field};
use crate::format::Place;
use crate::server::check_name;
use crate::{Client, Home, InstallError, Scope, Server};

/// What a client's configuration has under the server's name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Nothing.
    Absent,
    /// The entry that an installation would write.
    Installed,
    /// An entry of wisp's that says something else: an older one, or one for another policy or another place of wisp's.
    Differs {
        /// The command in it.
        command: Vec<String>,
    },
    /// An entry that is not wisp's.
    Foreign {
        /// The command in it; nothing if it starts no program.
        command: Vec<String>,
    },
}

impl State {
    /// Returns the name, as JSON has it: `absent`, `installed`, `differs` or `foreign`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Installed => "installed",
            Self::Differs { .. } => "differs",
            Self::Foreign { .. } => "foreign",
        }
    }
}

/// Whether a client is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// The file that says so, or that an installation would write.
    pub path: PathBuf,
    /// Whether the file exists.
    pub exists: bool,
    /// What it has.
    pub state: State,
}

impl Client {
    /// Plans to put `server` into the client's configuration, or to bring its entry up to date. Nothing is written yet.
    ///
    /// Of an entry that is there, only what wisp says changes: what a person added (which tools need no question, for example), stays.
    /// An entry of the same name that is not wisp's is an error, unless `force` is set.
    pub fn plan_install(self, home: &Home, scope: &Scope, server: &Server, force: bool) -> Result<Change, InstallError> {
        let found = Found::look(self, home, scope, server)?;
        let fields = entry::fields(self, scope, server, found.is_nested())?;
        let (format, place) = (self.format(), found.place(server));
        let members: Vec<(&str, &Value)> = fields.iter().map(|field| (field.key, &field.value)).collect();
        let (kind, after) = match &found.entry {
            None => (Kind::Added, format.add(&found.config.text, place, &members)),
            Some(entry) if entry::is_ours(entry, Some(server.path())) => {
                let stale: Vec<&Field> = fields.iter().filter(|field| !field.is_in(entry)).collect();
                if stale.is_empty() {
                    return Ok(found.config.unchanged());
                }
                let text =
                    stale.iter().try_fold(found.config.text.clone(), |text, field| format.set(&text, place, field.key, &field.value));
                (Kind::Updated, text)
            }
            Some(_) if force => {
                let text = format.take_out(&found.config.text, place).and_then(|text| format.add(&text, place, &members));
                (Kind::Replaced, text)
            }
            Some(entry) => return Err(found.foreign(server, entry)),
        };
        let after = after.map_err(|trouble| found.config.trouble(trouble))?;
        found.check(&after, place, Some(&fields))?;
        Ok(found.config.change(kind, &after, self.mode(scope)))
    }

    /// Plans to take the entry of `server` out of the client's configuration. Nothing is written yet. Of `server`, the name and the
    /// program count.
    ///
    /// A file that holds nothing more is removed: it says what a missing one says. An entry that is not wisp's is an error, unless
    /// `force` is set.
    pub fn plan_uninstall(self, home: &Home, scope: &Scope, server: &Server, force: bool) -> Result<Change, InstallError> {
        let found = Found::look(self, home, scope, server)?;
        match &found.entry {
            None => return Ok(found.config.unchanged()),
            Some(entry) if !force && !entry::is_ours(entry, Some(server.path())) => return Err(found.foreign(server, entry)),
            Some(_) => {}
        }
        let place = found.place(server);
        let after = self.format().take_out(&found.config.text, place).map_err(|trouble| found.config.trouble(trouble))?;
        found.check(&after, place, None)?;
        Ok(found.config.removal(&after))
    }

    /// Looks up what the client's configuration has under the name of `server`.
    pub fn status(self, home: &Home, scope: &Scope, server: &Server) -> Result<Status, InstallError> {
        let found = Found::look(self, home, scope, server)?;
        let fields = entry::fields(self, scope, server, found.is_nested())?;
        let state = match &found.entry {
            None => State::Absent,
            Some(entry) if !entry::is_ours(entry, Some(server.path())) => State::Foreign { command: entry::command(entry) },
            Some(entry) if fields.iter().all(|field| field.is_in(entry)) => State::Installed,
            Some(entry) => State::Differs { command: entry::command(entry) },
        };
        Ok(Status { exists: found.config.exists(), path: found.config.path, state })
    }
}

/// A client's file, and the entry in it.
struct Found {
    config: Config,
    section: &'static [&'static str],
    entry: Option<Value>,
}

/// The second form that OpenCode reads, which its next version has alone: the servers are in `mcp.servers`.
const NESTED: &[&str] = &["mcp", "servers"];

impl Found {
    /// Finds the file that has an entry of the server's name; without one, that into which it would be written.
    fn look(client: Client, home: &Home, scope: &Scope, server: &Server) -> Result<Self, InstallError> {
        check_name(server.named())?;
        let mut best: Option<Self> = None;
        for path in client.files(home, scope)? {
            let found = Self::read(client, path, server.named())?;
            if found.entry.is_some() {
                return Ok(found);
            }
            if best.as_ref().is_none_or(|best| !best.config.exists()) {
                best = Some(found);
            }
        }
        best.ok_or(InstallError::NoHome)
    }

    fn read(client: Client, path: PathBuf, name: &str) -> Result<Self, InstallError> {
        let config = Config::read(client, path, client.format(), client.blank())?;
        let entry = |section: &[&str]| section.iter().try_fold(&config.value, |value, key| value.get(key))?.get(name).cloned();
        let (mut section, mut found) = (client.section(), entry(client.section()));
        if client == Client::OpenCode && found.is_none() && holds_servers(&config.value["mcp"]["servers"]) {
            (section, found) = (NESTED, entry(NESTED));
        }
        Ok(Self { section, entry: found, config })
    }

    fn is_nested(&self) -> bool {
        self.section == NESTED
    }

    fn place<'a>(&self, server: &'a Server) -> Place<'a> {
        Place { section: self.section, name: server.named() }
    }

    /// Checks that an edit did what it should and nothing else, by reading both texts. `fields` is what the entry must say; without it,
    /// the entry must be gone.
    fn check(&self, after: &str, place: Place<'_>, fields: Option<&[Field]>) -> Result<(), InstallError> {
        let wrong = |what| InstallError::Unsafe { path: self.config.path.clone(), what };
        let after = self.config.format.value(after).map_err(|_| wrong("the new text cannot be read"))?;
        let (before_entry, before) = taken_out(self.config.value.clone(), place);
        let (after_entry, after) = taken_out(after, place);
        if before != after {
            return Err(wrong("another setting is different in it"));
        }
        match (after_entry, fields) {
            (None, None) => Ok(()),
            (Some(entry), Some(fields)) => {
                let says = fields.iter().all(|field| field.is_in(&entry));
                let ours = before_entry.filter(|entry| entry::is_ours(entry, None)).unwrap_or(Value::Null);
                let kept = ours.as_object().is_none_or(|members| {
                    members.iter().all(|(key, value)| fields.iter().any(|field| field.key == key) || entry.get(key) == Some(value))
                });
                if says && kept { Ok(()) } else { Err(wrong("the entry is not as it should be")) }
            }
            (_, _) => Err(wrong("the entry is not where it should be")),
        }
    }

    fn foreign(&self, server: &Server, entry: &Value) -> InstallError {
        InstallError::Foreign { path: self.config.path.clone(), name: server.named().to_owned(), command: entry::command(entry).join(" ") }
    }
}

/// Returns whether OpenCode takes `mcp.servers` for a table of servers, and not for one that is called so.
fn holds_servers(value: &Value) -> bool {
    let direct = |key| value.get(key).is_some_and(|found: &Value| !found.is_object());
    value.is_object() && !direct("type") && !direct("enabled")
}

/// Takes an entry out of a value, and the objects that held nothing else. Returns both.
fn taken_out(mut value: Value, place: Place<'_>) -> (Option<Value>, Value) {
    let entry = take(&mut value, place.section, place.name);
    (entry, value)
}

fn take(value: &mut Value, section: &[&str], name: &str) -> Option<Value> {
    let members = value.as_object_mut()?;
    match section.split_first() {
        None => members.remove(name),
        Some((key, rest)) => {
            let entry = members.get_mut(*key).and_then(|inner| take(inner, rest, name));
            if members.get(*key).and_then(Value::as_object).is_some_and(serde_json::Map::is_empty) {
                members.remove(*key);
            }
            entry
        }
    }
}

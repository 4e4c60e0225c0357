//! Codex's environments: where it runs commands and has its files. wisp is one of them, `wisp codex`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::change::{Change, Kind};
use crate::config::Config;
use crate::entry::READY;
use crate::format::{Format, Trouble, line_of, newline};
use crate::{Client, Home, InstallError, Scope, State, toml};

/// The list of environments.
const LIST: &str = "environments";

/// The name of wisp's.
const ID: &str = "wisp";

/// What stands behind a setting that wisp made, and what behind one that wisp put in the place of another, which follows.
const MADE: &str = "# wisp codex install";
const INSTEAD: &str = "# wisp codex install, instead of: ";

/// Which settings an installation makes besides the environment: that it is the one that Codex uses (`default`), and that Codex uses no
/// other without being told (`include_local`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Settings {
    /// Those that are not there. It is an error if one says something else.
    Missing,
    /// None: Codex uses wisp where a person chooses it.
    Keep,
    /// All, in the place of those that say something else. Taking wisp out puts them back.
    Replace,
}

/// The environment `wisp` of Codex: `wisp codex`, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    program: PathBuf,
    arguments: Vec<String>,
}

/// What Codex's file of environments has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnvironmentStatus {
    /// The file.
    pub path: PathBuf,
    /// Whether it exists.
    pub exists: bool,
    /// What it has of the environment.
    pub state: State,
    /// The environment that Codex uses where nothing else is said, if the file names one.
    pub default: Option<String>,
    /// Whether Codex may run commands on this machine, beside its environments.
    pub includes_local: bool,
}

impl Environment {
    /// Describes the environment that `program`, an absolute path, is with the argument `codex`.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: vec!["codex".to_owned()] }
    }

    /// Adds an argument after those before it.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Plans to put the environment into Codex's file, or to bring it up to date, and to make `settings`. Nothing is written yet.
    ///
    /// # Errors
    /// If the file cannot be read or edited, an environment of this name is not wisp's (unless settings are replaced), or a setting
    /// says something else (if [`Settings::Missing`] are asked for).
    pub fn plan_install(&self, home: &Home, settings: Settings) -> Result<Change, InstallError> {
        let found = Found::read(home)?;
        let [id, program, args] = self.fields()?;
        let ready = ("initialize_timeout_sec", Value::from(READY));
        let there = found.place().map(|place| (place, found.item(place)));
        let ours = there.filter(|(_, item)| self.is_ours(item));
        if let (Some((_, item)), None, false) = (there, ours, settings == Settings::Replace) {
            return Err(InstallError::ForeignEnvironment { path: found.0.path.clone(), command: command(item).join(" ") });
        }
        if settings == Settings::Missing {
            found.check_settings()?;
        }
        let (mut text, mut kind) = (found.0.text.clone(), Kind::Unchanged);
        if let Some((place, item)) = ours {
            for (key, value) in [&program, &args].into_iter().filter(|(key, value)| item[*key] != *value) {
                text = toml::set_in(&text, LIST, place, key, value).map_err(|trouble| found.0.trouble(trouble))?;
                kind = Kind::Updated;
            }
        } else {
            if let Some((place, _)) = there {
                text = toml::take_from(&text, LIST, place).map_err(|trouble| found.0.trouble(trouble))?;
            }
            let fields = [&id, &program, &args, &ready].map(|(key, value)| (*key, value));
            text = toml::push(&text, LIST, &fields).map_err(|trouble| found.0.trouble(trouble))?;
            kind = if there.is_some() { Kind::Replaced } else { Kind::Added };
        }
        for (key, value) in &wanted() {
            if settings != Settings::Keep && found.0.value.get(*key) != Some(value) {
                text = with_setting(&text, key, value).map_err(|trouble| found.0.trouble(trouble))?;
                kind = if kind == Kind::Unchanged { Kind::Updated } else { kind };
            }
        }
        if kind == Kind::Unchanged {
            return Ok(found.0.unchanged());
        }
        found.check(&text, Some(&[id, program, args]))?;
        Ok(found.0.change(kind, &text, Client::Codex.mode(&Scope::User)))
    }

    /// Plans to take the environment out, with the settings that wisp made; those that it replaced come back. Nothing is written yet.
    ///
    /// A file that holds nothing more is removed. `force` takes an environment of this name out that is not wisp's.
    ///
    /// # Errors
    /// If the file cannot be read or edited, or an environment of this name is not wisp's.
    pub fn plan_uninstall(&self, home: &Home, force: bool) -> Result<Change, InstallError> {
        let found = Found::read(home)?;
        let mut text = found.0.text.clone();
        if let Some(place) = found.place() {
            let item = found.item(place);
            if !force && !self.is_ours(item) {
                return Err(InstallError::ForeignEnvironment { path: found.0.path.clone(), command: command(item).join(" ") });
            }
            text = toml::take_from(&text, LIST, place).map_err(|trouble| found.0.trouble(trouble))?;
        }
        for (key, value) in &wanted() {
            text = without_setting(text, key, value).map_err(|trouble| found.0.trouble(trouble))?;
        }
        if text == found.0.text {
            return Ok(found.0.unchanged());
        }
        found.check(&text, None)?;
        Ok(found.0.removal(&text))
    }

    /// Looks up what Codex's file has.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn status(&self, home: &Home) -> Result<EnvironmentStatus, InstallError> {
        let found = Found::read(home)?;
        let fields = self.fields()?;
        let state = match found.place().map(|place| found.item(place)) {
            None => State::Absent,
            Some(item) if !self.is_ours(item) => State::Foreign { command: command(item) },
            Some(item) if fields.iter().all(|(key, value)| item[*key] == *value) => State::Installed,
            Some(item) => State::Differs { command: command(item) },
        };
        let default = found.0.value["default"].as_str().map(str::to_owned);
        let includes_local = found.0.value["include_local"].as_bool().unwrap_or(true);
        Ok(EnvironmentStatus { exists: found.0.exists(), path: found.0.path, state, default, includes_local })
    }

    /// Returns what wisp keeps to: its name, its program and its arguments.
    fn fields(&self) -> Result<[(&'static str, Value); 3], InstallError> {
        let program = self.program.to_str().ok_or_else(|| InstallError::NotText { value: self.program.clone() })?;
        if self.program.is_relative() {
            return Err(InstallError::RelativeCommand { command: program.to_owned() });
        }
        Ok([("id", ID.into()), ("program", program.into()), ("args", json!(self.arguments))])
    }

    /// Returns whether an environment is one that wisp wrote, now or in an older version, wherever that `wisp` was.
    fn is_ours(&self, item: &Value) -> bool {
        let command = command(item);
        let [program, first, ..] = command.as_slice() else { return false };
        let name = Path::new(program).file_name();
        let known = name == Some("wisp".as_ref()) || name.is_some_and(|name| self.program.file_name() == Some(name));
        known && first == "codex"
    }
}

/// Returns the command of an environment; nothing if it starts no program.
fn command(item: &Value) -> Vec<String> {
    let Some(program) = item["program"].as_str() else { return Vec::new() };
    let args = item["args"].as_array().map(Vec::as_slice).unwrap_or_default();
    std::iter::once(program).chain(args.iter().filter_map(Value::as_str)).map(str::to_owned).collect()
}

/// Codex's file of environments.
struct Found(Config);

impl Found {
    fn read(home: &Home) -> Result<Self, InstallError> {
        let folder = match home.variable("CODEX_HOME")? {
            Some(folder) => folder.to_owned(),
            None => home.home()?.join(".codex"),
        };
        Config::read(Client::Codex, folder.join("environments.toml"), Format::Toml, "").map(Self)
    }

    /// Returns which of the environments is called as wisp's.
    fn place(&self) -> Option<usize> {
        self.0.value[LIST].as_array()?.iter().position(|item| item["id"] == ID)
    }

    fn item(&self, place: usize) -> &Value {
        &self.0.value[LIST][place]
    }

    /// Checks that no setting says something else than wisp's.
    fn check_settings(&self) -> Result<(), InstallError> {
        for (key, value) in &wanted() {
            if self.0.value.get(*key).is_some_and(|found| found != value) {
                let line = toml::key_line(&self.0.text, key).map_err(|trouble| self.0.trouble(trouble))?.unwrap_or_default();
                let setting = self.0.text[line.clone()].trim().to_owned();
                return Err(InstallError::OtherSetting { path: self.0.path.clone(), line: line_of(&self.0.text, line.start), setting });
            }
        }
        Ok(())
    }

    /// Checks that an edit did what it should and nothing else, by reading both texts. `fields` is what the environment must say;
    /// without it, there must be none.
    fn check(&self, after: &str, fields: Option<&[(&str, Value)]>) -> Result<(), InstallError> {
        let wrong = |what| InstallError::Unsafe { path: self.0.path.clone(), what };
        let (mut before, mut after) = (self.0.value.clone(), Format::Toml.value(after).map_err(|_| wrong("the new text cannot be read"))?);
        let (_, new) = (take(&mut before), take(&mut after));
        if before != after {
            return Err(wrong("another setting is different in it"));
        }
        let says = match (&new, fields) {
            (Some(item), Some(fields)) => fields.iter().all(|(key, value)| item[*key] == *value),
            (None, None) => true,
            _ => false,
        };
        if says { Ok(()) } else { Err(wrong("the entry is not as it should be")) }
    }
}

/// Returns the settings with which Codex uses wisp, and nothing else.
fn wanted() -> [(&'static str, Value); 2] {
    [("include_local", false.into()), ("default", ID.into())]
}

/// Makes a setting: in the place of another, or at the start of the text, where no header is before it.
fn with_setting(text: &str, key: &str, value: &Value) -> Result<String, Trouble> {
    let newline = newline(text);
    Ok(match toml::key_line(text, key)? {
        Some(line) => {
            let (old, end) = split_line(&text[line.clone()]);
            format!("{}{key} = {value} {INSTEAD}{old}{end}{}", &text[..line.start], &text[line.end..])
        }
        None => {
            // The blank line before wisp's environment, which goes with it.
            let first = text.starts_with(&format!("[[{LIST}]]{newline}id = \"{ID}\""));
            format!("{key} = {value} {MADE}{newline}{}{text}", if first { newline } else { "" })
        }
    })
}

/// Takes a setting out that wisp made, or puts back the one that it replaced, unless a person has changed it since. A default that names
/// wisp goes in any case: without the environment, Codex would not start.
fn without_setting(text: String, key: &str, wanted: &Value) -> Result<String, Trouble> {
    let line = toml::key_line(&text, key)?.filter(|_| toml::value(&text).is_ok_and(|value| value[key] == *wanted));
    let Some(line) = line else { return Ok(text) };
    let (found, end) = split_line(&text[line.clone()]);
    let (start, rest) = (&text[..line.start], &text[line.end..]);
    match found.split_once(INSTEAD) {
        Some((_, before)) => Ok(format!("{start}{before}{end}{rest}")),
        None if found.ends_with(MADE) || key == "default" => Ok(format!("{start}{rest}")),
        None => Ok(text),
    }
}

/// Returns a line without its end, and the end.
fn split_line(line: &str) -> (&str, &str) {
    line.split_at(line.trim_end_matches(['\r', '\n']).len())
}

/// Takes wisp's environment out of a value, with the list if it held nothing else, and the settings that wisp may change. Returns the
/// environment.
fn take(value: &mut Value) -> Option<Value> {
    let members = value.as_object_mut()?;
    members.remove("default");
    members.remove("include_local");
    let list = members.get_mut(LIST)?.as_array_mut()?;
    let place = list.iter().position(|item| item["id"] == ID);
    let item = place.map(|place| list.remove(place));
    if list.is_empty() {
        members.remove(LIST);
    }
    item
}

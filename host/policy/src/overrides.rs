//! Changes to a policy by options of the command line or by the host program. They follow the same rules as a file,
//! and their findings are reported together with those of the files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::finding::{Finding, Findings, Location, SourceFile, quote};
use super::host_path::{HostPath, host_path};
use super::layer::Layer;
use super::mounts::{MountLayer, check_access};
use super::parts::Access;
use super::read::{Reader, Set};
use super::rule::{Origin, Rule};
use super::schema::Key;
use super::spelling::{list, nearest};
use super::tools::CustomLayer;
use super::{env, host, mounts, network, python, setting, tools};

/// Options that change a policy. Mounts, tools and variables are added, and replace one with the same guest path or
/// name; of two variables with one name the later wins.
#[derive(Debug, Clone)]
pub struct Overrides {
    origin: Origin,
    layer: Layer,
    findings: Findings,
}

impl Default for Overrides {
    fn default() -> Self {
        Self::host_program()
    }
}

impl Overrides {
    /// Returns the options that the user typed; their rule is `command line`.
    pub fn command_line() -> Self {
        Self { origin: Origin::CommandLine, layer: Layer::default(), findings: Findings::default() }
    }

    /// Returns the options of the Rust program that embeds wisp; their rule is `host program`.
    pub fn host_program() -> Self {
        Self { origin: Origin::HostProgram, ..Self::command_line() }
    }

    /// Adds a mount as `--mount` takes it: `HOST:GUEST` or `HOST:GUEST:ACCESS`. ACCESS is `read` by default. HOST may
    /// contain colons.
    #[must_use]
    pub fn mount(mut self, spec: &str) -> Self {
        let text = Argument::new(self.origin, "--mount", spec);
        let (paths, access) = match spec.rsplit_once(':') {
            // A last part without `/` is not a guest path, unless it is the only part after a host path.
            Some((paths, word)) if !word.starts_with('/') && paths.contains(":/") => (paths, Some(text.set(paths.len() + 1, word))),
            _ => (spec, None),
        };
        let Some((host, guest)) = paths.rsplit_once(':') else {
            let finding = Finding::new(&text.whole(), format!("{} names no place in the sandbox", quote(spec)));
            self.findings.push(finding.help(match by_keys(spec) {
                Some((host, guest)) => {
                    let typed = quote(&format!("--mount {host}:{guest}"));
                    format!("write {typed}; `:write` after it lets the sandbox change the host's files")
                }
                None => "write `HOST:GUEST` or `HOST:GUEST:ACCESS`, such as `--mount ./data:/mnt/input:read`".to_owned(),
            }));
            return self;
        };
        let host = text.set(0, host);
        let guest = text.set(paths.len() - guest.len(), guest);
        self.add_mount(&text, |reader| host_path(reader, Key::MountHost, host, Path::new("")), guest, access)
    }

    /// Adds a mount from its parts.
    #[must_use]
    pub fn mount_at(self, host: &Path, guest: &str, access: Access) -> Self {
        let text = Argument::new(self.origin, "mount", &format!("{}:{guest}:{access}", host.display()));
        let host = Set { value: HostPath::Asked { text: host.to_owned(), base: PathBuf::new() }, rule: text.rule() };
        let guest = Set { value: guest.to_owned(), rule: text.rule() };
        let access = Set { value: access.as_str().to_owned(), rule: text.rule() };
        self.add_mount(&text, |_| Some(host), guest, Some(access))
    }

    fn add_mount(
        mut self,
        text: &Argument,
        host: impl FnOnce(&Reader) -> Option<Set<HostPath>>,
        guest: Set<String>,
        access: Option<Set<String>>,
    ) -> Self {
        let reader = text.reader();
        let host = host(&reader);
        let sound = mounts::check_guest(&reader, Key::MountGuest, &guest);
        let access = access.map(|word| check_access(&reader, &word));
        if let (Some(host), true, None | Some(Some(_))) = (host, sound, &access) {
            self.layer.mounts.push(MountLayer { rule: text.rule(), host, guest, access: access.flatten() });
        }
        self.note(reader)
    }

    /// Sets a variable as `--env` takes it: `NAME=value`.
    #[must_use]
    pub fn env(mut self, spec: &str) -> Self {
        let text = Argument::new(self.origin, "--env", spec);
        match spec.split_once('=') {
            Some((name, value)) => self.add_env(&text, text.set(0, name), text.set(name.len() + 1, value)),
            None => {
                let finding = Finding::new(&text.whole(), format!("{} gives the variable no value", quote(spec)));
                let plain = !spec.is_empty() && spec.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
                let name = if plain { spec } else { "NAME" };
                self.findings
                    .push(finding.help(format!("nothing is inherited: write `{name}=\"${name}\"` to pass on a variable of yours")));
                self
            }
        }
    }

    /// Sets a variable from its parts. The value is not kept for messages.
    #[must_use]
    pub fn env_pair(self, name: &str, value: &str) -> Self {
        let text = Argument::new(self.origin, "env", name);
        let (name, value) = (text.set(0, name), Set { value: value.to_owned(), rule: text.rule() });
        self.add_env(&text, name, value)
    }

    fn add_env(mut self, text: &Argument, name: Set<String>, value: Set<String>) -> Self {
        let reader = text.reader();
        if env::check(&reader, &name, &value) {
            self.layer.env.insert(name.value, value);
        }
        self.note(reader)
    }

    /// Adds a tool as `--tool` takes it: `NAME=FILE`.
    #[must_use]
    pub fn tool(mut self, spec: &str) -> Self {
        let text = Argument::new(self.origin, "--tool", spec);
        let Some((name, path)) = spec.split_once('=') else {
            let finding = Finding::new(&text.whole(), format!("{} names no file", quote(spec)));
            self.findings.push(finding.help("write `NAME=FILE`, such as `--tool jwt=./jwt.wasm`"));
            return self;
        };
        let path = text.set(name.len() + 1, path);
        let name = text.set(0, name);
        self.add_tool(&text, name, |reader| host_path(reader, Key::ToolPath, path, Path::new("")))
    }

    /// Adds a tool from its parts.
    #[must_use]
    pub fn tool_at(self, name: &str, file: &Path) -> Self {
        let text = Argument::new(self.origin, "tool", &format!("{name}={}", file.display()));
        let path = Set { value: HostPath::Asked { text: file.to_owned(), base: PathBuf::new() }, rule: text.rule() };
        let name = Set { value: name.to_owned(), rule: text.rule() };
        self.add_tool(&text, name, |_| Some(path))
    }

    fn add_tool(mut self, text: &Argument, name: Set<String>, path: impl FnOnce(&Reader) -> Option<Set<HostPath>>) -> Self {
        let reader = text.reader();
        let path = path(&reader);
        if tools::check_name(&reader, &name) {
            let tool = CustomLayer { rule: text.rule(), path, sha256: None, network: None, host: None };
            if self.layer.custom.insert(name.value.clone(), tool).is_some() {
                reader.find(name.rule.finding(format!("the tool {} is given twice", quote(&name.value))).help("remove one of the two"));
            }
        }
        self.note(reader)
    }

    /// Allows requests as `--allow` takes them: a URL as in `network.allow`, for `GET` and `HEAD`, or `METHOD,METHOD URL`.
    /// If one URL is given twice, both apply.
    #[must_use]
    pub fn allow(mut self, spec: &str) -> Self {
        let text = Argument::new(self.origin, "--allow", spec);
        let reader = text.reader();
        // A URL has no spaces, so the text before a space is methods. A URL that contains a space by mistake is still
        // read as a URL.
        let (methods, at) = match spec.split_once(' ') {
            Some((methods, url)) if !methods.contains(':') => (methods, spec.len() - url.trim_start().len()),
            _ => ("", 0),
        };
        let (mut words, mut start) = (Vec::new(), 0);
        for word in methods.split(',').filter(|_| at > 0) {
            words.push(text.set(start, word));
            start += word.len() + 1;
        }
        if let Some(mut rule) = network::read_option(&reader, &words, &text.set(at, &spec[at..])) {
            self.layer.network.rule.get_or_insert_with(|| text.rule());
            let allow = &mut self.layer.network.allow;
            if let Some(before) = allow.iter().position(|other| other.url == rule.url) {
                let mut methods = allow.remove(before).methods;
                rule.methods.retain(|method| !methods.contains(method));
                methods.append(&mut rule.methods);
                rule.methods = methods;
            }
            allow.push(rule);
        }
        self.note(reader)
    }

    /// Sets `python.index` as `--index` takes it: the URL of a package index.
    #[must_use]
    pub fn index(mut self, url: &str) -> Self {
        let text = Argument::new(self.origin, "--index", url);
        let reader = text.reader();
        if let Some(index) = python::read_index(&reader, text.set(0, url)) {
            self.layer.python.index = Some(index);
        }
        self.note(reader)
    }

    /// Allows calls of a function of the host program, in addition to those of `host.allow`.
    #[must_use]
    pub fn function(mut self, name: &str) -> Self {
        let text = Argument::new(self.origin, "function", name);
        let reader = text.reader();
        let name = text.set(0, name);
        if host::check_name(&reader, &name) {
            self.layer.host.rule.get_or_insert_with(|| text.rule());
            self.layer.host.added.push(name);
        }
        self.note(reader)
    }

    /// Allows forks of a session to call a function, in addition to those of `host.forks`. It must be one that may be called.
    #[must_use]
    pub fn function_in_forks(mut self, name: &str) -> Self {
        let text = Argument::new(self.origin, "function in forks", name);
        let reader = text.reader();
        let name = text.set(0, name);
        if host::check_name(&reader, &name) {
            self.layer.host.rule.get_or_insert_with(|| text.rule());
            self.layer.host.added_forks.push(name);
        }
        self.note(reader)
    }

    /// Sets `limits.wall` as `--timeout` takes it: `30s`.
    #[must_use]
    pub fn timeout(self, spec: &str) -> Self {
        let text = Argument::new(self.origin, "--timeout", spec);
        self.add_number(&text, Key::Wall, spec, &text.whole())
    }

    /// Sets `limits.wall`, truncated to milliseconds.
    #[must_use]
    pub fn wall(self, wall: Duration) -> Self {
        self.value(Key::Wall.path(), &format!("{}ms", wall.as_millis()))
    }

    /// Sets any key that is a number, a size or a time: `limits.memory`, `64MiB`.
    #[must_use]
    pub fn value(mut self, key: &str, value: &str) -> Self {
        let text = Argument::new(self.origin, key, value);
        let numbers = || Key::ALL.iter().copied().filter(|key| key.row().shape.is_number());
        let Some(known) = numbers().find(|known| known.path() == key) else {
            let help = match nearest(key, numbers().map(Key::path)) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("these can be set: {}", list(numbers().map(Key::path))),
            };
            self.findings.push(Finding::new(&text.all(), format!("unknown key {}", quote(key))).help(help));
            return self;
        };
        match known.path().split('.').next() {
            Some("determinism") => drop(self.layer.determinism.get_or_insert_with(|| text.rule())),
            Some("network") => drop(self.layer.network.rule.get_or_insert_with(|| text.rule())),
            Some("host") => drop(self.layer.host.rule.get_or_insert_with(|| text.rule())),
            _ => {}
        }
        self.add_number(&text, known, value, &text.whole())
    }

    /// Sets keys as `--set` takes them: `KEY=VALUE`, for every key of a policy except `extends`. VALUE is TOML, or
    /// otherwise a string. They are merged over earlier options by the rules of `extends`.
    #[must_use]
    pub fn set(mut self, specs: &[impl AsRef<str>]) -> Self {
        let (layer, findings) = setting::read(specs, self.origin);
        self.findings.append(findings);
        let name = layer.name.clone().or_else(|| self.layer.name.take());
        self.layer = Layer { name, extends: None, ..layer.over(self.layer) };
        self
    }

    fn add_number(mut self, text: &Argument, key: Key, value: &str, place: &Location) -> Self {
        let reader = text.reader();
        if let Some(value) = reader.number_from_text(key, value, place) {
            self.layer.numbers.insert(key, Set { value, rule: text.rule() });
        }
        self.note(reader)
    }

    fn note(mut self, reader: Reader) -> Self {
        self.findings.append(reader.into_findings());
        self
    }

    /// Adds the findings about the options to `findings`.
    pub(super) fn report(&self, findings: &mut Findings) {
        findings.append(self.findings.clone());
    }

    pub(super) fn layer(&self) -> Layer {
        self.layer.clone()
    }
}

/// Returns the two paths of a mount that is written as for other programs: `type=bind,source=./data,target=/mnt/input`.
fn by_keys(spec: &str) -> Option<(&str, &str)> {
    let value =
        |keys: &[&str]| spec.split(',').filter_map(|part| part.split_once('=')).find(|(key, _)| keys.contains(key)).map(|(_, value)| value);
    Some((value(&["source", "src"])?, value(&["target", "destination", "dst"])?))
}

/// One option as a text that findings can point into: `--mount ./data:/mnt/input`.
struct Argument {
    origin: Origin,
    file: Arc<SourceFile>,
    start: usize,
}

impl Argument {
    fn new(origin: Origin, option: &str, value: &str) -> Self {
        Self { origin, file: SourceFile::new(origin.as_str(), format!("{option} {value}")), start: option.len() + 1 }
    }

    fn reader(&self) -> Reader {
        Reader::new(self.file.clone(), self.origin)
    }

    /// Returns the place of the option's value.
    fn whole(&self) -> Location {
        Location { file: self.file.clone(), span: self.start..self.file.text().len() }
    }

    /// Returns the place of the option with its value.
    fn all(&self) -> Location {
        Location { file: self.file.clone(), span: 0..self.file.text().len() }
    }

    fn rule(&self) -> Rule {
        Rule::at(self.origin, self.whole())
    }

    /// Returns a part of the value, which begins `at` bytes into it.
    fn set(&self, at: usize, part: &str) -> Set<String> {
        let start = self.start + at;
        let place = Location { file: self.file.clone(), span: start..start + part.len() };
        Set { value: part.to_owned(), rule: Rule::at(self.origin, place) }
    }
}

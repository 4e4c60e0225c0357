//! `compgen`: the words that a completion would offer.

use super::completion::options;
use super::{TABLE, text};
use crate::edit::Typed;
use crate::expand::Builder;
use crate::lexer::Mode;
use crate::pattern::{Flags, Pattern};
use crate::shell::Spec;
use crate::shell::{Flow, Run, SET_OPTIONS, SHOPTS, Shell};
use crate::signals::signal_name;
use crate::sym::intern;
use crate::sys::{self, Kind};
use crate::vars::{Attrs, Value};

pub(super) fn compgen(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let Some(asked) = options(shell, args, "compgen")? else { return Ok(2) };
    let word = asked.names.first().cloned().unwrap_or_default();
    for letter in *b"FC" {
        if asked.spec.text(letter).is_some() {
            shell.error(format!("compgen: warning: -{} option may not work as you expect", letter as char));
        }
    }
    let found = match shell.completions_of(&asked.spec, &word, None) {
        Ok(found) => found,
        Err(Flow::Discard(_)) => return Ok(1),
        Err(flow) => return Err(flow),
    };
    let out: Vec<u8> = found.iter().flat_map(|name| [&name[..], b"\n"].concat()).collect();
    shell.print("compgen", &out)?;
    Ok(i32::from(found.is_empty()))
}

impl Shell {
    /// Returns the words that a specification offers for `word`. `typed` is the command before the cursor, and the line up to
    /// there; without it, it is `compgen` that asks.
    pub(crate) fn completions_of(&mut self, spec: &Spec, word: &[u8], typed: Option<(&Typed, &[u8])>) -> Run<Vec<Vec<u8>>> {
        let mut found = self.by_actions(spec, word);
        if let Some(pattern) = spec.text(b'G') {
            found.extend(self.glob(pattern));
        }
        if let Some(list) = spec.text(b'W') {
            let words = self.word_list(list)?;
            found.extend(words.into_iter().filter(|found| found.starts_with(word)));
        }
        if let Some(function) = spec.text(b'F') {
            found.extend(self.by_function(function, word, typed)?);
        }
        if let Some(command) = spec.text(b'C') {
            let script = [command, b" compgen ", &crate::quote::single(word), b" ''"].concat();
            let list = self.parser(script, self.position.line).whole().map_err(|_| Flow::Discard(1))?;
            let output = self.substitute(&list)?;
            found.extend(output.split(|b| *b == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec));
        }
        if let Some(filter) = spec.text(b'X') {
            let extended = self.opts.shopt("extglob") && filter.starts_with(b"!(");
            let (negated, filter) = filter.strip_prefix(b"!").filter(|_| !extended).map_or((false, filter), |rest| (true, rest));
            let pattern =
                Pattern::new(&filled(filter, word), Flags { extglob: true, nocase: self.opts.shopt("nocasematch"), period: false });
            found.retain(|name| pattern.matches(name) == negated);
        }
        let (prefix, suffix) = (spec.text(b'P').unwrap_or_default(), spec.text(b'S').unwrap_or_default());
        for name in &mut found {
            *name = [prefix, name, suffix].concat();
        }
        if found.is_empty() && spec.has_option("default") {
            found = self.files(word, false);
        }
        if (found.is_empty() && spec.has_option("dirnames")) || spec.has_option("plusdirs") {
            found.extend(self.files(word, true));
        }
        Ok(found)
    }

    /// Returns the words of `-W`: expanded, split at `IFS`, no file names.
    fn word_list(&mut self, list: &[u8]) -> Run<Vec<Vec<u8>>> {
        let ifs = self.ifs();
        let mut builder = Builder::new(crate::expand::Place::Words, ifs);
        let Ok(parts) = self.parser(list.to_vec(), self.position.line).parts(Mode::List) else {
            self.error(format!("{}: bad substitution", text(list)));
            return Err(Flow::Discard(1));
        };
        for part in &parts {
            self.part(part, false, true, &mut builder)?;
        }
        Ok(builder.finish().into_iter().map(|field| field.text).collect())
    }

    fn by_function(&mut self, name: &[u8], word: &[u8], typed: Option<(&Typed, &[u8])>) -> Run<Vec<Vec<u8>>> {
        let Some(function) = self.definitions.functions.get(name).cloned() else {
            if typed.is_none() {
                self.error(format!("compgen: warning: {}: function not found", text(name)));
            }
            return Ok(Vec::new());
        };
        let mut words: Vec<Vec<u8>> = Vec::new();
        let (mut line, mut key, mut of, mut before) = (&b""[..], "0", b"compgen".to_vec(), Vec::new());
        if let Some((typed, typed_line)) = typed {
            words.extend(typed.words.iter().map(|word| word.as_bytes().to_vec()));
            (of, before) = (words.first().cloned().unwrap_or_default(), words.last().cloned().unwrap_or_default());
            words.push(word.to_vec());
            // 9: Tab, as both the key and the kind of completion.
            (line, key) = (typed_line, "9");
        }
        let (point, place) = (line.len().to_string(), (words.len() as i64 - 1).to_string());
        for (name, value) in [
            ("COMP_LINE", line),
            ("COMP_POINT", point.as_bytes()),
            ("COMP_TYPE", key.as_bytes()),
            ("COMP_KEY", key.as_bytes()),
            ("COMP_CWORD", place.as_bytes()),
        ] {
            self.set(intern(name.as_bytes()), value.to_vec())?;
        }
        self.set_list(intern(b"COMP_WORDS"), words)?;
        let done = self.call(&function, vec![name.to_vec(), of, word.to_vec(), before]);
        let reply = intern(b"COMPREPLY");
        let found = self.elements(reply);
        for name in ["COMP_LINE", "COMP_POINT", "COMP_TYPE", "COMP_KEY", "COMP_CWORD", "COMP_WORDS", "COMPREPLY"] {
            self.vars.unset(intern(name.as_bytes()));
        }
        done?;
        Ok(found)
    }

    fn by_actions(&mut self, spec: &Spec, word: &[u8]) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        for action in [
            "alias",
            "arrayvar",
            "builtin",
            "disabled",
            "enabled",
            "export",
            "function",
            "helptopic",
            "hostname",
            "job",
            "keyword",
            "running",
            "setopt",
            "shopt",
            "signal",
            "variable",
            "command",
            "user",
            "group",
        ] {
            if spec.has_action(action) {
                found.extend(self.named(action).into_iter().filter(|name| name.starts_with(word)));
                if action == "command" {
                    found.extend(self.programs(word));
                }
            }
        }
        if spec.has_action("file") {
            found.extend(self.files(word, false));
        }
        if spec.has_action("directory") {
            found.extend(self.files(word, true));
        }
        found
    }

    /// Returns everything of a kind.
    fn named(&mut self, kind: &str) -> Vec<Vec<u8>> {
        let texts = |list: &mut dyn Iterator<Item = &str>| list.map(|name| name.as_bytes().to_vec()).collect::<Vec<_>>();
        let sorted = |mut list: Vec<Vec<u8>>| {
            list.sort();
            list
        };
        let disabled = |shell: &Self, name: &str| shell.builtins.disabled.iter().any(|off| *off == name.as_bytes());
        match kind {
            "alias" => sorted(self.definitions.aliases.keys().cloned().collect()),
            "function" => sorted(self.definitions.functions.keys().cloned().collect()),
            "keyword" => texts(&mut super::lookup::KEYWORDS.iter().copied()),
            "setopt" => texts(&mut SET_OPTIONS.iter().map(|(_, name)| *name)),
            "shopt" => texts(&mut SHOPTS.iter().map(|(name, _)| *name)),
            "hostname" => vec![b"localhost".to_vec()],
            "builtin" | "helptopic" => texts(&mut TABLE.iter().map(|(name, _)| *name).filter(|name| *name != "which")),
            "enabled" => texts(&mut TABLE.iter().map(|(name, _)| *name).filter(|name| *name != "which" && !disabled(self, name))),
            "disabled" => self.builtins.disabled.to_vec(),
            "signal" => (0..32)
                .filter_map(signal_name)
                .map(|name| if name == "EXIT" { "EXIT".into() } else { format!("SIG{name}") })
                .map(String::into_bytes)
                .collect(),
            "job" | "running" => self
                .jobs
                .list
                .iter()
                .filter(|job| !job.hidden && (kind == "job" || job.status.is_none()))
                .map(|job| job.text.split(' ').next().unwrap_or_default().as_bytes().to_vec())
                .collect(),
            "variable" | "export" | "arrayvar" => {
                let wanted = |attrs: Attrs, value: &Value| match kind {
                    "export" => attrs.has(Attrs::EXPORT),
                    "arrayvar" => value.is_array(),
                    _ => true,
                };
                self.vars
                    .sorted()
                    .into_iter()
                    .filter(|(_, _, var)| wanted(var.attrs, &var.value) && (!var.is_bare() || var.attrs.has(Attrs::DYNAMIC)))
                    .map(|(name, _, _)| name.to_vec())
                    .collect()
            }
            "command" => ["alias", "keyword", "function", "builtin"].iter().flat_map(|kind| self.named(kind)).collect(),
            "user" => self.passwd().into_iter().map(|fields| fields[0].clone()).collect(),
            "group" => self.table_of(b"/etc/group").into_iter().map(|fields| fields[0].clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns programs on `PATH` whose names begin with `word`.
    fn programs(&mut self, word: &[u8]) -> Vec<Vec<u8>> {
        let path = self.get(crate::sym::PATH).unwrap_or_default();
        let mut found = Vec::new();
        for dir in path.split(|b| *b == b':') {
            let dir = self.absolute(dir);
            for entry in sys::read_dir(&dir).unwrap_or_default() {
                let file = [&dir[..], b"/", &entry.name].concat();
                if entry.name.starts_with(word)
                    && sys::stat(&file, true).is_ok_and(|stat| stat.kind == Kind::Regular)
                    && sys::access(&file, 1)
                {
                    found.push(entry.name);
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// Returns files, or only directories, whose names begin with `word`.
    pub(crate) fn files(&mut self, word: &[u8], directories: bool) -> Vec<Vec<u8>> {
        let home = self.get(crate::sym::HOME).unwrap_or_default();
        files_of(&self.process.cwd, &home, word, directories)
    }

    /// Returns a specification with only this action.
    pub(crate) fn spec_of_action(&self, name: &str) -> Spec {
        let bit = super::completion::ACTIONS.iter().position(|(_, known)| *known == name).map_or(0, |at| 1 << at);
        Spec { actions: bit, ..Spec::default() }
    }
}

/// Returns files, or only directories, whose names begin with `word`, seen from the directory `cwd`. `~/` is `home`.
pub(crate) fn files_of(cwd: &[u8], home: &[u8], word: &[u8], directories: bool) -> Vec<Vec<u8>> {
    let split = word.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    let (head, tail) = word.split_at(split);
    let expanded = match head.strip_prefix(b"~/") {
        Some(rest) => [home, b"/", rest].concat(),
        None => head.to_vec(),
    };
    let dir = if expanded.starts_with(b"/") { expanded } else { [cwd, b"/", &expanded].concat() };
    let mut found: Vec<Vec<u8>> = Vec::new();
    for entry in sys::read_dir(&dir).unwrap_or_default() {
        let file = [&dir[..], b"/", &entry.name].concat();
        let fits = !directories || sys::stat(&file, true).is_ok_and(|stat| stat.kind == Kind::Directory);
        if entry.name.starts_with(tail) && fits {
            found.push([head, &entry.name].concat());
        }
    }
    found.sort();
    found
}

/// Returns a filter with the word in place of `&`.
fn filled(filter: &[u8], word: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = filter.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'&' => out.extend_from_slice(word),
            b'\\' if bytes.peek() == Some(&b'&') => {
                bytes.next();
                out.push(b'&');
            }
            byte => out.push(byte),
        }
    }
    out
}

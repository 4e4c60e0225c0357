//! The command line: global settings, and one operation for each part between `--next`.

use super::data::{self, Data};
use super::fail::{Fail, fail};
use super::form::Form;
use super::table::TABLE;
use crate::options::{Entry, Missing, by_long, by_short, still_verified};
use std::time::Duration;

/// The settings for all operations.
#[derive(Default)]
pub(super) struct Global {
    pub silent: bool,
    pub show_error: bool,
    pub verbose: bool,
    pub no_meter: bool,
    pub bar: bool,
    pub fail_early: bool,
    pub help: bool,
    pub version: bool,
}

/// Where a body goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Stdout,
    File(String),
    /// The last part of the URL's path.
    Remote,
}

/// A URL, with the output and the upload at the same position of their lists.
#[derive(Default)]
pub(super) struct Node {
    pub url: Option<String>,
    pub target: Option<Target>,
    pub upload: Option<String>,
}

/// The settings for the URLs up to `--next`.
#[derive(Default)]
pub(super) struct Operation {
    pub nodes: Vec<Node>,
    pub method: Option<String>,
    pub head: bool,
    pub get: bool,
    pub data: Option<Data>,
    pub form: Form,
    pub headers: Vec<String>,
    pub user: Option<String>,
    pub bearer: Option<String>,
    pub agent: Option<String>,
    pub referer: Option<String>,
    pub query: Vec<String>,
    pub cookies: Vec<String>,
    pub jar: Option<String>,
    pub junk_session: bool,
    pub compressed: bool,
    /// Refused, but remembered, so that a failing certificate can be explained.
    pub insecure: bool,
    pub raw: bool,
    pub include: bool,
    pub dump: Option<String>,
    pub write_out: Option<String>,
    pub location: bool,
    pub trusted: bool,
    pub max_redirs: Option<u64>,
    /// 301, 302, 303: POST stays POST.
    pub keep_post: [bool; 3],
    pub fail: bool,
    pub fail_with_body: bool,
    pub max_time: Option<Duration>,
    pub connect_timeout: Option<Duration>,
    pub retry: u64,
    pub retry_all: bool,
    pub retry_refused: bool,
    pub retry_delay: Option<Duration>,
    pub retry_max: Option<Duration>,
    /// Some(None): from the end of the file.
    pub resume: Option<Option<u64>>,
    pub range: Option<String>,
    pub time_cond: Option<String>,
    pub as_is: bool,
    pub globoff: bool,
    pub remote_all: bool,
    pub remote_header: bool,
    pub remote_time: bool,
    pub remove_on_error: bool,
    pub create_dirs: bool,
    pub output_dir: Option<String>,
    pub max_size: Option<u64>,
    pub rate: Option<u64>,
    pub protocols: Option<String>,
    pub redirect_protocols: Option<String>,
    pub default_scheme: Option<String>,
}

/// The whole command line.
pub(super) struct Parsed {
    pub global: Global,
    pub operations: Vec<Operation>,
    /// Messages to print before anything else.
    pub warnings: Vec<String>,
}

/// Returns the failure for a mistake in the command line.
pub(super) fn usage(option: &str, what: &str) -> Fail {
    fail(2, format!("curl: option {option}: {what}"))
}

/// Reads the arguments, `~/.curlrc` first.
pub(super) fn parse(arguments: &[String]) -> Result<Parsed, Fail> {
    let mut parsed = Parsed { global: Global::default(), operations: vec![Operation::default()], warnings: Vec::new() };
    if !arguments.first().is_some_and(|first| first == "--disable" || (first.starts_with("-q") && !first.starts_with("--")))
        && let Some(text) = std::env::var("HOME").ok().and_then(|home| std::fs::read_to_string(format!("{home}/.curlrc")).ok())
    {
        parsed.file(&text, 0)?;
    }
    parsed.arguments(arguments, 0)?;
    Ok(parsed)
}

impl Parsed {
    pub(super) fn current(&mut self) -> &mut Operation {
        if self.operations.is_empty() {
            self.operations.push(Operation::default());
        }
        let last = self.operations.len() - 1;
        &mut self.operations[last]
    }

    fn arguments(&mut self, arguments: &[String], depth: usize) -> Result<(), Fail> {
        let (mut rest, mut only_urls) = (arguments.iter(), false);
        while let Some(word) = rest.next() {
            if only_urls || !word.starts_with('-') || word == "-" {
                self.current().url(word);
            } else if word == "--" {
                only_urls = true;
            } else if let Some(long) = word.strip_prefix("--") {
                let (long, on) = match long.strip_prefix("no-") {
                    Some(name) if by_long(TABLE, long).is_err() => (name, false),
                    _ => (long, true),
                };
                let found = by_long(TABLE, long).map_err(|why| match why {
                    Missing::Ambiguous => usage(word, "is ambiguous"),
                    Missing::Unknown => usage(word, "is unknown"),
                })?;
                let value = match found.2.takes_value() {
                    true => rest.next().ok_or_else(|| usage(word, "requires parameter"))?,
                    false => "",
                };
                self.option(found, value, on, word, depth)?;
            } else {
                for (at, letter) in word[1..].char_indices() {
                    let spelled = format!("-{letter}");
                    let found = by_short(TABLE, &spelled[1..]).ok_or_else(|| usage(&spelled, "is unknown"))?;
                    if !found.2.takes_value() {
                        self.option(found, "", true, &spelled, depth)?;
                        continue;
                    }
                    let attached = &word[1 + at + letter.len_utf8()..];
                    let value = match attached.is_empty() {
                        true => rest.next().ok_or_else(|| usage(&spelled, "requires parameter"))?,
                        false => attached,
                    };
                    self.option(found, value, true, &spelled, depth)?;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads the options of a configuration file.
    fn file(&mut self, text: &str, depth: usize) -> Result<(), Fail> {
        if depth > 8 {
            return Err(usage("-K", "is nested too deeply"));
        }
        for (name, value) in super::config::words(text) {
            self.arguments(&[vec![name], value.into_iter().collect()].concat(), depth + 1)?;
        }
        Ok(())
    }

    fn option(&mut self, (_, name, kind): &Entry, value: &str, on: bool, spelled: &str, depth: usize) -> Result<(), Fail> {
        if !kind.has_effect(on).map_err(|why| usage(spelled, &why))? {
            return Ok(());
        }
        match *name {
            "config" => {
                let text =
                    data::read(value).map_err(|_| fail(26, format!("curl: option {spelled}: error encountered when reading a file")))?;
                self.file(&String::from_utf8_lossy(&text), depth)
            }
            "next" => {
                self.operations.push(Operation::default());
                Ok(())
            }
            "insecure" => {
                self.current().insecure = on;
                if on {
                    self.warnings.push(still_verified(spelled));
                }
                Ok(())
            }
            name if self.global.set(name, on) => Ok(()),
            name => super::apply::apply(self.current(), name, value, on, spelled),
        }
    }
}

impl Global {
    /// Sets a global flag, if it is one.
    fn set(&mut self, name: &str, on: bool) -> bool {
        let flag = match name {
            "silent" => &mut self.silent,
            "show-error" => &mut self.show_error,
            "verbose" => &mut self.verbose,
            "progress-bar" => &mut self.bar,
            "progress-meter" => {
                self.no_meter = !on;
                return true;
            }
            "fail-early" => &mut self.fail_early,
            "help" => &mut self.help,
            "version" => &mut self.version,
            "disable" => return true,
            _ => return false,
        };
        *flag = on;
        true
    }
}

impl Operation {
    fn url(&mut self, url: &str) {
        self.node(|node| node.url.is_none()).url = Some(url.to_owned());
    }

    /// Returns the first operation without this setting, or a new one.
    pub(super) fn node(&mut self, free: impl Fn(&Node) -> bool) -> &mut Node {
        let place = self.nodes.iter().position(free).unwrap_or_else(|| {
            self.nodes.push(Node::default());
            self.nodes.len() - 1
        });
        &mut self.nodes[place]
    }
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;

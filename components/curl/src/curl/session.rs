//! All operations of one command line, one URL after the other, each with its retries.

use super::fail::{Fail, fail};
use super::message;
use super::options::{Global, Node, Operation, Target};
use super::output::Output;
use super::prepare;
use super::stats::Stats;
use super::transfer::{self, Job};
use super::writeout;
use crate::http::{cookies::Jar, date};
use crate::url::Url;
use crate::url::glob::{self, Match};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The state that lasts from URL to URL.
pub(super) struct Session {
    pub global: Global,
    pub jar: Jar,
    number: usize,
}

impl Session {
    /// Creates the initial state.
    pub(super) fn new(global: Global) -> Self {
        Self { global, jar: Jar::default(), number: 0 }
    }

    /// Prints a message that is not an error.
    pub(super) fn warn(&self, text: &str) {
        if !self.global.silent {
            eprintln!("Warning: {text}");
        }
    }

    /// Prints an error.
    pub(super) fn complain(&self, failure: &Fail) {
        if !self.global.silent || self.global.show_error {
            if failure.text.starts_with("curl: ") {
                eprintln!("{}", failure.text);
            } else {
                eprintln!("curl: ({}) {}", failure.code, failure.text);
            }
        }
    }

    /// Performs one operation. Returns the status of its last transfer.
    pub(super) fn operation(&mut self, operation: &Operation) -> Result<u8, Fail> {
        self.load_cookies(operation);
        let mut last = 0;
        'nodes: for node in &operation.nodes {
            let Some(pattern) = &node.url else { continue };
            let matches = if operation.globoff {
                vec![Match::plain(pattern)]
            } else {
                glob::expand(pattern).map_err(|error| {
                    let mark = " ".repeat(error.position.saturating_sub(1)) + "^";
                    fail(3, format!("{} in URL position {}:\n{pattern}\n{mark}", error.what, error.position))
                })?
            };
            for found in matches {
                last = self.one(operation, node, &found);
                if last != 0 && self.global.fail_early {
                    break 'nodes;
                }
            }
        }
        self.save_cookies(operation)?;
        Ok(last)
    }

    fn load_cookies(&mut self, operation: &Operation) {
        for file in operation.cookies.iter().filter(|text| !text.contains('=')) {
            match super::data::read(file) {
                Ok(text) => self.jar.load(&String::from_utf8_lossy(&text), operation.junk_session),
                Err(_) if file.is_empty() => {}
                // As in curl, a missing jar is an empty one.
                Err(error) if self.global.verbose => eprintln!("* {file}: {}", wisp_tool::text::reason(&error)),
                Err(_) => {}
            }
        }
    }

    fn save_cookies(&self, operation: &Operation) -> Result<(), Fail> {
        let Some(path) = &operation.jar else { return Ok(()) };
        let written = match path.as_str() {
            "-" => self.jar.save(&mut std::io::stdout().lock()),
            path => fs::File::create(path).and_then(|mut file| self.jar.save(&mut file)),
        };
        if let Err(error) = written {
            self.warn(&format!("failed to save cookies in {path}: {}", wisp_tool::text::reason(&error)));
        }
        Ok(())
    }

    /// Transfers one URL with its retries and its `-w`. Returns the status.
    fn one(&mut self, operation: &Operation, node: &Node, found: &Match) -> u8 {
        let mut stats = Stats::new(&found.url, self.number);
        self.number += 1;
        let result = self.attempts(operation, node, found, &mut stats);
        let code = match result {
            Ok(()) => 0,
            Err(mut failure) => {
                if failure.code == 60 && operation.insecure {
                    failure.text +=
                        "\n  -k is refused: wisp's host verifies certificates; a policy adds roots with `ca = \"file\"` in [network]";
                }
                self.complain(&failure);
                stats.failure = Some(failure.clone());
                failure.code
            }
        };
        if let Some(format) = &operation.write_out {
            writeout::print(format, &stats);
        }
        code
    }

    fn attempts(&mut self, operation: &Operation, node: &Node, found: &Match, stats: &mut Stats) -> Result<(), Fail> {
        let prepared = prepare::prepare(operation, node, &found.url)?;
        let mut output = self.output(operation, node, found, &prepared.url)?;
        let began = Instant::now();
        let (mut left, mut pause) = (operation.retry, operation.retry_delay.unwrap_or(Duration::from_secs(1)));
        loop {
            stats.restart();
            let mut job =
                Job { operation, prepared: &prepared, output: &mut output, jar: &mut self.jar, global: &self.global, stats: &mut *stats };
            let result = transfer::run(&mut job);
            stats.finish(&output);
            let Some(problem) = message::transient(operation, stats, &result).filter(|_| left > 0) else {
                return self.end(operation, &mut output, stats, result);
            };
            let asked = stats.headers.get("retry-after").and_then(|text| {
                text.trim().parse().ok().or_else(|| date::parse(&text).map(|at| u64::try_from(at - date::now()).unwrap_or(0)))
            });
            let wait = operation.retry_delay.unwrap_or(pause).max(Duration::from_secs(asked.unwrap_or(0)));
            if operation.retry_max.is_some_and(|most| began.elapsed() + wait > most) {
                return self.end(operation, &mut output, stats, result);
            }
            let plural = |count: u64, one: &'static str, many: &'static str| if count == 1 { one } else { many };
            let seconds = wait.as_secs();
            self.warn(&format!(
                "Problem : {problem}. Will retry in {seconds} second{}. {left} {} left.",
                plural(seconds, "", "s"),
                plural(left, "retry", "retries")
            ));
            std::thread::sleep(wait);
            left -= 1;
            pause = (pause * 2).min(Duration::from_secs(600));
            output.restart().map_err(|error| fail(23, format!("Failed to truncate file: {}", wisp_tool::text::reason(&error))))?;
        }
    }

    /// Closes the output; a failed transfer may take its file away.
    fn end(&self, operation: &Operation, output: &mut Output, stats: &mut Stats, result: Result<(), Fail>) -> Result<(), Fail> {
        // A file stays as it is if the server has no newer version.
        let unmet = operation.time_cond.is_some() && stats.status == 304;
        let closed = output.close(result.is_ok() && !unmet);
        stats.file_name = output.name();
        if let (Err(_), true, Some(name)) = (&result, operation.remove_on_error, output.name()) {
            // If the file does not exist, there is nothing to remove.
            let _ = fs::remove_file(name);
        }
        result?;
        closed.map_err(|error| message::not_written(self, output, &error))?;
        if let (true, Some(name), Some(at)) =
            (operation.remote_time, output.name(), stats.headers.get("last-modified").and_then(|text| date::parse(&text)))
        {
            let time = std::time::UNIX_EPOCH + Duration::from_secs(u64::try_from(at).unwrap_or(0));
            let set = fs::File::options().append(true).open(&name).and_then(|file| file.set_modified(time));
            if let Err(error) = set {
                self.warn(&format!("Failed to set filetime {at} on outfile: {}", wisp_tool::text::reason(&error)));
            }
        }
        Ok(())
    }

    /// Returns the output for the body of a URL.
    fn output(&self, operation: &Operation, node: &Node, found: &Match, url: &Url) -> Result<Output, Fail> {
        let everywhere = if operation.remote_all { Target::Remote } else { Target::Stdout };
        let name = match node.target.as_ref().unwrap_or(&everywhere) {
            Target::Stdout => None,
            Target::File(name) => Some(found.fill(name)),
            Target::Remote if url.file_name().is_empty() && !operation.remote_header => {
                let _ = std::io::stdout().flush();
                return Err(fail(23, "Remote file name has no length; give one with -o"));
            }
            Target::Remote => Some(url.file_name().to_owned()),
        };
        let path = name.map(|name| match &operation.output_dir {
            Some(folder) => format!("{folder}/{name}"),
            None => name,
        });
        if let (true, Some(folder)) = (operation.create_dirs, path.as_deref().and_then(|path| Path::new(path).parent())) {
            fs::create_dir_all(folder).map_err(|error| {
                fail(23, format!("the folder {} cannot be made: {}", folder.display(), wisp_tool::text::reason(&error)))
            })?;
        }
        let resume = match operation.resume {
            Some(None) => path.as_deref().and_then(|path| fs::metadata(path).ok()).map_or(0, |facts| facts.len()),
            Some(Some(offset)) => offset,
            None => 0,
        };
        let renamed = operation.remote_header && (node.target == Some(Target::Remote) || operation.remote_all);
        Ok(Output::new(path, resume, renamed, operation.output_dir.clone()))
    }
}

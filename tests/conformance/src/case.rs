//! A case: what is run, and the expected result.

use std::sync::Arc;

/// Where a case runs, here and under the oracle; also its home.
pub const DIRECTORY: &str = "/tmp/w";

/// Where a case's script is, if it is a file: outside the directory in which it runs, which is empty.
pub const SCRIPTS: &str = "/tmp/c";

/// One case of a suite.
#[derive(Debug)]
pub struct Case {
    /// `SUITE/GROUP/NAME`, unique.
    pub id: String,
    /// What is run.
    pub run: Run,
    /// The expected result.
    pub want: Want,
    /// Why the suite itself excludes it, if it does.
    pub skip: Option<String>,
}

/// A command with its setting.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The program and its arguments.
    pub command: Vec<Vec<u8>>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Variables in addition to [`environment`]'s.
    pub env: Vec<(String, String)>,
    /// Files in the directory in which it runs.
    pub files: Arc<Vec<File>>,
}

/// A file of a case.
#[derive(Debug)]
pub struct File {
    /// Relative to [`DIRECTORY`], or absolute.
    pub path: String,
    /// Its bytes.
    pub content: Vec<u8>,
    /// Whether it is executable.
    pub executable: bool,
}

/// How a case is judged.
#[derive(Debug, Clone)]
pub enum Want {
    /// This standard output, and this exit status if the suite says one.
    Output(Vec<u8>, Option<i32>),
    /// The real program's result: standard output (or not), and the exit status.
    Oracle(Compare),
    /// Lines of JSON, equal as values.
    Json(Vec<serde_json::Value>),
    /// Standard output that does not contain this word.
    Without(&'static str),
    /// An exit status that is not 0.
    Failure,
}

/// The part of standard output that is compared with the real program's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// Every byte.
    Bytes,
    /// The words.
    Words,
    /// The lines, in any order.
    Lines,
    /// Nothing.
    Nothing,
}

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The exit status; if a limit was reached, the status that a shell would see.
    pub status: i32,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The limit that ended it, if one did.
    pub limit: Option<String>,
}

/// The environment of every case, here and under the oracle.
pub fn environment() -> [(&'static str, &'static str); 9] {
    [
        ("HOME", DIRECTORY),
        ("LANG", "C.UTF-8"),
        ("LC_ALL", "C.UTF-8"),
        ("LOGNAME", "user"),
        ("SHELL", "/bin/bash"),
        ("TERM", "dumb"),
        ("TMPDIR", "/tmp"),
        ("TZ", "UTC"),
        ("USER", "user"),
    ]
}

impl Run {
    /// `bash -c SCRIPT`.
    pub fn script(script: &str) -> Self {
        Self { command: vec![b"bash".to_vec(), b"-c".to_vec(), script.as_bytes().to_vec()], ..Self::default() }
    }

    /// What was run, for the reader.
    pub fn text(&self) -> String {
        let words: Vec<_> = self.command.iter().map(|word| String::from_utf8_lossy(word)).collect();
        let mut text = match &words[..] {
            [_, flag, script] if flag == "-c" => script.to_string(),
            _ => words.join(" "),
        };
        for file in self.files.iter().take(4) {
            text += &format!("\n[file {}]\n{}", file.path, String::from_utf8_lossy(&file.content));
        }
        if !self.stdin.is_empty() {
            text += &format!("\n[stdin]\n{}", String::from_utf8_lossy(&self.stdin));
        }
        text
    }
}

/// The compared part of an output, as a short text: the exit status, and a hash.
pub fn fingerprint(ran: &Ran, compare: Compare) -> String {
    let hash = match compare {
        Compare::Bytes => hash(&ran.stdout),
        Compare::Words => hash(&ran.stdout.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(&b' ')),
        Compare::Lines => {
            let mut lines: Vec<&[u8]> = ran.stdout.split(|byte| *byte == b'\n').collect();
            lines.sort_unstable();
            format!("sorted:{}", hash(&lines.join(&b'\n')))
        }
        Compare::Nothing => "-".to_owned(),
    };
    format!("{} {hash}", ran.status)
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// Checks a run against the expected result. `recorded` is the oracle's verdict.
///
/// # Errors
/// The difference, for the reader.
pub fn judge(want: &Want, ran: &Ran, recorded: Option<&str>) -> Result<(), String> {
    if let Some(limit) = &ran.limit {
        return Err(format!("a limit ended it: {limit}"));
    }
    match want {
        Want::Output(stdout, status) => {
            if ran.stdout != *stdout {
                return Err("standard output".to_owned());
            }
            match status {
                Some(status) if ran.status != *status => Err(format!("exit status {}, expected {status}", ran.status)),
                _ => Ok(()),
            }
        }
        Want::Oracle(compare) => {
            let recorded = recorded.ok_or("the oracle's verdict is not recorded")?;
            let found = fingerprint(ran, *compare);
            let sorted = fingerprint(ran, Compare::Lines);
            if recorded.split(" | ").any(|did| did == found || did == sorted) {
                return Ok(());
            }
            match recorded.split(' ').next() {
                Some(status) if status != ran.status.to_string() => Err(format!("exit status {}, expected {status}", ran.status)),
                _ => Err("standard output".to_owned()),
            }
        }
        Want::Json(values) => {
            let found: Result<Vec<serde_json::Value>, _> = serde_json::Deserializer::from_slice(&ran.stdout).into_iter().collect();
            match found {
                Ok(found) if found.len() == values.len() && found.iter().zip(values).all(|(one, other)| same(one, other)) => Ok(()),
                Ok(_) => Err("the values".to_owned()),
                Err(error) => Err(format!("standard output is not JSON: {error}")),
            }
        }
        Want::Without(word) if String::from_utf8_lossy(&ran.stdout).contains(word) => Err(format!("it says {word}")),
        Want::Failure if ran.status == 0 => Err("it succeeded".to_owned()),
        Want::Without(_) | Want::Failure => Ok(()),
    }
}

/// Equal by jq's rules: numbers by value.
fn same(one: &serde_json::Value, other: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Number, Object};
    match (one, other) {
        (Number(one), Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Array(one), Array(other)) => one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other)),
        (Object(one), Object(other)) => {
            one.len() == other.len() && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

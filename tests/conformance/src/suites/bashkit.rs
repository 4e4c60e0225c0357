//! bashkit's spec cases: `### NAME`, the script, `### expect`, standard output, `### end`.

use std::path::Path;

use super::{files, text};
use crate::case::{Case, Run, Want};

/// The folders that are about bash and its tools.
const KINDS: [&str; 5] = ["bash", "awk", "grep", "sed", "jq"];

/// Cases about programs that wisp does not have, by the beginning of their ids.
const ABSENT: [(&str, &str); 6] = [
    ("bash/awk-aliases/mawk", "mawk"),
    ("bash/make/", "make"),
    ("bash/process-env-builtins/locale", "locale"),
    ("bash/random/openssl", "openssl"),
    ("bash/system-commands/getconf", "getconf"),
    ("bash/system-commands/shasum", "shasum"),
];

/// Lines that begin with `### ` but are not names.
enum Mark<'a> {
    Expect,
    End,
    Status(i32),
    Skip(&'a str),
    Remark,
    Name(&'a str),
}

fn mark(line: &str) -> Option<Mark<'_>> {
    let word = line.strip_prefix("### ")?.trim();
    Some(match word.split_once(':').map_or((word, ""), |(key, value)| (key, value.trim())) {
        ("expect", _) => Mark::Expect,
        ("end", _) => Mark::End,
        ("exit_code", status) => status.parse().map_or(Mark::Name(word), Mark::Status),
        ("skip", reason) => Mark::Skip(reason),
        ("bash_diff", _) => Mark::Skip("the suite says that bash differs"),
        ("paused_time", _) => Mark::Remark,
        _ => Mark::Name(word),
    })
}

/// Every case.
///
/// # Errors
/// When a file cannot be read.
pub fn cases(place: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for kind in KINDS {
        for path in files(&place.join(kind), ".test.sh") {
            let file = path.file_name().map(|name| name.to_string_lossy().replace(".test.sh", "")).unwrap_or_default();
            read(&text(&path)?, &format!("bashkit/{kind}/{file}"), &mut cases);
        }
    }
    for case in &mut cases {
        let id = case.id.strip_prefix("bashkit/").unwrap_or(&case.id);
        if let Some((_, program)) = ABSENT.iter().find(|(prefix, _)| id.starts_with(prefix)) {
            case.skip = Some(format!("about a program that wisp does not have: {program}"));
        }
    }
    Ok(cases)
}

fn read(text: &str, prefix: &str, cases: &mut Vec<Case>) {
    let (mut name, mut skip, mut status) = (None, None, None);
    let (mut script, mut stdout) = (String::new(), String::new());
    let mut expecting = false;
    for line in text.split('\n') {
        match mark(line) {
            Some(Mark::Expect) => expecting = true,
            Some(Mark::Status(number)) => status = Some(number),
            Some(Mark::Skip(reason)) => skip = Some(reason.to_owned()),
            Some(Mark::Remark) => {}
            Some(Mark::Name(new)) => {
                (name, skip, status, expecting) = (Some(new.to_owned()), None, None, false);
                script.clear();
                stdout.clear();
            }
            Some(Mark::End) => {
                if let Some(name) = name.take() {
                    let want = Want::Output(stdout.clone().into_bytes(), status);
                    let run = Run::script(script.strip_suffix('\n').unwrap_or(&script));
                    cases.push(Case { id: format!("{prefix}/{name}"), run, want, skip: skip.take() });
                }
            }
            None => {
                let part = if expecting { &mut stdout } else { &mut script };
                part.push_str(line);
                part.push('\n');
            }
        }
    }
}

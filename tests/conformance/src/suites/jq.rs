//! jq's own tests: a program, its input, its values, a blank line; `%%FAIL` precedes a program that must be refused.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{files, text};
use crate::case::{Case, File, Run, Want};

const FILES: [&str; 5] = ["jq", "man", "onig", "manonig", "base64"];

/// Every case.
///
/// # Errors
/// When a file cannot be read.
pub fn cases(place: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let modules = place.join("modules");
    let mut list = Vec::new();
    for path in files(&modules, "") {
        let name = path.strip_prefix(place).unwrap_or(&path).display().to_string();
        let content = fs::read(&path).map_err(|error| format!("cannot read `{name}`: {error}"))?;
        list.push(File { path: name, content, executable: false });
    }
    let list = Arc::new(list);
    for name in FILES {
        read(&text(&place.join(format!("{name}.test")))?, &format!("jq/{name}"), &list, &mut cases);
    }
    Ok(cases)
}

fn read(text: &str, prefix: &str, files: &Arc<Vec<File>>, cases: &mut Vec<Case>) {
    let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line)).peekable();
    while let Some((number, line)) = lines.next() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fails = line.starts_with("%%FAIL");
        let program = if fails { lines.next().map_or("", |(_, line)| line) } else { line };
        let mut rest = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim().is_empty()) {
            rest.push(line);
        }
        let (input, want) = if fails {
            ("null", Ok(Want::Failure))
        } else {
            let (input, values) = rest.split_first().map_or(("null", &[][..]), |(input, values)| (*input, values));
            (input, values.iter().map(|value| serde_json::from_str(value)).collect::<Result<Vec<_>, _>>().map(Want::Json))
        };
        let command = ["jq", "-c", "-L", "modules", program].map(|word| word.as_bytes().to_vec()).to_vec();
        let run = Run {
            command,
            stdin: format!("{input}\n").into_bytes(),
            env: vec![("PAGER".to_owned(), "less".to_owned())],
            files: files.clone(),
        };
        let skip = want.as_ref().err().map(|_| "the value expected is not JSON (nan, or a number beyond it)".to_owned());
        cases.push(Case { id: format!("{prefix}/{number}"), run, want: want.unwrap_or(Want::Failure), skip });
    }
}

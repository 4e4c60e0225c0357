//! Our own: scripts with what bash printed beside them (`NAME.sh`, `NAME.out`, `NAME.code`, `NAME.stdin`).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::files;
use crate::case::{Case, File, Run, Want};

/// Folders with scripts, and what their cases are called. All were blessed by bash 5.2.
const FOLDERS: [(&str, &str); 3] =
    [("components/shell/tests/cases", "shell"), ("tests/shell", "scripts"), ("tests/conformance/cases", "more")];

/// Where the script lies: not where it runs, which is empty.
const SCRIPTS: &str = "/tmp/c";

/// Every case.
///
/// # Errors
/// When a file cannot be read.
pub fn cases(root: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for (folder, name) in FOLDERS {
        let folder = root.join(folder);
        for path in files(&folder, ".sh") {
            let read = |ending: &str| fs::read(path.with_extension(ending)).ok();
            let Some(out) = read("out") else { return Err(format!("no .out beside `{}`", path.display())) };
            let status = read("code").and_then(|text| String::from_utf8_lossy(&text).trim().parse().ok()).unwrap_or(0);
            let content = fs::read(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
            let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let relative = path.strip_prefix(&folder).unwrap_or(&path).with_extension("");
            cases.push(Case {
                id: format!("own/{name}/{}", relative.display()),
                run: Run {
                    command: vec![b"bash".to_vec(), format!("{SCRIPTS}/{file}").into_bytes()],
                    stdin: read("stdin").unwrap_or_default(),
                    env: Vec::new(),
                    files: Arc::new(vec![File { path: format!("{SCRIPTS}/{file}"), content, executable: false }]),
                },
                want: Want::Output(out, Some(status)),
                skip: None,
            });
        }
    }
    Ok(cases)
}

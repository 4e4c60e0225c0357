//! wisp's own cases: scripts with bash's output beside them (`NAME.sh`, `NAME.out`, `NAME.code`, `NAME.stdin`).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::files;
use crate::case::{Case, File, Ran, Run, SCRIPTS, Want};

/// Folders with scripts, and the names of their cases. All were blessed by bash 5.2.
const FOLDERS: [(&str, &str); 3] =
    [("components/shell/tests/cases", "shell"), ("tests/shell", "scripts"), ("tests/conformance/cases", "more")];

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
            let out = read("out").unwrap_or_else(|| b"not blessed: `just conformance own/more --oracle`".to_vec());
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

/// Writes the real program's result beside a script; only the last of `FOLDERS` is written here.
///
/// # Errors
/// When it cannot be written.
pub fn bless(root: &Path, id: &str, ran: &Ran) -> Result<(), String> {
    let Some(name) = id.strip_prefix("own/more/") else { return Ok(()) };
    let path = root.join(FOLDERS[2].0).join(name);
    let code = path.with_extension("code");
    fs::write(path.with_extension("out"), &ran.stdout).map_err(|error| error.to_string())?;
    match (ran.status, code.exists()) {
        (0, true) => fs::remove_file(code).map_err(|error| error.to_string()),
        (0, false) => Ok(()),
        (status, _) => fs::write(code, format!("{status}\n")).map_err(|error| error.to_string()),
    }
}

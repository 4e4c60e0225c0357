//! The one true awk's tests: programs run over its data (`p.*`, `t.*`, `tt.*`), and scripts that check themselves (`T.*`).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::case::{Case, Compare, File, Run, Want};

/// Programs and the files they read.
const PROGRAMS: [(&str, &[&str]); 3] = [("p.", &["test.countries", "test.countries"]), ("t.", &["test.data"]), ("tt.", &["test.data"])];

/// Every case.
///
/// # Errors
/// When a file cannot be read.
pub fn cases(place: &Path) -> Result<Vec<Case>, String> {
    let mut list = Vec::new();
    for entry in fs::read_dir(place).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { continue };
        let content = fs::read(&path).map_err(|error| format!("cannot read `{name}`: {error}"))?;
        list.push(File { path: name, content, executable: false });
    }
    list.sort_by(|one, other| one.path.cmp(&other.path));
    let names: Vec<String> = list.iter().map(|file| file.path.clone()).collect();
    let list = Arc::new(list);
    let mut cases = Vec::new();
    for name in &names {
        let case = |command: Vec<&str>, want| {
            let command = command.into_iter().map(|word| word.as_bytes().to_vec()).collect();
            let env = vec![("awk".to_owned(), "awk".to_owned()), ("oldawk".to_owned(), "awk".to_owned())];
            let run = Run { command, files: list.clone(), env, ..Run::default() };
            Case { id: format!("awk/{}/{name}", name.split('.').next().unwrap_or_default()), run, want, skip: None }
        };
        if name.starts_with("T.") {
            cases.push(case(vec!["sh", name], Want::Without("BAD")));
        } else if let Some((_, data)) = PROGRAMS.iter().find(|(prefix, _)| name.starts_with(prefix)) {
            let mut command = vec!["awk", "-f", name];
            command.extend(*data);
            cases.push(case(command, Want::Oracle(Compare::Bytes)));
        }
    }
    Ok(cases)
}

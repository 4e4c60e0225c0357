//! brush's YAML cases: arguments, standard input and files; the expected result is bash's.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use yaml_rust2::{Yaml, YamlLoader};

use super::{files, text};
use crate::case::{Case, Compare, File, Run, Want};

/// The bash whose verdicts are recorded.
const ORACLE: (i64, i64) = (5, 2);

/// Every case of `compat`.
///
/// # Errors
/// When a file cannot be read.
pub fn cases(place: &Path) -> Result<Vec<Case>, String> {
    let root = place.join("cases/compat");
    let mut cases = Vec::new();
    for path in files(&root, ".yaml") {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("").display().to_string();
        let documents = YamlLoader::load_from_str(&text(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        for document in &documents {
            let folder = path.parent().unwrap_or(&root);
            let common = document["common_test_files"].as_vec().map(Vec::as_slice).unwrap_or_default();
            let whole = &document["incompatible_configs"];
            for yaml in document["cases"].as_vec().into_iter().flatten() {
                cases.push(read(yaml, common, whole, folder, &name));
            }
        }
    }
    Ok(cases)
}

fn read(yaml: &Yaml, common: &[Yaml], whole: &Yaml, folder: &Path, prefix: &str) -> Case {
    let flag = |key: &str| yaml[key].as_bool() == Some(true);
    let words = |key: &str| yaml[key].as_vec().map(|list| list.iter().map(scalar).collect::<Vec<_>>()).unwrap_or_default();
    let removed = words("removed_default_args");
    let mut command = vec!["bash".to_owned()];
    command.extend(["--norc", "--noprofile"].map(str::to_owned).into_iter().filter(|word| !removed.contains(word)));
    command.extend(words("args"));
    let mut env: Vec<(String, String)> = Vec::new();
    for (key, value) in yaml["env"].as_hash().into_iter().flatten() {
        env.push((scalar(key), scalar(value)));
    }
    if let Some(home) = yaml["home_dir"].as_str() {
        env.push(("HOME".to_owned(), format!("{}/{home}", crate::case::DIRECTORY)));
    }
    let list = yaml["test_files"].as_vec().map(Vec::as_slice).unwrap_or_default();
    let files: Vec<File> = common.iter().chain(list).map(|file| read_file(file, folder)).collect();
    let compare = match (flag("ignore_stdout"), flag("ignore_whitespace")) {
        (true, _) => Compare::Nothing,
        (false, true) => Compare::Words,
        _ => Compare::Bytes,
    };
    let excludes = |list: &Yaml| list.as_vec().into_iter().flatten().any(|one| one.as_str() == Some("bash"));
    let skip = if flag("skip") {
        Some("the suite skips it")
    } else if flag("pty") {
        Some("needs a terminal")
    } else if excludes(&yaml["incompatible_configs"]) || excludes(whole) {
        Some("not for bash")
    } else if version(&yaml["min_oracle_version"]).is_some_and(|min| min > ORACLE) {
        Some("for a newer bash")
    } else if version(&yaml["max_oracle_version"]).is_some_and(|max| max < ORACLE) {
        Some("for an older bash")
    } else {
        None
    };
    Case {
        id: format!("brush/{prefix}/{}", scalar(&yaml["name"])),
        run: Run {
            command: command.into_iter().map(String::into_bytes).collect(),
            stdin: yaml["stdin"].as_str().unwrap_or_default().as_bytes().to_vec(),
            env,
            files: Arc::new(files),
        },
        want: Want::Oracle(compare),
        skip: skip.map(str::to_owned),
    }
}

fn read_file(yaml: &Yaml, folder: &Path) -> File {
    let content = match (yaml["contents"].as_str(), yaml["source_path"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        // A missing file is also empty for the oracle.
        (None, Some(source)) => fs::read(folder.join(source)).unwrap_or_default(),
        (None, None) => Vec::new(),
    };
    File { path: scalar(&yaml["path"]), content, executable: yaml["executable"].as_bool() == Some(true) }
}

fn version(yaml: &Yaml) -> Option<(i64, i64)> {
    let text = scalar(yaml);
    let mut parts = text.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next().flatten().unwrap_or(0)))
}

/// A scalar as written in the YAML.
fn scalar(yaml: &Yaml) -> String {
    match yaml {
        Yaml::String(text) | Yaml::Real(text) => text.clone(),
        Yaml::Integer(number) => number.to_string(),
        Yaml::Boolean(value) => value.to_string(),
        _ => String::new(),
    }
}

//! Finds and reads the files of the tree, for the tests of its rules.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository").to_owned()
}

/// Adds the files below `folder` whose names end in one of `endings`, in order.
pub(crate) fn sources(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "deps", "__pycache__"].contains(&name.as_str()) {
                sources(&path, endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
}

/// A file's code without comments and test-only items (which may name anything).
pub(crate) fn code(path: &Path) -> String {
    without_tests(&fs::read_to_string(path).unwrap_or_default())
}

fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let word = line.trim_start();
        if word == "#[cfg(test)]" {
            // To the end of the item, as rustfmt writes it: a line with the indentation of its attribute.
            let depth = line.len() - word.len();
            let _ = lines.find(|line| line.len() - line.trim_start().len() == depth && line.ends_with([';', '}']));
        } else if !word.starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

pub(crate) fn is_test(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name == "tests" || name.ends_with("_tests") || path.components().any(|part| part.as_os_str() == "tests")
}

/// The files of all crates below `host/` except their tests: the path, and the crate's folder with the path in its
/// `src`.
pub(crate) fn files() -> Vec<(PathBuf, String)> {
    let host = root().join("host");
    let mut found = Vec::new();
    for entry in fs::read_dir(&host).expect("the folder host/").flatten() {
        sources(&entry.path().join("src"), &[".rs"], &mut found);
    }
    assert!(found.len() > 150, "only {} files below host/", found.len());
    let name = |path: &Path| path.strip_prefix(&host).unwrap_or(path).display().to_string().replacen("/src/", "/", 1);
    found.into_iter().filter(|path| !is_test(path)).map(|path| (path.clone(), name(&path))).collect()
}

/// The path of a file by its name in `files`.
pub(crate) fn source(name: &str) -> PathBuf {
    let (folder, inner) = name.split_once('/').expect("a crate's folder and a path in it");
    root().join("host").join(folder).join("src").join(inner)
}

#[test]
fn code_is_without_tests_and_comments() {
    let text = "a\n#[cfg(test)]\nmod tests {\n    use c;\n    fn f() {\n    }\n}\n// d\nb\n#[cfg(test)]\nmod x;\ne";
    assert_eq!(without_tests(text), "a\nb\ne\n");
    let inner = "impl A {\n    #[cfg(test)]\n    fn f() {\n        g;\n    }\n    h\n}";
    assert_eq!(without_tests(inner), "impl A {\n    h\n}\n");
}

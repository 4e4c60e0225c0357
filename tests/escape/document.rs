//! SECURITY.md names the test of each promise; this checks that these tests exist.

use std::fs;

use wisp_tests::wisp::root;

/// The text between backticks.
fn named(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn every_attack_belongs_to_a_promise() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md");
    let names: Vec<&str> = named(&text).into_iter().map(|name| name.trim_start_matches("escape/")).collect();
    let covered = |case: &str| {
        names.iter().any(|name| *name == case || name.strip_suffix('*').is_some_and(|start| !start.is_empty() && case.starts_with(start)))
    };
    let mut missing = Vec::new();
    for path in wisp_tests::escape::discover(&root().join("tests/escape")) {
        let case = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !covered(&case) {
            missing.push(case);
        }
    }
    assert!(missing.is_empty(), "SECURITY.md does not say what these prove: {}", missing.join(", "));
}

#[test]
fn every_named_test_exists() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md").replace('\n', " ");
    let mut missing = Vec::new();
    for name in named(&text) {
        let exists = if let Some(case) = name.strip_prefix("escape/") {
            case == "NAME" || case.ends_with('*') || root().join(format!("tests/escape/{case}.toml")).is_file()
        } else if ["std::", "wisp::", "cargo test "].iter().any(|start| name.starts_with(start)) {
            true
        } else if let Some((module, function)) = name.trim_start_matches("escape::").split_once("::") {
            let places = ["escape", "cli", "library", "net", "tree"]
                .iter()
                .flat_map(|place| [format!("tests/{place}/{module}.rs"), format!("tests/{place}/{module}/mod.rs")]);
            let source: String = places.filter_map(|file| fs::read_to_string(root().join(file)).ok()).collect();
            let is_there = match function.strip_suffix('*') {
                Some(beginning) => source.contains(&format!("fn {beginning}")),
                None => source.contains(&format!("fn {function}(")),
            };
            module == "MODULE" || is_there
        } else {
            true
        };
        if !exists {
            missing.push(name.to_owned());
        }
    }
    assert!(missing.is_empty(), "SECURITY.md names tests that do not exist: {}", missing.join(", "));
}

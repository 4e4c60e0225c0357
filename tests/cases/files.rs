//! Cases that are files: scripts for the guests and the shell, attacks, and Python's own tests. A new file is a new
//! test.

use libtest_mimic::{Failed, Trial};
use wisp_tests::{escape, script, unittest, wisp};

pub(crate) fn trials() -> Vec<Trial> {
    let root = wisp::root();
    let mut trials = Vec::new();
    for folder in ["tests/guests", "tests/shell", "components/shell/tests/cases"] {
        for path in script::discover(&root.join(folder)) {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            trials.push(Trial::test(name, move || script::check(&path, None).map_err(Failed::from)));
        }
    }
    let python = root.join("components/python");
    for path in unittest::discover(&python) {
        let (name, component) = (path.strip_prefix(root).unwrap_or(&path).display().to_string(), python.clone());
        trials.push(Trial::test(name, move || unittest::check(&component, &path).map_err(Failed::from)));
    }
    for path in escape::discover(&root.join("tests/escape")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match escape::read(&path) {
            Ok(case) => {
                let promise = case.promise;
                trials.push(Trial::test(format!("escape/{name}/attack"), move || {
                    escape::check(&case.attack).map_err(|error| Failed::from(format!("promise: {promise}\n{error}")))
                }));
                trials.push(Trial::test(format!("escape/{name}/allowed"), move || escape::check(&case.allowed).map_err(Failed::from)));
            }
            Err(error) => trials.push(Trial::test(format!("escape/{name}"), move || Err(Failed::from(error)))),
        }
    }
    trials
}

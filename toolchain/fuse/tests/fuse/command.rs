//! The command `wisp-fuse`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{component, inside, pair};

/// A folder of one test, emptied before.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuse").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    let text = pair(r#"(data (i32.const 64) "\02\00\00\00")"#, r#"(func (export "run"))"#, &[("run", "")]);
    fs::write(folder.join("in.wasm"), component(&text)).expect("the input");
    folder
}

fn wisp_fuse(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wisp-fuse")).args(words).current_dir(folder).output().expect("it starts")
}

#[test]
fn writes_the_component_and_the_report() {
    let folder = folder("writes");
    fs::write(folder.join("immortal"), "64\n\n 64 \n").expect("a list");
    let ran = wisp_fuse(&folder, &["in.wasm", "-o", "out.wasm", "--report", "out.json", "--immortal", "immortal", "--names"]);
    assert!(ran.status.success() && ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:?}");
    let modules = inside(&fs::read(folder.join("out.wasm")).expect("the output"));
    assert!(modules.len() == 1 && modules[0].has_names);
    let report: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("out.json")).expect("the report")).expect("JSON");
    assert_eq!(report["merged"], serde_json::json!(["A", "B"]));
    assert_eq!((&report["immortal"], &report["made_immortal"]), (&2.into(), &1.into()));
    assert_eq!(report["data_end"], 68);
}

#[test]
fn says_what_is_wrong_and_writes_nothing() {
    let folder = folder("wrong");
    fs::write(folder.join("bad"), "64\nsixty\n").expect("a list");
    fs::write(folder.join("outside"), "6400\n").expect("a list");
    for (words, parts) in [
        (&["in.wasm"][..], &["usage:"][..]),
        (&["-o", "out.wasm"], &["usage:"]),
        (&["in.wasm", "-o"], &["-o needs a file", "usage:"]),
        (&["in.wasm", "-o", "out.wasm", "--fast"], &["unknown option --fast", "usage:"]),
        (&["in.wasm", "in.wasm", "-o", "out.wasm"], &["one component at a time"]),
        (&["none.wasm", "-o", "out.wasm"], &["none.wasm: "]),
        (&["in.wasm", "-o", "out.wasm", "--immortal", "bad"], &["bad:2: `sixty`", "decimal"]),
        (&["in.wasm", "-o", "out.wasm", "--immortal", "outside"], &["in.wasm: 6400", "list the addresses"]),
        (&["bad", "-o", "out.wasm"], &["bad: ", "give a component"]),
    ] {
        let ran = wisp_fuse(&folder, words);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{words:?}: {said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{words:?}: {said}");
        assert!(!folder.join("out.wasm").exists(), "{words:?}");
    }
}

//! The command line itself: help, mistakes, `check` and `policies`. What runs in a sandbox is among the cases.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use wisp_tests::wisp::{Ran, root, run};

fn wisp(folder: &Path, args: &[&str]) -> Ran {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    run(&args, b"", folder).expect("wisp runs")
}

fn policies() -> PathBuf {
    root().join("tests/policy")
}

/// Each subcommand, and the words its help must explain.
const HELP: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "--policy",
            "--mount",
            "--env",
            "--tool",
            "--output",
            "--force",
            "--json",
            "--inline",
            "--receipts",
            "--timeout",
            "--interactive",
            "Exit codes:",
            "124",
            "125",
            "126",
            "127",
            "137",
            "141",
        ],
    ),
    ("explain", &["--policy", "--json", "denied"]),
    ("check", &["FILE", "Exit codes:"]),
    ("policies", &["NAME"]),
    ("doctor", &["WISP_COMPONENTS"]),
];

#[test]
fn help_is_complete_and_has_examples() {
    let general = wisp(root(), &["--help"]).out();
    for (subcommand, words) in HELP {
        assert!(general.contains(&format!("\n  {subcommand} ")), "`wisp --help` does not list {subcommand}");
        let ran = wisp(root(), &[subcommand, "--help"]);
        let help = ran.out();
        assert_eq!(ran.code, Some(0), "{subcommand}");
        assert!(help.contains("Examples:\n") && help.contains(&format!("  wisp {subcommand}")), "{help}");
        for word in *words {
            assert!(help.contains(word), "`wisp {subcommand} --help` does not say {word}:\n{help}");
        }
        // An option without a sentence would end its line.
        for line in help.lines().filter(|line| line.trim_start().starts_with("--")) {
            let after = help.split(line).nth(1).unwrap_or_default();
            assert!(line.contains("  ") || after.trim_start_matches('\n').starts_with("          "), "{subcommand}: {line}");
        }
    }
}

#[test]
fn mistakes_on_the_command_line_are_status_2() {
    for args in [
        &["rum"] as &[&str],
        &["run"],
        &["run", "sh"],
        &["run", "--polcy", "x", "--", "sh"],
        &["run", "--force", "--", "sh"],
        &["run", "--inline", "--", "sh"],
        &["check"],
        &["policies", "offlin"],
        &["run", "--timeout", "5", "--", "sh"],
        &["run", "--policy", "ofline", "--", "sh"],
        &["run", "--mount", "nowhere:/mnt/x", "--", "sh"],
    ] {
        let ran = wisp(root(), args);
        assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""), "{args:?}: {}", ran.err());
        assert!(!ran.err().is_empty() && !ran.err().contains('\u{1b}'), "{args:?}");
    }
}

#[test]
fn nothing_is_created_before_the_policy_is_accepted() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::write(folder.path().join("p.toml"), "[limits]\nwal = \"3s\"\n").expect("the policy is written");
    let ran = wisp(
        folder.path(),
        &["run", "--policy", "p.toml", "--env", "A", "--output", "out", "--receipts", "receipts.jsonl", "--", "sh", "-c", "echo hi"],
    );
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""));
    assert!(
        ran.err().contains(" --> p.toml:2:1\n") && ran.err().contains("^^^ `[limits]` has no such key") && ran.err().contains("--env A"),
        "{}",
        ran.err()
    );
    fs::write(folder.path().join("module.wasm"), b"\0asm\x01\0\0\0").expect("a file is written");
    let tool = [
        "run",
        "--policy",
        "minimal",
        "--tool",
        "a=module.wasm",
        "--tool",
        "b=p.toml",
        "--output",
        "out",
        "--receipts",
        "receipts.jsonl",
        "--",
        "sh",
        "-c",
        "echo hi",
    ];
    let ran = wisp(folder.path(), &tool);
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""));
    assert!(ran.err().contains("is a core WebAssembly module") && ran.err().contains("--tool b=p.toml"), "{}", ran.err());
    fs::remove_file(folder.path().join("module.wasm")).expect("the file is removed");
    let left: Vec<_> = fs::read_dir(folder.path()).expect("the folder is read").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, ["p.toml"]);
}

/// `check` of every failing fixture at once says what each one's `.stderr` says.
#[test]
fn check_reports_all_findings_of_all_files() {
    let mut files: Vec<String> = fs::read_dir(policies().join("fail"))
        .expect("tests/policy/fail")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .map(|name| format!("fail/{name}"))
        // Comments at their head say that they are not loaded as they are.
        .filter(|file| {
            fs::read_to_string(policies().join(file)).is_ok_and(|text| !text.starts_with("# options") && !text.starts_with("# policy"))
        })
        .collect();
    files.sort();
    let expected: Vec<String> = files
        .iter()
        .map(|file| fs::read_to_string(policies().join(file).with_extension("stderr")).expect("the expected findings"))
        .collect();
    let findings: usize = expected.iter().map(|text| text.lines().filter(|line| line.starts_with("error: ")).count()).sum();
    let count = files.len();
    files.push("ok/empty.toml".to_owned());
    let mut args = vec!["check"];
    args.extend(files.iter().map(String::as_str));
    let ran = wisp(&policies(), &args);
    assert_eq!(ran.code, Some(2));
    let summary = format!("wisp: {findings} findings in {count} of {} policies\n", count + 1);
    assert_eq!(ran.err(), expected.iter().map(|text| format!("{text}\n")).collect::<String>() + &summary);
    assert!(ran.out().starts_with("ok/empty.toml: no findings (policy empty, sha256 ") && ran.out().lines().count() == 1, "{}", ran.out());
}

#[test]
fn check_looks_at_the_components_that_a_policy_names() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("a file is written");
    write("text.wasm", b"not wasm at all");
    write("module.wasm", b"\0asm\x01\0\0\0");
    write(
        "p.toml",
        b"[tools]\nallow = [\"coreutils\"]\n[tools.custom.prose]\npath = \"text.wasm\"\n[tools.custom.module]\npath = \"module.wasm\"\n[tools.custom.pinned]\npath = \"text.wasm\"\nsha256 = \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"\n[tools.custom.ls]\npath = \"text.wasm\"\n",
    );
    let ran = wisp(folder.path(), &["check", "p.toml"]);
    let err = ran.err();
    assert_eq!(ran.code, Some(2), "{err}");
    for part in [
        " --> ./p.toml:3:1\n",
        "is not a WebAssembly file",
        " --> ./p.toml:5:1\n",
        "is a core WebAssembly module, not a component",
        " --> ./p.toml:9:10\n",
        "has another digest",
        "it would hide the program of `coreutils`",
    ] {
        assert!(err.contains(part), "no {part:?} in:\n{err}");
    }
    assert!(err.ends_with("wisp: 5 findings in 1 of 1 policy\n"), "{err}");
}

#[test]
fn shipped_policies_are_listed_printed_and_without_findings() {
    let list = wisp(root(), &["policies"]);
    assert_eq!(list.code, Some(0));
    let names: Vec<String> = list.out().lines().map(|line| line.split("  ").next().unwrap_or_default().to_owned()).collect();
    assert_eq!(names[0], "offline", "the default comes first");
    for name in &names {
        let ran = wisp(root(), &["policies", name]);
        assert_eq!(
            (ran.code, ran.out()),
            (Some(0), fs::read_to_string(root().join(format!("policies/{name}.toml"))).expect("the shipped file"))
        );
        assert_eq!(wisp(root(), &["check", name]).code, Some(0));
    }
    let files = fs::read_dir(root().join("policies"))
        .expect("policies")
        .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|ending| ending == "toml")));
    assert_eq!(files.count(), names.len());
}

#[test]
fn an_interrupt_ends_the_guest_and_keeps_what_it_wrote() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().expect("a folder");
    let program = "import time; open('/output/kept', 'w').write('before'); print('ready', flush=True); time.sleep(600)";
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(wisp_tests::wisp::binary().expect("the binary is built"))
            .args(["run", "--output", "out", "--force", "--timeout", "60s", "--", "python3", "-c", program])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("wisp starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it was piped")).read_line(&mut line).expect("the guest's output streams");
        assert_eq!(line, "ready\n");
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        assert_eq!(child.wait().expect("wisp ends").code(), Some(130), "{signal}");
        let kept = fs::read_to_string(folder.path().join("out/kept")).expect("what the guest wrote came out");
        assert_eq!(kept, "before");
    }
}

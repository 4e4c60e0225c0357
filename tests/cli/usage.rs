//! The command line itself: help, mistakes, `check` and `policies`. The cases cover what runs in a sandbox.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wisp_tests::wisp::{Ran, prepared, root, run};

fn wisp(folder: &Path, args: &[&str]) -> Ran {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    run(&args, b"", folder).expect("wisp runs")
}

fn policies() -> PathBuf {
    root().join("tests/policy")
}

/// Each subcommand, and the words that its help must explain.
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
            "--events",
            "--record-functions",
            "--replay-functions",
            "--timeout",
            "--set",
            "--session",
            "--resident",
            "--workdir",
            "--interactive",
            "--raw",
            "--no-confine",
            "Exit codes:",
            "124",
            "125",
            "126",
            "127",
            "137",
            "141",
        ],
    ),
    ("explain", &["--policy", "--json", "--for-model", "denied"]),
    ("check", &["FILE", "Exit codes:"]),
    ("policies", &["NAME", "--schema"]),
    ("hooks", &["install", "uninstall", "status", "run", "Exit codes:"]),
    ("session", &["list", "diff", "apply", "rm", "export"]),
    ("prepare", &["--policy", "--instructions", "--into", "NAME", "Exit codes:", "125"]),
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
        // An option without a description would end its line.
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
fn a_mistake_says_what_to_type_instead() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::write(folder.path().join("report.py"), "print('hi')").expect("a file is written");
    for (args, advice) in [
        (&["serve"] as &[&str], "`wisp run --json -- COMMAND` for each call"),
        (&["exec", "sh"], "`wisp run -- COMMAND` runs a command"),
        (&["shell"], "`wisp run -- sh` at a terminal is an interactive shell"),
        (&["report.py"], "`wisp run --mount .:/mnt/input -- python3 /mnt/input/report.py`"),
        (&["run"], "write the command after `--`"),
        (&["run", "sh", "-c", "echo hi"], "`wisp run -- sh -c 'echo hi'`"),
        (&["run", "--env", "A=b c", "ls"], "`wisp run --env 'A=b c' -- ls`"),
        (&["run", "report.py", "--deep"], "`wisp run --mount .:/mnt/input -- python3 /mnt/input/report.py --deep`"),
    ] {
        let ran = wisp(folder.path(), args);
        assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err().contains(advice), "{args:?}: {}", ran.err());
    }
    let ran = wisp(folder.path(), &["run", "--", "./report.py", "a b"]);
    assert_eq!(ran.code, Some(127));
    assert!(ran.err().contains("`wisp run --mount .:/mnt/input -- python3 /mnt/input/report.py 'a b'`"), "{}", ran.err());
    let ran = wisp(folder.path(), &["run", "--mount", ".:/mnt/input", "--", "python3", "/mnt/input/report.py"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "hi\n"), "{}", ran.err());
}

#[test]
fn the_version_names_the_build() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let version = wisp(folder.path(), &["--version"]);
    let binary = prepared().expect("the binary is built");
    let sum = Command::new("sha256sum").arg(&binary).output().expect("sha256sum runs");
    let sum = String::from_utf8_lossy(&sum.stdout).split_whitespace().next().map(str::to_owned).expect("a digest");
    let line = version.out();
    let start = format!("wisp {} (sha256 {sum}", env!("CARGO_PKG_VERSION"));
    let date = line.strip_prefix(&start).and_then(|rest| rest.strip_suffix(")\n")).expect("the build");
    // Outside a checkout there is no date.
    assert!(date.is_empty() || date.len() == ", 2026-11-28".len() && date.starts_with(", 2"), "{line}");
    assert_eq!((version.code, version.err().as_str()), (Some(0), ""));
    assert_eq!(wisp(folder.path(), &["-V"]).out(), line);
}

/// The report of `wisp doctor` with the components of this folder, and its exit code.
fn doctor(components: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(prepared().expect("the binary is built"));
    let output = command.arg("doctor").env("WISP_COMPONENTS", components).output().expect("wisp starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Machine code is kept by the digest: what is compiled for one source is there for the other.
#[test]
fn components_are_the_same_inside_the_binary_and_in_a_folder() {
    let digests = |report: &str| report.lines().filter(|line| line.contains("sha256")).map(str::to_owned).collect::<Vec<_>>();
    let components = wisp_built::folder();
    let (inside, beside) = (doctor(Path::new("")), doctor(&components));
    assert_eq!((inside.0, beside.0), (Some(0), Some(0)), "{}{}", inside.1, beside.1);
    assert!(inside.1.contains("from this build of wisp"), "{}", inside.1);
    assert!(beside.1.contains(&format!("from `{}`", components.display())), "{}", beside.1);
    assert!(digests(&inside.1).iter().any(|line| line.contains("machine code")), "{}", inside.1);
    assert_eq!(digests(&inside.1), digests(&beside.1));
    let (code, report) = doctor(Path::new("/nowhere"));
    assert!(code == Some(1) && report.contains("`/nowhere`, which does not exist, has no components"), "{report}");
}

#[test]
fn any_key_can_be_set_and_the_command_started_elsewhere() {
    let ran = wisp(root(), &["run", "--set", "limits.stdout=3B", "--set", "env.vars.GREETING=a  b", "--", "sh", "-c", "echo $GREETING"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(137), "a b"), "{}", ran.err());
    assert!(ran.err().contains("limits.stdout = 3B (set by command line)"), "{}", ran.err());
    let ran = wisp(root(), &["run", "--set", "limits.stdout=4B", "--set", "env.vars.GREETING=a  b", "--", "sh", "-c", "echo $GREETING"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "a b\n"), "{}", ran.err());
    for (directory, expected) in [("/tmp", "/tmp\n"), (".", "/home/user\n"), ("/mnt/input/policy/ok", "/mnt/input/policy/ok\n")] {
        let ran = wisp(root(), &["run", "--mount", "tests:/mnt/input", "--workdir", directory, "--", "sh", "-c", "pwd"]);
        assert_eq!((ran.code, ran.out().as_str()), (Some(0), expected), "{}", ran.err());
    }
    let ran = wisp(root(), &["run", "--workdir", "/nowhere", "--", "pwd"]);
    assert_eq!(ran.code, Some(126), "{}", ran.err());
    assert!(ran.err().contains("/nowhere"), "{}", ran.err());
}

#[test]
fn nothing_is_created_before_the_policy_is_accepted() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::write(folder.path().join("p.toml"), "[limits]\nwal = \"3s\"\n").expect("the policy is written");
    let ran = wisp(
        folder.path(),
        &[
            "run",
            "--policy",
            "p.toml",
            "--env",
            "A",
            "--output",
            "out",
            "--receipts",
            "receipts.jsonl",
            "--events",
            "events.jsonl",
            "--",
            "sh",
            "-c",
            "echo hi",
        ],
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
        "--events",
        "events.jsonl",
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

/// `check` of all failing fixtures at once prints what the `.stderr` of each says.
#[test]
fn check_reports_all_findings_of_all_files() {
    let mut files: Vec<String> = fs::read_dir(policies().join("fail"))
        .expect("tests/policy/fail")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .map(|name| format!("fail/{name}"))
        // Comments at their head say that they are loaded in another way.
        .filter(|file| {
            fs::read_to_string(policies().join(file))
                .is_ok_and(|text| !["# options", "# policy", "# set"].iter().any(|head| text.starts_with(head)))
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
    for line in list.out().lines() {
        // Each line is read on its own: it must be a whole sentence, or the beginning of one that ends as such.
        let (_, sentence) = line.split_once("  ").expect("a name and a sentence");
        assert!(sentence.ends_with('.') && sentence.trim_start().starts_with(char::is_uppercase), "{line}");
    }
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

/// What the page says exists does exist, and what it says is absent is absent.
#[test]
fn the_page_for_a_model_is_true() {
    let page = |args: &[&str]| {
        let ran = wisp(root(), &[&["explain", "--for-model"], args].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err());
        ran.out()
    };
    let all = page(&["--mount", "tests:/mnt/input", "--allow", "https://docs.example/x/", "--set", "limits.wall=90s"]);
    for part in ["/mnt/input: given to you; read only", "https://docs.example/x/ (GET, HEAD)", "may take 90s"] {
        assert!(all.contains(part), "{part:?} is not in\n{all}");
    }
    assert!(!all.contains(&*root().to_string_lossy()), "a path of the host's is in\n{all}");
    let workspace = "/workspace: empty, for your work";
    assert!(page(&["--mount", "tests:/workspace"]).contains("- /workspace: given to you; read only\n"));
    assert!(all.contains(workspace) && !page(&["--mount", "tests:/workspace"]).contains(workspace), "{all}");
    let offline = page(&[]);
    assert!(offline.contains("There is no network.") && !page(&["--policy", "minimal"]).contains("python3"), "{offline}");
    let data = page(&["--policy", "data"]);
    for part in ["CPython 3.15", ", numpy, pandas,", "- no threads: ", "- no `compression.zstd`: ", "in /output\n"] {
        assert!(data.contains(part) && !offline.contains(part), "{part:?} is not in\n{data}");
    }
    assert!(offline.contains("policy `data`") && data.contains("pip install"), "{data}");
    // Words that are names of programs, on both sides of the heading.
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|char: char| !(char.is_ascii_alphanumeric() || "_-.[".contains(char)));
        words.filter(|word| word.chars().any(|char| char.is_ascii_lowercase())).map(str::to_owned).collect()
    };
    let (here, absent) = offline.split_once("## Not here").expect("both parts");
    let lists = here.lines().filter_map(|line| line.strip_prefix("- ")).take_while(|line| !line.starts_with('/'));
    let here: Vec<String> = lists.flat_map(|list| words(list.split_once("such as").map_or(list, |(_, names)| names))).collect();
    let absent: Vec<String> = words(absent.lines().nth(1).expect("the first line of the list"));
    let script =
        "for name in $HERE; do command -v -- $name >/dev/null && echo $name; done; for name in $ABSENT; do command -v $name; done >&2; :";
    let (here, absent) = (format!("HERE={}", here.join(" ")), format!("ABSENT={}", absent.join(" ")));
    let ran = wisp(root(), &["run", "--env", &here, "--env", &absent, "--", "sh", "-c", script]);
    let found = ran.out();
    for name in ["sh", "bash", "python3", "curl", "wget", "ls", "xargs", "sed", "awk", "jq", "yq", "tar", "gzip", "rg", "pip"] {
        assert!(here.contains(name) && found.lines().any(|line| line == name), "{name} is not there or not on the page: {here}\n{found}");
    }
    for name in ["apt", "npm", "make", "git", "docker", "sudo", "ssh"] {
        assert!(absent.contains(name), "{absent}");
    }
    assert_eq!((ran.code, ran.err().as_str()), (Some(0), ""), "what the page calls absent is there");
}

/// Neither the streams of this process nor the guests' timers change what a deterministic run does.
#[test]
fn a_deterministic_run_repeats() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    fs::write(folder.path().join("p.toml"), "extends = \"offline\"\n[determinism]\n").expect("the policy is written");
    for script in [
        "(sleep 0.1; echo a >> f) & j=0; while [ ! -s f ]; do ((j++)); done; echo $j",
        "timeout 0.3 sh -c 'j=0; while :; do ((j++)); echo $j; done' | tail -n 1",
        "python3 -c 'import os, time\nwhile True: print(os.urandom(8).hex(), time.time_ns(), flush=True)' & sleep 0.05; kill $!; wait",
    ] {
        let run = || wisp(folder.path(), &["run", "--policy", "p.toml", "--", "sh", "-c", script]).out();
        let first = run();
        assert!(!first.is_empty(), "{script}");
        for _ in 0..4 {
            assert!(run() == first, "{script}: another run wrote something else");
        }
    }
}

/// More than any buffer on its way holds, to programs that read it whole, in parts, and not at all.
#[test]
fn fifty_mebibytes_of_standard_input_arrive() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let line = [&[b'x'; 1023][..], b"\n"].concat();
    let program = "import sys; print(len(sys.stdin.buffer.read()))";
    for (script, expected) in [
        ("cat | wc -c", "52428800\n"),
        (&*format!("python3 -c '{program}'"), "52428800\n"),
        ("read -r line; echo ${#line}; wc -l", "1023\n51199\n"),
        ("exit 0", ""),
    ] {
        let mut child = Command::new(wisp_tests::wisp::binary().expect("the binary is built"))
            .args(["run", "--timeout", "60s", "--", "sh", "-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("wisp starts");
        let mut input = child.stdin.take().expect("it was piped");
        let block = line.repeat(1024);
        let wrote = (0..50).try_for_each(|_| input.write_all(&block));
        drop(input);
        let output = child.wait_with_output().expect("wisp ends");
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout)), (Some(0), expected.into()), "{script}");
        assert!(wrote.is_ok() || expected.is_empty(), "{script}: {wrote:?}");
    }
}

#[test]
fn events_and_receipts_are_lines_of_json() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let ran = wisp(folder.path(), &["run", "--events", "-", "--", "true"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err().contains("add --json, or name a file"), "{}", ran.err());
    let command = ["run", "--json", "--events", "-", "--receipts", "receipts.jsonl", "--", "sh", "-c", "echo hi; echo no >&2; exit 3"];
    let ran = wisp(folder.path(), &command);
    assert_eq!(ran.code, Some(3), "{}", ran.err());
    let names = |text: &str, key: &str| -> Vec<String> {
        let line = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        text.lines().map(|text| line(text)[key].as_str().unwrap_or_default().to_owned()).filter(|name| name != "compile").collect()
    };
    let events = names(&ran.err(), "event");
    assert_eq!((events.first().map(String::as_str), events.last().map(String::as_str)), (Some("start"), Some("end")), "{events:?}");
    for name in ["process-start", "output", "receipt", "process-end"] {
        assert!(events.iter().any(|event| event == name), "{events:?}");
    }
    let receipts = fs::read_to_string(folder.path().join("receipts.jsonl")).expect("the receipts are there");
    assert_eq!(names(&receipts, "kind"), ["spawn"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out()).expect("a document");
    assert_eq!(document["receipts"][0]["subject"], "/usr/bin/sh");
}

//! What is lost on the way out has a line and 125: outputs of wisp itself that cannot be written, whatever subcommand writes, and results
//! that are not handed over. And `--json` has a document in any case.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};

use serde_json::Value;
use wisp_tests::kept::{Ran, State};
use wisp_tests::wisp::prepared;

/// The result of a command whose standard output goes elsewhere.
fn ended(command: &mut Command) -> Ran {
    let output = command.stderr(Stdio::piped()).output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

fn device(path: &str) -> File {
    File::options().write(true).open(path).expect("Linux has it")
}

/// Words of wisp that print something.
const PRINT: &[&[&str]] = &[
    &["run", "--", "echo", "hi"],
    &["run", "--", "sh", "-c", "echo hi; exit 3"],
    &["run", "--", "seq", "100000"],
    &["run", "--json", "--", "echo", "hi"],
    &["run", "--json", "--", "no-such-program"],
    &["run", "--session", "s", "--", "sh", "-c", "echo hi"],
    &["run", "--session", "s", "--", "python3", "-c", "print(1)"],
    &["explain"],
    &["explain", "--json"],
    &["explain", "--for-model"],
    &["check", "offline"],
    &["policies"],
    &["policies", "offline"],
    &["policies", "--schema"],
    &["doctor"],
    &["session", "list"],
    &["session", "diff", "s"],
    &["mcp", "status"],
    &["--help"],
    &["run", "--help"],
    &["--version"],
];

#[test]
fn a_full_disk_behind_standard_output_is_said_by_every_subcommand() {
    let state = State::new(&[]);
    state.run(&["sh", "-c", "echo changed > note"]);
    for words in PRINT {
        let full = ended(state.command(words).stdout(device("/dev/full")));
        let line = "wisp: standard output could not be written: No space left on device (os error 28)";
        assert_eq!((full.code, full.err.lines().filter(|said| *said == line).count()), (Some(125), 1), "{words:?}: {}", full.err);
        let twin = ended(state.command(words).stdout(device("/dev/null")));
        assert!(twin.code != Some(125) && !twin.err.contains("could not be written"), "{words:?}: {}", twin.err);
    }
    // What the command did is kept all the same.
    let full = ended(state.command(&["run", "--session", "s", "--", "python3", "-c", "x = 41; print(x)"]).stdout(device("/dev/full")));
    assert_eq!(full.code, Some(125), "{}", full.err);
    assert_eq!(state.run(&["python3", "-c", "print(x + 1)"]), "42\n");
}

#[test]
fn so_is_one_behind_standard_error() {
    let state = State::new(&[]);
    let run = |output: &str, script: &str| {
        let command = &mut state.command(&["run", "--", "sh", "-c", script]);
        command.stderr(device(output)).stdout(Stdio::null()).status().expect("wisp runs").code()
    };
    assert_eq!(run("/dev/full", "echo x >&2"), Some(125));
    assert_eq!(run("/dev/full", "echo x; exit 3"), Some(3));
    assert_eq!(run("/dev/null", "echo x >&2"), Some(0));
}

/// An output that is closed, or open for reading only.
#[test]
fn an_output_that_is_not_open_for_writing_is_said() {
    let state = State::new(&[]);
    for (redirection, code) in [(">&-", 125), ("1</dev/null", 125), (">/dev/null", 0), ("1<>/dev/null", 0)] {
        for words in ["run -- echo hi", "run --json -- echo hi", "policies", "--help"] {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("exec \"$0\" {words} {redirection}")]).arg(prepared().expect("the binary is built"));
            let ran = ended(shell.current_dir(state.path()).stdin(Stdio::null()));
            assert_eq!(ran.code, Some(code), "{words} {redirection}: {}", ran.err);
            let said = ran.err.contains("standard output could not be written: Bad file descriptor");
            assert_eq!(said, code == 125, "{words} {redirection}: {}", ran.err);
        }
    }
    // Nothing was to be written.
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$0\" run -- true >&-"]).arg(prepared().expect("the binary is built"));
    assert_eq!(ended(shell.current_dir(state.path()).stdin(Stdio::null())).code, Some(0));
}

#[test]
fn an_output_that_nobody_reads_is_said_unless_the_command_noticed() {
    let state = State::new(&[]);
    let unread = |words: &[&str]| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        ended(state.command(words).stdout(writer))
    };
    for words in [&["run", "--", "echo", "hi"][..], &["run", "--json", "--", "echo", "hi"], &["explain"], &["policies"]] {
        let ran = unread(words);
        assert_eq!(ran.code, Some(125), "{words:?}: {}", ran.err);
        assert!(ran.err.contains("standard output could not be written: Broken pipe"), "{words:?}: {}", ran.err);
    }
    // As in any pipe.
    let ran = unread(&["run", "--", "yes"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(141), ""));
    let ran = unread(&["run", "--", "sh", "-c", "exit 4"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(4), ""));
}

#[test]
fn results_keep_modes_and_times_and_what_is_left_out_has_a_line() {
    let state = State::new(&[]);
    let script = "cd /output; echo 'echo ran' > r.sh; chmod 750 r.sh; echo secret > s; chmod 600 s; echo x > ro; chmod 444 ro
        touch -d '2020-01-02 03:04:05 UTC' r.sh s; mkdir d; echo deep > d/f; ln -s d/f latest; chmod u+s s";
    let ran = state.wisp(&["run", "--output", "out", "--", "sh", "-c", script]);
    // Nothing is lost with the link: what it leads to is there.
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "wisp: \"/output/latest\" was not copied: it is a symbolic link\n"));
    let facts = |name: &str| fs::metadata(state.path().join("out").join(name)).expect("it was copied");
    for (name, mode, time) in
        [("r.sh", 0o750, Some(1_577_934_245)), ("s", 0o600, Some(1_577_934_245)), ("ro", 0o444, None), ("d/f", 0o644, None)]
    {
        // The test's own umask takes no more than bits of the group and of others.
        assert_eq!(facts(name).permissions().mode() & 0o7700, mode & 0o700, "{name}");
        assert!(time.is_none_or(|time| facts(name).mtime() == time), "{name}: {}", facts(name).mtime());
    }
    assert!(!state.path().join("out/latest").is_symlink());
}

#[test]
fn results_that_are_lost_are_said_and_fail() {
    let state = State::new(&[]);
    for (options, script, said) in [
        (&["--set", "output.max_bytes=1KiB"][..], "seq 999 > /output/a", "it has more bytes than output.max_bytes leaves for it"),
        (&["--set", "output.max_files=1"], "echo > /output/0; echo > /output/a", "there are more files than output.max_files allows"),
        (&[], "echo x > /tmp/x; ln -s /tmp/x /output/a", "it is a symbolic link to what is not in the output directory"),
        (&[], "mkdir /output/a; echo x > /output/a/x; chmod 0 /output/a", "it cannot be read"),
        (&[], "echo x > /output/a$(printf '\\033')", "its name has control characters"),
    ] {
        let ran = state.wisp(&[&["run", "--output", "out", "--force"], options, &["--", "sh", "-c", script]].concat());
        assert_eq!(ran.code, Some(125), "{script}: {}", ran.err);
        assert!(
            ran.err.starts_with("wisp: \"/output/a") && ran.err.contains(said) && ran.err.lines().count() == 1,
            "{script}: {}",
            ran.err
        );
        // A document with the contents has no more than a folder; one without names what it has not.
        for (inline, code) in [(&["--json", "--inline"][..], 125), (&["--json"], 0)] {
            let ran = state.wisp(&[&["run"], inline, options, &["--", "sh", "-c", script]].concat());
            assert_eq!(ran.code, Some(code), "{script}: {}", ran.err);
            let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
            let (paths, reasons) = (&document["files_left_out"], &document["files_left_out_reasons"]);
            assert!(paths[0].as_str().is_some_and(|path| path.starts_with("/output/a")), "{script}: {paths}");
            assert_eq!(reasons.as_array().map(Vec::len), Some(1), "{script}: {reasons}");
        }
    }
}

#[test]
fn results_that_no_option_asks_for_are_said_and_fail() {
    let state = State::new(&[]);
    let run = |options: &[&str], script: &str| state.wisp(&[&["run"], options, &["--", "sh", "-c", script]].concat());
    let ran = run(&[], "echo x > /output/a; echo y > /output/b");
    assert_eq!(ran.code, Some(125), "{}", ran.err);
    for name in ["a", "b"] {
        let line = format!("wisp: \"/output/{name}\" was not copied, and is gone: `--output DIR` copies what a command leaves in /output");
        assert!(ran.err.lines().any(|said| said == line), "{}", ran.err);
    }
    let ran = run(&[], "echo x > /output/a; exit 3");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{}", ran.err);
    let ran = run(&[], "for n in $(seq 50); do echo > /output/$n; done");
    assert_eq!((ran.code, ran.err.lines().count(), ran.err.contains("nor were 30 more")), (Some(125), 21, true), "{}", ran.err);
    // The twins: it was copied, a document names it, it stays in the session, it was removed.
    for (options, script) in [
        (&["--output", "out"][..], "echo x > /output/a"),
        (&["--json"], "echo x > /output/a"),
        (&["--json", "--inline"], "echo x > /output/a"),
        (&["--session", "s"], "echo x > /output/a"),
        (&[], "echo x > /output/a; rm /output/a"),
    ] {
        let ran = run(options, script);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{options:?}");
    }
}

#[test]
fn there_is_a_document_also_where_nothing_was_run() {
    let state = State::new(&[]);
    fs::write(state.path().join("wrong.toml"), "extends = \"offline\"\n[limits]\nwall = 3\n").expect("a policy");
    fs::write(state.path().join("file"), "").expect("a file");
    for (options, command, code, name, said) in [
        (&["--env", "A=b"][..], "no-such-program", 127, "program_not_found", "no such program"),
        (&["--session", "s"], "no-such-program", 127, "program_not_found", "no such program"),
        (&["--workdir", "/nowhere"], "true", 126, "file_not_found", "/nowhere"),
        (&["--policy", "./wrong.toml"], "true", 2, "policy_invalid", "limits.wall"),
        (&["--policy", "no-such-policy"], "true", 2, "policy_invalid", "no-such-policy"),
        (&["--timeout", "soon"], "true", 2, "policy_invalid", "soon"),
        (&["--mount", "nowhere:/mnt/x"], "true", 2, "policy_invalid", "nowhere"),
        (&["--output", "file"], "true", 2, "invalid_argument", "file"),
    ] {
        let ran = state.wisp(&[&["run", "--json"], options, &["--", command]].concat());
        assert_eq!(ran.code, Some(code), "{options:?}: {}", ran.err);
        assert!(!ran.err.is_empty(), "{options:?}: it is said, too");
        let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{options:?}: {error}: {}", ran.out));
        let end = &document["end"];
        assert_eq!((&document["exit_code"], &end["exit_code"]), (&code.into(), &code.into()), "{options:?}: {document}");
        assert_eq!((&end["kind"], &end["code"]), (&"not_started".into(), &name.into()), "{options:?}: {document}");
        assert!(end["message"].as_str().is_some_and(|message| message.contains(said)), "{options:?}: {document}");
        assert_eq!((&document["stdout"], &document["stderr"]), (&"".into(), &"".into()));
    }
}

#[test]
fn output_that_is_no_text_is_text_with_its_bytes_beside_it() {
    let state = State::new(&[]);
    let ran = state.wisp(&["run", "--json", "--", "printf", "a\\377b"]);
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out));
    assert_eq!((&document["stdout"], &document["stdout_base64"]), (&"a\u{fffd}b".into(), &"Yf9i".into()));
}

//! `wisp session apply`: what a session changed in overlays, written to the host.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use wisp_tests::kept::{Ran, State};

/// A session with a folder of the host as an overlay at /project, and one for reading at /mnt/input.
fn state() -> State {
    let state = State::new(&["--mount", "project:/project:overlay", "--mount", "input:/mnt/input"]);
    for folder in ["project/sub", "input"] {
        fs::create_dir_all(state.path().join(folder)).expect("a folder");
    }
    for path in ["gone.txt", "run.sh", "sub/inner.txt", "text.txt", "../input/a.txt"] {
        let file = state.path().join("project").join(path);
        fs::write(&file, format!("{path}\n")).expect("a file");
        fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("a mode");
    }
    symlink("text.txt", state.path().join("project/link")).expect("a link");
    state
}

const CHANGE: &str = "cd /project && echo more >> text.txt && rm gone.txt && chmod 755 run.sh && ln -sf run.sh link && rm -r sub && \
                      mkdir made && echo new > made/new.txt && ln -s /etc/passwd out";

const LINES: &str = "\
D /project/gone.txt
M /project/link -> run.sh
A /project/made
A /project/made/new.txt
M /project/run.sh (mode 644 -> 755)
D /project/sub
D /project/sub/inner.txt
M /project/text.txt
- /project/out: it is a link that leads out of the folder, or could, to `/etc/passwd`; it is written if its own path is asked for
";

fn apply(state: &State, args: &[&str]) -> Ran {
    state.wisp(&[&["session", "apply", "s"], args].concat())
}

/// The output of `wisp session apply s` with these arguments, which must succeed.
fn applied(state: &State, args: &[&str]) -> String {
    let ran = apply(state, args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}: {}", ran.out);
    ran.out
}

fn read(state: &State, path: &str) -> String {
    fs::read_to_string(state.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names below the project's folder, sorted.
fn names(at: &Path) -> Vec<String> {
    let (mut found, mut left) = (Vec::new(), vec![at.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            if entry.file_type().expect("a type").is_dir() {
                left.push(entry.path());
            }
            found.push(entry.path().strip_prefix(at).expect("it is below").to_string_lossy().into_owned());
        }
    }
    found.sort();
    found
}

/// The folders that the confined program may write are found by the same paths.
#[test]
fn a_path_may_be_relative_and_have_more_slashes_than_it_needs() {
    let state = State::new(&["--mount", "project:/home/user/work/project:overlay"]);
    fs::create_dir(state.path().join("project")).expect("a folder");
    for (name, only) in [("a", "work/"), ("b", "work//project"), ("c", "/home/user/work/"), ("d", "work"), ("e", "./work")] {
        state.run(&["sh", "-c", &format!("echo {name} > work/project/{name}")]);
        let line = format!("A /home/user/work/project/{name}\n");
        assert_eq!(applied(&state, &["--only", only]), line, "{only}");
        assert_eq!(read(&state, &format!("project/{name}")), format!("{name}\n"));
    }
}

#[test]
fn the_hosts_folder_gets_what_the_session_changed() {
    let state = state();
    let project = state.path().join("project");
    state.run(&["sh", "-c", CHANGE]);
    let before = names(&project);
    assert_eq!(applied(&state, &["--dry-run"]), LINES);
    assert_eq!(names(&project), before);
    assert_eq!(applied(&state, &[]), LINES);
    assert_eq!(names(&project), ["link", "made", "made/new.txt", "run.sh", "text.txt"]);
    assert_eq!((read(&state, "project/text.txt"), read(&state, "project/made/new.txt")), ("text.txt\nmore\n".into(), "new\n".into()));
    assert_eq!(fs::read_link(project.join("link")).expect("a link"), Path::new("run.sh"));
    assert_eq!(fs::metadata(project.join("run.sh")).expect("a file").permissions().mode() & 0o777, 0o755);
    // Only what was left out is still a difference; a second time, nothing is written.
    let diff = state.wisp(&["session", "diff", "s", "/project", "--stat"]);
    assert!(diff.out.contains("/project/out") && diff.out.contains("1 file changed"), "{}", diff.out);
    assert!(applied(&state, &[]).starts_with("- /project/out: "));
    assert_eq!(applied(&state, &["--only", "/project/out"]), "A /project/out -> /etc/passwd (leads out of the folder)\n");
    assert_eq!(applied(&state, &[]), "");
    assert_eq!(state.wisp(&["session", "diff", "s", "/project"]).out, "");
    // The kept session shows the host's files, and goes on.
    fs::write(project.join("text.txt"), "theirs\n").expect("a file");
    assert_eq!(state.run(&["sh", "-c", "cat /project/text.txt; rm /project/made/new.txt"]), "theirs\n");
    assert_eq!(applied(&state, &[]), "D /project/made/new.txt\n");
}

#[test]
fn a_file_that_the_host_changed_stops_all_of_it() {
    let state = state();
    state.run(&["sh", "-c", CHANGE]);
    fs::write(state.path().join("project/text.txt"), "theirs\n").expect("a file");
    fs::create_dir(state.path().join("project/made")).expect("a folder");
    fs::set_permissions(state.path().join("project/made"), PermissionsExt::from_mode(0o755)).expect("a mode");
    fs::write(state.path().join("project/made/new.txt"), "theirs\n").expect("a file");
    let before = names(&state.path().join("project"));
    for args in [&[][..], &["--dry-run"]] {
        let ran = apply(&state, args);
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.out.contains("C /project/text.txt: the host's file has changed since the session changed it\n"), "{}", ran.out);
        assert!(ran.out.contains("C /project/made/new.txt: the host has made a file there that the session has not seen\n"), "{}", ran.out);
        assert!(ran.err.contains("nothing was written: 2 files conflict") && ran.err.contains("--only PATH"), "{}", ran.err);
    }
    assert_eq!((names(&state.path().join("project")), read(&state, "project/gone.txt")), (before, "gone.txt\n".into()));
    // The others, and what the host gives back.
    assert_eq!(
        applied(&state, &["--only", "/project/gone.txt", "--only", "/project/sub"]),
        "D /project/gone.txt\nD /project/sub\nD /project/sub/inner.txt\n"
    );
    fs::write(state.path().join("project/text.txt"), "text.txt\n").expect("a file");
    assert_eq!(applied(&state, &["--only", "/project/text.txt"]), "M /project/text.txt\n");
    assert_eq!(read(&state, "project/text.txt"), "text.txt\nmore\n");
}

/// Killed after it has written and before it has kept the session, or anywhere between: the next time does the rest.
#[test]
fn what_is_written_already_is_no_conflict() {
    let state = state();
    state.run(&["sh", "-c", CHANGE]);
    let kept = state.path().join("state/wisp/sessions/s/session");
    let before = fs::read(&kept).expect("the session's files");
    applied(&state, &[]);
    fs::write(&kept, &before).expect("it is as it was");
    assert!(applied(&state, &[]).starts_with("- /project/out: "), "everything else is there");
    fs::write(&kept, &before).expect("it is as it was");
    fs::write(state.path().join("project/text.txt"), "text.txt\n").expect("a file");
    fs::remove_file(state.path().join("project/made/new.txt")).expect("a file");
    let left = applied(&state, &[]);
    assert!(left.starts_with("A /project/made/new.txt\nM /project/text.txt\n- /project/out: "), "{left}");
    assert_eq!((read(&state, "project/text.txt"), read(&state, "project/made/new.txt")), ("text.txt\nmore\n".into(), "new\n".into()));
    // Once nothing is left to do, the session shows the host's files.
    state.run(&["rm", "/project/out"]);
    let before = fs::read(&kept).expect("the session's files");
    applied(&state, &[]);
    fs::write(&kept, &before).expect("it is as it was");
    assert_eq!(applied(&state, &[]), "");
    fs::write(state.path().join("project/text.txt"), "theirs\n").expect("a file");
    assert_eq!(state.run(&["cat", "/project/text.txt"]), "theirs\n");
}

#[test]
fn a_signal_leaves_nothing_half_done() {
    let state = state();
    let project = state.path().join("project");
    state.run(&["sh", "-c", "cd /project && for i in $(seq 5000); do echo x > new$i; done"]);
    let scratch = || names(&project).iter().filter(|name| name.contains(".wisp-apply-")).count();
    let made = || names(&project).iter().filter(|name| name.contains("new")).count();
    let mut child = state.command(&["session", "apply", "s"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("wisp starts");
    // Until it is at work, or has done all of it.
    while scratch() == 0 && child.try_wait().expect("a child").is_none() {}
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().is_ok());
    let code = child.wait().expect("wisp ends").code();
    assert!((code, made()) == (Some(130), 0) || (code, made()) == (Some(0), 5000), "{code:?}: {} files", made());
    assert_eq!(scratch(), 0);
    assert_eq!((apply(&state, &[]).code, made()), (Some(0), 5000));
}

#[test]
fn the_document_says_what_was_done_and_what_was_not() {
    let state = state();
    state.run(&["sh", "-c", CHANGE]);
    let document = |args: &[&str], code| -> Value {
        let ran = apply(&state, &[args, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        // A client in Rust reads it with the library's own type.
        let read: wisp::fs::ApplyDocument = serde_json::from_str(&ran.out).expect("what was taken over");
        let json: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(serde_json::to_value(read).expect("JSON"), json);
        json
    };
    let plan = document(&["--dry-run"], 0);
    let file = |mode: u32, size: u64| json!({"type": "file", "mode": mode, "size_bytes": size});
    let gone = json!({"path": "/project/gone.txt", "kind": "deleted", "mount": "/project", "before": file(0o644, 9), "after": null});
    assert_eq!((&plan["applied"], &plan["changes"][0], plan["changes"].as_array().map(Vec::len)), (&json!(false), &gone, Some(8)));
    assert_eq!((plan["left_out"][0]["path"].as_str(), plan["left_out"][0]["reason"].as_str()), (Some("/project/out"), Some("leads_out")));
    fs::write(state.path().join("project/text.txt"), "theirs\n").expect("a file");
    let refused = document(&[], 1);
    assert_eq!(
        (&refused["applied"], &refused["conflicts"][0]["path"], &refused["conflicts"][0]["reason"]),
        (&json!(false), &json!("/project/text.txt"), &json!("changed"))
    );
    let done = document(&["--only", "/project/out"], 0);
    assert_eq!((&done["applied"], &done["changes"][0]["leads_out"], &done["conflicts"]), (&json!(true), &json!(true), &json!([])));
    assert!(!done.to_string().contains(&*state.path().to_string_lossy()), "no path of the host: {done}");
}

/// Confined, so this is also what the kernel would refuse a wisp that does something else.
#[test]
fn the_policy_is_not_replaced_by_what_it_rules() {
    let state = State::new(&["--policy", "project/wisp.toml"]);
    fs::create_dir(state.path().join("project")).expect("a folder");
    let policy = "extends = \"offline\"\nname = \"p\"\n[[filesystem.mount]]\nhost = \".\"\nguest = \"/project\"\naccess = \"overlay\"\n";
    fs::write(state.path().join("project/wisp.toml"), policy).expect("a policy");
    state.run(&["sh", "-c", "cd /project && echo '[limits]' >> wisp.toml && echo mine > file"]);
    let ran = apply(&state, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("C /project/wisp.toml: it is, holds or replaces the policy that the session began with"), "{}", ran.out);
    assert_eq!(read(&state, "project/wisp.toml"), policy);
    assert_eq!(applied(&state, &["--only", "/project/file"]), "A /project/file\n");
    assert_eq!(read(&state, "project/file"), "mine\n");
}

/// A limit on the length of files stands for a full filesystem.
#[test]
fn a_host_without_room_keeps_what_it_has() {
    let state = State::new(&["--mount", "project:/project:overlay", "--mount", "one:/one:overlay"]);
    fs::create_dir(state.path().join("project")).expect("a folder");
    fs::write(state.path().join("project/file"), "old\n").expect("a file");
    fs::write(state.path().join("one"), "precious\n").expect("a file");
    state.run(&[
        "sh",
        "-c",
        "head -c 200000 /dev/zero | tr '\\0' x > /project/large; echo new > /project/file; cat /project/large >> /one",
    ]);
    let limited = |only: &str| {
        let wisp = state.command(&["session", "apply", "s", "--only", only]);
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""]).arg(wisp.get_program()).args(wisp.get_args());
        shell.current_dir(state.path()).env("XDG_STATE_HOME", state.path().join("state"));
        let output = shell.output().expect("wisp runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(125) && err.contains("file too large"), "{:?}: {err}", output.status);
    };
    limited("/project");
    limited("/one");
    assert_eq!((names(&state.path().join("project")), read(&state, "project/file")), (vec!["file".to_owned()], "old\n".to_owned()));
    assert_eq!(read(&state, "one"), "precious\n");
    assert_eq!(applied(&state, &[]), "M /one\nM /project/file\nA /project/large\n");
    assert_eq!(read(&state, "one").len(), "precious\n".len() + 200_000);
}

/// A policy that the next run reaches through links: each of them decides which one that is.
#[test]
fn a_link_to_the_policy_is_not_replaced_by_what_it_rules() {
    let state = State::new(&["--policy", "project/conf/wisp.toml"]);
    let path = |path: &str| state.path().join(path);
    fs::create_dir_all(path("project/real")).expect("a folder");
    fs::create_dir(path("policies")).expect("a folder");
    let policy = "name = \"p\"\nextends = \"offline\"\n[[filesystem.mount]]\nhost = \"..\"\nguest = \"/project\"\naccess = \"overlay\"\n";
    fs::write(path("policies/policy.toml"), policy).expect("a policy");
    symlink("real", path("project/conf")).expect("a link");
    symlink("../../policies/policy.toml", path("project/real/wisp.toml")).expect("a link");
    state.run(&["sh", "-c", "cd /project && mkdir evil && echo evil > evil/wisp.toml && rm conf && ln -s evil conf && rm real/wisp.toml && echo evil > real/wisp.toml"]);
    let ran = apply(&state, &[]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for link in ["conf", "real/wisp.toml"] {
        assert!(ran.out.contains(&format!("C /project/{link}: it is, holds or replaces the policy")), "{}", ran.out);
    }
    assert_eq!(applied(&state, &["--only", "/project/evil"]), "A /project/evil\nA /project/evil/wisp.toml\n");
    assert_eq!(read(&state, "project/conf/wisp.toml"), policy);
    // A mount for writing may not hold them either.
    fs::write(path("policies/policy.toml"), policy.replace("overlay", "write")).expect("a policy");
    let ran = state.wisp(&["run", "--policy", "project/conf/wisp.toml", "--", "true"]);
    assert!(ran.code == Some(2) && ran.err.contains("is writable and contains a link to this policy"), "{}", ran.err);
    // Nor a link to what it names.
    fs::write(path("policies/ca.pem"), "").expect("certificates");
    symlink("../policies/ca.pem", path("project/ca.pem")).expect("a link");
    let network = "[network]\nca = \"../project/ca.pem\"\n";
    fs::write(path("policies/policy.toml"), policy.replace("overlay", "write").replace("..", "../project") + network).expect("a policy");
    let ran = state.wisp(&["run", "--policy", "policies/policy.toml", "--", "true"]);
    assert!(
        ran.code == Some(2) && ran.err.contains("is writable and contains a link to this policy, or to what it extends or names"),
        "{}",
        ran.err
    );
    // The twin: the policy by its own name.
    fs::write(path("policies/policy.toml"), policy.replace("overlay", "write").replace("..", "../project")).expect("a policy");
    assert_eq!(state.wisp(&["run", "--policy", "policies/policy.toml", "--", "true"]).code, Some(0));
}

#[test]
fn what_cannot_be_applied_is_refused_and_says_why() {
    let state = state();
    state.run(&[
        "sh",
        "-c",
        "echo x > f; mkfifo /project/pipe; echo \"$(printf 'a\\033]0;t\\007')\" > \"/project/$(printf 'a\\033]0;t\\007\\nb')\"",
    ]);
    let ran = state.wisp(&["session", "apply", "t"]);
    assert!(ran.code == Some(2) && ran.err.contains("there is no session `t`"), "{}", ran.err);
    for path in ["f", "/mnt/input/a.txt", "/tmp", ""] {
        let ran = apply(&state, &["--only", path]);
        assert!(ran.code == Some(2) && ran.err.contains("is in no mount with `access = \"overlay\"`"), "{path}: {}", ran.err);
    }
    let none = State::new(&[]);
    none.run(&["true"]);
    let ran = apply(&none, &[]);
    assert!(ran.code == Some(2) && ran.err.contains("the session `s` has no mount with `access = \"overlay\"`"), "{}", ran.err);
    let ran = apply(&state, &["--only", "/project/text.txt"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert!(ran.err.contains("nothing was changed at `/project/text.txt`"), "{}", ran.err);
    let shown = applied(&state, &[]);
    assert!(
        shown.starts_with(r"A /project/a\u{1b}]0;t\u{7}\nb")
            && shown.ends_with("- /project/pipe: it is a pipe, a socket or a device of the sandbox\n")
    );
    assert!(!shown.contains(['\x1b', '\x07']));
    assert!(names(&state.path().join("project")).contains(&"a\u{1b}]0;t\u{7}\nb".to_owned()));
}

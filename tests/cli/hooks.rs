//! `wisp hooks` and `wisp codex install`: what they write into agents' configurations, and what an agent's command does then. The
//! edits and the answers themselves are tested in `host/install`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use wisp_tests::kept::{Ran, State};

/// Runs a command in a home of the test's own, where no variable leads elsewhere.
fn at_home(state: &State, mut command: Command, input: &str) -> Ran {
    let cache = std::env::var("XDG_CACHE_HOME").unwrap_or_else(|_| format!("{}/.cache", std::env::var("HOME").expect("a home")));
    for name in ["XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_PROJECT_DIR", "WISP_RESIDENT"] {
        command.env_remove(name);
    }
    command.env("HOME", state.path()).env("XDG_CACHE_HOME", cache).env("XDG_STATE_HOME", state.path().join("state"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    // What does not read its input has ended.
    let _ = child.stdin.take().expect("it was piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

fn wisp(state: &State, args: &[&str], input: &str) -> Ran {
    at_home(state, state.command(args), input)
}

/// A project with a file.
fn project(state: &State) -> PathBuf {
    let project = state.path().join("my project");
    fs::create_dir(&project).expect("a folder");
    fs::write(project.join("note"), "of the host\n").expect("a file");
    project
}

fn asked(project: &str, command: &str) -> String {
    json!({
        "session_id": "conversation", "cwd": project, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": command }
    })
    .to_string()
}

/// Asks the hook, and returns what it decided.
fn decision(state: &State, options: &[&str], input: &str) -> Value {
    let ran = wisp(state, &[&["hooks", "run", "claude"], options].concat(), input);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let answer: Value = serde_json::from_str(&ran.out).expect("JSON");
    answer["hookSpecificOutput"].clone()
}

#[test]
fn a_command_of_an_agent_runs_in_a_session_over_its_project() {
    let state = State::new(&[]);
    let project = project(&state);
    let folder = project.to_str().expect("text");
    let run = |command: &str| {
        let decision = decision(&state, &[], &asked(folder, command));
        assert_eq!(decision["permissionDecision"], "allow", "{decision}");
        let mut shell = Command::new("sh");
        shell.args(["-c", decision["updatedInput"]["command"].as_str().expect("a command")]).current_dir(&project);
        let ran = at_home(&state, shell, "");
        let reason = decision["permissionDecisionReason"].as_str().expect("text").to_owned();
        (ran, reason.rsplit(' ').next().expect("a name").to_owned())
    };
    let (ran, session) = run("cat note; echo changed > note; mkdir sub; cd sub; x=41");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "of the host\n"), "{}", ran.err);
    // The shell goes on where it was, and its status is the command's.
    let (ran, _) = run("pwd; echo $((x + 1)) \"it's\" '\\'; cat ../note; exit 3");
    assert_eq!((ran.code, ran.out), (Some(3), format!("{folder}/sub\n42 it's \\\nchanged\n")), "{}", ran.err);
    // Not on this machine.
    assert_eq!(fs::read_to_string(project.join("note")).expect("the file"), "of the host\n");
    assert!(!project.join("sub").exists());
    let ran = wisp(&state, &["session", "diff", "--stat", &session], "");
    assert!(ran.code == Some(0) && ran.out.contains("note"), "{}{}", ran.out, ran.err);
    assert_eq!(wisp(&state, &["session", "rm", &session], "").code, Some(0));
}

#[test]
fn what_the_sandbox_cannot_take_is_denied() {
    let state = State::new(&[]);
    let project = project(&state);
    let folder = project.to_str().expect("text");
    let reason = |options: &[&str], input: &str| {
        let decision = decision(&state, options, input);
        assert_eq!(decision["permissionDecision"], "deny", "{decision}");
        decision["permissionDecisionReason"].as_str().expect("text").to_owned()
    };
    assert!(reason(&[], &asked(state.path().to_str().expect("text"), "ls")).contains("your home"));
    assert!(reason(&[], &asked("/nowhere", "ls")).contains("`/nowhere` cannot be found"));
    let homeless = |home: &str| {
        let mut command = Command::new("env");
        command.arg(home).arg(state.command(&[]).get_program()).args(["hooks", "run", "claude"]);
        at_home(&state, command, &asked(folder, "ls")).out
    };
    assert!(homeless("--unset=HOME").contains("HOME is not set") && homeless("HOME=").contains("HOME is not set"));
    assert!(homeless("HOME=/nowhere").contains("\"allow\""), "the twin");
    assert!(reason(&[], &asked("/usr/lib", "ls")).contains("/usr"), "a place of the sandbox's own");
    assert!(reason(&["--policy", "/nowhere.toml"], &asked(folder, "ls")).contains("/nowhere.toml"));
    assert!(reason(&[], &asked(folder, "a\0b")).contains("byte 0"));
    // The twin, and a sandbox that reaches out: then the agent's own rules decide.
    assert_eq!(decision(&state, &[], &asked(folder, "ls"))["permissionDecision"], "allow");
    for options in [&["--write"][..], &["--allow", "https://example.com/"]] {
        let decision = decision(&state, options, &asked(folder, "ls"));
        assert!(decision["permissionDecision"].is_null() && decision["updatedInput"]["command"].is_string(), "{decision}");
    }
}

#[test]
fn a_hook_that_fails_blocks() {
    let state = State::new(&[]);
    for input in ["", "{", "{}", "\u{0}", "{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\"}"] {
        let ran = wisp(&state, &["hooks", "run", "claude"], input);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{input}");
        assert!(ran.err.starts_with("wisp: the command was not run: "), "{}", ran.err);
    }
    assert_eq!(wisp(&state, &["hooks", "run", "emacs"], "{}").code, Some(2));
    // As Claude Code starts it, with a wisp that is gone.
    let dry = wisp(&state, &["hooks", "install", "claude", "--dry-run"], "");
    let line = dry.out.lines().find_map(|line| line.split_once("\"command\": ")).expect("a command").1.trim_end_matches(',');
    let line: String = serde_json::from_str(line).expect("JSON");
    let (program, rest) = line.split_once(" hooks run claude").expect("the hook");
    for (program, code) in [(program.to_owned(), Some(0)), ("/nowhere/wisp".to_owned(), Some(2))] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{program} hooks run claude{rest}")]);
        assert_eq!(at_home(&state, shell, &asked("/usr/lib", "ls")).code, code, "{program}");
    }
}

#[test]
fn an_agent_is_told_and_told_no_more() {
    let state = State::new(&[]);
    let file = state.path().join(".claude/settings.json");
    let before = "{\n  \"hooks\": {\n    \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"bell\" }] }]\n  }\n}";
    fs::create_dir(state.path().join(".claude")).expect("a folder");
    fs::write(&file, before).expect("a file");
    let read = || fs::read_to_string(&file).expect("the file");

    let ran = wisp(&state, &["hooks", "install", "claude", "--dry-run"], "");
    assert!(ran.code == Some(0) && ran.out.contains("hooks run claude --policy offline || exit 2"), "{}{}", ran.out, ran.err);
    assert_eq!(read(), before);
    let ran = wisp(&state, &["hooks", "install", "claude", "--write"], "");
    let said = [
        "runs its shell commands in wisp now",
        "your files, for good",
        "Not covered: Claude Code's own tools",
        "wisp hooks uninstall claude",
    ];
    assert!(ran.code == Some(0) && said.iter().all(|part| ran.out.contains(part)), "{}{}", ran.out, ran.err);
    let installed = read();
    assert!(installed.contains("hooks run claude --policy offline --write || exit 2"), "{installed}");
    let ran = wisp(&state, &["hooks", "install", "claude", "--write"], "");
    assert!(ran.code == Some(0) && ran.out.contains("already"), "{}{}", ran.out, ran.err);
    assert_eq!(read(), installed);

    let ran = wisp(&state, &["hooks", "status"], "");
    assert!(
        ran.out.contains("claude     shell commands run in wisp (") && ran.out.contains("cursor     shell commands run on this machine"),
        "{}",
        ran.out
    );
    let ran = wisp(&state, &["hooks", "status", "--json"], "");
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found[0]["client"], &found[0]["state"], &found[1]["state"]), (&json!("claude"), &json!("installed"), &json!("absent")));
    assert_eq!(wisp(&state, &["hooks", "uninstall"], "").code, Some(0));
    assert_eq!(read(), before);
    // What is no JSON stays as it is, and Codex has something better.
    fs::write(&file, "{ // mine\n}").expect("a file");
    let ran = wisp(&state, &["hooks", "install", "claude"], "");
    assert!(ran.code == Some(2) && ran.err.contains("settings.json` is not valid JSON: line 1"), "{}", ran.err);
    assert_eq!(read(), "{ // mine\n}");
    assert!(wisp(&state, &["hooks", "install", "codex"], "").err.contains("wisp codex install"));
    assert_eq!(wisp(&state, &["hooks", "install", "opencode", "--policy", "/nowhere.toml"], "").code, Some(2));
}

#[test]
fn codex_is_told_what_it_uses_and_another_default_stays() {
    let state = State::new(&[]);
    let file = state.path().join(".codex/environments.toml");
    let before = "default = \"box\"\n\n[[environments]]\nid = \"box\"\nurl = \"ws://127.0.0.1:1\"\n";
    fs::create_dir(state.path().join(".codex")).expect("a folder");
    fs::write(&file, before).expect("a file");
    let read = || fs::read_to_string(&file).expect("the file");
    let ran = wisp(&state, &["codex", "install"], "");
    assert!(ran.code == Some(1) && ran.err.contains("line 1, says `default = \"box\"`") && ran.err.contains("--beside"), "{}", ran.err);
    assert_eq!(read(), before);
    let ran = wisp(&state, &["codex", "install", "--force"], "");
    let said = ["default = \"wisp\"", "include_local = false", "nothing that Codex runs reaches it"];
    assert!(ran.code == Some(0) && said.iter().all(|part| ran.out.contains(part)), "{}{}", ran.out, ran.err);
    let ran = wisp(&state, &["codex", "status", "--json"], "");
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found["state"], &found["default"], &found["include_local"]), (&json!("installed"), &json!("wisp"), &json!(false)));
    assert_eq!(wisp(&state, &["codex", "uninstall"], "").code, Some(0));
    assert_eq!(read(), before);
}

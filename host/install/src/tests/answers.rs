//! What the hook answers.

use std::process::Command;

use serde_json::{Value, json};

use super::*;

const PROJECT: &str = "/w/my project";

fn sandbox() -> Sandbox {
    let arguments = ["--policy", "/etc/it's.toml"].map(str::to_owned).to_vec();
    Sandbox { program: "/opt/bin/wisp".to_owned(), arguments, write: false, reaches_out: false }
}

fn asked_by_claude(command: &str) -> Value {
    json!({
        "session_id": "s-1", "cwd": "/w/my project/sub", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": command, "timeout": 5, "description": "d" }
    })
}

fn asked_by_cursor(command: &str) -> Value {
    json!({
        "conversation_id": "s-1", "workspace_roots": [PROJECT, "/w/b"], "hook_event_name": "preToolUse", "tool_name": "Shell",
        "tool_input": { "command": command, "working_directory": "sub" }, "cwd": PROJECT
    })
}

fn asked_by_opencode(command: &str) -> Value {
    json!({ "session_id": "s-1", "project": PROJECT, "cwd": PROJECT, "tool_name": "bash", "tool_input": { "command": command, "workdir": "sub" } })
}

fn call(client: Client, asked: &Value) -> HookCall {
    HookCall::read(client, &asked.to_string(), Some(PROJECT)).unwrap()
}

fn answer_with(client: Client, asked: &Value, sandbox: &Sandbox) -> Value {
    let call = call(client, asked);
    serde_json::from_str(&call.answer(sandbox, call.folder())).unwrap()
}

fn answer(client: Client, asked: &Value) -> Value {
    answer_with(client, asked, &sandbox())
}

/// Returns the command of an answer, or why there is none.
fn command(client: Client, answer: &Value) -> Result<String, String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (command, reason) = match client {
        Client::Claude => {
            let decision = &answer["hookSpecificOutput"];
            assert_eq!(decision["hookEventName"], "PreToolUse", "{answer}");
            let denied = decision["permissionDecision"] == "deny";
            (text(&decision["updatedInput"]["command"]), text(&decision["permissionDecisionReason"]).filter(|_| denied))
        }
        Client::Cursor => {
            assert_eq!(answer["permission"] == "deny", answer["agent_message"].is_string(), "{answer}");
            (text(&answer["updated_input"]["command"]), text(&answer["agent_message"]))
        }
        _ => (text(&answer["command"]), text(&answer["reason"])),
    };
    assert_eq!(command.is_some(), reason.is_none(), "{answer}");
    command.ok_or(reason.unwrap_or_default())
}

/// Returns the words that a shell makes of a command.
fn words(command: &str) -> Vec<String> {
    let script = format!("set -- {command}\nfor word; do printf '%s\\0' \"$word\"; done");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

/// An agent, how it asks about a command, and what stands before the command in the answer.
type Agent = (Client, fn(&str) -> Value, &'static str);

const AGENTS: [Agent; 3] = [
    (Client::Claude, asked_by_claude, "case \"$PWD/\" in '/w/my project'/*) ;; *) cd '/w/my project/sub' || exit 1;; esac; "),
    (Client::Cursor, asked_by_cursor, "cd '/w/my project/sub' || exit 1; "),
    (Client::OpenCode, asked_by_opencode, "cd '/w/my project/sub' || exit 1; "),
];

#[test]
fn whatever_a_command_is_it_arrives_in_the_sandbox_as_it_was() {
    let hostile = [
        "ls",
        "",
        "echo it's \"$HOME\" `id` $(id) \\' \\\\ ; rm -rf / # '",
        "'; touch /tmp/evil; '",
        "\\'; touch /tmp/evil; \\'",
        "\" && touch /tmp/evil && \"",
        "cat <<'EOF'\n$x `y` 'z' \\\nEOF\n",
        "--",
        "-- sh -c evil",
        "\t\r\n\u{1b}[2J\u{7f}\u{202e}é日本🦀!! ~ * ? [a] {a,b} <(x) >f | & %1 =x",
    ];
    for (client, asked, start) in AGENTS {
        for hostile in hostile {
            let rewritten =
                command(client, &answer(client, &asked(hostile))).unwrap_or_else(|reason| panic!("{client}: {hostile}: {reason}"));
            let session = call(client, &asked(hostile)).session();
            let mount = "/w/my project:/w/my project:overlay";
            let script = format!("{start}{hostile}");
            let fixed = ["/opt/bin/wisp", "run", "--session", &session, "--resident", "--policy", "/etc/it's.toml", "--mount", mount];
            let wanted = [&fixed[..], &["--", "sh", "-c", &script]].concat();
            assert_eq!(words(&rewritten), wanted, "{client}: {rewritten}");
            // An agent's terminal is not for the sandbox.
            assert!(rewritten.ends_with(" < /dev/null"), "{client}: {rewritten}");
            // Asked again, it says the same.
            assert_eq!(command(client, &answer(client, &asked(&rewritten))).unwrap(), rewritten, "{client}");
        }
    }
}

#[test]
fn a_command_of_an_agent_that_the_conversation_has_started_leaves_the_shell_as_it_was() {
    let script = |asked: &Value| words(&command(Client::Claude, &answer(Client::Claude, asked)).unwrap()).pop().unwrap();
    let mut asked = asked_by_claude("cd /tmp # gone");
    let own = script(&asked);
    asked["agent_id"] = json!("a-1");
    assert_eq!(script(&asked), "(cd '/w/my project/sub' || exit 1; cd /tmp # gone\n)");
    assert!(!own.starts_with('('), "{own}");
    assert_eq!(call(Client::Claude, &asked).session(), call(Client::Claude, &asked_by_claude("ls")).session());
}

#[test]
fn the_rest_of_a_tools_input_stays() {
    let answer_of_claude = answer(Client::Claude, &asked_by_claude("ls"));
    let input = &answer_of_claude["hookSpecificOutput"]["updatedInput"];
    assert_eq!((&input["timeout"], &input["description"]), (&json!(5), &json!("d")));
    assert_eq!(answer_of_claude["hookSpecificOutput"]["permissionDecision"], "allow");
    assert_eq!(answer(Client::Cursor, &asked_by_cursor("ls"))["updated_input"]["working_directory"], "sub");
}

#[test]
fn an_agents_own_rules_decide_where_a_sandbox_reaches_out() {
    let sandbox = Sandbox { write: true, reaches_out: true, ..sandbox() };
    let answer = answer_with(Client::Claude, &asked_by_claude("ls"), &sandbox);
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], Value::Null);
    assert!(command(Client::Claude, &answer).unwrap().contains(":/w/my project:write' -- sh -c "));
}

#[test]
fn what_cannot_be_handed_over_is_denied() {
    for (client, asked, _) in AGENTS {
        let denied = |asked: &Value| command(client, &answer(client, asked)).unwrap_err();
        assert!(denied(&asked("echo \0")).contains("byte 0"), "{client}");
        assert!(denied(&asked(&"x".repeat(96 << 10))).contains("piece by piece"), "{client}");
        assert!(command(client, &answer(client, &asked(&"x".repeat(64 << 10)))).is_ok(), "{client}");
    }
    let mut colon = asked_by_opencode("ls");
    colon["project"] = "/w/a:b".into();
    assert!(command(Client::OpenCode, &answer(Client::OpenCode, &colon)).unwrap_err().contains("colon"));
    for (client, asked, key) in [(Client::Claude, AGENTS[0].1, "run_in_background"), (Client::Cursor, AGENTS[1].1, "is_background")] {
        let mut asked = asked("ls");
        asked["tool_input"][key] = true.into();
        assert!(command(client, &answer(client, &asked)).unwrap_err().contains("one command at a time"), "{client}");
        asked["tool_input"][key] = false.into();
        assert!(command(client, &answer(client, &asked)).is_ok(), "{client}");
    }
    for tool in ["Monitor", "PowerShell"] {
        let mut asked = asked_by_claude("ls");
        asked["tool_name"] = tool.into();
        let settled = call(Client::Claude, &asked).settled().unwrap();
        assert!(settled.contains("\"deny\"") && settled.contains(tool), "{settled}");
    }
}

#[test]
fn other_tools_are_left_alone() {
    for (client, asked, _) in AGENTS {
        let mut asked = asked("ls");
        asked["tool_name"] = "Write".into();
        asked["tool_input"] = json!({ "file_path": "/w/x" });
        assert_eq!(call(client, &asked).settled().as_deref(), Some("{}"), "{client}");
    }
}

#[test]
fn cursor_runs_nothing_that_was_not_rewritten() {
    let gate = |command: &str, root: &str| {
        json!({
            "conversation_id": "s-1", "workspace_roots": [root], "hook_event_name": "beforeShellExecution", "command": command, "cwd": "/elsewhere"
        })
    };
    let rewritten = command(Client::Cursor, &answer(Client::Cursor, &asked_by_cursor("ls"))).unwrap();
    let permission = |asked: &Value, sandbox: &Sandbox| answer_with(Client::Cursor, asked, sandbox)["permission"].clone();
    assert_eq!(permission(&gate(&rewritten, PROJECT), &sandbox()), "allow");
    assert_eq!(permission(&gate(&rewritten, PROJECT), &Sandbox { reaches_out: true, ..sandbox() }), "ask");
    let script = rewritten.find(" -- ").unwrap();
    for other in [
        "ls".to_owned(),
        format!("{rewritten}; ls"),
        format!("{rewritten} ls"),
        format!("{rewritten}$(ls)"),
        format!("ls; {rewritten}"),
        rewritten.replace(":overlay", ":write"),
        rewritten.replace("/opt/bin/wisp", "/tmp/wisp"),
        format!("{} --mount /:/x:write{}", &rewritten[..script], &rewritten[script..]),
        rewritten.replace(" --resident", ""),
        rewritten.replace(" < /dev/null", ""),
        rewritten.replace(" < /dev/null", " > /dev/null"),
    ] {
        assert_eq!(permission(&gate(&other, PROJECT), &sandbox()), "deny", "{other}");
    }
    // That of another project.
    assert_eq!(permission(&gate(&rewritten, "/w/b"), &sandbox()), "deny");
}

#[test]
fn input_that_says_nothing_is_an_error() {
    let read = |client: Client, text: &str| HookCall::read(client, text, None);
    let without = |key: &str| {
        let mut asked = asked_by_claude("ls");
        asked.as_object_mut().unwrap().remove(key);
        asked.to_string()
    };
    for text in ["", "{", "[]", "null", "{}", "{\"hook_event_name\": 1}", "{\"tool_name\": \"Bash\\ud800\"}"] {
        for (client, ..) in AGENTS {
            assert!(read(client, text).is_err(), "{client}: {text}");
        }
    }
    for key in ["session_id", "cwd", "hook_event_name", "tool_name", "tool_input"] {
        assert!(matches!(read(Client::Claude, &without(key)), Err(HookError::Missing { key: found, .. }) if found == key), "{key}");
    }
    let mut asked = asked_by_claude("ls");
    asked["hook_event_name"] = "PostToolUse".into();
    assert!(matches!(read(Client::Claude, &asked.to_string()), Err(HookError::Event { .. })));
    for project in ["w", "/w/../x", "/w\n"] {
        assert!(matches!(
            HookCall::read(Client::Claude, &asked_by_claude("ls").to_string(), Some(project)),
            Err(HookError::Project { .. })
        ));
    }
    assert!(matches!(read(Client::Codex, "{}"), Err(HookError::Client { .. })));
    // A mark before the text, as some systems have it.
    assert!(read(Client::Claude, &format!("\u{feff}{}", asked_by_claude("ls"))).is_ok());
}

#[test]
fn a_session_belongs_to_a_conversation_and_a_project() {
    let name = |project: &str, session: &str| {
        let mut asked = asked_by_opencode("ls");
        asked["project"] = project.into();
        asked["session_id"] = session.into();
        call(Client::OpenCode, &asked).session()
    };
    let one = name("/w/my project", "s-1");
    assert!(one.starts_with("opencode-my-project-") && one.len() == "opencode-my-project-".len() + 16, "{one}");
    assert_eq!(one, name("/w/my project/", "s-1"));
    for (project, session) in [("/w/my project", "s-2"), ("/v/my project", "s-1")] {
        assert_ne!(one, name(project, session));
    }
    for project in ["/", "/é\"$(x)", &format!("/{}", "x".repeat(200))] {
        let name = name(project, "s-1");
        assert!(name.len() <= 64 && name.chars().all(|char| char.is_ascii_alphanumeric() || "._-".contains(char)), "{name}");
    }
}

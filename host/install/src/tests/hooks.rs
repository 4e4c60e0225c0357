//! The hook in each agent's configuration.

use wisp_api::ErrorCode;

use super::*;

const HOOKED: [Client; 3] = [Client::Claude, Client::Cursor, Client::OpenCode];

fn hook() -> Hook {
    Hook::new("/opt/bin/wisp").argument("--policy").argument("/etc/agent.toml")
}

fn file(client: Client) -> &'static str {
    match client {
        Client::Claude => ".claude/settings.json",
        Client::Cursor => ".cursor/hooks.json",
        _ => ".config/opencode/plugin/wisp.js",
    }
}

impl Lab {
    fn hook(&self, client: Client) -> Result<Kind, InstallError> {
        let change = client.plan_hook_install(&self.home(), &hook())?;
        change.write()?;
        Ok(change.kind())
    }

    fn unhook(&self, client: Client) -> Result<Kind, InstallError> {
        let change = client.plan_hook_uninstall(&self.home(), &hook())?;
        change.write()?;
        Ok(change.kind())
    }

    fn hooked(&self, client: Client) -> HookStatus {
        client.hook_status(&self.home(), &hook()).unwrap()
    }
}

/// What an installation writes into a file that did not exist.
fn fresh(client: Client) -> String {
    match client {
        Client::Claude => r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash|Monitor|PowerShell",
        "hooks": [
          {
            "type": "command",
            "command": "/opt/bin/wisp hooks run claude --policy /etc/agent.toml || exit 2",
            "timeout": 60,
            "onFailure": "block"
          }
        ]
      }
    ]
  }
}
"#
        .to_owned(),
        Client::Cursor => r#"{
  "version": 1,
  "hooks": {
    "preToolUse": [
      {
        "matcher": "Shell",
        "command": "/opt/bin/wisp hooks run cursor --policy /etc/agent.toml",
        "timeout": 60,
        "failClosed": true
      }
    ],
    "beforeShellExecution": [
      {
        "command": "/opt/bin/wisp hooks run cursor --policy /etc/agent.toml",
        "timeout": 60,
        "failClosed": true
      }
    ]
  }
}
"#
        .to_owned(),
        _ => include_str!("../hook/plugin.js")
            .replace("hook = []", r#"hook = ["/opt/bin/wisp","hooks","run","opencode","--policy","/etc/agent.toml"]"#),
    }
}

/// A file with other hooks and other settings.
fn lived_in(client: Client) -> &'static str {
    match client {
        Client::Claude => {
            r#"{
  "model": "m",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Write",
        "hooks": [{ "type": "command", "command": "lint.sh" }]
      },
      { "matcher": "Bash", "hooks": [ { "type": "command", "command": "other hooks run" } ] }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "bell" }] }]
  },
  "permissions": { "allow": ["Bash(ls:*)"] },
  "big": 12345678901234567890
}"#
        }
        _ => {
            "{\r\n\t\"version\": 1, // the first\r\n\t\"hooks\": {\r\n\t\t\"stop\": [{ \"command\": \"./x\" }],\r\n\t\t\"preToolUse\": [{ \"command\": \"y\" }, {\"command\": \
             \"z\", \"matcher\": \"Write\"}]\r\n\t}\r\n}\r\n"
        }
    }
}

#[test]
fn a_file_that_does_not_exist_is_made_and_goes_again() {
    for client in HOOKED {
        let lab = Lab::new();
        assert_eq!((lab.hooked(client).state, lab.hooked(client).exists), (State::Absent, false), "{client}");
        assert_eq!(lab.hook(client).unwrap(), Kind::Added, "{client}");
        assert_eq!(text(&lab.at(file(client))), fresh(client), "{client}");
        assert_eq!((lab.hooked(client).state, lab.hooked(client).others), (State::Installed, Vec::new()), "{client}");
        assert_eq!(lab.hook(client).unwrap(), Kind::Unchanged, "{client}");
        assert_eq!(text(&lab.at(file(client))), fresh(client), "{client}");
        assert_eq!(lab.unhook(client).unwrap(), Kind::Removed, "{client}");
        assert!(!lab.at(file(client)).exists(), "{client}");
        assert_eq!(lab.unhook(client).unwrap(), Kind::Unchanged, "{client}");
    }
}

#[test]
fn other_hooks_stay_and_come_back_byte_for_byte() {
    for (client, others) in [(Client::Claude, "other hooks run"), (Client::Cursor, "y")] {
        let lab = Lab::new();
        let path = lab.put(file(client), lived_in(client));
        let others = vec![others.to_owned()];
        assert_eq!(lab.hooked(client).others, others, "{client}");
        assert_eq!(lab.hook(client).unwrap(), Kind::Added, "{client}");
        let installed = text(&path);
        assert_eq!((lab.hooked(client).state, lab.hooked(client).others), (State::Installed, others), "{client}");
        assert_eq!(lab.hook(client).unwrap(), Kind::Unchanged, "{client}");
        assert_eq!(text(&path), installed, "{client}");
        assert_eq!(lab.unhook(client).unwrap(), Kind::Removed, "{client}");
        assert_eq!(text(&path), lived_in(client), "{client}\n{installed}");
    }
}

#[test]
fn nothing_is_written_before_it_is_asked_for() {
    for client in HOOKED {
        let lab = Lab::new();
        let change = client.plan_hook_install(&lab.home(), &hook()).unwrap();
        assert!(change.diff().contains("+++ ") && change.diff().contains("/opt/bin/wisp"), "{client}: {}", change.diff());
        assert_eq!(fs::read_dir(lab.folder.path()).unwrap().count(), 0, "{client}");
        lab.hook(client).unwrap();
        let before = text(&lab.at(file(client)));
        assert!(client.plan_hook_uninstall(&lab.home(), &hook()).unwrap().diff().contains("+++ /dev/null"), "{client}");
        assert_eq!(text(&lab.at(file(client))), before, "{client}");
    }
}

#[test]
fn an_older_hook_is_brought_up_to_date_and_copies_go() {
    let one = r#"{"matcher": "Bash", "hooks": [{"type": "command", "command": "'/o ld/wisp' hooks run claude"}]}"#;
    let older = [
        (Client::Claude, format!(r#"{{"hooks": {{"PreToolUse": [{one}, {{"matcher": "Write", "hooks": []}}, {one}]}}}}"#)),
        (Client::Cursor, r#"{"version": 1, "hooks": {"preToolUse": [{"command": "/old/wisp hooks run cursor"}]}}"#.to_owned()),
        (Client::OpenCode, fresh(Client::OpenCode).replace("/opt/bin", "/old").replace("60000", "5")),
    ];
    for (client, before) in older {
        let lab = Lab::new();
        let path = lab.put(file(client), &before);
        assert!(matches!(lab.hooked(client).state, State::Differs { command } if command[0].ends_with("ld/wisp")), "{client}");
        assert_eq!(lab.hook(client).unwrap(), Kind::Updated, "{client}");
        assert_eq!(lab.hooked(client).state, State::Installed, "{client}");
        let now = text(&path);
        assert!(!now.contains("ld/wisp") && (client != Client::Claude || now.contains("\"Write\"")), "{client}: {now}");
        // A wisp that is somewhere else takes it out all the same.
        let other = Hook::new("/new/wisp");
        assert_eq!(client.plan_hook_uninstall(&lab.home(), &other).unwrap().kind(), Kind::Removed, "{client}");
    }
}

#[test]
fn a_file_that_cannot_be_read_stays() {
    let broken = [
        (Client::Claude, "{\n  \"a\": 1,\n}\n", ErrorCode::InvalidData),
        (Client::Claude, "{ // Claude Code reads no comments\n}\n", ErrorCode::InvalidData),
        (Client::Claude, "{\"hooks\": []}", ErrorCode::InvalidData),
        (Client::Claude, "{\"hooks\": {\"PreToolUse\": {}}}", ErrorCode::InvalidData),
        (Client::Cursor, "{\"hooks\": {\"preToolUse\": [}}", ErrorCode::InvalidData),
        (Client::Cursor, "[]", ErrorCode::InvalidData),
        // A person's own grouping, and a file of another's.
        (
            Client::Claude,
            "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"a\"}, {\"command\": \"/opt/bin/wisp hooks run claude || exit 2\"}]}]}}",
            ErrorCode::Conflict,
        ),
        (Client::OpenCode, "export const Mine = async () => ({})\n", ErrorCode::Conflict),
    ];
    for (client, before, code) in broken {
        let lab = Lab::new();
        let path = lab.put(file(client), before);
        let error = lab.hook(client).unwrap_err();
        assert_eq!(error.code(), code, "{client}: {error}");
        assert!(error.to_string().contains(file(client)), "{error}");
        assert_eq!(text(&path), before, "{client}");
        let _ = lab.unhook(client);
        assert_eq!(text(&path), before, "{client}");
    }
}

#[test]
fn what_an_agent_would_read_as_something_else_is_refused() {
    let lab = Lab::new();
    let plan = |client: Client, hook: &Hook| {
        client.plan_hook_install(&lab.home(), hook).map(|change| change.after().unwrap_or_default().to_owned())
    };
    let address = hook().argument("--allow").argument("https://docs.rs/");
    assert!(matches!(plan(Client::Cursor, &address), Err(InstallError::HookAddress { .. })));
    assert!(plan(Client::Claude, &address).unwrap().contains("--allow https://docs.rs/ || exit 2"));
    assert!(plan(Client::OpenCode, &address).unwrap().contains("\"--allow\",\"https://docs.rs/\"]"));

    let mark = hook().argument("--set").argument("a=${HOME}");
    assert!(matches!(plan(Client::Claude, &mark), Err(InstallError::Mark { .. })));
    assert!(plan(Client::OpenCode, &mark).is_ok());

    let quotes = Hook::new("/o'pt/wi sp/wisp");
    assert!(plan(Client::Claude, &quotes).unwrap().contains(r#""command": "'/o'\"'\"'pt/wi sp/wisp' hooks run claude || exit 2""#));
    assert!(matches!(plan(Client::Claude, &Hook::new("wisp")), Err(InstallError::RelativeCommand { .. })));
    for client in [Client::Codex, Client::VsCode] {
        assert!(matches!(plan(client, &hook()), Err(InstallError::NoHook { .. })), "{client}");
    }
}

#[test]
fn a_variable_moves_the_file_of_claude_code() {
    let lab = Lab::new();
    let home = lab.home_with(&[("CLAUDE_CONFIG_DIR", lab.at("c"))]);
    assert_eq!(Client::Claude.hook_status(&home, &hook()).unwrap().path, lab.at("c/settings.json"));
}

#[test]
fn a_client_that_asks_no_hook_is_not_said_to_run_in_wisp() {
    let lab = Lab::new();
    let installed = lab.hook(Client::Claude).unwrap();
    assert_eq!(installed, Kind::Added);
    let path = lab.at(file(Client::Claude));
    let text = fs::read_to_string(&path).unwrap();
    for (setting, off) in [("false", false), ("true", true)] {
        fs::write(&path, text.replacen('{', &format!("{{\n  \"disableAllHooks\": {setting},"), 1)).unwrap();
        let asked = [lab.hook(Client::Claude).err(), Client::Claude.hook_status(&lab.home(), &hook()).err()];
        assert_eq!(asked.each_ref().map(Option::is_some), [off; 2], "{asked:?}");
        let said = |error: InstallError| error.code() == ErrorCode::Conflict && error.to_string().contains("disableAllHooks");
        assert!(asked.into_iter().flatten().all(said));
    }
    // What stands there can be taken out all the same.
    assert_eq!(lab.unhook(Client::Claude).unwrap(), Kind::Removed);
}

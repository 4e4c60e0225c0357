//! The whole way, for each client, in a home of the test's own.

mod answers;
mod codex;
mod disk;
mod edits;
mod foreign;
mod hooks;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::*;

/// A home that is removed after the test.
struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn home(&self) -> Home {
        self.home_with(&[])
    }

    fn home_with(&self, more: &[(&str, PathBuf)]) -> Home {
        let set = |name: &str| match more.iter().find(|(other, _)| *other == name) {
            Some((_, value)) => Some(OsString::from(value)),
            None => (name == "HOME").then(|| OsString::from(self.folder.path())),
        };
        Home::from_variables(set)
    }

    fn put(&self, path: &str, text: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn install(&self, client: Client) -> Result<Kind, InstallError> {
        let change = client.plan_install(&self.home(), &Scope::User, &server(), false)?;
        change.write()?;
        Ok(change.kind())
    }

    fn uninstall(&self, client: Client) -> Result<Kind, InstallError> {
        let change = client.plan_uninstall(&self.home(), &Scope::User, &server(), false)?;
        change.write()?;
        Ok(change.kind())
    }

    fn state(&self, client: Client) -> State {
        client.status(&self.home(), &Scope::User, &server()).unwrap().state
    }
}

fn server() -> Server {
    Server::new("/opt/bin/wisp").argument("--policy").argument("/etc/agent.toml")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The user's file of a client.
fn file(client: Client) -> &'static str {
    match client {
        Client::Claude => ".claude.json",
        Client::Codex => ".codex/config.toml",
        Client::Cursor => ".cursor/mcp.json",
        Client::VsCode => ".config/Code/User/mcp.json",
        Client::OpenCode => ".config/opencode/opencode.json",
    }
}

/// What an installation writes into a file that did not exist.
fn fresh(client: Client) -> &'static str {
    match client {
        Client::Claude | Client::Cursor => {
            r#"{
  "mcpServers": {
    "wisp": {
      "type": "stdio",
      "command": "/opt/bin/wisp",
      "args": ["mcp", "--policy", "/etc/agent.toml"]
    }
  }
}
"#
        }
        Client::VsCode => {
            r#"{
  "servers": {
    "wisp": {
      "type": "stdio",
      "command": "/opt/bin/wisp",
      "args": ["mcp", "--policy", "/etc/agent.toml"]
    }
  }
}
"#
        }
        Client::OpenCode => {
            r#"{
  "$schema": "https://opencode.ai/config.json",
  "mcp": {
    "wisp": {
      "type": "local",
      "command": ["/opt/bin/wisp", "mcp", "--policy", "/etc/agent.toml"],
      "enabled": true
    }
  }
}
"#
        }
        Client::Codex => {
            r#"[mcp_servers.wisp]
command = "/opt/bin/wisp"
args = ["mcp", "--policy", "/etc/agent.toml"]
startup_timeout_sec = 60
"#
        }
    }
}

/// A file with other servers and other settings, and comments where the client reads them.
fn lived_in(client: Client) -> &'static str {
    match client {
        Client::Claude => {
            "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"z\": { \"command\": \"z\", \"args\": [] },\n    \"a\": {\n      \"type\": \
             \"http\",\n      \"url\": \"https://example.com/mcp\"\n    }\n  },\n  \"projects\": {\"/p\": {\"mcpServers\": {}}},\n  \"big\": 12345678901234567890\n}"
        }
        Client::Codex => {
            "# mine\nmodel = \"m\"  # the usual\n\n[mcp_servers.z]\ncommand = \"z\"\n\n[mcp_servers.z.env]\nA = \"b\"\n\n[projects.\"/p\"]\ntrust_level \
             = \"trusted\"\n# the end\n"
        }
        Client::Cursor => "{\n\t\"mcpServers\": {\n\t\t\"z\": {\"command\": \"z\"} // the last\n\t}\n}\n",
        Client::VsCode => {
            "{\r\n    // servers that I use\r\n    \"servers\": {\r\n        \"z\": {\r\n            \"command\": \"z\",\r\n        },\r\n        // \"off\": \
             {},\r\n    },\r\n    \"inputs\": [],\r\n}\r\n"
        }
        Client::OpenCode => "{\n  /* mine */\n  \"model\": \"m\", // the usual\n  \"mcp\": {\n  },\n  \"theme\": \"t\"\n}\n",
    }
}

#[test]
fn a_file_that_does_not_exist_is_made_and_goes_again() {
    for client in Client::ALL.iter().copied() {
        let lab = Lab::new();
        assert_eq!(lab.state(client), State::Absent, "{client}");
        assert_eq!(lab.install(client).unwrap(), Kind::Added, "{client}");
        assert_eq!(text(&lab.at(file(client))), fresh(client), "{client}");
        assert_eq!(lab.state(client), State::Installed, "{client}");
        assert_eq!(lab.install(client).unwrap(), Kind::Unchanged, "{client}");
        assert_eq!(text(&lab.at(file(client))), fresh(client), "{client}");
        assert_eq!(lab.uninstall(client).unwrap(), Kind::Removed, "{client}");
        assert!(!lab.at(file(client)).exists(), "{client}");
        assert_eq!(lab.uninstall(client).unwrap(), Kind::Unchanged, "{client}");
    }
}

#[test]
fn an_empty_file_counts_as_none() {
    for client in Client::ALL.iter().copied() {
        let lab = Lab::new();
        let path = lab.put(file(client), "");
        lab.install(client).unwrap();
        assert_eq!(text(&path), fresh(client), "{client}");
    }
}

#[test]
fn everything_else_in_a_file_stays_and_comes_back_byte_for_byte() {
    for client in Client::ALL.iter().copied() {
        let lab = Lab::new();
        let before = lived_in(client);
        let path = lab.put(file(client), before);
        assert_eq!(lab.install(client).unwrap(), Kind::Added, "{client}");
        let installed = text(&path);
        assert_eq!(lab.state(client), State::Installed, "{client}");
        assert_eq!(lab.install(client).unwrap(), Kind::Unchanged, "{client}");
        // Each line is still there, in the same order, but for a comma behind the last server.
        let mut lines = installed.lines();
        for line in before.lines() {
            assert!(lines.any(|new| new == line || new.replacen(',', "", 1) == line), "{client}: {line}\n{installed}");
        }
        assert_eq!(lab.uninstall(client).unwrap(), Kind::Removed, "{client}");
        let after = text(&path);
        // An object without members comes back as `{}`.
        let before = if client == Client::OpenCode { before.replace("{\n  },", "{},") } else { before.to_owned() };
        assert_eq!(after, before, "{client}");
    }
}

#[test]
fn the_entry_follows_the_style_of_the_file() {
    let lab = Lab::new();
    let path = lab.put(file(Client::Cursor), lived_in(Client::Cursor));
    lab.install(Client::Cursor).unwrap();
    let want = "{\n\t\"mcpServers\": {\n\t\t\"z\": {\"command\": \"z\"}, // the last\n\t\t\"wisp\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \
                \"/opt/bin/wisp\",\n\t\t\t\"args\": [\"mcp\", \"--policy\", \"/etc/agent.toml\"]\n\t\t}\n\t}\n}\n";
    assert_eq!(text(&path), want);

    let path = lab.put(file(Client::VsCode), lived_in(Client::VsCode));
    lab.install(Client::VsCode).unwrap();
    let installed = text(&path);
    assert!(installed.contains("        // \"off\": {},\r\n        \"wisp\": {\r\n            \"type\": \"stdio\",\r\n"), "{installed}");
    assert!(installed.contains("\r\n        },\r\n    },\r\n    \"inputs\""), "{installed}");
    assert_eq!(installed.matches('\n').count(), installed.matches("\r\n").count());
}

#[test]
fn an_older_entry_is_brought_up_to_date_and_keeps_what_a_person_added() {
    let old = [
        (Client::Claude, r#"{"mcpServers": {"wisp": {"command": "/old/wisp", "args": ["mcp"], "timeout": 5000}, "z": {"command": "z"}}}"#),
        (
            Client::Codex,
            "[mcp_servers.wisp]\ncommand = \"/old/wisp\" # where it was\nargs = [\n  \"mcp\",\n]\nstartup_timeout_sec = 5.0\n\n[mcp_servers.wisp.tools.run_python]\napproval_mode = \"approve\"\n",
        ),
        (Client::Cursor, r#"{"mcpServers": {"wisp": {"command": "/old/wisp", "args": ["mcp"], "envFile": "e"}}}"#),
        (Client::VsCode, r#"{"servers": {"wisp": {"type": "stdio", "command": "/old/wisp", "args": ["mcp"], "dev": {}}}}"#),
        (Client::OpenCode, r#"{"mcp": {"wisp": {"type": "local", "command": ["/old/wisp", "mcp"], "enabled": false, "timeout": 9}}}"#),
    ];
    let kept =
        ["\"timeout\": 5000", "approval_mode = \"approve\"", "\"envFile\": \"e\"", "\"dev\": {}", "\"enabled\": false, \"timeout\": 9"];
    for ((client, before), kept) in old.into_iter().zip(kept) {
        let lab = Lab::new();
        let path = lab.put(file(client), before);
        assert!(
            matches!(lab.state(client), State::Differs { command } if command.starts_with(&["/old/wisp".to_owned(), "mcp".to_owned()])),
            "{client}"
        );
        assert_eq!(lab.install(client).unwrap(), Kind::Updated, "{client}");
        let after = text(&path);
        assert!(after.contains(kept) && after.contains("/opt/bin/wisp") && !after.contains("/old"), "{client}: {after}");
        assert_eq!(lab.state(client), State::Installed, "{client}");
        assert_eq!(lab.install(client).unwrap(), Kind::Unchanged, "{client}");
    }
    let lab = Lab::new();
    let path = lab.put(file(Client::Codex), old_codex());
    lab.install(Client::Codex).unwrap();
    let want = "[mcp_servers.wisp]\ncommand = \"/opt/bin/wisp\" # where it was\nargs = [\"mcp\", \"--policy\", \"/etc/agent.toml\"]\nstartup_timeout_sec = 5.0\n";
    assert_eq!(text(&path), want);
}

fn old_codex() -> &'static str {
    "[mcp_servers.wisp]\ncommand = \"/old/wisp\" # where it was\nargs = [\n  \"mcp\",\n]\nstartup_timeout_sec = 5.0\n"
}

#[test]
fn variables_and_the_longest_call_are_in_the_entry() {
    let server = server().variable("A", "b \"c\"").longest_call(std::time::Duration::from_millis(90_500));
    let entry = |client: Client| {
        let lab = Lab::new();
        let change = client.plan_install(&lab.home(), &Scope::User, &server, false).unwrap();
        change.after().unwrap().to_owned()
    };
    assert!(entry(Client::Codex).ends_with("startup_timeout_sec = 60\ntool_timeout_sec = 91\nenv = { \"A\" = \"b \\\"c\\\"\" }\n"));
    for client in [Client::Claude, Client::Cursor, Client::VsCode] {
        assert!(entry(client).contains(",\n      \"env\": {\n        \"A\": \"b \\\"c\\\"\"\n      }\n"), "{client}");
    }
    assert!(entry(Client::OpenCode).contains(",\n      \"environment\": {\n        \"A\""));
}

#[test]
fn a_variable_that_changes_replaces_the_table_that_codex_made_of_it() {
    let lab = Lab::new();
    let before = "[mcp_servers.wisp]\ncommand = \"/opt/bin/wisp\"\nargs = [\"mcp\"]\n\n[mcp_servers.wisp.env]\nA = \"old\"\n\n[z]\n";
    lab.put(file(Client::Codex), before);
    let server = Server::new("/opt/bin/wisp").variable("A", "new");
    let change = Client::Codex.plan_install(&lab.home(), &Scope::User, &server, false).unwrap();
    let want = "[mcp_servers.wisp]\nenv = { \"A\" = \"new\" }\ncommand = \"/opt/bin/wisp\"\nargs = [\"mcp\"]\n\n[z]\n";
    assert_eq!((change.kind(), change.after().unwrap()), (Kind::Updated, want));
}

#[test]
fn a_project_has_files_of_its_own() {
    let files = [".mcp.json", ".codex/config.toml", ".cursor/mcp.json", ".vscode/mcp.json", "opencode.json"];
    for (client, file) in Client::ALL.iter().copied().zip(files) {
        let lab = Lab::new();
        let scope = Scope::Project(lab.at("project"));
        // A project needs no home.
        client.plan_install(&Home::default(), &scope, &server(), false).unwrap().write().unwrap();
        assert_eq!(text(&lab.at("project").join(file)), fresh(client), "{client}");
        assert_eq!(fs::read_dir(lab.folder.path()).unwrap().count(), 1, "{client}: only the project was touched");
    }
}

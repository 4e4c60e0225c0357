//! Where the files are, and how they are written.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use wisp_api::ErrorCode;

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn variables_move_the_files() {
    let lab = Lab::new();
    let home = lab.home_with(&[("CLAUDE_CONFIG_DIR", lab.at("c")), ("CODEX_HOME", lab.at("x")), ("XDG_CONFIG_HOME", lab.at("g"))]);
    let want = ["c/.claude.json", "x/config.toml", ".cursor/mcp.json", "g/Code/User/mcp.json", "g/opencode/opencode.json"];
    for (client, want) in Client::ALL.iter().copied().zip(want) {
        assert_eq!(client.status(&home, &Scope::User, &server()).unwrap().path, lab.at(want), "{client}");
    }
    // A relative one does not count, and an empty one is none.
    let home = lab.home_with(&[("XDG_CONFIG_HOME", PathBuf::from("g")), ("CODEX_HOME", PathBuf::new())]);
    for client in [Client::Codex, Client::VsCode] {
        assert_eq!(client.status(&home, &Scope::User, &server()).unwrap().path, lab.at(file(client)), "{client}");
    }
}

#[test]
fn claude_codes_older_file_counts_where_it_is() {
    let lab = Lab::new();
    lab.put(".claude.json", "{}");
    let older = lab.put(".claude/.config.json", "{}");
    lab.install(Client::Claude).unwrap();
    assert_eq!(text(&older), fresh(Client::Claude).trim_end());
    assert_eq!(text(&lab.at(".claude.json")), "{}");
}

#[test]
fn opencodes_entry_goes_where_it_is_or_where_it_counts() {
    let lab = Lab::new();
    let plain = lab.put(file(Client::OpenCode), "{}\n");
    let comments = lab.put(".config/opencode/opencode.jsonc", "{} // mine\n");
    lab.install(Client::OpenCode).unwrap();
    assert!(text(&comments).contains("\"wisp\"") && text(&comments).ends_with("} // mine\n"));
    assert_eq!(text(&plain), "{}\n");
    lab.uninstall(Client::OpenCode).unwrap();
    assert_eq!(text(&comments), "{} // mine\n");

    fs::remove_file(&comments).unwrap();
    lab.install(Client::OpenCode).unwrap();
    fs::write(&comments, "{}\n").unwrap();
    assert_eq!(lab.state(Client::OpenCode), State::Installed);
    lab.uninstall(Client::OpenCode).unwrap();
    assert_eq!(lab.state(Client::OpenCode), State::Absent);
    assert_eq!(text(&comments), "{}\n");
}

#[test]
fn opencodes_second_form_is_kept_where_a_file_has_it() {
    let lab = Lab::new();
    let before = "{\n  \"mcp\": {\n    \"servers\": {\n      \"z\": { \"type\": \"local\", \"command\": [\"z\"] }\n    }\n  }\n}\n";
    let path = lab.put(file(Client::OpenCode), before);
    lab.install(Client::OpenCode).unwrap();
    let installed = text(&path);
    assert!(installed.contains("[\"z\"] },\n      \"wisp\": {\n        \"type\": \"local\",\n"), "{installed}");
    assert!(!installed.contains("enabled"), "{installed}");
    assert_eq!(lab.state(Client::OpenCode), State::Installed);
    lab.uninstall(Client::OpenCode).unwrap();
    assert_eq!(text(&path), before);

    // A server that is called so is not that form.
    lab.put(file(Client::OpenCode), "{\"mcp\": {\"servers\": {\"type\": \"local\", \"command\": [\"z\"]}}}");
    lab.install(Client::OpenCode).unwrap();
    assert!(text(&path).contains("\"command\": [\"z\"]}, \"wisp\": {\"type\""), "{}", text(&path));
}

#[test]
fn a_plan_writes_nothing_and_shows_its_diff() {
    let lab = Lab::new();
    let path = lab.put(file(Client::Claude), "{\n  \"a\": 1\n}");
    let change = Client::Claude.plan_install(&lab.home(), &Scope::User, &server(), false).unwrap();
    assert_eq!((change.before(), text(&path).as_str()), (Some("{\n  \"a\": 1\n}"), "{\n  \"a\": 1\n}"));
    let name = path.display();
    let want = format!(
        "--- {name}\n+++ {name}\n@@ -1,3 +1,10 @@\n {{\n-  \"a\": 1\n+  \"a\": 1,\n+  \"mcpServers\": {{\n+    \"wisp\": {{\n+      \"type\": \"stdio\",\n+      \
         \"command\": \"/opt/bin/wisp\",\n+      \"args\": [\"mcp\", \"--policy\", \"/etc/agent.toml\"]\n+    }}\n+  }}\n }}\n\\ No newline at end of file\n"
    );
    assert_eq!(change.diff(), want);

    let change = Client::Codex.plan_install(&lab.home(), &Scope::User, &server(), false).unwrap();
    assert!(
        change.diff().starts_with("--- /dev/null\n") && change.diff().contains("@@ -0,0 +1,4 @@\n+[mcp_servers.wisp]\n"),
        "{}",
        change.diff()
    );
    assert!(!lab.at(".codex").exists());
    change.write().unwrap();
    let change = Client::Codex.plan_install(&lab.home(), &Scope::User, &server(), false).unwrap();
    assert_eq!(change.diff(), "");
}

#[test]
fn modes_stay_and_new_files_have_the_clients() {
    for client in Client::ALL.iter().copied() {
        let lab = Lab::new();
        lab.install(client).unwrap();
        let private = matches!(client, Client::Claude | Client::Codex);
        let open = mode(&lab.at(file(client))) & 0o077 != 0;
        // Under a strict umask, every file is private.
        let strict = mode(&lab.put("probe", "")) & 0o077 == 0;
        assert_eq!(open, !private && !strict, "{client}");

        fs::set_permissions(lab.at(file(client)), fs::Permissions::from_mode(0o640)).unwrap();
        client.plan_install(&lab.home(), &Scope::User, &server().argument("--keep"), false).unwrap().write().unwrap();
        assert_eq!(mode(&lab.at(file(client))), 0o640, "{client}");
        let names: Vec<_> = fs::read_dir(lab.at(file(client)).parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.iter().all(|name| !name.to_string_lossy().contains(".wisp-")), "{names:?}");
    }
}

#[test]
fn a_link_stays_and_the_file_behind_it_changes() {
    let lab = Lab::new();
    let real = lab.put("dotfiles/cursor.json", "{\"a\": 1}\n");
    fs::create_dir(lab.at(".cursor")).unwrap();
    symlink("../dotfiles/cursor.json", lab.at(file(Client::Cursor))).unwrap();
    lab.install(Client::Cursor).unwrap();
    assert!(lab.at(file(Client::Cursor)).is_symlink() && text(&real).contains("wisp"));
    lab.uninstall(Client::Cursor).unwrap();
    assert!(lab.at(file(Client::Cursor)).is_symlink());
    assert_eq!(text(&real), "{\"a\": 1}\n");

    // One that leads to nothing yet; a file behind a link is not removed, although nothing is left in it.
    fs::remove_file(&real).unwrap();
    lab.install(Client::Cursor).unwrap();
    assert_eq!(text(&real), fresh(Client::Cursor));
    lab.uninstall(Client::Cursor).unwrap();
    assert_eq!(text(&real), "{}\n");

    symlink("mcp2.json", lab.at(".cursor/mcp3.json")).unwrap();
    fs::remove_file(lab.at(file(Client::Cursor))).unwrap();
    symlink("mcp3.json", lab.at(file(Client::Cursor))).unwrap();
    symlink("mcp.json", lab.at(".cursor/mcp2.json")).unwrap();
    let error = lab.install(Client::Cursor).unwrap_err();
    assert!(matches!(error, InstallError::Read { .. }) && error.code() == ErrorCode::IoError, "{error}");
}

#[test]
fn a_file_that_changed_in_between_is_left_alone() {
    let lab = Lab::new();
    let path = lab.put(file(Client::Claude), "{}");
    let change = Client::Claude.plan_install(&lab.home(), &Scope::User, &server(), false).unwrap();
    fs::write(&path, "{\"a\": 1}").unwrap();
    let error = change.write().unwrap_err();
    assert!(matches!(error, InstallError::Changed { .. }) && error.code() == ErrorCode::Conflict, "{error}");
    assert_eq!(text(&path), "{\"a\": 1}");

    let change = Client::Codex.plan_install(&lab.home(), &Scope::User, &server(), false).unwrap();
    let made = lab.put(file(Client::Codex), "a = 1\n");
    assert!(matches!(change.write(), Err(InstallError::Changed { .. })));
    assert_eq!(text(&made), "a = 1\n");
}

#[test]
fn what_cannot_be_written_is_an_error_and_stays() {
    // A folder that is a file: for everyone, root as well.
    let lab = Lab::new();
    lab.put(".cursor", "");
    let error = lab.install(Client::Cursor).unwrap_err();
    assert_eq!(error.code(), ErrorCode::IoError, "{error}");

    // A folder in which nothing can be made.
    let scope = Scope::Project(PathBuf::from("/proc"));
    let error = Client::Cursor.plan_install(&lab.home(), &scope, &server(), false).unwrap().write().unwrap_err();
    assert!(matches!(error, InstallError::Write { .. }) && error.code() == ErrorCode::IoError, "{error}");
    assert!(error.to_string().starts_with("`/proc/.cursor/mcp.json` cannot be written: "), "{error}");

    // What is no file.
    fs::create_dir_all(lab.at(file(Client::Claude))).unwrap();
    assert!(matches!(lab.install(Client::Claude), Err(InstallError::Read { .. })));

    // A read-only file, which root may write all the same.
    let path = lab.put(file(Client::Codex), "a = 1\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let may = fs::OpenOptions::new().append(true).open(&path).is_ok();
    let before = fs::metadata(&path).unwrap().ino();
    let written = lab.install(Client::Codex);
    assert_eq!(written.is_ok(), may);
    assert_eq!(fs::metadata(&path).unwrap().ino() == before, !may);
    assert_eq!(mode(&path), 0o444);
}

#[test]
fn what_is_not_text_is_refused() {
    let lab = Lab::new();
    let path = lab.put(file(Client::Codex), "");
    fs::write(&path, b"a = \"\xff\"\n").unwrap();
    assert!(matches!(lab.install(Client::Codex), Err(InstallError::Read { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"a = \"\xff\"\n");
}

#[test]
fn the_mark_before_a_text_stays() {
    for client in [Client::VsCode, Client::Codex] {
        let lab = Lab::new();
        let before = if client == Client::Codex { "\u{feff}a = 1\n" } else { "\u{feff}{\"a\": 1}\n" };
        let path = lab.put(file(client), before);
        lab.install(client).unwrap();
        assert!(text(&path).starts_with(&before[..6]), "{client}");
        lab.uninstall(client).unwrap();
        assert_eq!(text(&path), before, "{client}");
    }
}

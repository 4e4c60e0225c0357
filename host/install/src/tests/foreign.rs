//! What is refused, and stays as it is.

use wisp_api::ErrorCode;

use super::*;

#[test]
fn another_server_of_the_same_name_stays_unless_forced() {
    let taken = [
        (
            Client::Claude,
            "{\n  \"mcpServers\": {\n    \"wisp\": {\n      \"command\": \"/bin/other\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n",
        ),
        (Client::Codex, "[mcp_servers.wisp]\nurl = \"https://example.com/mcp\"\n\n[mcp_servers.wisp.http_headers]\nA = \"b\"\n"),
        (Client::Cursor, "{\n  \"mcpServers\": {\n    \"wisp\": {\n      \"url\": \"https://example.com/mcp\"\n    }\n  }\n}\n"),
        // wisp, but not its server.
        (
            Client::VsCode,
            "{\n  \"servers\": {\n    \"wisp\": {\n      \"command\": \"/opt/bin/wisp\",\n      \"args\": [\"run\"]\n    }\n  }\n}\n",
        ),
        (
            Client::OpenCode,
            "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": {\n    \"wisp\": {\n      \"type\": \"local\",\n      \"command\": [\"/bin/other\"]\n    }\n  }\n}\n",
        ),
    ];
    for (client, before) in taken {
        let lab = Lab::new();
        let path = lab.put(file(client), before);
        for error in [lab.install(client).unwrap_err(), lab.uninstall(client).unwrap_err()] {
            assert!(matches!(&error, InstallError::Foreign { name, .. } if name == "wisp"), "{client}: {error}");
            assert_eq!(error.code(), ErrorCode::Conflict);
        }
        assert!(matches!(lab.state(client), State::Foreign { .. }), "{client}");
        assert_eq!(text(&path), before, "{client}");

        let change = client.plan_install(&lab.home(), &Scope::User, &server(), true).unwrap();
        change.write().unwrap();
        assert_eq!((change.kind(), text(&path).as_str()), (Kind::Replaced, fresh(client)), "{client}");

        fs::write(&path, before).unwrap();
        client.plan_uninstall(&lab.home(), &Scope::User, &server(), true).unwrap().write().unwrap();
        assert!(!path.exists(), "{client}: nothing else was in it");
    }
}

#[test]
fn servers_with_names_of_their_own_stand_side_by_side() {
    for client in Client::ALL.iter().copied() {
        let lab = Lab::new();
        lab.install(client).unwrap();
        let other = Server::new("/opt/bin/wisp").name("wisp-web");
        client.plan_install(&lab.home(), &Scope::User, &other, false).unwrap().write().unwrap();
        assert_eq!(client.status(&lab.home(), &Scope::User, &other).unwrap().state, State::Installed, "{client}");
        assert_eq!(lab.state(client), State::Installed, "{client}");
        lab.uninstall(client).unwrap();
        assert_eq!(client.status(&lab.home(), &Scope::User, &other).unwrap().state, State::Installed, "{client}");
        assert_eq!(lab.state(client), State::Absent, "{client}");
    }
}

#[test]
fn a_program_with_another_name_is_known_by_the_one_that_is_installed() {
    let lab = Lab::new();
    lab.put(file(Client::Claude), r#"{"mcpServers": {"wisp": {"command": "/old/wisp-nightly", "args": ["mcp"]}}}"#);
    assert!(matches!(lab.install(Client::Claude), Err(InstallError::Foreign { .. })));
    let nightly = Server::new("/new/wisp-nightly");
    let change = Client::Claude.plan_install(&lab.home(), &Scope::User, &nightly, false).unwrap();
    assert_eq!(change.kind(), Kind::Updated);
}

#[test]
fn a_file_that_is_not_valid_stays_and_the_line_is_named() {
    let broken = [
        (Client::Claude, "{\n  \"a\": 1,\n}\n", 2),
        (Client::Claude, "{\n  // no comments here\n  \"a\": 1\n}\n", 2),
        (Client::Claude, "{\n\n  \"a\": \"\t\"\n}\n", 3),
        (Client::Codex, "a = 1\nb =\n", 2),
        (Client::Cursor, "{\n  \"a\": 1\n  \"b\": 2\n}\n", 2),
        (Client::VsCode, "{\n  \"a\": 1,\n", 1),
        (Client::OpenCode, "{\n  'a': 1\n}\n", 2),
    ];
    for (client, before, want) in broken {
        let lab = Lab::new();
        let path = lab.put(file(client), before);
        let home = lab.home();
        let errors = [
            lab.install(client).unwrap_err(),
            lab.uninstall(client).unwrap_err(),
            client.plan_install(&home, &Scope::User, &server(), true).unwrap_err(),
            client.status(&home, &Scope::User, &server()).unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(&error, InstallError::Syntax { line, .. } if *line == want), "{client}: {error}");
            assert!(error.to_string().contains(client.title()) && error.to_string().contains(&format!("line {want}")), "{error}");
            assert_eq!(error.code(), ErrorCode::InvalidData);
        }
        assert_eq!(text(&path), before, "{client}");
    }
}

#[test]
fn parts_that_are_not_where_they_belong_are_named() {
    let odd = [
        (Client::Claude, "{\n  \"mcpServers\": []\n}", 2),
        (Client::Claude, "[]", 1),
        (Client::Cursor, "// nothing yet\n", 2),
        (Client::VsCode, "{\n  \"servers\": {\n    \"wisp\": {},\n    \"wisp\": {\"command\": \"wisp\", \"args\": [\"mcp\"]}\n  }\n}", 4),
        (Client::Codex, "mcp_servers = { z = { command = \"z\" } }\n", 1),
        (Client::Codex, "a = 1\n[mcp_servers]\nwisp = { command = \"/old/wisp\", args = [\"mcp\"] }\n", 3),
        (Client::Codex, "a = 1\nmcp_servers.wisp.command = \"/old/wisp\"\nmcp_servers.wisp.args = [\"mcp\"]\n", 2),
    ];
    for (client, before, want) in odd {
        let lab = Lab::new();
        let path = lab.put(file(client), before);
        let error = lab.install(client).unwrap_err();
        assert!(matches!(&error, InstallError::Shape { line, .. } if *line == want), "{client}: {error:?}");
        assert_eq!((error.code(), text(&path).as_str()), (ErrorCode::InvalidData, before), "{client}");
    }
}

#[test]
fn what_a_client_would_read_as_something_else_is_refused() {
    let texts = ["/a/${HOME}.toml", "/a/{env:HOME}.toml", "/a/{file:x}.toml"];
    let refused = |client: Client, text: &str| {
        let lab = Lab::new();
        let server = Server::new("/opt/bin/wisp").argument(text);
        let plan = client.plan_install(&lab.home(), &Scope::User, &server, false);
        plan.map_err(|error| assert!(matches!(error, InstallError::Mark { .. }), "{error}")).is_err()
    };
    for client in Client::ALL.iter().copied() {
        let [dollar, env, file] = texts.map(|text| refused(client, text));
        let replaces = matches!(client, Client::Claude | Client::Cursor | Client::VsCode);
        assert_eq!([dollar, env, file], [replaces, client == Client::OpenCode, client == Client::OpenCode], "{client}");
        assert!(!refused(client, "/a/$HOME {env}.toml"), "{client}");
    }
}

#[test]
fn names_commands_and_variables_are_checked() {
    let lab = Lab::new();
    let plan = |server: &Server| Client::Codex.plan_install(&lab.home(), &Scope::User, server, false).map(|change| change.kind());
    for name in ["", "a.b", "a b", "a\"b", "é", &"a".repeat(33)] {
        assert!(matches!(plan(&server().name(name)), Err(InstallError::Name { .. })), "{name}");
    }
    assert!(matches!(plan(&server().name("a_B-3")), Ok(Kind::Added)));
    assert!(matches!(plan(&Server::new("wisp")), Err(InstallError::RelativeCommand { .. })));
    let project = Scope::Project(lab.at("project"));
    let plan_project =
        |command: &str| Client::Claude.plan_install(&lab.home(), &project, &Server::new(command), false).map(|change| change.kind());
    assert!(matches!(plan_project("wisp"), Ok(Kind::Added)));
    assert!(matches!(plan_project("./wisp"), Err(InstallError::RelativeCommand { .. })));
    let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"/a\xff/wisp");
    assert!(matches!(plan(&Server::new(path)), Err(InstallError::NotText { .. })));

    let nowhere = Home::from_variables(|_| None);
    assert!(matches!(Client::Codex.status(&nowhere, &Scope::User, &server()), Err(InstallError::NoHome)));
    let relative = lab.home_with(&[("CODEX_HOME", PathBuf::from("codex"))]);
    let error = Client::Codex.status(&relative, &Scope::User, &server()).unwrap_err();
    assert!(error.to_string().contains("CODEX_HOME"), "{error}");
    assert!(Client::Claude.status(&relative, &Scope::User, &server()).is_ok(), "only Codex has a use for it");
}

#[test]
fn clients_have_names() {
    for client in Client::ALL.iter().copied() {
        assert_eq!(client.as_str().parse(), Ok(client));
    }
    assert_eq!("emacs".parse::<Client>(), Err(UnknownClient { name: "emacs".to_owned() }));
}

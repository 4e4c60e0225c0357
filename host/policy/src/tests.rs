//! Tests of the crate as a whole. Fixtures in `tests/policy` cover the meaning of texts and their findings.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::schema::Key;
use super::{
    Access, McpTransport, NoFiles, Origin, Overrides, Palette, Policy, PolicyText, Rule, SHIPPED_POLICIES, Source, SourceError, render,
};

/// Every path exists and is already resolved.
struct AllFiles;

impl Source for AllFiles {
    fn read(&self, _: &Path) -> Result<PolicyText, SourceError> {
        Err(SourceError::NotFound)
    }

    fn holds(&self, _: &Path, _: &Path) -> bool {
        false
    }

    fn mountable(&self, path: &Path) -> Result<PathBuf, SourceError> {
        Ok(path.to_owned())
    }

    fn file(&self, path: &Path) -> Result<PathBuf, SourceError> {
        Ok(path.to_owned())
    }
}

/// Keys that exclude others: `[determinism]` excludes `[network]`, a secret has one place, and a server is a program or at a URL.
fn excluded(key: Key) -> bool {
    key.path().starts_with("determinism") || matches!(key, Key::SecretQuery | Key::SecretBodyField | Key::McpUrl | Key::McpBearerEnv)
}

/// A policy with every key of the schema, each with its example, except keys that exclude others.
fn every_key() -> String {
    let mut text = String::new();
    let mut table = String::new();
    for key in Key::ALL.iter().filter(|key| !excluded(**key)) {
        let (outer, _) = key.path().rsplit_once('.').unwrap_or(("", ""));
        if outer != table {
            table = outer.to_owned();
            let header = named(outer);
            text.push_str(&match header.strip_suffix("[]") {
                Some(list) => format!("[[{list}]]\n"),
                None => format!("[{header}]\n"),
            });
        }
        text.push_str(&format!("{} = {}\n", key.word(), key.row().example));
    }
    text
}

/// A path with a name in it, as a header has it.
fn named(path: &str) -> String {
    path.replace("custom.NAME", "custom.jwt").replace("imports.NAME", "imports.\"wasi:http/outgoing-handler\"")
}

#[test]
fn every_key_of_the_schema_is_read_and_its_example_is_valid() {
    let text = every_key();
    let policy = Policy::parse(&AllFiles, "p.toml", &text).unwrap_or_else(|errors| panic!("{text}\n{}", render(&errors, Palette::Plain)));
    for key in Key::ALL.iter().filter(|key| !excluded(**key) && **key != Key::Extends) {
        let name = named(key.path()).replace('"', "");
        let name = match name.split_once("[]") {
            Some(("network.allow", _)) => "network.allow.https://api.github.com/repos/".to_owned(),
            Some(("network.secret", _)) => "network.secret.GITHUB_TOKEN".to_owned(),
            Some(("host.mcp", _)) => "host.mcp.github".to_owned(),
            Some((list, _)) => format!("{list}./mnt/input"),
            None => name,
        };
        assert_eq!(policy.rules().get(&name).map(Rule::origin), Some(Origin::File), "{name} has no rule");
    }
}

#[test]
fn what_excludes_another_key_is_read_without_it() {
    let policy = Policy::parse(&NoFiles, "p.toml", "[determinism]\nseed = 42\nclock = \"2026-01-01T00:00:00Z\"\n").unwrap();
    assert_eq!(policy.rule(Key::Clock).origin(), Origin::File);
    for place in ["query = \"api_key\"", "body_field = \"token\""] {
        let text = format!("[[network.secret]]\nhost = \"a.example\"\n{place}\nvalue_from_env = \"KEY\"\n");
        let policy = Policy::parse(&NoFiles, "p.toml", &text).unwrap();
        assert_eq!(policy.network().map(|network| network.secrets.len()), Some(1));
        let again = Policy::parse(&NoFiles, "p.toml", &policy.canonical()).unwrap();
        assert_eq!(again.digest(), policy.digest());
    }
}

#[test]
fn what_is_built_in_is_what_offline_says() {
    let nothing = Policy::parse(&NoFiles, "p.toml", "").unwrap();
    let offline = Policy::offline();
    assert_eq!(nothing.limits(), offline.limits());
    assert_eq!(nothing.output(), offline.output());
    assert_eq!(nothing.filesystem(), offline.filesystem());
    assert!(nothing.tools().components().next().is_none() && nothing.env().is_empty() && nothing.determinism().is_none());
    assert_eq!(nothing.rule(Key::Wall).to_string(), "built in");
    assert_eq!(nothing.rule(Key::AllowUrl).to_string(), "p.toml");
    assert_eq!(nothing.rule(Key::Clock).to_string(), "p.toml", "without `[determinism]` there is no clock");
    assert_eq!(Policy::parse(&NoFiles, "p.toml", "[determinism]").unwrap().rule(Key::Clock).to_string(), "built in");
    assert_eq!(offline.rule_of(Key::Allow, "python3").to_string(), "policies/offline.toml:7");
    assert_eq!(offline.rule_of(Key::Allow, "telnet").to_string(), "policies/offline.toml");
}

#[test]
fn a_policy_has_at_most_64_components_in_front_of_imports() {
    let with = |count: usize| {
        let entries: String = (0..count).map(|number| format!("\"a:b/c{number}\" = {{ component = \"./c.wasm\" }}\n")).collect();
        Policy::parse(&AllFiles, "p.toml", &format!("[imports]\n{entries}"))
    };
    assert_eq!(with(64).unwrap().imports().len(), 64);
    let errors = with(65).unwrap_err().to_string();
    assert!(errors.contains("there are 65 components for imports, more than the 64"), "{errors}");
}

#[test]
fn shipped_policies_extend_no_files() {
    for shipped in SHIPPED_POLICIES {
        assert_eq!(Policy::load(&NoFiles, shipped.name).unwrap().name(), shipped.name);
    }
}

#[test]
fn the_host_program_changes_a_policy_under_the_same_rules() {
    let policy = Policy::offline().with_env("A", "1").unwrap().with_env("A", "2").unwrap();
    let policy = policy.with_timeout(Duration::from_millis(500)).unwrap();
    let policy = policy.with_mount(&AllFiles, Path::new("/data"), "/mnt/x", Access::Write).unwrap();
    let policy = policy.with_tool(&AllFiles, "jwt", Path::new("/jwt.wasm")).unwrap();
    let policy = policy.with_value("limits.memory", "64MiB").unwrap();
    assert_eq!((policy.env()["A"].as_str(), policy.limits().wall, policy.limits().memory), ("2", Duration::from_millis(500), 64 << 20));
    assert_eq!(
        policy.grants(),
        [
            "tools.allow sh",
            "tools.allow coreutils",
            "tools.allow text",
            "tools.allow data",
            "tools.allow archive",
            "tools.allow images",
            "tools.allow rg",
            "tools.allow curl",
            "tools.allow python3",
            "tools.custom jwt",
            "filesystem.mount /mnt/x write",
            "env.vars A",
            "env.vars LANG"
        ]
    );
    for key in ["env.vars.A", "limits.wall", "limits.memory", "filesystem.mount./mnt/x", "tools.custom.jwt"] {
        assert_eq!(policy.rules()[key].to_string(), "host program", "{key}");
    }
    assert_eq!(policy.name(), "offline");
    for error in [
        policy.clone().with_env("A=B", "secret").unwrap_err(),
        policy.clone().with_timeout(Duration::ZERO).unwrap_err(),
        policy.clone().with_timeout(Duration::MAX).unwrap_err(),
        policy.clone().with_mount(&AllFiles, Path::new("/data"), "/mnt/x/y", Access::Read).unwrap_err(),
        policy.clone().with_mount(&NoFiles, Path::new("/data"), "/mnt/z", Access::Read).unwrap_err(),
        policy.clone().with_tool(&AllFiles, "sh", Path::new("/x")).unwrap_err(),
        policy.clone().with_value("limits.memry", "1").unwrap_err(),
    ] {
        assert!(error.findings()[0].file.name() == "host program" && !render(&error, Palette::Plain).contains("secret"), "{error}");
    }
}

#[test]
fn a_digest_is_of_what_is_allowed_not_of_how_it_is_written() {
    let parse = |text: &str| Policy::parse(&NoFiles, "p.toml", text).unwrap().digest();
    assert_eq!(parse("limits.wall = \"60s\"\nname = \"p\""), parse("[limits]\nwall = \"1m\" # a minute\n"));
    assert_ne!(parse("limits.wall = \"60s\""), parse("limits.wall = \"61s\""));
    assert_eq!(parse("").len(), 64);
}

#[test]
fn options_read_hosts_with_colons() {
    let policy = |spec: &str| Policy::load_with(&AllFiles, "minimal", &Overrides::command_line().mount(spec));
    for (spec, host, guest, access) in [
        ("data:/mnt/x", "data", "/mnt/x", Access::Read),
        ("a:b:/mnt/x:write", "a:b", "/mnt/x", Access::Write),
        ("C:/data:/mnt/x:overlay", "C:/data", "/mnt/x", Access::Overlay),
        ("/a:/b", "/a", "/b", Access::Read),
    ] {
        let policy = policy(spec).unwrap_or_else(|errors| panic!("{spec}: {errors}"));
        let mount = &policy.filesystem().mounts[0];
        assert_eq!((mount.host.to_str(), mount.guest.as_str(), mount.access), (Some(host), guest, access), "{spec}");
    }
    for spec in ["", ":", "a", "a:", ":/mnt", "a:/mnt/x:", "a:/mnt/x:rw", "a:b:c"] {
        assert!(policy(spec).is_err(), "{spec}");
    }
}

#[test]
fn colour_is_only_where_it_is_asked_for() {
    let errors = Policy::parse(&NoFiles, "p.toml", "nam = 1").unwrap_err();
    assert!(!render(&errors, Palette::Plain).contains('\u{1b}'));
    assert!(render(&errors, Palette::Colour).contains('\u{1b}'));
    assert_eq!(errors.to_string(), "p.toml:1:1: unknown key `nam` (help: did you mean `name`?)");
}

#[test]
fn findings_of_others_may_point_anywhere() {
    use super::{Finding, Location, PolicyErrors, SourceFile};
    let file = SourceFile::new("f", "größe");
    for (start, end) in [(3, 4), (0, 100), (50, 60), (5, 2)] {
        let errors = PolicyErrors::from(Finding::new(&Location { file: file.clone(), span: start..end }, "here"));
        assert!(render(&errors, Palette::Plain).contains("here") && errors.to_string().contains("here"));
    }
}

#[test]
fn a_hostile_policy_is_refused_in_good_time() {
    // Each of these was, or could be, quadratic in a text of a megabyte.
    for text in [
        "[env.vars]\n".to_owned() + &(0..60_000).map(|n| format!("V{n} = \"x\"\n")).collect::<String>(),
        (0..100_000).map(|n| format!("k{n}=1\n")).collect(),
        "[[filesystem.mount]]\n".repeat(45_000),
        format!("name = \"{}\"", "n".repeat(1_000_000)),
        format!("{} = 1", "k".repeat(1_000_000)),
        format!("tools.allow = [{}]", "\"sh\",".repeat(150_000)),
    ] {
        if let Err(errors) = Policy::parse(&NoFiles, "p.toml", &text) {
            assert!(errors.findings().len() <= super::limits::FINDINGS_MAX + 1);
            assert!(!render(&errors, Palette::Plain).is_empty());
        }
    }
    assert!(super::tables::words_in("nowhere").is_empty());
}

#[test]
fn functions_are_granted_by_name_and_options_add_to_the_list() {
    let parent = "[host]\nallow = [\"a\", \"b\"]\nforks = [\"a\"]\nmax_calls = 7\n";
    let policy = Policy::parse(&NoFiles, "p.toml", parent).unwrap();
    assert!(Policy::offline().host().is_none());
    let host = policy.host().unwrap();
    assert_eq!((host.allow.as_slice(), host.forks.as_slice()), (&["a".to_owned(), "b".to_owned()][..], &["a".to_owned()][..]));
    assert_eq!((host.max_calls, host.timeout), (7, Duration::from_secs(60)));
    assert_eq!(policy.function_rule("b").to_string(), "p.toml:2");
    let more = policy.clone().with_function("c").unwrap().with_function("a").unwrap();
    assert_eq!(more.host().unwrap().allow, ["a", "b", "c"]);
    assert_eq!(more.function_rule("c").to_string(), "host program");
    // A list replaces the parent's; what an option added stays.
    let set = more.with(&NoFiles, &Overrides::command_line().set(&["host.allow=[\"a\"]"])).unwrap();
    assert_eq!(set.host().unwrap().allow, ["a", "c"]);
    let again = Policy::parse(&NoFiles, "p.toml", &set.canonical()).unwrap();
    assert_eq!(again.digest(), set.digest());
    // What an option lets forks call, too; it must be one that the session may call.
    let forks = set.with_function_in_forks("c").unwrap().with_function_in_forks("a").unwrap();
    assert_eq!(forks.host().unwrap().forks, ["a", "c"]);
    assert_eq!(forks.rule_of(Key::HostForks, "c").to_string(), "host program");
    assert_eq!(forks.rule_of(Key::HostForks, "a").to_string(), "p.toml:3");
    let again = Policy::parse(&NoFiles, "p.toml", &forks.canonical()).unwrap();
    assert_eq!((again.digest(), again.host().unwrap().forks.as_slice()), (forks.digest(), &["a".to_owned(), "c".to_owned()][..]));
    for (name, said) in [("d", "`host.forks` lists `d`, which `host.allow` does not"), ("a b", "cannot be called `a b`")] {
        let errors = forks.clone().with_function_in_forks(name).expect_err(name);
        assert!(render(&errors, Palette::Plain).contains(said), "{name}");
    }
    for (name, list) in [("a b", "allow"), ("", "allow"), ("1a", "forks"), ("a*", "allow")] {
        let text = format!("[host]\n{list} = [\"{name}\"]\n");
        let errors = Policy::parse(&NoFiles, "p.toml", &text).expect_err(name);
        assert!(render(&errors, Palette::Plain).contains("a function of the host cannot be called"), "{name}");
    }
}

/// A policy with one server, and these lines.
fn with_server(lines: &str) -> String {
    format!("{lines}\n[[host.mcp]]\nname = \"git\"\ncommand = [\"git-server\"]\nallow = [\"log\", \"show.file\"]\n")
}

#[test]
fn tools_of_servers_are_functions_with_a_rule_each() {
    let policy = Policy::parse(&NoFiles, "p.toml", &with_server("[host]\nallow = [\"a\"]\nforks = [\"git_log\"]\nmax_calls = 7")).unwrap();
    let host = policy.host().unwrap();
    assert_eq!(host.functions().collect::<Vec<_>>(), ["a", "git_log", "git_show_file"]);
    assert_eq!((host.allow.as_slice(), host.forks.as_slice(), host.max_calls), (&["a".to_owned()][..], &["git_log".to_owned()][..], 7));
    let server = &host.mcp[0];
    assert_eq!((server.name.as_str(), server.transport.to_string().as_str()), ("git", "git-server"));
    assert!(matches!(&server.transport, McpTransport::Command(command) if command.from_env.is_empty()));
    assert_eq!(host.server_of("git_push").map(|server| server.name.as_str()), Some("git"));
    assert!(host.server_of("git").is_none() && host.server_of("github_log").is_none() && host.server_of("a").is_none());
    assert_eq!((policy.rule_of(Key::McpName, "git").line(), policy.function_rule("git_log").line()), (Some(5), Some(8)));
    assert_eq!(policy.grants(), ["host.allow a", "host.allow git_log", "host.allow git_show_file"]);
    let again = Policy::parse(&NoFiles, "p.toml", &policy.canonical()).unwrap();
    assert_eq!((again.digest(), again.canonical()), (policy.digest(), policy.canonical()));
    // The table alone grants its tools, and nothing else.
    let alone = Policy::parse(&NoFiles, "p.toml", &with_server("")).unwrap();
    assert_eq!(alone.host().unwrap().functions().collect::<Vec<_>>(), ["git_log", "git_show_file"]);
    assert_ne!(alone.digest(), policy.digest());
}

#[test]
fn a_server_at_a_url_has_a_token_and_the_certificates_of_the_network() {
    let at = |url: &str, more: &str| {
        let text = format!("{more}\n[[host.mcp]]\nname = \"web\"\nurl = \"{url}\"\nbearer_env = \"TOKEN\"\nallow = [\"fetch\"]\n");
        Policy::parse(&AllFiles, "p.toml", &text)
    };
    let policy = at("https://MCP.example/mcp?key=1", "[network]\nca = \"/ca.pem\"").unwrap();
    let server = &policy.host().unwrap().mcp[0];
    assert_eq!(server.transport.to_string(), "https://mcp.example/mcp", "a query may hold a key");
    let McpTransport::Http(http) = &server.transport else { panic!("{server:?}") };
    assert_eq!((http.bearer_env.as_deref(), http.ca.as_deref()), (Some("TOKEN"), Some(Path::new("/ca.pem"))));
    let requests = http.requests(&server.rule);
    assert!(requests.allow.iter().all(|rule| rule.url.matches(&http.url)) && requests.allow.len() == 1);
    assert_eq!((requests.secrets[0].variable.as_str(), requests.secrets[0].host.to_string().as_str()), ("TOKEN", "mcp.example"));
    let again = Policy::parse(&AllFiles, "p.toml", &policy.canonical()).unwrap();
    assert_eq!((again.digest(), again.canonical()), (policy.digest(), policy.canonical()));
    assert!(policy.canonical().contains("\nurl = \"https://mcp.example/mcp?key=1\"\nbearer_env = \"TOKEN\"\n"), "{}", policy.canonical());
    assert_ne!(at("https://mcp.example/mcp", "").unwrap().digest(), policy.digest());
    for here in ["http://127.0.0.1:80/", "http://127.9.9.9/mcp", "http://[::1]:8000/mcp", "http://LOCALHOST:8000", "https://10.0.0.1/"] {
        assert!(at(here, "").is_ok(), "{here}");
    }
    for elsewhere in ["http://mcp.example/", "http://10.0.0.1/", "http://localhost.example/", "http://[::2]/", "http://128.0.0.1/"] {
        let said = render(&at(elsewhere, "").unwrap_err(), Palette::Plain);
        assert!(said.contains("`http` is for this machine"), "{said}");
    }
    for wrong in [
        "https://a@mcp.example/",
        "https://mcp.example/#a",
        "https://mcp.example/?a#b",
        "wss://mcp.example/",
        "https://",
        "https://mcp.example/a/../b",
    ] {
        assert!(at(wrong, "").is_err(), "{wrong}");
    }
    assert!(at(&format!("https://mcp.example/{}", "a".repeat(4096)), "").is_err());
}

#[test]
fn two_functions_never_have_one_name() {
    let refused = |text: &str, with: &str| {
        let errors = Policy::parse(&NoFiles, "p.toml", text).expect_err(text);
        assert!(render(&errors, Palette::Plain).contains(with), "{text}\n{}", render(&errors, Palette::Plain));
    };
    refused(
        &with_server("[host]\nallow = [\"git_show_file\"]"),
        "would be the function `git_show_file`, and so would another: `host.allow` lists it",
    );
    refused(&with_server(&with_server("")), "two servers are called `git`");
    let other = "[[host.mcp]]\nname = \"git_show\"\ncommand = [\"x\"]\nallow = [\"file\"]\n";
    refused(&with_server(other), "and so would another: the tool `file` of `git_show`");
    let many: String = (0..17).map(|n| format!("[[host.mcp]]\nname = \"s{n}\"\ncommand = [\"x\"]\nallow = []\n")).collect();
    refused(&many, "there are 17 servers in `[[host.mcp]]`, more than 16");
    let tools: Vec<String> = (0..1025).map(|n| format!("\"t{n}\"")).collect();
    let text = format!("[[host.mcp]]\nname = \"s\"\ncommand = [\"x\"]\nallow = [{}]\n", tools.join(","));
    refused(&text, "`[host]` allows 1025 functions, more than 1024");
    // A fork has what the session has.
    refused(&with_server("[host]\nforks = [\"git_push\"]"), "`host.forks` lists `git_push`, which `host.allow` does not");
}

#[test]
fn what_a_server_is_started_with_is_not_in_a_write_mount() {
    /// Everything exists, and one file is reached through a link.
    struct All;
    impl Source for All {
        fn read(&self, path: &Path) -> Result<PolicyText, SourceError> {
            AllFiles.read(path)
        }
        fn holds(&self, holder: &Path, path: &Path) -> bool {
            path.starts_with(holder)
        }
        fn mountable(&self, path: &Path) -> Result<PathBuf, SourceError> {
            Ok(path.to_owned())
        }
        fn links(&self, path: &Path) -> Vec<PathBuf> {
            if path.ends_with("server.py") { vec![PathBuf::from("/link/server.py")] } else { Vec::new() }
        }
        fn file(&self, path: &Path) -> Result<PathBuf, SourceError> {
            if path.ends_with("server.py") { Ok(path.to_owned()) } else { Err(SourceError::NotAFile) }
        }
    }
    let text = |host: &str| {
        format!(
            "[[filesystem.mount]]\nhost = \"{host}\"\nguest = \"/mnt/x\"\naccess = \"write\"\n\
             [[host.mcp]]\nname = \"s\"\ncommand = [\"python3\", \"/tools/server.py\", \"--flag\", \"--repository=/repo\"]\nallow = []\n"
        )
    };
    let errors = Policy::parse(&All, "p.toml", &text("/tools")).unwrap_err();
    let said = render(&errors, Palette::Plain);
    assert!(said.contains("is writable and contains a file that the server `s` is started with, outside the sandbox"), "{said}");
    // A folder that holds the mount is as bad: a guest could write the configuration of a repository that the server reads.
    for host in ["/repo/src", "/repo", "/"] {
        let said = render(&Policy::parse(&All, "p.toml", &text(host)).unwrap_err(), Palette::Plain);
        assert!(said.contains("a folder that the server `s` is started with, outside the sandbox"), "{said}");
    }
    let policy = Policy::parse(&All, "p.toml", &text("/other")).unwrap();
    let protected: Vec<_> = policy.protected_paths().into_iter().map(|protected| protected.path).collect();
    assert_eq!(protected, ["p.toml", "/tools/server.py", "/link/server.py"].map(PathBuf::from));
    assert!(Policy::parse(&All, "p.toml", &text("/link")).is_err());
}

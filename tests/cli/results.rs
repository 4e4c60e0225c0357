//! Results that the next run would trust: machine code, kept sessions, the policy, wisp itself. `--output` copies none of
//! them, and copies everything else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use wisp_tests::kept::Ran;
use wisp_tests::wisp::binary;

/// A home directory, above everything that belongs to wisp.
struct Home {
    folder: tempfile::TempDir,
    wisp: PathBuf,
}

impl Home {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary directory"), wisp: binary().expect("the binary is built") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `wisp run` in this directory of it, with these options and a script of `sh`.
    fn run(&self, directory: &str, options: &[&str], script: &str) -> Ran {
        let mut command = Command::new(&self.wisp);
        command.env("HOME", self.folder.path()).env_remove("XDG_CACHE_HOME").env_remove("XDG_STATE_HOME");
        command.arg("run").args(options).args(["--", "sh", "-c", script]).current_dir(self.path(directory));
        let output = command.output().expect("wisp runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// Each result that was refused has its line and no file, and the report beside them is there.
fn refused(home: &Home, ran: &Ran, directory: &str, refused: &[(&str, &str)]) {
    assert_eq!(ran.code, Some(125), "{}", ran.err);
    for (name, what) in refused {
        let line = ran.err.lines().find(|line| line.contains(&format!("\"/output/{name}\" was not copied"))).unwrap_or_default();
        assert!(line.contains(what) && line.contains("which the next run trusts"), "{name}: {}", ran.err);
    }
    assert_eq!(ran.err.lines().filter(|line| line.contains("was not copied")).count(), refused.len(), "{}", ran.err);
    assert_eq!(text(&home.path(directory).join("report")).as_deref(), Some("fine\n"));
}

#[test]
fn no_result_becomes_machine_code_or_a_session() {
    let home = Home::new();
    let planted = [
        (".cache/wisp/code/0123.4567.cwasm", "wisp's cache of machine code"),
        (".cache/wisp/code/record", "wisp's cache of machine code"),
        (".cache/wisp/images/x", "wisp's images"),
        (".local/state/wisp/sessions/s/policy.toml", "the sessions that wisp keeps"),
    ];
    let script: String =
        planted.iter().map(|(name, _)| format!("mkdir -p /output/{name}; rmdir /output/{name}; echo x >/output/{name}\n")).collect();
    let ran = home.run(".", &["--output", "."], &format!("{script}echo fine > /output/report"));
    refused(&home, &ran, ".", &planted);
    for (name, _) in planted {
        // wisp has written a record of its own.
        assert_ne!(text(&home.path(name)).as_deref(), Some("x\n"), "{name}");
    }
    assert!(!home.path(".local").exists(), "nor is the way to it made");
    // The twins: beside these places, and a session that wisp begins there itself.
    let beside = "mkdir -p /output/.cache/other /output/.local/share; echo a > /output/.cache/other/f; echo b > /output/.local/share/f";
    let ran = home.run(".", &["--output", ".", "--session", "s"], beside);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!((text(&home.path(".cache/other/f")).as_deref(), text(&home.path(".local/share/f")).as_deref()), (Some("a\n"), Some("b\n")));
    assert!(home.path(".local/state/wisp/sessions/s/policy.toml").is_file());
}

#[test]
fn a_directory_in_the_cache_is_refused_as_a_whole() {
    let home = Home::new();
    assert_eq!(home.run(".", &[], "true").code, Some(0));
    std::os::unix::fs::symlink(home.path(".cache/wisp/code"), home.path("alias")).expect("a link");
    for directory in [".cache/wisp/code", ".cache/wisp/code/out", "alias"] {
        let ran = home.run(".", &["--output", directory], "echo x > /output/x");
        assert_eq!(ran.code, Some(2), "{directory}: {}", ran.err);
        assert!(ran.err.contains("it is in wisp's cache of machine code, where the next run would trust"), "{directory}: {}", ran.err);
        assert!(!home.path(".cache/wisp/code/x").exists() && !home.path(".cache/wisp/code/out").exists());
    }
    let ran = home.run(".", &["--output", ".cache/results"], "echo x > /output/x");
    assert_eq!((ran.code, text(&home.path(".cache/results/x")).as_deref()), (Some(0), Some("x\n")), "{}", ran.err);
}

#[test]
fn no_result_replaces_the_policy_in_whose_directory_it_is_copied() {
    let home = Home::new();
    fs::create_dir_all(home.path("project/policies")).expect("folders");
    let base = "extends = \"offline\"\n";
    let policy = "extends = \"./policies/base.toml\"\n";
    fs::write(home.path("project/policies/base.toml"), base).expect("a policy");
    fs::write(home.path("project/wisp.toml"), policy).expect("a policy");
    fs::write(home.path("project/README"), "old\n").expect("a file");
    std::os::unix::fs::symlink("wisp.toml", home.path("project/link.toml")).expect("a link");
    let script = "mkdir /output/policies; for name in wisp.toml link.toml policies/base.toml; do echo x > /output/$name; done
        echo new > /output/README; echo more > /output/policies/more.toml; echo fine > /output/report";
    let ran = home.run("project", &["--policy", "./wisp.toml", "--output", ".", "--force"], script);
    let (own, above) = ("this policy itself", "a policy that this one extends");
    refused(&home, &ran, "project", &[("wisp.toml", own), ("link.toml", own), ("policies/base.toml", above)]);
    assert_eq!(text(&home.path("project/wisp.toml")).as_deref(), Some(policy));
    assert_eq!(text(&home.path("project/policies/base.toml")).as_deref(), Some(base));
    assert!(home.path("project/link.toml").is_symlink());
    assert_eq!(text(&home.path("project/README")).as_deref(), Some("new\n"));
    assert_eq!(text(&home.path("project/policies/more.toml")).as_deref(), Some("more\n"));
    // Under another policy it is a file like any other.
    let ran = home.run("project", &["--output", ".", "--force"], "echo x > /output/wisp.toml");
    assert_eq!((ran.code, text(&home.path("project/wisp.toml")).as_deref()), (Some(0), Some("x\n")), "{}", ran.err);
}

#[test]
fn no_result_becomes_wisp_or_the_machine_code_beside_it() {
    let mut home = Home::new();
    fs::create_dir(home.path("bin")).expect("a folder");
    fs::copy(&home.wisp, home.path("bin/wisp")).expect("the binary is copied");
    home.wisp = home.path("bin/wisp");
    let size = fs::metadata(&home.wisp).expect("the binary").len();
    let script = "mkdir /output/wisp.code; echo x > /output/wisp.code/0123.4567.cwasm; echo x > /output/wisp; echo fine > /output/report";
    let ran = home.run("bin", &["--output", ".", "--force"], script);
    refused(
        &home,
        &ran,
        "bin",
        &[("wisp", "the program that runs this session"), ("wisp.code/0123.4567.cwasm", "the machine code beside wisp")],
    );
    assert!(!home.path("bin/wisp.code").exists());
    assert_eq!(fs::metadata(&home.wisp).expect("the binary").len(), size);
    let ran = home.run("bin", &["--output", "."], "echo x > /output/wisp2; mkdir /output/code; echo x > /output/code/wisp");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(home.path("bin/code/wisp").is_file());
}

#[test]
fn a_file_that_something_else_put_in_the_cache_is_not_run() {
    let home = Home::new();
    assert_eq!(home.run(".", &[], "echo hi").out, "hi\n");
    let code = home.path(".cache/wisp/code");
    let names = || -> Vec<String> {
        let entries = fs::read_dir(&code).expect("the cache").map(|entry| entry.expect("an entry").file_name());
        entries.map(|name| name.into_string().expect("UTF-8")).filter(|name| name.ends_with(".cwasm")).collect()
    };
    // Beside each file, others of the same key with contents that fit their names: in any order, one would be the last.
    for name in names() {
        let key = name.split('.').next().expect("a key");
        for number in 0..8 {
            let forged = format!("not machine code {number}");
            let path = code.join(format!("{key}.{}.cwasm", blake3::hash(forged.as_bytes()).to_hex()));
            fs::write(&path, forged).expect("a file");
            // As wisp's own have it.
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("its mode changes");
        }
    }
    let before = names().len();
    let ran = home.run(".", &[], "echo hi");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "hi\n", ""), "nothing is compiled again");
    assert_eq!(names().len(), before, "and they were not looked at: what is damaged would be removed");
}

//! What wisp does where the kernel refuses a system call, and where a container gives it a user and no home.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::{env, fs};

use wisp::confine::offered;

use super::{HELPER, wisp};

/// Runs wisp under a filter that refuses one system call, as in some containers.
pub(super) fn refusing(call: i64, error: i32, words: &[String]) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
    let rules = BTreeMap::from([(call, Vec::new())]);
    let processor = TargetArch::try_from(env::consts::ARCH).expect("a known processor");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(error as u32), processor).expect("a filter");
    apply_filter(&BpfProgram::try_from(filter).expect("a program")).expect("the kernel takes it");
    panic!("{}", Command::new(wisp()).env_remove(HELPER).args(words).exec());
}

pub(super) fn unconfined() {
    let run = |helper: &str, variable: Option<&str>, words: &[&str]| {
        let mut command = if helper.is_empty() { Command::new(wisp()) } else { Command::new(env::current_exe().expect("this test")) };
        command.env_remove(HELPER).env_remove("WISP_CONFINE").args(words).stdin(Stdio::null());
        command.envs((!helper.is_empty()).then_some((HELPER, helper))).envs(variable.map(|value| ("WISP_CONFINE", value)));
        let output = command.output().expect("it starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let hello = ["--json", "--", "echo", "hi"];
    let [tried, required] = [&["run"][..], &["run", "--confine=require"]].map(|words| [words, &hello].concat());
    let lacks = "files and ports: the kernel has no Landlock";
    let (code, document, _) = run("no-landlock", None, &tried);
    let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
    assert!(code == Some(0) && document["unconfined"][0].as_str().is_some_and(|said| said.starts_with(lacks)), "{document}");
    for (variable, words) in [(None, &required), (Some("require"), &tried)] {
        let (code, document, err) = run("no-landlock", variable, words);
        assert!(code == Some(125) && err.contains(lacks), "{variable:?}: {document}{err}");
        let document: serde_json::Value = serde_json::from_str(&document).expect("a document");
        assert_eq!((&document["end"]["kind"], &document["stdout"]), (&"infra".into(), &"".into()), "{document}");
        assert!(document["unconfined"][0].as_str().is_some_and(|said| said.starts_with(lacks)), "{document}");
    }
    assert_eq!(run("no-landlock", None, &["doctor"]).0, Some(1));
    // The twins.
    if offered().files && offered().calls {
        let (code, document, err) = run("", None, &required);
        assert!(code == Some(0) && !document.contains("unconfined"), "{document}{err}");
        assert_eq!(run("", None, &["doctor"]).0, Some(0));
    }
    let without = [&["run", "--no-confine"][..], &hello].concat();
    let (code, document, err) = run("", None, &without);
    assert!(code == Some(0) && document.contains("everything: --no-confine"), "{document}{err}");
    for (variable, words, help) in
        [("require", &without, "--no-confine contradicts WISP_CONFINE=require"), ("yes", &tried, "write `require` or `try`")]
    {
        let (code, document, err) = run("", Some(variable), words);
        assert!(code == Some(2) && document.contains("\"not_started\"") && err.contains(help), "{document}{err}");
    }
}

/// As in a container with a fixed user that no file of the system knows, who may write nothing.
pub(super) fn any_user() {
    // A folder in which any user may start it.
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("rights");
    let copy = folder.path().join("wisp");
    fs::copy(wisp(), &copy).expect("a copy");
    for (home, refused) in [(Some("/"), true), (Some("/nonexistent"), true), (None, false)] {
        let mut command = Command::new(&copy);
        command.env_clear().envs(home.map(|home| ("HOME", home))).args(["run", "--", "sh", "-c", "cd; pwd"]);
        // SAFETY: a plain number.
        if unsafe { libc::geteuid() } == 0 {
            command.uid(54_321).gid(54_321);
        }
        let output = command.current_dir("/").stdin(Stdio::null()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"/home/user\n"[..]), "{home:?}: {said}");
        let first = said.lines().next().unwrap_or_default();
        assert_eq!(first.starts_with("wisp: the cache directory `/"), refused, "{home:?}: {said}");
        assert!(said.lines().count() <= 2, "{home:?}: {said}");
    }
}

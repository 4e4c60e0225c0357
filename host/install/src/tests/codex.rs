//! Codex's file of environments.

use wisp_api::ErrorCode;

use super::*;

const FILE: &str = ".codex/environments.toml";

const FRESH: &str = r#"default = "wisp" # wisp codex install
include_local = false # wisp codex install

[[environments]]
id = "wisp"
program = "/opt/bin/wisp"
args = ["codex", "--policy", "/etc/agent.toml"]
initialize_timeout_sec = 60
"#;

/// A file with another environment, which is the default.
const LIVED_IN: &str = "# mine\ndefault = \"box\"  # the usual\n\n[[environments]]\nid = \"box\"\nurl = \"ws://127.0.0.1:1\"\n\n[[environments]]\nid = \
                        \"b\"\nprogram = \"ssh\"\n[environments.env]\nA = \"b\"\n# the end";

fn environment() -> Environment {
    Environment::new("/opt/bin/wisp").argument("--policy").argument("/etc/agent.toml")
}

fn install(lab: &Lab, settings: Settings) -> Result<Kind, InstallError> {
    let change = environment().plan_install(&lab.home(), settings)?;
    change.write()?;
    Ok(change.kind())
}

fn uninstall(lab: &Lab) -> Result<Kind, InstallError> {
    let change = environment().plan_uninstall(&lab.home(), false)?;
    change.write()?;
    Ok(change.kind())
}

fn status(lab: &Lab) -> (State, Option<String>, bool) {
    let found = environment().status(&lab.home()).unwrap();
    (found.state, found.default, found.includes_local)
}

#[test]
fn a_file_that_does_not_exist_is_made_and_goes_again() {
    let lab = Lab::new();
    assert_eq!(status(&lab), (State::Absent, None, true));
    assert_eq!(install(&lab, Settings::Missing).unwrap(), Kind::Added);
    assert_eq!(text(&lab.at(FILE)), FRESH);
    assert_eq!(status(&lab), (State::Installed, Some("wisp".to_owned()), false));
    assert_eq!(install(&lab, Settings::Missing).unwrap(), Kind::Unchanged);
    assert_eq!(text(&lab.at(FILE)), FRESH);
    assert_eq!(uninstall(&lab).unwrap(), Kind::Removed);
    assert!(!lab.at(FILE).exists());
    assert_eq!(uninstall(&lab).unwrap(), Kind::Unchanged);
    let change = environment().plan_install(&lab.home(), Settings::Missing).unwrap();
    assert!(change.diff().contains("+default = \"wisp\"") && !lab.at(FILE).exists(), "{}", change.diff());
}

#[test]
fn another_default_stays_unless_it_is_replaced_and_comes_back() {
    let lab = Lab::new();
    let path = lab.put(FILE, LIVED_IN);
    let error = install(&lab, Settings::Missing).unwrap_err();
    assert!(matches!(&error, InstallError::OtherSetting { line: 2, .. }) && error.to_string().contains("default = \"box\""), "{error}");
    assert_eq!((error.code(), text(&path).as_str()), (ErrorCode::Conflict, LIVED_IN));

    // Beside the others.
    assert_eq!(install(&lab, Settings::Keep).unwrap(), Kind::Added);
    assert_eq!(status(&lab), (State::Installed, Some("box".to_owned()), true));
    assert_eq!(install(&lab, Settings::Keep).unwrap(), Kind::Unchanged);
    assert_eq!(uninstall(&lab).unwrap(), Kind::Removed);
    assert_eq!(text(&path), LIVED_IN);

    // In their place.
    assert_eq!(install(&lab, Settings::Replace).unwrap(), Kind::Added);
    let installed = text(&path);
    assert!(installed.contains("default = \"wisp\" # wisp codex install, instead of: default = \"box\"  # the usual\n"), "{installed}");
    assert_eq!(status(&lab), (State::Installed, Some("wisp".to_owned()), false));
    assert_eq!(install(&lab, Settings::Missing).unwrap(), Kind::Unchanged);
    assert_eq!(uninstall(&lab).unwrap(), Kind::Removed);
    assert_eq!(text(&path), LIVED_IN);
}

#[test]
fn what_a_person_set_stays() {
    let lab = Lab::new();
    let before = "include_local = false\n\n[[environments]]\nid = \"wisp\"\nprogram = \"/old/wisp\" # where it was\nargs = [\n  \"codex\",\n]\ncwd = \"/w\"\n";
    let path = lab.put(FILE, before);
    assert!(matches!(status(&lab).0, State::Differs { command } if command == ["/old/wisp", "codex"]));
    assert_eq!(install(&lab, Settings::Missing).unwrap(), Kind::Updated);
    let want = "default = \"wisp\" # wisp codex install\ninclude_local = false\n\n[[environments]]\nid = \"wisp\"\nprogram = \"/opt/bin/wisp\" # where it was\n\
                args = [\"codex\", \"--policy\", \"/etc/agent.toml\"]\ncwd = \"/w\"\n";
    assert_eq!(text(&path), want);
    assert_eq!(uninstall(&lab).unwrap(), Kind::Removed);
    assert_eq!(text(&path), "include_local = false\n");

    // Without the environment, a default that names it would keep Codex from starting.
    let named = "default = \"wisp\"\ninclude_local = true\n";
    let path = lab.put(FILE, &format!("{named}\n[[environments]]\nid = \"wisp\"\nprogram = \"/old/wisp\"\nargs = [\"codex\"]\n"));
    uninstall(&lab).unwrap();
    assert_eq!(text(&path), "include_local = true\n");
}

#[test]
fn what_is_not_wisps_or_not_valid_stays() {
    let foreign = "[[environments]]\nid = \"wisp\"\nurl = \"ws://127.0.0.1:1\"\n";
    let broken = [
        (foreign, ErrorCode::Conflict),
        ("include_local = true\n", ErrorCode::Conflict),
        ("default = \n", ErrorCode::InvalidData),
        ("environments = [{ id = \"x\", program = \"x\" }]\n", ErrorCode::InvalidData),
        ("environments = []\n", ErrorCode::InvalidData),
    ];
    for (before, code) in broken {
        let lab = Lab::new();
        let path = lab.put(FILE, before);
        let error = install(&lab, Settings::Missing).unwrap_err();
        assert_eq!((error.code(), text(&path).as_str()), (code, before), "{error}");
    }
    let lab = Lab::new();
    let path = lab.put(FILE, foreign);
    assert!(matches!(status(&lab).0, State::Foreign { command } if command.is_empty()));
    assert!(matches!(uninstall(&lab), Err(InstallError::ForeignEnvironment { .. })));
    assert_eq!(install(&lab, Settings::Replace).unwrap(), Kind::Replaced);
    assert_eq!(text(&path), FRESH);
    assert!(matches!(Environment::new("wisp").status(&lab.home()), Err(InstallError::RelativeCommand { .. })));
}

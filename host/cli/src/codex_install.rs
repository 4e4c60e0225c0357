//! `wisp codex install`, `uninstall` and `status`: wisp among Codex's environments.

use std::path::PathBuf;

use serde::Serialize;
use wisp_install::{Environment, EnvironmentStatus, InstallError, Kind, Settings, State};

use crate::{Failure, args, json, own, prepare, print, run};

/// Tells Codex to run everything in wisp.
pub(crate) fn install(asked: &args::CodexInstall) -> Result<u8, Failure> {
    // What is wrong with the policy is told now, not when Codex starts.
    run::given(&asked.grants)?;
    let mut environment = Environment::new(own::program()?);
    for argument in asked.grants.arguments().map_err(Failure::usage)? {
        environment = environment.argument(argument);
    }
    let settings = match (asked.beside, asked.force) {
        (true, _) => Settings::Keep,
        (false, true) => Settings::Replace,
        (false, false) => Settings::Missing,
    };
    let change = environment.plan_install(&own::home(), settings).map_err(refused)?;
    if asked.dry_run {
        print(&change.diff())?;
        return Ok(0);
    }
    prepare::prepare(&args::Prepare::of(asked.grants.clone()))?;
    change.write().map_err(refused)?;
    let path = change.path().display();
    print(&match change.kind() {
        Kind::Unchanged => format!("Codex has the environment `wisp` already ({path})\n"),
        _ => format!("Codex has the environment `wisp` now ({path})\n"),
    })?;
    let found = environment.status(&own::home()).map_err(refused)?;
    print(&format!("{}Start a new session of Codex. Undo: wisp codex uninstall\n", used(&found)))?;
    Ok(0)
}

/// Says which environments Codex uses, and by which settings.
fn used(found: &EnvironmentStatus) -> String {
    let default = match found.default.as_deref() {
        Some("wisp") => "  default = \"wisp\"         commands and Codex's own tools for files work in the sandbox\n".to_owned(),
        Some(other) => format!("  default = \"{other}\"        so Codex uses wisp only where you choose it\n"),
        None if found.includes_local => {
            "  no default               so Codex uses this machine, and wisp only where you choose it\n".to_owned()
        }
        None => "  no default               so Codex uses no environment until you choose one\n".to_owned(),
    };
    let local = if found.includes_local {
        "  include_local = true     this machine stays an environment that can be chosen\n"
    } else {
        "  include_local = false    this machine is no environment any more: nothing that Codex runs reaches it\n"
    };
    default + local
}

/// Takes wisp out of Codex's environments.
pub(crate) fn uninstall(asked: &args::CodexUninstall) -> Result<u8, Failure> {
    let change = Environment::new(own::program()?).plan_uninstall(&own::home(), asked.force).map_err(refused)?;
    if asked.dry_run {
        print(&change.diff())?;
        return Ok(0);
    }
    change.write().map_err(refused)?;
    let path = change.path().display();
    print(&match change.kind() {
        Kind::Unchanged => format!("Codex has no environment of wisp's ({path})\n"),
        _ => format!("Codex has wisp's environment no more, and its settings are those from before ({path})\n"),
    })?;
    Ok(0)
}

/// What Codex's file has, as data.
#[derive(Serialize)]
struct Shown {
    path: PathBuf,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Vec<String>>,
    default: Option<String>,
    include_local: bool,
}

/// Shows whether Codex runs everything in wisp.
pub(crate) fn status(asked: &args::CodexStatus) -> Result<u8, Failure> {
    let found = found()?;
    let (state, command) = own::stated(&found.state, "installed");
    if asked.json {
        let shown = Shown { path: found.path.clone(), state, command, default: found.default.clone(), include_local: found.includes_local };
        print(&json::pretty(&shown).map_err(Failure::internal)?)?;
        return Ok(0);
    }
    print(&said(&found))?;
    Ok(0)
}

/// Returns a line: whether Codex has wisp's environment, what is looked at, and what was found.
pub(crate) fn line() -> (bool, &'static str, String) {
    let about = "codex's work";
    match found() {
        Ok(found) => (
            matches!(found.state, State::Installed | State::Differs { .. }),
            about,
            said(&found).lines().next().unwrap_or_default().to_owned(),
        ),
        Err(failure) => (false, about, failure.error.to_string()),
    }
}

fn found() -> Result<EnvironmentStatus, Failure> {
    Environment::new(own::program()?).status(&own::home()).map_err(refused)
}

fn said(found: &EnvironmentStatus) -> String {
    let (state, command) = own::stated(&found.state, "installed");
    let (path, command) = (found.path.display(), command.map(|words| format!(": {}", words.join(" "))).unwrap_or_default());
    match state {
        "installed" => format!("Codex has the environment `wisp` ({path}){command}\n{}", used(found)),
        "foreign" => format!("Codex has an environment `wisp` that is not wisp's ({path}){command}\n"),
        _ => "Codex works on this machine: `wisp codex install`\n".to_owned(),
    }
}

/// Adds the options that help.
fn refused(error: InstallError) -> Failure {
    let help = match &error {
        InstallError::OtherSetting { .. } => "; --force puts wisp in its place (`uninstall` puts it back), --beside leaves it",
        InstallError::ForeignEnvironment { .. } => "; --force replaces it",
        _ => "",
    };
    own::refused(error, help)
}

//! `wisp hooks run`: what an agent's hook is asked, and the answer. It starts no engine, and whatever fails keeps the command from
//! running.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use wisp::policy::{Access, Policy};
use wisp_install::{HookCall, Sandbox};

use crate::outputs::Standard;
use crate::{Failure, args, one_line, own, run};

/// Maximum bytes of what a hook is asked. A command that is handed on has less than 128 KiB.
const INPUT: u64 = 8 << 20;

/// The exit code that agents take for a refusal. Claude Code lets a tool run after any other failure.
const BLOCK: u8 = 2;

/// Reads what an agent asks, and prints the answer.
pub(super) fn answer(asked: &args::HooksRun) -> Result<u8, Failure> {
    answered(asked).map_err(|error| Failure { error: error.context("the command was not run"), code: BLOCK })?;
    Ok(0)
}

fn answered(asked: &args::HooksRun) -> anyhow::Result<()> {
    let mut text = String::new();
    io::stdin().lock().take(INPUT + 1).read_to_string(&mut text).context("cannot read what the hook is asked")?;
    if text.len() as u64 > INPUT {
        bail!("the hook is asked about more than {INPUT} bytes");
    }
    let project = std::env::var("CLAUDE_PROJECT_DIR").ok();
    let call = HookCall::read(asked.client, &text, project.as_deref())?;
    let answer = call.settled().unwrap_or_else(|| match sandbox(asked, &call) {
        Ok((sandbox, folder)) => call.answer(&sandbox, &folder),
        Err(error) => call.deny(&one_line(&error)),
    });
    // An agent that does not get the answer must not take that for one.
    let mut out = Standard::Output.unsettled();
    out.write_all(answer.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()).context("cannot answer")
}

/// Returns the sandbox of a call, and the folder of the project in which the command starts.
fn sandbox(asked: &args::HooksRun, call: &HookCall) -> anyhow::Result<(Sandbox, PathBuf)> {
    let project = call.project();
    let real = fs::canonicalize(project).with_context(|| format!("the project `{}` cannot be found", project.display()))?;
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty());
    let unknown = || format!("HOME is not set, so `{}` may have your home in it; set it for the agent", project.display());
    let home = home.with_context(unknown)?;
    if fs::canonicalize(home).is_ok_and(|home| home.starts_with(&real)) {
        let help = "start the agent in the folder of a project, which is all that commands then see";
        bail!("the project would be `{}`, with your home in it: {help}", project.display());
    }
    let folder = inside(project, &real, call.folder())?;
    // The policy is read as `wisp run` reads it, so that what it would refuse is said here.
    let access = if asked.write { Access::Write } else { Access::Overlay };
    let mut grants = asked.grants.clone();
    grants.mount.push(format!("{0}:{0}:{access}", project.display()));
    let policy = run::given(&grants).map_err(|failure| failure.error)?;
    let program = own::program().map_err(|failure| failure.error)?;
    let program = program.to_str().ok_or_else(|| anyhow!("`{}` is not UTF-8", program.display()))?.to_owned();
    let arguments = asked.grants.arguments().context("the working directory is gone")?;
    Ok((Sandbox { program, arguments, write: asked.write, reaches_out: reaches_out(&policy) }, folder))
}

/// Returns whether what a command does can be seen outside of the sandbox.
fn reaches_out(policy: &Policy) -> bool {
    let writes = policy.filesystem().mounts.iter().any(|mount| mount.access == Access::Write);
    writes || policy.network().is_some() || policy.host().is_some_and(|host| host.functions().next().is_some())
}

/// Returns a folder by the name that it has in the project, which may be behind a link.
fn inside(project: &Path, real: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    if folder.starts_with(project) {
        return Ok(folder.to_owned());
    }
    match fs::canonicalize(folder).ok().as_deref().and_then(|found| found.strip_prefix(real).ok()) {
        Some(rest) => Ok(project.join(rest)),
        None => {
            bail!("`{}` is not in the project, `{}`, which is all of this machine that commands see", folder.display(), project.display())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_is_found_in_the_project_behind_links_and_nowhere_else() {
        let lab = tempfile::tempdir().expect("a folder");
        let real = fs::canonicalize(lab.path()).expect("it is there").join("real");
        fs::create_dir_all(real.join("sub")).expect("a folder");
        let link = real.with_file_name("link");
        symlink(&real, &link).expect("a link");
        let found = |folder: &Path| inside(&link, &real, folder).ok();
        assert_eq!(found(&link.join("sub")), Some(link.join("sub")));
        assert_eq!(found(&link.join("not-yet")), Some(link.join("not-yet")));
        assert_eq!(found(&real.join("sub")), Some(link.join("sub")));
        assert_eq!(found(&real), Some(link.join("")));
        assert_eq!((found(lab.path()), found(Path::new("/"))), (None, None));
    }

    #[test]
    fn what_can_be_seen_outside_is_a_mount_for_writing_or_a_network() {
        assert!(!reaches_out(&Policy::offline()));
        assert!(reaches_out(&Policy::offline().with_allow("https://example.com/").expect("a policy")));
        let lab = tempfile::tempdir().expect("a folder");
        let mount = format!("{}:/mnt/x:write", lab.path().display());
        let overrides = wisp::policy::Overrides::command_line().mount(&mount);
        assert!(reaches_out(&Policy::offline().with(&wisp::policy::HostFiles, &overrides).expect("a policy")));
    }
}

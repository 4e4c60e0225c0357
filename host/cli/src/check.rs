//! `wisp check`: everything that is wrong with policies.

use std::io::Write;

use wisp::components::ComponentSource;
use wisp::policy::{Policy, PolicyErrors, SHIPPED_POLICIES};
use wisp::policy_files::HostFiles;

use crate::{Failure, args, print, render};

/// Prints all findings of all files to standard error, and what was checked to standard output. The code is 2 when there are
/// findings.
pub(crate) fn check(asked: &args::Check) -> Result<u8, Failure> {
    let components = ComponentSource::from_environment().map_err(Failure::internal)?;
    let (mut found, mut files) = (0, 0);
    for file in &asked.files {
        match check_file(&components, file) {
            Ok(policy) => print(&format!("{file}: no findings (policy {}, sha256 {})\n", policy.name(), policy.digest()))?,
            Err(errors) => {
                // Where standard error is closed there is nobody to tell; the exit code still says it.
                let _ = writeln!(std::io::stderr(), "{}", render::findings(&errors));
                found += errors.findings().len();
                files += 1;
            }
        }
    }
    if found == 0 {
        return Ok(0);
    }
    let (findings, of) = (if found == 1 { "finding" } else { "findings" }, asked.files.len());
    let _ = writeln!(std::io::stderr(), "wisp: {found} {findings} in {files} of {of} {}", if of == 1 { "policy" } else { "policies" });
    Ok(2)
}

/// The policy, and the tools it brings.
fn check_file(components: &ComponentSource, file: &str) -> Result<Policy, PolicyErrors> {
    // Here a word is a file's name, unless it is a shipped policy's.
    let path = if SHIPPED_POLICIES.iter().any(|shipped| shipped.name == file) || file.contains('/') {
        file.to_owned()
    } else {
        format!("./{file}")
    };
    let policy = Policy::load(&HostFiles, &path)?;
    wisp::program::check_tools(components, &policy)?;
    Ok(policy)
}

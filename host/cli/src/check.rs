//! `wisp check`: reports everything that is wrong with policies.

use wisp::policy::HostFiles;
use wisp::policy::{Policy, PolicyErrors, SHIPPED_POLICIES};
use wisp::{Components, Engine};

use crate::{Failure, args, engine, messages, print, render, say};

/// Prints all findings in all files to standard error, and the files that were checked to standard output. The code
/// is 2 if there are findings.
pub(crate) fn check(asked: &args::Check) -> Result<u8, Failure> {
    let components = engine::components().map_err(Failure::internal)?;
    let (mut found, mut files) = (0, 0);
    for file in &asked.files {
        match check_file(&components, file) {
            Ok(policy) => print(&format!("{file}: no findings (policy {}, sha256 {})\n", policy.name(), policy.digest()))?,
            Err(errors) => {
                messages::show(&format!("{}\n", render::findings(&errors)));
                found += errors.findings().len();
                files += 1;
            }
        }
    }
    if found == 0 {
        return Ok(0);
    }
    let (findings, of) = (if found == 1 { "finding" } else { "findings" }, asked.files.len());
    say(&format!("{found} {findings} in {files} of {of} {}", if of == 1 { "policy" } else { "policies" }));
    Ok(2)
}

/// Returns the policy and the tools that it brings.
fn check_file(components: &Components, file: &str) -> Result<Policy, PolicyErrors> {
    // A word names a file here, unless it names a shipped policy.
    let path = if SHIPPED_POLICIES.iter().any(|shipped| shipped.name == file) || file.contains('/') {
        file.to_owned()
    } else {
        format!("./{file}")
    };
    let policy = Policy::load(&HostFiles, &path)?;
    wisp::policy::check_tools(components, &policy)?;
    if !policy.imports().is_empty() {
        // The cache has the imports of shipped components; without it they are read.
        let cache = Engine::default_cache();
        wisp::policy::check_imports(components, &cache, &policy)?;
    }
    Ok(policy)
}

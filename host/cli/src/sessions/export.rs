//! `wisp session export`: the files of a session as a tar archive.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use wisp::Session;
use wisp::fs::{Difference, HOME, SCRATCH, TarBounds, WORKSPACE};
use wisp::policy::Access;

use super::diff::MOST;
use super::started::{Found, Started};
use crate::outputs::Standard;
use crate::{Failure, say};

/// Directories that belong to the user in every session.
const OWN: [&str; 3] = [HOME, SCRATCH, WORKSPACE];

/// Writes the session's own directories, and what it changed in mounts, into a new file or to standard output.
pub(super) fn export(name: &str, file: &Path, confined: bool) -> Result<u8, Failure> {
    let found = Found::new(name)?;
    let failed = || format!("cannot export to {}", file.display());
    // Before confining: no folder can be written afterwards. A later failure leaves what was written until then.
    let to: Box<dyn Write + Send> = if file == Path::new("-") {
        // What cannot be written is said as for a file.
        Box::new(std::io::BufWriter::new(Standard::Output.unsettled()))
    } else {
        Box::new(std::io::BufWriter::new(File::create_new(file).with_context(failed).map_err(Failure::usage)?))
    };
    let started = found.start(confined)?;
    let (runtime, session) = (&started.runtime, &started.session);
    let changed = in_overlays(&started)?;
    let own = runtime.block_on(own(session));
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    // The place of a mount in one of these directories belongs to the directory.
    let in_own = |path: &str| own.iter().any(|own| path.strip_prefix(own).is_some_and(|rest| rest.starts_with('/')));
    let is_mount = |path: &str| session.policy().filesystem().mounts.iter().any(|mount| mount.guest == path);
    let also = changed.iter().filter(|difference| difference.after.is_some()).map(|difference| difference.path.as_str());
    let also = also.filter(|path| !(is_mount(path) && in_own(path.trim_start_matches('/'))));
    let also: Vec<&str> = also.map(|path| path.trim_start_matches('/')).collect();
    // What the session can store fits. A sparse file beyond that does not.
    let bounds = TarBounds::new().bytes(session.policy().filesystem().quota.max(1 << 30));
    let packed = runtime.block_on(session.files().pack_also("/", &own, &also, to, bounds));
    packed.map(drop).with_context(failed).map_err(Failure::library)?;
    if let Some(removed) = removed(&changed) {
        say(&format!("the archive cannot say that the session removed {removed}; `wisp session diff {name}` shows it"));
    }
    Ok(0)
}

/// Returns what the session changed in its mounts with overlay access.
fn in_overlays(started: &Started) -> Result<Vec<Difference>, Failure> {
    let session = &started.session;
    let mut all = Vec::new();
    for mount in session.policy().filesystem().mounts.iter().filter(|mount| mount.access == Access::Overlay) {
        let changes = started.runtime.block_on(session.changes(&mount.guest, MOST)).map_err(Failure::library)?;
        if changes.truncated {
            return Err(Failure::usage(anyhow!("the session changed more than {MOST} files in the mount `{}`", mount.guest)));
        }
        all.extend(changes.entries);
    }
    Ok(all)
}

/// Says in words what was removed: one of the files, and how many there are. Those in a directory that is gone are not counted.
fn removed(changed: &[Difference]) -> Option<String> {
    let (mut first, mut last, mut count) = (None, None::<&str>, 0);
    for difference in changed.iter().filter(|difference| difference.after.is_none()) {
        let path = difference.path.as_str();
        if last.is_some_and(|last| path.strip_prefix(last).is_some_and(|rest| rest.starts_with('/'))) {
            continue;
        }
        (first, last, count) = (first.or(Some(path)), Some(path), count + 1);
    }
    let first = first?;
    Some(if count == 1 { format!("`{first}`") } else { format!("`{first}` and {} more from mounts", count - 1) })
}

/// Returns the session's own directories, relative to the root. Those that the user has removed, and those in a mount of the host, are
/// left out.
async fn own(session: &Session) -> Vec<String> {
    let output = session.policy().output().path.as_str();
    let in_own = OWN.iter().any(|own| output.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    let mut found = Vec::new();
    for path in OWN.into_iter().chain((!in_own).then_some(output)) {
        if session.files().stat_link(path).await.is_ok_and(|stat| !stat.is_in_mount()) {
            found.push(path.trim_start_matches('/').to_owned());
        }
    }
    found
}

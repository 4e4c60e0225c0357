//! The limits of wisp's own process that a run needs.

use anyhow::anyhow;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Failure;

/// Open files: wisp's own, and some for the guest's mounts.
const FILES: u64 = 64;

/// Address space: each process reserves a little more than 4 GiB, and a pipeline has three or four.
const SPACE: u64 = 20 << 30;

/// Checks that a run is possible, and raises the limit of open files to the hard limit.
pub(crate) fn check() -> Result<(), Failure> {
    let files = getrlimit(Resource::Nofile);
    if let Some(most) = files.maximum.filter(|most| *most < FILES) {
        let said = format!("at most {most} open files are allowed (`ulimit -n`), and wisp needs {FILES}");
        return Err(Failure::internal(anyhow!(said)));
    }
    // If the limit cannot be raised, it stays.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: files.maximum, maximum: files.maximum });
    if let Some(most) = getrlimit(Resource::As).current.filter(|most| *most < SPACE) {
        let (most, space) = (most >> 20, SPACE >> 30);
        let said = format!(
            "the address space is limited to {most} MiB (`ulimit -v`), and wisp needs {space} GiB of it: each process reserves 4 GiB, \
             of which only what it uses becomes memory"
        );
        return Err(Failure::internal(anyhow!(said)));
    }
    Ok(())
}

//! What `wisp run` leaves itself once it knows what it is to do.

use std::path::{Path, PathBuf};

use wisp::Engine;
use wisp::confine::Confinement;
use wisp::policy::Policy;

use crate::kept::Kept;
use crate::{Failure, engine};

/// Have the kernel refuse what a run under this policy does not need. What is open already (receipts, standard input and
/// output, locks) stays open.
pub(crate) fn confine(policy: &Policy, output: Option<&Path>, kept: Option<&Kept>) -> Result<(), Failure> {
    let cache = Engine::default_cache().map_err(Failure::internal)?;
    let mut confinement = Confinement::new().policy(policy);
    for written in cache.iter().map(PathBuf::as_path).chain(output).chain(kept.map(Kept::folder)) {
        confinement = confinement.write(written);
    }
    // A session that kept nothing leaves no folder behind.
    if let Some(all) = kept.and_then(|kept| kept.folder().parent()) {
        confinement = confinement.remove(all);
    }
    let shipped = std::env::var_os("WISP_COMPONENTS").into_iter().map(PathBuf::from);
    // The machine code beside the binary, where that came with it.
    let beside = engine::beside().filter(|path| path.exists());
    let confinement = shipped.chain(std::env::current_exe()).chain(beside).fold(confinement, Confinement::read);
    confinement.enforce().map(drop).map_err(Failure::internal)
}

//! Restricts wisp itself once it knows its task. What is already open (receipts, standard input and output, locks)
//! stays open.

use std::path::{Path, PathBuf};

use wisp::Engine;
use wisp::confine::Confinement;
use wisp::policy::Policy;
use wisp_service::KeptSession;

use crate::{Failure, engine, invocation};

/// Makes the kernel refuse what a run under this policy does not need. `cache` is the directory of machine code.
pub(crate) fn run(policy: &Policy, cache: Option<&Path>, output: Option<&Path>, kept: Option<&KeptSession>) -> Result<(), Failure> {
    enforce(&of_run(policy, cache, output, kept))
}

/// Works like [`run`], for one session that stays open: for those who connect to a listener that is open.
pub(crate) fn resident(policy: &Policy, cache: Option<&Path>, kept: &KeptSession) -> Result<(), Failure> {
    enforce(&of_run(policy, cache, None, Some(kept)).accept())
}

/// Works like [`run`], for a command that another process runs: it needs the folder of results, and what is open.
pub(crate) fn client(output: Option<&Path>) -> Result<(), Failure> {
    enforce(&output.into_iter().fold(Confinement::new(), Confinement::write))
}

/// Returns what a run needs.
fn of_run(policy: &Policy, cache: Option<&Path>, output: Option<&Path>, kept: Option<&KeptSession>) -> Confinement {
    let mut confinement = with_engine(policy, cache).policy(policy);
    for written in output.into_iter().chain(kept.map(KeptSession::folder)) {
        confinement = confinement.write(written);
    }
    // A session that kept nothing has no folder.
    if let Some(all) = kept.and_then(|kept| kept.folder().parent()) {
        confinement = confinement.remove(all);
    }
    confinement
}

/// Works like [`run`], for sessions that are served: with `accept`, to those who connect to a listener that is open. They are kept in
/// `store`.
pub(crate) fn serve(policy: &Policy, cache: Option<&Path>, store: Option<&Path>, accept: bool) -> Result<(), Failure> {
    let confinement = store.into_iter().fold(with_engine(policy, cache).policy(policy), Confinement::write);
    enforce(&if accept { confinement.accept() } else { confinement })
}

/// Works like [`run`], for a session that is only looked at: `kept` is not written, and there is no network.
pub(crate) fn look(policy: &Policy, cache: Option<&Path>, kept: &KeptSession) -> Result<(), Failure> {
    enforce(&with_engine(policy, cache).files(policy).read(kept.folder()))
}

/// Works like [`look`], for a session whose changes are written into these folders, and which is kept again.
pub(crate) fn apply(policy: &Policy, cache: Option<&Path>, kept: &KeptSession, folders: &[PathBuf]) -> Result<(), Failure> {
    let confinement = with_engine(policy, cache).files(policy).write(kept.folder()).attributes();
    enforce(&folders.iter().fold(confinement, Confinement::write))
}

/// Works like [`run`], for tasks that only need the folder of all sessions, to read or to remove some of them.
pub(crate) fn sessions(all: &Path, remove: bool) -> Result<(), Failure> {
    let confinement = Confinement::new();
    enforce(&if remove { confinement.write(all) } else { confinement.read(all) })
}

/// Returns what an engine needs: its cache, the components, the policy's image, and the machine code beside the binary if that is used.
fn with_engine(policy: &Policy, cache: Option<&Path>) -> Confinement {
    let confinement = cache.into_iter().fold(Confinement::new(), Confinement::write);
    let shipped = std::env::var_os("WISP_COMPONENTS").into_iter().map(PathBuf::from);
    let beside = engine::beside().filter(|path| path.exists());
    let image = policy.tools().python.as_ref().and_then(|image| Some(Engine::default_images()?.join(image)));
    shipped.chain(invocation::code()).chain(beside).chain(image).fold(confinement, Confinement::read)
}

fn enforce(confinement: &Confinement) -> Result<(), Failure> {
    confinement.enforce().map(drop).map_err(Failure::internal)
}

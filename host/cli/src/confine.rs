//! Restricts wisp itself once it knows its task. What is already open (receipts, standard input and output, locks)
//! stays open.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use serde::Serialize;
use wisp::Engine;
use wisp::confine::{Confined, Confinement, Held};
use wisp::policy::Policy;
use wisp_service::KeptSession;

use crate::{Failure, args, engine, invocation};

/// The option that insists on being confined, and the variable that stands for it.
const OPTION: &str = "--confine=require";
const VARIABLE: &str = "WISP_CONFINE";

/// Whether wisp ends where it cannot be confined.
static REQUIRED: AtomicBool = AtomicBool::new(false);

/// What of the confinement of this process is missing, once it is known.
static MISSING: OnceLock<Vec<String>> = OnceLock::new();

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
    let lacking = missing(&confinement.enforce().map_err(Failure::internal)?);
    // A process is confined once.
    let missing = MISSING.get_or_init(|| lacking);
    if required() && !missing.is_empty() {
        let missing = missing.join("; ");
        return Err(Failure::internal(anyhow!("wisp cannot be confined, which is required ({OPTION}, {VARIABLE}): {missing}")));
    }
    Ok(())
}

/// Returns what of the confinement this kernel lacks, with the reasons. A part that an older kernel enforces is there.
fn missing(confined: &Confined) -> Vec<String> {
    let parts = [("files and ports", &confined.files), ("system calls", &confined.calls)];
    let missing = |(what, held): (&str, &Held)| match held {
        Held::Not(reason) => Some(format!("{what}: {reason}")),
        _ => None,
    };
    parts.into_iter().filter_map(missing).collect()
}

/// Notes how much wisp insists on being confined: as the option says, or else the variable. `without` is whether it is asked to leave itself
/// as it is.
///
/// # Errors
/// If the variable says neither, or both are asked for.
pub(crate) fn insist(option: Option<args::Confine>, without: bool) -> Result<(), Failure> {
    let variable = std::env::var_os(VARIABLE).unwrap_or_default();
    let (required, by) = match (option, variable.to_string_lossy().as_ref()) {
        (Some(how), _) => (how == args::Confine::Require, OPTION.to_owned()),
        (None, "" | "try") => (false, String::new()),
        (None, "require") => (true, format!("{VARIABLE}=require")),
        (None, text) => return Err(Failure::usage(anyhow!("{VARIABLE}={}: write `require` or `try`", text.escape_debug()))),
    };
    if required && without {
        return Err(Failure::usage(anyhow!("--no-confine contradicts {by}: leave one of them out")));
    }
    REQUIRED.store(required, Ordering::Relaxed);
    if without {
        let _ = MISSING.set(vec!["everything: --no-confine".to_owned()]);
    }
    Ok(())
}

/// Returns whether wisp ends where it cannot be confined.
pub(crate) fn required() -> bool {
    REQUIRED.load(Ordering::Relaxed)
}

/// A document, and beside it what of wisp's confinement is missing, if anything is.
#[derive(Serialize)]
pub(crate) struct Beside<T> {
    #[serde(flatten)]
    document: T,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unconfined: &'static [String],
}

/// Returns the document with what is missing beside it.
pub(crate) fn beside<T: Serialize>(document: T) -> Beside<T> {
    Beside { document, unconfined: MISSING.get().map(Vec::as_slice).unwrap_or_default() }
}

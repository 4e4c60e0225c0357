//! `wisp session`: the sessions that `wisp run --session` keeps.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use wisp::fs::TarBounds;
use wisp::{Engine, Session, SlotBounds};
use wisp_policy::layout::{HOME, SCRATCH, WORKSPACE};

use crate::kept::{self, Kept};
use crate::{Failure, args, confine, engine, json, print, say};

/// Directories that belong to the user in every session.
const OWN: [&str; 3] = [HOME, SCRATCH, WORKSPACE];

/// Lists, removes or exports sessions.
pub(crate) fn sessions(asked: &args::Sessions) -> Result<u8, Failure> {
    let confined = !asked.no_confine;
    let all = |remove: bool| {
        let all = kept::folder_of_all().map_err(Failure::internal)?;
        if confined { confine::sessions(&all, remove) } else { Ok(()) }
    };
    match &asked.command {
        args::SessionCommands::List { json } => all(false).and_then(|()| list(*json)),
        args::SessionCommands::Rm { names } => all(true).and_then(|()| remove(names)),
        args::SessionCommands::Export { name, file } => export(name, file, confined),
    }
}

fn list(as_json: bool) -> Result<u8, Failure> {
    let found = kept::list().map_err(Failure::internal)?;
    if as_json {
        print(&json::pretty(&found).map_err(Failure::internal)?)?;
        return Ok(0);
    }
    let width = found.iter().map(|session| session.name.len()).max().unwrap_or(0).max("name".len());
    if !found.is_empty() {
        print(&format!("{:width$}  {:>8}  {:16}  keeps\n", "name", "size", "policy"))?;
    }
    for session in &found {
        let keeps = match (session.complete, session.python) {
            (false, _) => "nothing: its first run was killed",
            (true, true) => "files, shell, python3",
            (true, false) => "files, shell",
        };
        print(&format!("{:width$}  {:>5} KiB  {:16}  {keeps}\n", session.name, session.size_bytes.div_ceil(1024), session.policy))?;
    }
    Ok(0)
}

fn remove(names: &[String]) -> Result<u8, Failure> {
    let mut code = 0;
    for name in names {
        if let Err(error) = Kept::remove(name) {
            say(&crate::one_line(&error));
            code = 2;
        }
    }
    Ok(code)
}

fn export(name: &str, file: &Path, confined: bool) -> Result<u8, Failure> {
    let mut kept = Kept::existing(name).map_err(Failure::usage)?;
    let policy = kept.policy(None).map_err(Failure::usage)?;
    let failed = || format!("cannot export to {}", file.display());
    // Before confining: no folder can be written afterwards. A later failure leaves what was written until then.
    let to: Box<dyn Write + Send> = if file == Path::new("-") {
        Box::new(std::io::BufWriter::new(std::io::stdout()))
    } else {
        Box::new(std::io::BufWriter::new(File::create_new(file).with_context(failed).map_err(Failure::usage)?))
    };
    let cache = Engine::default_cache().map_err(Failure::internal)?;
    // Before a second thread exists, and before anything that a guest wrote is read.
    if confined {
        confine::export(&policy, cache.directory(), &kept)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::internal)?;
    let session = runtime.block_on(async {
        let components = engine::components().map_err(Failure::internal)?;
        let engine = engine::builder(components).cache(cache).slots(SlotBounds { ready: 0, ..SlotBounds::default() }).build();
        let engine = engine.map_err(Failure::internal)?;
        let session = engine.session(&policy).build().await.map_err(Failure::session)?;
        kept.resume(&session).await.map_err(Failure::usage)?;
        Ok::<_, Failure>(session)
    })?;
    let names: Vec<String> = own(&session);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // What the session can store fits. A sparse file beyond that does not.
    let bounds = TarBounds::new().bytes(session.policy().filesystem().quota.max(1 << 30));
    let packed = runtime.block_on(session.files().pack("/", &names, to, bounds));
    packed.map(drop).with_context(failed).map_err(Failure::usage)?;
    Ok(0)
}

/// The session's own directories, relative to the root. Those that the user has removed, and those in a mount of the host, are
/// left out.
fn own(session: &Session) -> Vec<String> {
    let output = session.policy().output().path.as_str();
    let in_own = OWN.iter().any(|own| output.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    let (fs, root) = (session.fs(), session.fs().root());
    let here = |path: &&str| !fs.is_host(&root, path) && fs.stat(&root, path, false).is_ok();
    let all = OWN.into_iter().chain((!in_own).then_some(output));
    all.filter(here).map(|path| path.trim_start_matches('/').to_owned()).collect()
}

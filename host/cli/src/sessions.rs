//! `wisp session`: the sessions that `wisp run --session` keeps.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use tar::{Builder, EntryType, Header};
use wisp::{Engine, Session, SlotBounds};
use wisp_policy::layout::{HOME, SCRATCH, WORKSPACE};
use wisp_vfs::{FileType, Fs, FsError, OpenHow};

use crate::kept::{self, Kept};
use crate::{Failure, args, confine, engine, json, print, say};

/// Directories that belong to the user in every session.
const OWN: [&str; 3] = [HOME, SCRATCH, WORKSPACE];

/// Bytes of a file that are held at a time.
const PIECE: usize = 1 << 20;

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
        let keeps = if session.python { "files, shell, python3" } else { "files, shell" };
        print(&format!("{:width$}  {:>5} KiB  {:16}  {keeps}\n", session.name, session.size_bytes.div_ceil(1024), session.policy))?;
    }
    Ok(0)
}

fn remove(names: &[String]) -> Result<u8, Failure> {
    let mut code = 0;
    for name in names {
        if let Err(error) = Kept::existing(name).and_then(Kept::remove) {
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
    let to: Box<dyn Write> = if file == Path::new("-") {
        Box::new(std::io::stdout().lock())
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
        let engine = engine::builder().cache(cache).slots(SlotBounds { ready: 0, ..SlotBounds::default() }).build();
        let engine = engine.map_err(Failure::internal)?;
        let session = engine.session(&policy).build().await.map_err(Failure::session)?;
        kept.resume(&session).await.map_err(Failure::usage)?;
        Ok::<_, Failure>(session)
    })?;
    write(&session, to).with_context(failed).map_err(Failure::usage)?;
    Ok(0)
}

/// The session's own files as a tar archive: names without the leading `/`, modes and times unchanged.
fn write(session: &Session, to: impl Write) -> anyhow::Result<()> {
    let mut archive = Builder::new(to);
    let output = session.policy().output().path.clone();
    let in_own = OWN.iter().any(|own| output.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    for directory in OWN.into_iter().chain((!in_own).then_some(output.as_str())) {
        // The user may have removed it.
        if session.fs().stat(&session.fs().root(), directory, false) != Err(FsError::NotFound) {
            add(&mut archive, session.fs(), directory)?;
        }
    }
    archive.into_inner()?.flush()?;
    Ok(())
}

/// Adds a file, or a directory with everything below it. Mounts of the host are left out.
fn add(archive: &mut Builder<impl Write>, fs: &Fs, top: &str) -> anyhow::Result<()> {
    let mut pending = vec![top.to_owned()];
    while let Some(path) = pending.pop() {
        let failed = |error: FsError| anyhow!("{path}: {error}");
        let (root, name) = (fs.root(), path.trim_start_matches('/'));
        if fs.is_host(&root, &path) {
            continue;
        }
        let stat = fs.stat(&root, &path, false).map_err(failed)?;
        let mut header = Header::new_gnu();
        header.set_mode(stat.mode & 0o7777);
        header.set_mtime(stat.mtime / 1_000_000_000);
        header.set_size(0);
        match stat.kind {
            FileType::Directory => {
                header.set_entry_type(EntryType::Directory);
                archive.append_data(&mut header, format!("{name}/"), std::io::empty())?;
                let node = fs.open(&root, &path, OpenHow { read: true, ..OpenHow::default() }).map_err(failed)?;
                // In reverse, so that the stack returns them in order.
                pending.extend(node.read_dir().map_err(failed)?.into_iter().rev().map(|entry| format!("{path}/{}", entry.name)));
            }
            FileType::Symlink => {
                header.set_entry_type(EntryType::Symlink);
                archive.append_link(&mut header, name, fs.readlink(&root, &path).map_err(failed)?)?;
            }
            FileType::Regular => {
                let node = fs.open(&root, &path, OpenHow { read: true, ..OpenHow::default() }).map_err(failed)?;
                let mut bytes = Vec::new();
                while (bytes.len() as u64) < stat.size {
                    let piece = node.read_at(bytes.len() as u64, PIECE).map_err(failed)?;
                    if piece.is_empty() {
                        break;
                    }
                    bytes.extend_from_slice(&piece);
                }
                header.set_size(bytes.len() as u64);
                archive.append_data(&mut header, name, bytes.as_slice())?;
            }
            _ => {}
        }
    }
    Ok(())
}

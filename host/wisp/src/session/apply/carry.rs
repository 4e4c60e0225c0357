//! Writes what was planned.

use std::sync::atomic::AtomicBool;

use super::error::ApplyError;
use super::plan::mode_of;
use super::planned::{ApplyPlan, Part, Step};
use crate::files::within;
use crate::mount::{Folder, Scratch, SingleFile, WriteError, write_piece};
use crate::session::handle::Session;
use wisp_api::Applied;
use wisp_vfs::{FileType, FsError, HostFile, HostMode, HostOpen, Mount as _, Version};

/// A step, with the scratch file that waits for its name.
struct Ready<'p> {
    step: &'p Step,
    scratch: Option<Scratch<'p>>,
}

/// Carries out the plan. `stop` is asked for as long as nothing is written but scratch files.
pub(super) fn carry_out(plan: ApplyPlan, stop: &dyn Fn() -> bool) -> Result<Applied, ApplyError> {
    let never = AtomicBool::new(false);
    let fs = &plan.session.state.fs;
    for part in &plan.parts {
        let changed = fs.snapshot().differences(&plan.snapshot, &part.guest, 1, &never);
        let changed = changed.map_err(|(path, error)| ApplyError::read(path, error))?;
        if !changed.entries.is_empty() {
            return Err(ApplyError::Outdated);
        }
    }
    let mut done = 0;
    let folders = plan.parts.iter().map(|part| {
        let folder = (!part.single && !part.steps.is_empty()).then(|| Folder::open(&part.host, part.ino)).transpose();
        folder.map_err(|source| ApplyError::Folder { path: part.host.clone(), source })
    });
    let folders: Vec<Option<Folder>> = folders.collect::<Result<_, _>>()?;
    let mut ready = Vec::new();
    for (part, folder) in plan.parts.iter().zip(&folders) {
        let Some(folder) = folder else { continue };
        let mut top = None;
        let staged = part.steps.iter().map(|step| match stop() {
            true => Err(ApplyError::Stopped),
            false => stage(folder, step, &mut top).map_err(|error| failed(step, error, done)),
        });
        ready.push((folder, staged.collect::<Result<Vec<_>, _>>()?));
    }
    if stop() {
        return Err(ApplyError::Stopped);
    }
    // From here on, the host's files change.
    for (folder, ready) in &mut ready {
        commit(folder, ready, &mut done)?;
    }
    for part in plan.parts.iter().filter(|part| part.single) {
        for step in &part.steps {
            single(part, step, &mut done)?;
        }
    }
    for part in &plan.parts {
        settle(&plan.session, part).map_err(|error| ApplyError::read(part.guest.clone(), error))?;
    }
    Ok(Applied { changes: done })
}

fn failed(step: &Step, error: WriteError, done: usize) -> ApplyError {
    let path = step.path.clone();
    match error {
        WriteError::Changed => ApplyError::Raced { path, done },
        WriteError::Host(error) => ApplyError::Write { path, done, source: error.plain() },
    }
}

/// Writes the contents of a file, or a link, under a scratch name beside its place, or as near to it as there is a directory. `top` is
/// the highest directory on the way to the step before that is still to be made.
fn stage<'p>(folder: &'p Folder, step: &'p Step, top: &mut Option<&'p str>) -> Result<Ready<'p>, WriteError> {
    *top = top.filter(|top| within(&step.rel, top));
    let makes = step.after.as_ref().is_some_and(Version::is_dir) && !was_directory(step);
    let place = *top.get_or_insert(&step.rel);
    let directory = place.rsplit_once('/').map_or("", |(directory, _)| directory);
    *top = top.filter(|top| makes || *top != step.rel);
    let Some(after) = step.after.as_ref().filter(|after| !step.mode_only && !after.is_dir()) else {
        return Ok(Ready { step, scratch: None });
    };
    let scratch = match &after.target {
        Some(target) => folder.scratch_link(directory, target)?,
        None => {
            folder.scratch(directory, mode_of(after), |file| write_contents(after, |offset, bytes| write_piece(file, offset, bytes)))?
        }
    };
    Ok(Ready { step, scratch: Some(scratch) })
}

/// Passes the contents of a file on. Returns its length.
fn write_contents(after: &Version, mut write: impl FnMut(u64, &[u8]) -> Result<(), FsError>) -> Result<u64, FsError> {
    let len = after.pieces(&mut write)?;
    // One of the host's, in a directory that was renamed, which became longer or shorter.
    if len == after.size { Ok(len) } else { Err(FsError::Busy) }
}

/// Gives everything its name, removes what is to go, and sets the modes of directories.
fn commit(folder: &Folder, ready: &mut [Ready<'_>], done: &mut usize) -> Result<(), ApplyError> {
    // From the top: a directory before what is in it.
    for Ready { step, scratch } in &mut *ready {
        let Some(after) = &step.after else { continue };
        if after.is_dir() {
            if !was_directory(step) {
                made(step, make_directory(folder, step, after), done)?;
            }
        } else if step.mode_only {
            let Some(was) = &step.was else { continue };
            made(step, folder.set_file_mode(&step.rel, was, mode_of(after)), done)?;
        } else if !was_directory(step)
            && let Some(scratch) = scratch.take()
        {
            made(step, folder.put(scratch, &step.rel, step.was.as_ref()), done)?;
        }
    }
    // From the bottom: what is in a directory before it.
    for Ready { step, .. } in ready.iter().rev() {
        if let (None, Some(was)) = (&step.after, &step.was) {
            made(step, folder.remove(&step.rel, was), done)?;
        }
    }
    // What comes in the place of a directory, now that this is empty.
    for Ready { step, scratch } in &mut *ready {
        if let (Some(scratch), Some(was)) = (scratch.take(), &step.was) {
            made(step, folder.remove(&step.rel, was).and_then(|()| folder.put(scratch, &step.rel, None)), done)?;
        }
    }
    for Ready { step, .. } in ready.iter().rev() {
        let Some(after) = step.after.as_ref().filter(|after| after.is_dir()) else { continue };
        let seen = step.was.as_ref().filter(|was| was.kind == FileType::Directory);
        if seen.is_some() {
            made(step, folder.set_directory_mode(&step.rel, seen, mode_of(after)), done)?;
        } else if mode_of(after) != beginning(after) {
            folder.set_directory_mode(&step.rel, None, mode_of(after)).map_err(|error| failed(step, error, *done))?;
        }
    }
    Ok(())
}

fn was_directory(step: &Step) -> bool {
    step.was.is_some_and(|was| was.kind == FileType::Directory)
}

/// Counts a change that was made.
fn made(step: &Step, outcome: Result<(), WriteError>, done: &mut usize) -> Result<(), ApplyError> {
    outcome.map_err(|error| failed(step, error, *done))?;
    *done += 1;
    Ok(())
}

fn make_directory(folder: &Folder, step: &Step, after: &Version) -> Result<(), WriteError> {
    if let Some(was) = &step.was {
        folder.remove(&step.rel, was)?;
    }
    folder.make_directory(&step.rel, beginning(after))
}

/// Returns the mode of a new directory as long as it is being filled.
fn beginning(after: &Version) -> HostMode {
    HostMode::new(after.mode | 0o700)
}

/// Writes a mounted file in place: nothing beside it is granted.
fn single(part: &Part, step: &Step, done: &mut usize) -> Result<(), ApplyError> {
    let (Some(after), Some(was)) = (&step.after, &step.was) else { return Ok(()) };
    let file = SingleFile::open(&part.host, true).map_err(|source| ApplyError::Folder { path: part.host.clone(), source })?;
    let write = || -> Result<(), WriteError> {
        let now = file.stat("")?;
        if (now.ino, now.mode, now.size, now.mtime, now.ctime) != (part.ino, was.mode, was.size, was.mtime, was.ctime) {
            return Err(WriteError::Changed);
        }
        if !step.mode_only {
            overwrite(&file, was.size, after)?;
        }
        if HostMode::new(was.mode) != mode_of(after) {
            file.set_mode("", mode_of(after))?;
        }
        Ok(())
    };
    made(step, write(), done)
}

/// Gives a file of `old` bytes other contents. A host without room for them refuses before any byte has changed: what the file has
/// is nowhere else.
fn overwrite(file: &SingleFile, old: u64, after: &Version) -> Result<(), FsError> {
    let open = file.open("", HostOpen { write: true, ..HostOpen::default() })?;
    let kept = old.min(after.size);
    let reserved = file.reserve(0, kept).and_then(|()| after.pieces(&mut |offset, bytes| file.reserve(offset, bytes.len() as u64)));
    if let Err(error) = reserved {
        open.set_len(old)?;
        return Err(error);
    }
    let mut at = 0;
    let len = write_contents(after, |offset, bytes| {
        write_zeros(&*open, at, offset.min(kept))?;
        at = offset + bytes.len() as u64;
        write_all(&*open, offset, bytes)
    })?;
    write_zeros(&*open, at, kept)?;
    open.set_len(len)
}

/// Writes zeros from one offset to another, where old bytes are.
fn write_zeros(file: &dyn HostFile, mut at: u64, end: u64) -> Result<(), FsError> {
    const ZEROS: &[u8] = &[0; 1 << 16];
    while at < end {
        let count = usize::try_from(end - at).unwrap_or(usize::MAX).min(ZEROS.len());
        write_all(file, at, &ZEROS[..count])?;
        at += count as u64;
    }
    Ok(())
}

fn write_all(file: &dyn HostFile, mut offset: u64, mut bytes: &[u8]) -> Result<(), FsError> {
    while !bytes.is_empty() {
        let count = file.write_at(offset, bytes)?;
        if count == 0 {
            return Err(FsError::Io);
        }
        (offset, bytes) = (offset + count as u64, &bytes[count..]);
    }
    Ok(())
}

/// Brings the session in line with the host: if nothing is left to take over, it forgets its changes; otherwise it notes that the
/// host had those that were made. If the host changed one of these files again since, that shows in the next plan.
fn settle(session: &Session, part: &Part) -> Result<(), FsError> {
    let fs = &session.state.fs;
    if part.whole { fs.reset_overlay(part.mount) } else { fs.note_applied(part.mount, part.steps.iter().map(|step| step.rel.as_str())) }
}

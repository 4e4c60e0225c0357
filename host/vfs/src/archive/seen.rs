//! What a session saw of the host's files, in an archive.

use std::io::Write;
use std::sync::Arc;

use super::error::ArchiveError;
use super::format::{
    MAX_NOTED_TEXT, Room, SEEN, SEEN_DIRECTORY, SEEN_FACTS, SEEN_FILE, SEEN_LINK, SEEN_NOTHING, Source, over, path_on_host, text,
};
use crate::seen::{Facts, NOTED, Seen};
use crate::stat::MODE_BITS;
use crate::tree::Tree;

/// Writes the notes, as far as there is room for their paths. Of the others nobody knows what the host had, and they are not applied;
/// a session that could not be read again would lose all it has.
pub(super) fn write(tree: &Tree, to: &mut dyn Write) -> Result<(), ArchiveError> {
    let mut room = MAX_NOTED_TEXT;
    for ((mount, path), seen) in &tree.seen {
        let Some(left) = room.checked_sub(path.len()) else { break };
        room = left;
        to.write_all(&[SEEN])?;
        to.write_all(&mount.to_le_bytes())?;
        text(to, path)?;
        match seen {
            Seen::Nothing => to.write_all(&[SEEN_NOTHING])?,
            Seen::Directory { mode } => to.write_all(&[&[SEEN_DIRECTORY], &mode.to_le_bytes()[..]].concat())?,
            Seen::File { mode, size, digest } => {
                to.write_all(&[&[SEEN_FILE], &mode.to_le_bytes()[..], &size.to_le_bytes(), digest].concat())?;
            }
            Seen::Link { digest } => to.write_all(&[&[SEEN_LINK], &digest[..]].concat())?,
            Seen::Facts(facts) => {
                // One of them, as they were made.
                let number = NOTED.iter().position(|known| *known == facts.kind).unwrap_or(NOTED.len() - 1);
                to.write_all(&[SEEN_FACTS, u8::try_from(number).unwrap_or(u8::MAX)])?;
                to.write_all(&facts.mode.to_le_bytes())?;
                for number in [facts.size, facts.mtime, facts.ctime, facts.ino] {
                    to.write_all(&number.to_le_bytes())?;
                }
            }
        }
    }
    Ok(())
}

/// Reads what follows the files, up to the end of the archive. `kind` is the byte that was read last.
pub(super) fn read(from: &mut Source<'_>, mut kind: u8, tree: &mut Tree, room: &mut Room) -> Result<(), ArchiveError> {
    let mut last: Option<(u32, Arc<str>)> = None;
    while kind == SEEN {
        if tree.seen.size() as u64 >= room.quota.max_files {
            return Err(over("notes about files of the host", room.quota.max_files));
        }
        let mount = from.u32()?;
        if !room.overlays.contains(&mount) {
            return Err(ArchiveError::Malformed("a note about the host outside of overlays"));
        }
        let single = tree.mounts.get(mount as usize).is_some_and(|row| row.source.is_file());
        let path = if single { from.text(0)?.into() } else { path_on_host(from, &mut room.noted)? };
        let key = (mount, path);
        if last.as_ref().is_some_and(|last| *last >= key) {
            return Err(ArchiveError::Malformed("the notes about the host are not in order"));
        }
        tree.seen.insert_mut(key.clone(), seen(from)?);
        last = Some(key);
        kind = from.u8()?;
    }
    if kind == 0 { Ok(()) } else { Err(ArchiveError::Malformed("a file after the notes about the host")) }
}

fn seen(from: &mut Source<'_>) -> Result<Seen, ArchiveError> {
    Ok(match from.u8()? {
        SEEN_NOTHING => Seen::Nothing,
        SEEN_DIRECTORY => Seen::Directory { mode: mode(from)? },
        SEEN_FILE => Seen::File { mode: mode(from)?, size: from.u64()?, digest: from.bytes()? },
        SEEN_LINK => Seen::Link { digest: from.bytes()? },
        SEEN_FACTS => {
            let kind = NOTED.get(usize::from(from.u8()?)).ok_or(ArchiveError::Malformed("a note of unknown type"))?;
            let mode = mode(from)?;
            let (size, mtime, ctime, ino) = (from.u64()?, from.u64()?, from.u64()?, from.u64()?);
            Seen::Facts(Box::new(Facts { kind: *kind, mode, size, mtime, ctime, ino }))
        }
        _ => return Err(ArchiveError::Malformed("a note of unknown form")),
    })
}

fn mode(from: &mut Source<'_>) -> Result<u32, ArchiveError> {
    let mode = from.u32()?;
    if mode > MODE_BITS { Err(ArchiveError::Malformed("a mode that no file has")) } else { Ok(mode) }
}

//! Renaming.

use super::feed::{OnHost, Report};
use super::inode::{Ino, ROOT_INO};
use super::live::Guard;
use super::names::{Upper, check_removable, domain};
use super::open::{ATTEMPTS, check_parent};
use super::overlay::is_empty;
use super::place::{HostPlace, Place};
use super::seen::Seen;
use super::tree::Tree;
use super::walk::{Last, Target, Walked, ask, change};
use super::{FileType, Fs, FsError, Node, path};

/// One end of a rename, as the walk found it.
struct End {
    parent: Place,
    name: String,
    found: Option<Target>,
    slash: bool,
}

/// The ends in memory.
struct Move<'m> {
    from: (Ino, &'m str),
    ino: Ino,
    to: (Ino, &'m str),
    over: Option<&'m Target>,
}

impl Fs {
    /// Renames a file and atomically replaces the file that has the new name. Open nodes are unaffected.
    pub fn rename(&self, at: &Node, path: &str, new_at: &Node, new_path: &str) -> Result<(), FsError> {
        for _ in 0..ATTEMPTS {
            let (live, from) = end(self.walk(at, path, false)?)?;
            drop(live);
            let source = from.found.ok_or(FsError::NotFound)?;
            let (live, to) = end(self.walk(new_at, new_path, false)?)?;
            if matches!(source, Target::Descriptor(_)) || matches!(to.found, Some(Target::Descriptor(_))) {
                return Err(FsError::NotPermitted);
            }
            if domain(&live.tree, &from.parent)? != domain(&live.tree, &to.parent)? {
                return Err(FsError::CrossDevice);
            }
            let source_is_directory = is_directory(&live.tree, &source);
            if (from.slash || to.slash) && !source_is_directory {
                return Err(FsError::NotDirectory);
            }
            match &to.found {
                Some(over) if is_directory(&live.tree, over) && !source_is_directory => return Err(FsError::IsDirectory),
                Some(over) if !is_directory(&live.tree, over) && source_is_directory => return Err(FsError::NotDirectory),
                _ => {}
            }
            let (live, to_parent) = match self.upper(live, to.parent, &to.name)? {
                Upper::Again => continue,
                Upper::Memory(live, parent) => (live, parent),
                Upper::Host(mut live, parent) => {
                    // The domain says that this is the same mount, so the source is on the host too.
                    let Target::Host(old, _) = source else { return Err(FsError::CrossDevice) };
                    let new = HostPlace { mount: parent.mount, path: path::join(&parent.path, &to.name) };
                    let done = change(&mut live, new.mount, |source| source.rename(&old.path, &new.path));
                    drop(live);
                    self.answered(&new, done)?;
                    self.report_host(&old, OnHost::Renamed { to: new.path });
                    return Ok(());
                }
            };
            match (source, from.parent) {
                (Target::Memory(ino), Place::Memory(parent)) => {
                    let step = Move { from: (parent, &from.name), ino, to: (to_parent, &to.name), over: to.found.as_ref() };
                    if self.rename_in_memory(live, &step, source_is_directory)? {
                        return Ok(());
                    }
                }
                (Target::Host(host, _), _) => {
                    drop(live);
                    self.copy_up(&host, true)?;
                }
                // An inode is only found in a directory in memory.
                (Target::Memory(_) | Target::Descriptor(_), _) => return Err(FsError::Io),
            }
        }
        Err(FsError::Busy)
    }

    /// Returns false if something changed while the host was accessed.
    fn rename_in_memory(&self, mut live: Guard<'_>, step: &Move<'_>, directory: bool) -> Result<bool, FsError> {
        let now = self.now();
        let Move { from, ino, to, over } = step;
        check_parent(&live.tree, from.0)?;
        check_parent(&live.tree, to.0)?;
        check_removable(&live.tree, from.0, *ino)?;
        let mut covers = false;
        match over {
            Some(Target::Memory(other)) if other == ino => return Ok(true),
            Some(Target::Memory(other)) => {
                check_removable(&live.tree, to.0, *other)?;
                if directory && !is_empty(&mut live, *other)? {
                    return Err(FsError::NotEmpty);
                }
            }
            Some(Target::Host(host, _)) => {
                if directory && !ask(&mut live, host.mount, |source| source.read_dir(&host.path))?.is_empty() {
                    return Err(FsError::NotEmpty);
                }
                covers = true;
            }
            Some(Target::Descriptor(_)) | None => {}
        }
        // The lock may have been released: the names must still be what the walk found.
        let old = match over {
            Some(Target::Memory(other)) => Some(*other),
            _ => None,
        };
        let named = |tree: &Tree, (parent, name): (Ino, &str)| Ok::<_, FsError>(tree.entry(parent, name)?.and_then(|entry| entry.ino));
        if named(&live.tree, *from)? != Some(*ino) || named(&live.tree, *to)? != old {
            return Ok(false);
        }
        if directory && from.0 != to.0 {
            if within(&live.tree, to.0, *ino)? {
                return Err(FsError::Invalid);
            }
            if !live.tree.inode(*ino)?.allows(2) {
                return Err(FsError::Access);
            }
        }
        live.tree.detach(from.0, from.1, now)?;
        live.tree.attach(to.0, to.1, *ino, covers, now)?;
        if let Some(Target::Host(host, stat)) = over {
            live.tree.see(host.mount, &host.path, Seen::by_facts(stat));
        }
        live.tree.inode_mut(*ino)?.ctime = now;
        if let Some(old) = old {
            live.drop_link(old, now)?;
        }
        let owned = |(parent, name): (Ino, &str)| (parent, name.to_owned());
        live.report(|| Report::Moved { from: owned(*from), to: owned(*to), ino: *ino, over: old });
        Ok(true)
    }
}

fn end(walked: Walked<'_>) -> Result<(Guard<'_>, End), FsError> {
    let Walked { live, last, slash, .. } = walked;
    match last {
        // `/`, `.` and `..` have no name that could be changed
        Last::Directory(_) => Err(FsError::Busy),
        Last::Name { parent, name, found } => Ok((live, End { parent, name, found, slash })),
    }
}

fn is_directory(tree: &Tree, target: &Target) -> bool {
    match target {
        Target::Memory(ino) => tree.directory(*ino).is_ok(),
        Target::Host(_, stat) => stat.kind == FileType::Directory,
        Target::Descriptor(_) => false,
    }
}

/// Returns whether the directory `inner` is `outer` or is below it.
fn within(tree: &Tree, inner: Ino, outer: Ino) -> Result<bool, FsError> {
    let mut at = inner;
    while at != ROOT_INO {
        if at == outer {
            return Ok(true);
        }
        at = tree.directory(at)?.parent;
    }
    Ok(outer == ROOT_INO)
}

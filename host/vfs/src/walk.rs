//! Resolves paths; no other module does. The walk goes from name to name, through memory under the lock and through
//! host mounts without it. It follows every symbolic link itself, so a mount receives only paths whose links are
//! resolved. The mount then works inside its directory only, even if a name is swapped for a link meanwhile.

use parking_lot::MutexGuard;

use super::inode::{Backing, Ino, Kind, ROOT_INO};
use super::live::Guard;
use super::mount::{HostStat, Mount};
use super::path::{self, MAX_LINKS_FOLLOWED, Pending};
use super::place::{HostPlace, Place, is_single_file, reaches_host, row, settle};
use super::tree::Tree;
use super::{FileType, Fs, FsError, Node, Refused};

/// The directory of `/proc` whose files are those of the process that reads them. It stands for the directory of each process.
pub(super) const OWN_PROCESS: &str = "self";

/// A file that a walk found.
#[derive(Debug, Clone)]
pub(super) enum Target {
    Memory(Ino),
    Host(HostPlace, HostStat),
    /// `/dev/fd/N`
    Descriptor(u32),
}

/// Where a walk ended.
#[derive(Debug, Clone)]
pub(super) enum Last {
    /// At a directory without a name of its own: `/`, or a path that ends in `.` or `..`.
    Directory(Place),
    /// At a name that may not exist yet.
    Name { parent: Place, name: String, found: Option<Target> },
}

impl Last {
    /// Returns whether the file exists.
    pub(super) fn exists(&self) -> bool {
        !matches!(self, Self::Name { found: None, .. })
    }

    /// Returns the file itself; for a mount point, the root of the mount.
    pub(super) fn target(self, live: &mut Guard<'_>) -> Result<Target, FsError> {
        let place = match self {
            Self::Directory(place) => place,
            Self::Name { found: Some(Target::Memory(ino)), .. } => settle(&live.tree, Place::Memory(ino))?,
            Self::Name { found, .. } => return found.ok_or(FsError::NotFound),
        };
        Ok(match place {
            Place::Memory(ino) => Target::Memory(ino),
            Place::Host(host) => {
                let stat = ask(live, host.mount, |source| source.stat(&host.path))?;
                Target::Host(host, stat)
            }
        })
    }
}

/// The end of a walk. The lock is still held, so the result is still valid, except on hosts.
pub(super) struct Walked<'f> {
    pub(super) live: Guard<'f>,
    pub(super) last: Last,
    /// The path ends in `/`: its file must be a directory.
    pub(super) slash: bool,
    /// The process in whose directory of `/proc` the walk ended, or which that directory shows.
    pub(super) process: Option<u32>,
}

/// Why a walk ended early.
#[derive(Debug)]
pub(super) enum Halt {
    Error(FsError),
    /// A rule of this mount forbids it.
    Refused(u32, Refused),
    /// The next step would access a host mount, and the caller only asked whether it would.
    Host,
}

impl From<FsError> for Halt {
    fn from(error: FsError) -> Self {
        Self::Error(error)
    }
}

/// Calls a host mount without the lock: nothing else in the session waits for the host.
pub(super) fn ask<T>(live: &mut Guard<'_>, mount: u32, question: impl FnOnce(&dyn Mount) -> Result<T, FsError>) -> Result<T, FsError> {
    change(live, mount, question).map_err(FsError::plain)
}

/// Works like `ask`, for calls that the rules of the mount may refuse: pass the result to [`Fs::answered`].
pub(super) fn change<T>(live: &mut Guard<'_>, mount: u32, change: impl FnOnce(&dyn Mount) -> Result<T, FsError>) -> Result<T, FsError> {
    let source = row(&live.tree, mount)?.source.clone();
    MutexGuard::unlocked(live, || change(&*source))
}

impl Fs {
    /// Walks `path` from `at`. A symbolic link in the last component is followed if `follow` (always if the path ends
    /// in `/`).
    pub(super) fn walk<'f>(&'f self, at: &Node, path: &str, follow: bool) -> Result<Walked<'f>, FsError> {
        self.walk_until(at, path, follow, true).map_err(|halt| match halt {
            Halt::Error(error) => error,
            Halt::Refused(mount, why) => self.refuse(mount, &self.asked_path(at, path), why),
            // Not returned when the host may be accessed.
            Halt::Host => FsError::Io,
        })
    }

    /// Works like `walk`; without `host`, stops before the first access to a host mount.
    pub(super) fn walk_until<'f>(&'f self, at: &Node, path: &str, follow: bool, host: bool) -> Result<Walked<'f>, Halt> {
        path::check(path)?;
        let mut live = self.lock();
        let mut place = if path.starts_with('/') { Place::Memory(ROOT_INO) } else { at.place(self, &live.tree)? };
        let mut process = if path.starts_with('/') { None } else { at.process() };
        let (mut pending, mut links) = (Pending::new(path), 0);
        loop {
            place = settle(&live.tree, place)?;
            let Some((name, inside)) = pending.next() else {
                return Ok(Walked { live, last: Last::Directory(place), slash: true, process });
            };
            searchable(&live.tree, &place)?;
            match name.as_str() {
                "." => continue,
                ".." => {
                    place = parent(&live.tree, &place, inside)?;
                    // The directory of a process has no directories in it.
                    process = None;
                    continue;
                }
                name if path::is_too_long(name) => return Err(FsError::NameTooLong.into()),
                _ => {}
            }
            let mut found = look_up(&mut live, &place, &name, host)?;
            if found.is_none()
                && let Some((ino, id)) = self.process_named(&mut live, &place, &name)?
            {
                (found, process) = (Some(Target::Memory(ino)), Some(id));
            }
            let last = pending.is_empty();
            if let Some(target) = &found
                && (!last || follow || pending.slash)
                && let Some((text, from_host)) = self.link_text(&mut live, target, process)?
            {
                links += 1;
                if links > MAX_LINKS_FOLLOWED {
                    return Err(FsError::Loop.into());
                }
                path::check(&text)?;
                if text.starts_with('/') {
                    if let (true, Target::Host(host, _)) = (from_host, target) {
                        return Err(Halt::Refused(host.mount, Refused::Outside));
                    }
                    (place, process) = (Place::Memory(ROOT_INO), None);
                }
                pending.follow(&text, from_host);
                continue;
            }
            if last {
                return Ok(Walked { live, last: Last::Name { parent: place, name, found }, slash: pending.slash, process });
            }
            place = match found.ok_or(FsError::NotFound)? {
                Target::Memory(ino) if is_single_file(&live.tree, ino) => return Err(FsError::NotDirectory.into()),
                Target::Memory(ino) => Place::Memory(ino),
                Target::Host(host, stat) if stat.kind == FileType::Directory => Place::Host(host),
                Target::Host(..) | Target::Descriptor(_) => return Err(FsError::NotDirectory.into()),
            };
        }
    }

    /// Returns whether an operation on `path` may have to access the host and so belongs on a thread that may block. Does not
    /// access the host.
    pub fn is_host(&self, at: &Node, path: &str) -> bool {
        if self.lock().tree.mounts.is_empty() {
            return false;
        }
        match self.walk_until(at, path, true, false) {
            Err(Halt::Host) => true,
            Err(Halt::Error(_) | Halt::Refused(..)) => false,
            Ok(walked) => match walked.last {
                Last::Directory(place) => reaches_host(&walked.live.tree, &place),
                Last::Name { found: Some(Target::Memory(ino)), .. } => reaches_host(&walked.live.tree, &Place::Memory(ino)),
                Last::Name { found: Some(Target::Host(..)), .. } => true,
                Last::Name { parent, found: None, .. } => matches!(parent, Place::Host(_)),
                Last::Name { found: Some(Target::Descriptor(_)), .. } => false,
            },
        }
    }

    /// Returns whether the directory at the absolute `path` is known to have no names: it is in memory, as all above it, and the user may
    /// list it. Follows no symbolic link, opens nothing, and costs a look-up for each name of the path; `false` where that is not enough to
    /// know.
    pub fn is_known_empty(&self, path: &str) -> bool {
        let live = self.lock();
        let mut names = path.split('/');
        let above = names.next().is_some_and(str::is_empty).then_some(ROOT_INO);
        let place = names.filter(|name| !name.is_empty()).try_fold(above, |at, name| {
            let at = at?;
            searchable(&live.tree, &Place::Memory(at)).ok()?;
            Some(live.tree.entry(at, name).ok()??.ino)
        });
        let Some(inode) = place.flatten().and_then(|ino| live.tree.inode(ino).ok()) else { return false };
        match &inode.kind {
            Kind::Directory(directory) => matches!(directory.backing, Backing::Memory) && inode.allows(4) && !directory.has_visible(),
            _ => false,
        }
    }

    /// Returns the directory that stands for the process called `name`, and its id, if this is `/proc` and shows it.
    fn process_named(&self, live: &mut Guard<'_>, place: &Place, name: &str) -> Result<Option<(Ino, u32)>, FsError> {
        let Place::Memory(directory) = place else { return Ok(None) };
        if !matches!(live.tree.directory(*directory)?.backing, Backing::Processes) {
            return Ok(None);
        }
        let own = live.tree.entry(*directory, OWN_PROCESS)?.and_then(|entry| entry.ino);
        let Some((ino, id)) = own.zip(number(name)) else { return Ok(None) };
        Ok(MutexGuard::unlocked(live, || self.shows_process(id)).then_some((ino, id)))
    }

    /// Returns the target of a symbolic link, and whether the link is in a host mount.
    fn link_text(&self, live: &mut Guard<'_>, target: &Target, process: Option<u32>) -> Result<Option<(String, bool)>, FsError> {
        match target {
            Target::Memory(ino) => match &live.tree.inode(*ino)?.kind {
                Kind::Symlink(text) => Ok(Some((text.to_string(), false))),
                Kind::ComputedLink(name) => {
                    let name = *name;
                    MutexGuard::unlocked(live, || self.computed_link(name, process)).map(|text| Some((text, false)))
                }
                _ => Ok(None),
            },
            Target::Host(host, stat) if stat.kind == FileType::Symlink => {
                Ok(Some((ask(live, host.mount, |source| source.read_link(&host.path))?, true)))
            }
            Target::Host(..) | Target::Descriptor(_) => Ok(None),
        }
    }
}

/// Checks that a directory is searchable, as it must be before a name in it is resolved.
fn searchable(tree: &Tree, place: &Place) -> Result<(), FsError> {
    let Place::Memory(ino) = place else { return Ok(()) };
    let inode = tree.inode(*ino)?;
    if !matches!(inode.kind, Kind::Directory(_)) {
        return Err(FsError::NotDirectory);
    }
    if inode.allows(1) { Ok(()) } else { Err(FsError::Access) }
}

/// Returns the parent of a directory; the root is its own parent. `inside`: do not leave the mount.
fn parent(tree: &Tree, place: &Place, inside: bool) -> Result<Place, Halt> {
    let root = match place {
        Place::Memory(ino) => *ino,
        Place::Host(host) => match path::split(&host.path) {
            Some((directory, _)) => return Ok(Place::Host(HostPlace { mount: host.mount, path: directory.to_owned() })),
            None => row(tree, host.mount)?.root,
        },
    };
    if inside && let Some(mount) = (0..).zip(tree.mounts.iter()).find_map(|(mount, row)| (row.root == root).then_some(mount)) {
        return Err(Halt::Refused(mount, Refused::Outside));
    }
    Ok(Place::Memory(tree.directory(root)?.parent))
}

/// Returns what `name` is in the directory `place`, which is settled.
fn look_up(live: &mut Guard<'_>, place: &Place, name: &str, host: bool) -> Result<Option<Target>, Halt> {
    let (place_on_host, over) = match place {
        Place::Host(directory) => (HostPlace { mount: directory.mount, path: path::join(&directory.path, name) }, None),
        Place::Memory(ino) => {
            if let Some(entry) = live.tree.entry(*ino, name)? {
                return Ok(entry.ino.map(Target::Memory));
            }
            match &live.tree.directory(*ino)?.backing {
                Backing::Memory | Backing::Processes | Backing::Host(_) => return Ok(None),
                Backing::Descriptors => return Ok(number(name).map(Target::Descriptor)),
                Backing::Overlay { mount, path } => (HostPlace { mount: *mount, path: path::join(path, name) }, Some(*ino)),
            }
        }
    };
    if !host {
        return Err(Halt::Host);
    }
    let answer = change(live, place_on_host.mount, |source| source.stat(&place_on_host.path));
    // Another process may have created something over it while the lock was released.
    if let Some(ino) = over
        && let Some(entry) = live.tree.entry(ino, name)?
    {
        return Ok(entry.ino.map(Target::Memory));
    }
    match answer {
        Ok(stat) => Ok(Some(Target::Host(place_on_host, stat))),
        Err(FsError::NotFound) => Ok(None),
        Err(FsError::Refused(why)) => Err(Halt::Refused(place_on_host.mount, why)),
        Err(error) => Err(error.into()),
    }
}

/// Returns the number that names a descriptor in `/dev/fd`, or a process in `/proc`: without leading zeros.
fn number(name: &str) -> Option<u32> {
    let value: u32 = name.parse().ok()?;
    (value.to_string() == name).then_some(value)
}

//! Copies a directory of the host into a session's own filesystem and back.
//!
//! The by-util tests make files on the host, run a tool, and look at the files. A mount would refuse what a sandbox
//! must refuse (absolute links, modes); on the session's own files, only the tool is tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, FileTimes, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use wisp_vfs::{FileType, Fs, FsError, OpenFile, OpenHow, SetTime};

/// The problem, for the reader.
pub type Wrong = String;

fn text(path: &Path) -> Option<&str> {
    std::str::from_utf8(path.as_os_str().as_bytes()).ok()
}

fn inside(path: &str, error: FsError) -> Wrong {
    format!("`{path}` in the sandbox: {error}")
}

fn outside(path: &Path, error: std::io::Error) -> Wrong {
    format!("`{}` on the host: {error}", path.display())
}

/// Copies a directory in. Names that are not UTF-8, pipes and sockets are left out.
#[derive(Debug)]
pub struct Mirror<'a> {
    fs: &'a Fs,
    root: PathBuf,
}

impl<'a> Mirror<'a> {
    /// For the directory `root`, under the same name.
    pub fn new(fs: &'a Fs, root: &Path) -> Self {
        Mirror { fs, root: root.to_owned() }
    }

    /// Copies in.
    ///
    /// # Errors
    /// Which file could not be copied.
    pub fn import(&self) -> Result<(), Wrong> {
        let top = self.fs.root();
        let mut made = PathBuf::new();
        for part in self.root.components() {
            made.push(part);
            // `/` and `/tmp` exist.
            let _ = self.fs.mkdir(&top, text(&made).ok_or("the directory's name is not UTF-8")?, 0o755);
        }
        self.import_directory(&self.root, &mut BTreeMap::new())
    }

    fn import_directory(&self, directory: &Path, seen: &mut BTreeMap<u64, String>) -> Result<(), Wrong> {
        let top = self.fs.root();
        let meta = fs::metadata(directory).map_err(|error| outside(directory, error))?;
        // The test may have made it unreadable.
        let open = |mode: u32| fs::set_permissions(directory, Permissions::from_mode(mode)).map_err(|error| outside(directory, error));
        open(meta.mode() & 0o7777 | 0o700)?;
        let entries = fs::read_dir(directory);
        for entry in entries.into_iter().flatten().filter_map(Result::ok) {
            let path = entry.path();
            let Some(name) = text(&path) else { continue };
            let meta = fs::symlink_metadata(&path).map_err(|error| outside(&path, error))?;
            if meta.is_symlink() {
                let target = fs::read_link(&path).map_err(|error| outside(&path, error))?;
                let Some(target) = text(&target) else { continue };
                match seen.get(&meta.ino()) {
                    Some(first) => self.fs.link(&top, first, false, &top, name).map_err(|error| inside(name, error))?,
                    None => self.fs.symlink(&top, name, target).map_err(|error| inside(name, error))?,
                }
                seen.insert(meta.ino(), name.to_owned());
            } else if meta.is_dir() {
                self.fs.mkdir(&top, name, 0o755).map_err(|error| inside(name, error))?;
                self.import_directory(&path, seen)?;
            } else if meta.is_file() {
                match seen.get(&meta.ino()) {
                    Some(first) => self.fs.link(&top, first, false, &top, name).map_err(|error| inside(name, error))?,
                    None => self.import_file(&path, name, &meta)?,
                }
                seen.insert(meta.ino(), name.to_owned());
            } else {
                continue;
            }
            self.times(name, &meta)?;
        }
        open(meta.mode() & 0o7777)?;
        let name = text(directory).ok_or("the directory's name is not UTF-8")?;
        self.times(name, &meta)?;
        self.fs.set_mode(&top, name, false, meta.mode() & 0o7777).map_err(|error| inside(name, error))
    }

    fn import_file(&self, path: &Path, name: &str, meta: &fs::Metadata) -> Result<(), Wrong> {
        let top = self.fs.root();
        let how = OpenHow { write: true, create: true, mode: 0o600, ..OpenHow::default() };
        let node = self.fs.open(&top, name, how).map_err(|error| inside(name, error))?;
        let open = |mode: u32| fs::set_permissions(path, Permissions::from_mode(mode));
        let unreadable = meta.mode() & 0o400 == 0 && open(meta.mode() & 0o7777 | 0o400).is_ok();
        let content = fs::read(path).unwrap_or_default();
        if unreadable {
            open(meta.mode() & 0o7777).map_err(|error| outside(path, error))?;
        }
        let file = OpenFile::new(node, false);
        let mut left = &content[..];
        while !left.is_empty() {
            let written = file.write(left).map_err(|error| inside(name, error))?;
            left = &left[written..];
        }
        self.fs.set_mode(&top, name, false, meta.mode() & 0o7777).map_err(|error| inside(name, error))
    }

    fn times(&self, name: &str, meta: &fs::Metadata) -> Result<(), Wrong> {
        let at = |seconds: i64, nanos: i64| SetTime::At(u64::try_from(seconds * 1_000_000_000 + nanos).unwrap_or(0));
        let (atime, mtime) = (at(meta.atime(), meta.atime_nsec()), at(meta.mtime(), meta.mtime_nsec()));
        self.fs.set_times(&self.fs.root(), name, false, atime, mtime).map_err(|error| inside(name, error))
    }

    /// Copies back: afterwards the host's directory equals the sandbox's.
    ///
    /// # Errors
    /// Which file could not be copied.
    pub fn export(&self) -> Result<(), Wrong> {
        if self.root.is_dir() { self.export_directory(&self.root, &mut BTreeMap::new()) } else { Ok(()) }
    }

    fn export_directory(&self, directory: &Path, seen: &mut BTreeMap<u64, PathBuf>) -> Result<(), Wrong> {
        let top = self.fs.root();
        let name = text(directory).ok_or("the directory's name is not UTF-8")?;
        let stat = self.fs.stat(&top, name, false).map_err(|error| inside(name, error))?;
        let open = |mode: u32| fs::set_permissions(directory, Permissions::from_mode(mode)).map_err(|error| outside(directory, error));
        open(0o700)?;
        self.fs.set_mode(&top, name, false, 0o700).map_err(|error| inside(name, error))?;
        let node = self.fs.open(&top, name, OpenHow { read: true, directory: true, ..OpenHow::default() });
        let entries = node.and_then(|node| node.read_dir()).map_err(|error| inside(name, error))?;
        let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        for entry in fs::read_dir(directory).map_err(|error| outside(directory, error))?.filter_map(Result::ok) {
            let (path, kind) = (entry.path(), entry.file_type().map_err(|error| outside(&entry.path(), error))?);
            let ours = text(&path).is_some() && (kind.is_dir() || kind.is_file() || kind.is_symlink());
            if ours && !names.contains(entry.file_name().to_string_lossy().as_ref()) {
                remove(&path)?;
            }
        }
        for entry in entries.iter().filter(|entry| ![".", ".."].contains(&entry.name.as_str())) {
            self.export_entry(&directory.join(&entry.name), entry.kind, seen)?;
        }
        set_times(directory, stat.atime, stat.mtime);
        open(stat.mode)
    }

    fn export_entry(&self, path: &Path, kind: FileType, seen: &mut BTreeMap<u64, PathBuf>) -> Result<(), Wrong> {
        let top = self.fs.root();
        let Some(name) = text(path) else { return Ok(()) };
        let there = fs::symlink_metadata(path).ok();
        match kind {
            FileType::Directory => {
                if !there.is_some_and(|meta| meta.is_dir()) {
                    remove(path)?;
                    fs::create_dir(path).map_err(|error| outside(path, error))?;
                }
                self.export_directory(path, seen)
            }
            FileType::Symlink => {
                let target = self.fs.readlink(&top, name).map_err(|error| inside(name, error))?;
                let stat = self.fs.stat(&top, name, false).map_err(|error| inside(name, error))?;
                if let Some(first) = seen.get(&stat.ino) {
                    if there.as_ref().map(MetadataExt::ino) != fs::symlink_metadata(first).ok().as_ref().map(MetadataExt::ino) {
                        remove(path)?;
                        fs::hard_link(first, path).map_err(|error| outside(path, error))?;
                    }
                    return Ok(());
                }
                if fs::read_link(path).ok().as_deref() != Some(Path::new(&target)) {
                    remove(path)?;
                    symlink(&target, path).map_err(|error| outside(path, error))?;
                }
                seen.insert(stat.ino, path.to_owned());
                link_times(path, stat.atime, stat.mtime);
                Ok(())
            }
            FileType::Regular => {
                let stat = self.fs.stat(&top, name, false).map_err(|error| inside(name, error))?;
                if let Some(first) = seen.get(&stat.ino) {
                    if there.as_ref().map(MetadataExt::ino) != fs::metadata(first).ok().as_ref().map(MetadataExt::ino) {
                        remove(path)?;
                        fs::hard_link(first, path).map_err(|error| outside(path, error))?;
                    }
                    return Ok(());
                }
                let shared = there.as_ref().is_some_and(|meta| meta.nlink() > 1 && stat.nlink == 1);
                if shared || !there.is_some_and(|meta| meta.is_file()) {
                    remove(path)?;
                }
                seen.insert(stat.ino, path.to_owned());
                self.export_file(path, name, stat.size)?;
                set_times(path, stat.atime, stat.mtime);
                fs::set_permissions(path, Permissions::from_mode(stat.mode)).map_err(|error| outside(path, error))
            }
            FileType::CharDevice | FileType::Fifo | FileType::Socket | FileType::Unknown => Ok(()),
        }
    }

    fn export_file(&self, path: &Path, name: &str, size: u64) -> Result<(), Wrong> {
        let top = self.fs.root();
        // A file that the user may not read is copied all the same.
        self.fs.set_mode(&top, name, false, 0o600).map_err(|error| inside(name, error))?;
        let node = self.fs.open(&top, name, OpenHow { read: true, ..OpenHow::default() }).map_err(|error| inside(name, error))?;
        let file = OpenFile::new(node, false);
        let mut content = Vec::new();
        while content.len() < size as usize {
            let part = file.read(1 << 20).map_err(|error| inside(name, error))?;
            if part.is_empty() {
                break;
            }
            content.extend_from_slice(&part);
        }
        if path.exists() {
            fs::set_permissions(path, Permissions::from_mode(0o600)).map_err(|error| outside(path, error))?;
        }
        if fs::read(path).ok().as_ref() != Some(&content) {
            fs::write(path, content).map_err(|error| outside(path, error))?;
        }
        Ok(())
    }
}

fn remove(path: &Path) -> Result<(), Wrong> {
    let gone = match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(meta) if meta.is_dir() => fs::set_permissions(path, Permissions::from_mode(0o700)).and_then(|()| fs::remove_dir_all(path)),
        Ok(_) => fs::remove_file(path),
    };
    gone.map_err(|error| outside(path, error))
}

/// std cannot set the times of links; `touch` can. Most links keep theirs.
fn link_times(path: &Path, atime: u64, mtime: u64) {
    let nanos = |seconds: i64, nanos: i64| u64::try_from(seconds * 1_000_000_000 + nanos).unwrap_or(0);
    let there = fs::symlink_metadata(path).map(|meta| (nanos(meta.atime(), meta.atime_nsec()), nanos(meta.mtime(), meta.mtime_nsec())));
    for (which, time, there) in [("-a", atime, there.as_ref().map(|t| t.0)), ("-m", mtime, there.as_ref().map(|t| t.1))] {
        if there.is_ok_and(|there| there != time) {
            let date = format!("@{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
            let _ = std::process::Command::new("touch").args(["-h", which, "-d", &date]).arg(path).status();
        }
    }
}

/// Best effort: an unreadable file keeps the times it has.
fn set_times(path: &Path, atime: u64, mtime: u64) {
    let at = |nanos: u64| UNIX_EPOCH + Duration::from_nanos(nanos);
    let _ = fs::File::open(path).and_then(|file| file.set_times(FileTimes::new().set_accessed(at(atime)).set_modified(at(mtime))));
}

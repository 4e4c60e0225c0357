//! Target: a sequence of operations on mounts of real folders. Whatever a guest does, nothing outside of them changes; no symbolic link
//! that it made or moved leads a program on the host out of its mount, and a link of the host leads out only if it did so before; no file
//! has a mode beyond the permission bits; and a mount that is not for writing stays unchanged.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use wisp::internal::open_mount;
use wisp_vfs::{Clock, Fs, MountAccess, Node, OpenHow, Quota, SetTime};

use crate::input::Input;

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        7_000_000_000
    }
}

/// Names of which some exist in some places.
const NAMES: [&str; 14] = ["file", "dir", "sub", "inner", "door", "abs", "up", "deep", "plain", "a", "b", "c", "a", "b"];

/// Texts for links, in addition to paths of names.
const TARGETS: [&str; 16] = [
    "../file",
    "../outside",
    "../../file",
    "../../outside/secret",
    "dir/../../outside",
    "sub/../../file",
    "door/secret",
    "door",
    "plain",
    ".",
    "..",
    "/etc/passwd",
    "up",
    "a",
    "b",
    "inner",
];

/// A folder of the host with a mount in it, and its original contents.
struct Place {
    top: TempDir,
    /// The host's own links: the path and inode number of each, and whether it led out at the beginning.
    links: Vec<(PathBuf, u64, bool)>,
}

impl Place {
    fn new() -> Self {
        let top = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| top.path().join(name);
        fs::create_dir_all(at("data/dir/sub")).expect("folders");
        fs::create_dir(at("outside")).expect("a folder");
        for file in ["outside/secret", "outside/file", "data/file", "data/dir/inner", "file", "single"] {
            fs::write(at(file), file).expect("a file");
        }
        for (target, link) in [
            ("../outside", "data/door"),
            ("../file", "data/dir/up"),
            ("../../file", "data/dir/sub/deep"),
            ("sub/../../file", "data/dir/b"),
            ("file", "data/plain"),
        ] {
            symlink(target, at(link)).expect("a link");
        }
        symlink(at("outside/secret"), at("data/abs")).expect("a link");
        let mut place = Self { top, links: Vec::new() };
        let data = place.data();
        let links = everything(&data).into_iter().filter(|(_, facts)| facts.is_symlink());
        place.links = links.map(|(path, facts)| (path.clone(), facts.ino(), leads_out(&data, &path))).collect();
        place
    }

    fn data(&self) -> PathBuf {
        self.top.path().join("data")
    }

    /// Returns what must not change: everything except what a guest may write.
    fn kept(&self, data_too: bool) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        let own = [self.data(), self.top.path().join("single")];
        let all = everything(self.top.path());
        let kept = all.into_iter().filter(|(path, _)| data_too || !own.iter().any(|own| path.starts_with(own)));
        kept.map(|(path, facts)| {
            let contents = if facts.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
            (path, (facts.mode(), contents))
        })
        .collect()
    }

    fn check(&self, did: &str) {
        let data = self.data();
        for (path, facts) in everything(self.top.path()) {
            if facts.is_symlink() && path.starts_with(&data) {
                let own = self.links.iter().any(|(place, ino, out)| *out && *place == path && *ino == facts.ino());
                assert!(own || !leads_out(&data, &path), "{did}: {} says {:?}", path.display(), fs::read_link(&path));
            } else {
                assert_eq!(facts.mode() & 0o7000, 0, "{did}: the mode of {}", path.display());
            }
        }
    }
}

/// Returns everything below a folder, without following links.
fn everything(at: &Path) -> Vec<(PathBuf, Metadata)> {
    let (mut found, mut left) = (Vec::new(), vec![at.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let facts = entry.metadata().expect("it is there");
            if facts.is_dir() {
                left.push(entry.path());
            }
            found.push((entry.path(), facts));
        }
    }
    found
}

/// Returns whether a program that follows the link leaves `data` on the way, even if it comes back.
fn leads_out(data: &Path, link: &Path) -> bool {
    let mut at: Vec<String> = names(link.strip_prefix(data).expect("it lies there"));
    let mut pending = vec![at.pop().expect("a link has a name")];
    let mut followed = 0;
    while let Some(name) = pending.pop() {
        match name.as_str() {
            "" | "." => continue,
            ".." => {
                if at.pop().is_none() {
                    return true;
                }
                continue;
            }
            _ => at.push(name),
        }
        let here = at.iter().fold(data.to_owned(), |path, name| path.join(name));
        // A missing component ends the walk.
        let Ok(facts) = fs::symlink_metadata(&here) else { return false };
        if facts.is_symlink() {
            let target = fs::read_link(&here).expect("a link says something");
            followed += 1;
            if target.is_absolute() {
                return true;
            }
            if followed > 40 {
                return false;
            }
            at.pop();
            pending.extend(names(&target).into_iter().rev());
        } else if !facts.is_dir() && !pending.is_empty() {
            return false;
        }
    }
    false
}

fn names(path: &Path) -> Vec<String> {
    path.to_str().expect("only text here").split('/').map(str::to_owned).collect()
}

fn path(input: &mut Input<'_>) -> String {
    let depth = input.pick(&[1, 1, 2, 2, 3]);
    (0..depth).map(|_| input.pick(&NAMES)).collect::<Vec<_>>().join("/")
}

/// Returns a path that probably leads to something.
fn known(input: &mut Input<'_>) -> String {
    const KNOWN: [&str; 12] = ["file", "dir", "dir/sub", "dir/inner", "door", "abs", "dir/up", "dir/sub/deep", "plain", "a", "dir/a", "b"];
    if input.once_in(3) { path(input) } else { input.pick(&KNOWN).to_owned() }
}

fn mode(input: &mut Input<'_>) -> u32 {
    input.pick(&[0o644, 0o755, 0o4755, 0o2755, 0o1777, 0o7777, 0o6700, 0o600]) | 0o600
}

/// Returns one operation, and its description. Whether it succeeds does not matter.
fn step(fs: &Fs, at: &Node, input: &mut Input<'_>) -> String {
    match input.byte() % 16 {
        0..=2 => {
            let (path, target) = (path(input), if input.once_in(4) { path(input) } else { input.pick(&TARGETS).to_owned() });
            format!("symlink {target} {path}: {:?}", fs.symlink(at, &path, &target))
        }
        3..=6 => {
            let (from, to) = (known(input), path(input));
            format!("rename {from} {to}: {:?}", fs.rename(at, &from, at, &to))
        }
        7 => {
            let (from, to, follow) = (known(input), path(input), input.once_in(3));
            format!("link {from} {to}: {:?}", fs.link(at, &from, follow, at, &to))
        }
        8 => {
            let (path, mode) = (path(input), mode(input) | 0o700);
            format!("mkdir {path} {mode:o}: {:?}", fs.mkdir(at, &path, mode))
        }
        9 => {
            let path = known(input);
            format!("rmdir {path}: {:?}", fs.rmdir(at, &path))
        }
        10 => {
            let path = known(input);
            format!("unlink {path}: {:?}", fs.unlink(at, &path))
        }
        11 => {
            let (path, mode, follow) = (known(input), mode(input) | 0o700, input.once_in(2));
            format!("chmod {mode:o} {path}: {:?}", fs.set_mode(at, &path, follow, mode))
        }
        12 => {
            let path = known(input);
            format!("utimes {path}: {:?}", fs.set_times(at, &path, input.once_in(2), SetTime::At(1), SetTime::Now))
        }
        _ => open(fs, at, input),
    }
}

fn open(fs: &Fs, at: &Node, input: &mut Input<'_>) -> String {
    let path = if input.once_in(6) { "/one".to_owned() } else { known(input) };
    let flags = input.byte();
    let how = OpenHow {
        read: true,
        write: flags & 1 == 0,
        create: flags & 2 == 0,
        exclusive: flags & 12 == 12,
        truncate: flags & 48 == 48,
        follow: flags & 64 == 0,
        directory: false,
        mode: mode(input),
    };
    let opened = fs.open(at, &path, how);
    if let Ok(node) = &opened {
        // Refused if it was opened for reading.
        let _ = node.write_at(u64::from(flags), b"a guest's");
        let _ = node.set_mode(mode(input) | 0o700);
    }
    format!("open {path} {how:?}: {:?}", opened.err())
}

pub(crate) fn target(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let access = input.pick(&[MountAccess::Write, MountAccess::Write, MountAccess::Write, MountAccess::Overlay, MountAccess::Read]);
    let place = Place::new();
    let write = access == MountAccess::Write;
    let before = place.kept(!write);
    let fs = Fs::new(Quota { max_bytes: 1 << 20, max_files: 1000 }, Arc::new(Still));
    for (guest, host) in [("/mnt", "data"), ("/one", "single")] {
        let source = open_mount(&place.top.path().join(host), write).expect("it is there");
        fs.mount(guest, source, access).expect("nothing else is mounted");
    }
    let at = fs.open(&fs.root(), "/mnt", OpenHow::default()).expect("it is mounted");
    place.check("nothing yet");
    while !input.is_empty() {
        let did = step(&fs, &at, &mut input);
        if write {
            place.check(&did);
        }
        assert_eq!(place.kept(!write), before, "{did}: something else changed");
    }
}

/// The oracle must notice each of these changes, which are what a hole would leave.
#[test]
fn the_oracle_sees_what_it_must() {
    let seen = |plant: &dyn Fn(&Path)| {
        let place = Place::new();
        let before = place.kept(false);
        plant(&place.data());
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| place.check("planted"))).is_err();
        std::panic::set_hook(hook);
        refused || place.kept(false) != before
    };
    assert!(!seen(&|_| {}));
    assert!(!seen(&|data| symlink("inner", data.join("dir/near")).expect("a link")));
    for (target, link) in [("../outside", "l"), ("/etc/passwd", "l"), ("door", "l"), ("door/secret", "dir/sub/l"), ("../../x", "dir/l")] {
        let out = target != "door/secret";
        assert_eq!(seen(&|data| symlink(target, data.join(link)).expect("a link")), out, "{target}");
    }
    assert!(seen(&|data| fs::rename(data.join("dir/up"), data.join("up")).expect("it is there")));
    assert!(seen(&|data| fs::rename(data.join("door"), data.join("window")).expect("it is there")));
    assert!(seen(&|data| fs::rename(data.join("dir/sub"), data.join("sub")).expect("it is there")));
    assert!(seen(&|data| fs::set_permissions(data.join("file"), fs::Permissions::from_mode(0o4755)).expect("it is there")));
    assert!(seen(&|data| fs::write(data.join("../outside/new"), "x").expect("a file")));
    assert!(seen(&|data| fs::write(data.join("../outside/secret"), "x").expect("a file")));
}

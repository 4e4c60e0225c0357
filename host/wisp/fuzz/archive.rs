//! Target: an archive of a filesystem with changed bytes. Whatever is accepted is a filesystem: walking it ends, it
//! keeps to its quota, and its own archive reproduces it.

use std::sync::{Arc, LazyLock};

use wisp_vfs::{BaseEntry, Clock, FileType, Fs, MountAccess, Node, OpenHow, Quota, Snapshot};

use crate::filesystem::Below;
use crate::input::Input;

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        7
    }
}

const QUOTA: Quota = Quota { max_bytes: 300_000, max_files: 40 };

/// The archive's base, a filesystem of the same kind, and the archive.
static VALID: LazyLock<(Snapshot, Fs, Vec<u8>)> = LazyLock::new(|| {
    let host = Fs::new(QUOTA, Arc::new(Still));
    let root = host.root();
    for directory in ["/p", "/p/q", "/p/q/r", "/s"] {
        host.mkdir(&root, directory, 0o755).expect("it is new");
    }
    for file in ["/p/q/r/one", "/p/two", "/s/three"] {
        write(&host, file, 0, b"of the host");
    }
    let fs = Fs::new(QUOTA, Arc::new(Still));
    let root = fs.root();
    let base = |path: &str, entry| fs.add_base(path, entry).expect("the layout is sound");
    base("/usr/bin/tool", BaseEntry::File { data: "a program".into(), mode: 0o755 });
    base("/home", BaseEntry::Dir { mode: 0o755, user_owned: true });
    base("/dev/fd", BaseEntry::Dir { mode: 0o755, user_owned: false });
    let below = Arc::new(Below { at: host.root(), fs: host });
    fs.mount("/mnt", below, MountAccess::Overlay).expect("nothing else is mounted");
    let began = fs.snapshot();
    fs.mkdir(&root, "/home/d", 0o700).expect("it is new");
    write(&fs, "/home/d/f", 0, &[7; 100]);
    write(&fs, "/home/sparse", 150_000, b"end");
    fs.link(&root, "/home/d/f", false, &root, "/home/other").expect("it is a file");
    fs.symlink(&root, "/home/link", "d/f").expect("it is new");
    write(&fs, "/mnt/p/q/r/one", 3, b"up");
    fs.rename(&root, "/mnt/p/q/r", &root, "/mnt/r").expect("it was copied up");
    fs.unlink(&root, "/mnt/s/three").expect("it is there");
    fs.rename(&root, "/usr", &root, "/moved").expect("the root is the user's");
    let mut bytes = Vec::new();
    fs.snapshot().export(&began, &mut bytes).expect("it can be written");
    (began, fs, bytes)
});

fn write(fs: &Fs, path: &str, offset: u64, bytes: &[u8]) {
    let how = OpenHow { write: true, create: true, ..OpenHow::default() };
    let node = fs.open(&fs.root(), path, how).expect("it can be made");
    assert_eq!(node.write_at(offset, bytes), Ok(bytes.len()));
}

/// Returns the archive of this filesystem.
pub(crate) fn round_trip(fs: &Fs, base: &Snapshot) -> Snapshot {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let usage = fs.usage();
    let quota = Quota { max_bytes: usage.max_bytes, max_files: usage.max_files };
    fs.snapshot().export(base, &mut first).expect("it can be written");
    let read = Snapshot::import(base, quota, &mut &first[..]).expect("it can be read");
    read.export(base, &mut second).expect("what was read can be written");
    assert!(first == second, "an archive of what was read from an archive is another one");
    read
}

pub(crate) fn target(bytes: &[u8]) {
    let (base, like, _) = &*VALID;
    let archive = changed(bytes);
    let Ok(read) = Snapshot::import(base, QUOTA, &mut &archive[..]) else { return };
    let fs = read.to_fs(like);
    let usage = fs.usage();
    assert!(usage.bytes <= QUOTA.max_bytes && usage.files <= QUOTA.max_files, "{usage:?}");
    let mut left = 300;
    walk(&fs.root(), &fs, "", &mut left);
    round_trip(&fs, base);
}

/// Returns the archive with the changes that an input describes.
fn changed(bytes: &[u8]) -> Vec<u8> {
    let mut input = Input::new(bytes);
    let mut archive = VALID.2.clone();
    // The beginning only describes the base: changes there are detected at once.
    let start = archive.len() - 1_000.min(archive.len());
    let anywhere = |input: &mut Input<'_>, len: usize| start + (usize::from(input.byte()) << 8 | usize::from(input.byte())) % (len - start);
    // Few changes: with many, nothing is accepted.
    for _ in 0..input.byte() % 8 {
        if archive.len() <= start + 1 {
            break;
        }
        let at = anywhere(&mut input, archive.len());
        match input.byte() % 8 {
            0 => archive[at] = input.byte(),
            1 => archive[at] = archive[at].wrapping_add(1),
            2 => archive[at] = archive[at].wrapping_sub(1),
            3 => archive[at] ^= 1 << (input.byte() % 8),
            4 => archive.truncate(at),
            5 => drop(archive.remove(at)),
            6 => archive.insert(at, input.byte()),
            // A piece of it again elsewhere.
            _ => {
                let from = anywhere(&mut input, archive.len());
                let piece = archive[from..archive.len().min(from + 1 + usize::from(input.byte() % 64))].to_vec();
                let end = archive.len().min(at + if input.once_in(2) { piece.len() } else { 0 });
                archive.splice(at..end, piece);
            }
        }
    }
    archive
}

/// The target examines what is accepted, so some of it must be.
#[test]
fn some_changed_archives_are_filesystems() {
    let (mut read, mut same) = (0, 0);
    for number in 0..2_000_u32 {
        let archive = changed(&[&[1][..], &number.wrapping_mul(0x9e37_79b9).to_le_bytes()].concat());
        same += u32::from(archive == VALID.2);
        read += u32::from(Snapshot::import(&VALID.0, QUOTA, &mut &archive[..]).is_ok());
    }
    assert!(read > same + 100 && read < 1_900, "{read} of 2000 were read, {same} not changed");
}

/// Reads everything once. There are no more names than the host, the base and the quota have together.
fn walk(directory: &Node, fs: &Fs, path: &str, left: &mut usize) {
    // A directory may be closed to its user.
    for entry in directory.read_dir().unwrap_or_default() {
        *left = left.checked_sub(1).expect("the tree has no end");
        let path = format!("{path}/{}", entry.name);
        let how = OpenHow { follow: false, read: entry.kind == FileType::Regular, ..OpenHow::default() };
        let Ok(node) = fs.open(&fs.root(), &path, how) else { continue };
        match node.file_type() {
            FileType::Directory => walk(&node, fs, &path, left),
            FileType::Regular => {
                let size = node.stat().expect("it is open").size;
                // A sparse file has any size.
                for offset in [0, size / 2, size.saturating_sub(10)] {
                    assert!(node.read_at(offset, 1_000).expect("it is open for reading").len() as u64 <= size);
                }
            }
            _ => {}
        }
    }
}

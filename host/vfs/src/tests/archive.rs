//! Archives: round trips and refusals. `fuzz/` compares overlays and sequences of operations with a model.

use super::*;

const LARGE: Quota = Quota { max_bytes: 1 << 30, max_files: 200_000 };

/// A filesystem with a base, and the state it began with.
fn begun() -> (Fs, Snapshot) {
    let fs = fresh().0.seen_by(Arc::new(Who("ann")));
    base_dir(&fs, "/home/user", 0o755, true);
    base_dir(&fs, "/dev/fd", 0o555, false);
    base_file(&fs, "/usr/lib/module.py", "text of a module", 0o644);
    base_file(&fs, "/etc/passwd", "root", 0o644);
    fs.add_base("/proc/who", BaseEntry::Computed("who")).unwrap();
    fs.add_base("/proc/link", BaseEntry::ComputedLink("link")).unwrap();
    fs.add_base("/bin", BaseEntry::Symlink("usr/bin".into())).unwrap();
    fs.add_base("/dev/null", BaseEntry::Device(Device::Null)).unwrap();
    let base = fs.snapshot();
    (fs, base)
}

fn archive(fs: &Fs, base: &Snapshot) -> Vec<u8> {
    let mut bytes = Vec::new();
    fs.snapshot().export(base, &mut bytes).unwrap();
    bytes
}

fn read(base: &Snapshot, quota: Quota, mut bytes: &[u8]) -> Result<Snapshot, ArchiveError> {
    let snapshot = Snapshot::import(base, quota, &mut bytes)?;
    assert!(bytes.is_empty(), "{} bytes were not read", bytes.len());
    Ok(snapshot)
}

/// Everything that is visible, with contents in parts.
fn seen(fs: &Fs) -> Vec<(String, Stat, Vec<u8>)> {
    let mut pending = vec![(String::new(), fs.open(&fs.root(), "/", READ).unwrap())];
    let mut seen = Vec::new();
    while let Some((path, node)) = pending.pop() {
        for entry in node.read_dir().unwrap() {
            let path = format!("{path}/{}", entry.name);
            let stat = fs.stat(&fs.root(), &path, false).unwrap();
            let how = OpenHow { read: stat.kind == FileType::Regular, follow: false, ..READ };
            let data = match stat.kind {
                FileType::Regular => fs.open(&fs.root(), &path, how).unwrap().read_at(0, 1 << 20).unwrap().to_vec(),
                FileType::Symlink => fs.readlink(&fs.root(), &path).unwrap().into_bytes(),
                FileType::Directory => {
                    pending.push((path.clone(), fs.open(&fs.root(), &path, OpenHow { directory: true, ..READ }).unwrap()));
                    Vec::new()
                }
                _ => Vec::new(),
            };
            seen.push((path, stat, data));
        }
    }
    seen.sort_by(|one, other| one.0.cmp(&other.0));
    seen
}

#[test]
fn everything_comes_back_in_another_process() {
    let (fs, base) = begun();
    let root = fs.root();
    put(&fs, "/home/user/large", (0..300_000_u32).map(|n| (n % 251) as u8).collect::<Vec<_>>());
    let sparse = put(&fs, "/home/user/sparse", b"first");
    sparse.write_at(1 << 33, b"last").unwrap();
    sparse.set_len(1 << 34).unwrap();
    put(&fs, "/home/user/empty", b"");
    put(&fs, "/home/user/hole", b"").set_len(70_000).unwrap();
    fs.mkdir(&root, "/home/user/d", 0o750).unwrap();
    fs.link(&root, "/home/user/large", false, &root, "/home/user/d/hard").unwrap();
    fs.symlink(&root, "/home/user/soft", "../nowhere at all").unwrap();
    fs.set_mode(&root, "/home/user/empty", true, 0o4711).unwrap();
    fs.set_times(&root, "/home/user/empty", true, SetTime::At(12), SetTime::At(u64::MAX)).unwrap();
    // Files of the base are moved, made private and removed; the user owns the root.
    fs.rename(&root, "/usr", &root, "/moved").unwrap();
    fs.unlink(&root, "/bin").unwrap();
    fs.set_mode(&root, "/home/user", true, 0o700).unwrap();
    fs.mkdir(&root, "/usr", 0o755).unwrap();

    // Another process begins with the same files, at other times.
    let (other, other_base) = begun();
    let bytes = archive(&fs, &base);
    let snapshot = read(&other_base, LARGE, &bytes).unwrap();
    other.restore(&snapshot);
    assert_eq!(seen(&other).len(), 24);
    for (one, other) in seen(&fs).iter().zip(&seen(&other)) {
        let given = one.1.uid == 0;
        assert!(one == other || (given && one.0 == other.0 && one.2 == other.2), "{one:?}\n{other:?}");
    }
    assert_eq!(other.usage(), fs.usage());
    let mut again = Vec::new();
    snapshot.export(&other_base, &mut again).unwrap();
    assert!(again == bytes, "the same state gives other bytes");
    // Hard links are one file, numbers continue, the quota's counts are right.
    let node = other.open(&other.root(), "/home/user/d/hard", WRITE).unwrap();
    node.append(b"!").unwrap();
    assert_eq!(get(&other, "/home/user/large").unwrap().len(), 300_001);
    put(&other, "/home/user/new", b"x");
    let ino = |fs: &Fs, path: &str| fs.stat(&fs.root(), path, true).unwrap().ino;
    assert!(ino(&other, "/home/user/new") > ino(&fs, "/usr"));
    for path in ["large", "d/hard", "sparse", "empty", "hole", "soft", "new"] {
        other.unlink(&other.root(), &format!("/home/user/{path}")).unwrap();
    }
    drop(node);
    assert_eq!((other.usage().files, other.usage().bytes), (2, 0));
}

#[test]
fn what_is_given_is_not_in_it() {
    let (fs, base) = begun();
    let bytes = archive(&fs, &base);
    assert!(bytes.len() < 100, "an archive of nothing has {} bytes", bytes.len());
    put(&fs, "/home/user/f", b"mine");
    let bytes = archive(&fs, &base);
    assert!(bytes.windows(4).any(|part| part == b"mine") && !bytes.windows(4).any(|part| part == b"modu"));
}

#[test]
fn files_without_a_name_stay_behind() {
    let (fs, base) = begun();
    let open = put(&fs, "/home/user/f", b"gone");
    fs.unlink(&fs.root(), "/home/user/f").unwrap();
    let snapshot = read(&base, LARGE, &archive(&fs, &base)).unwrap();
    assert_eq!((fs.usage().files, snapshot.to_fs(&fs).usage().files), (1, 0));
    drop(open);
}

#[test]
fn a_quota_holds_while_it_is_read() {
    let (fs, base) = begun();
    put(&fs, "/home/user/f", [1; 1_000]);
    fs.symlink(&fs.root(), "/home/user/s", "0123456789").unwrap();
    fs.link(&fs.root(), "/home/user/f", false, &fs.root(), "/home/user/l").unwrap();
    let bytes = archive(&fs, &base);
    let with = |max_bytes, max_files| read(&base, Quota { max_bytes, max_files }, &bytes);
    assert!(with(1_010, 3).is_ok());
    assert!(matches!(with(1_009, 3), Err(ArchiveError::Quota { what: "bytes", limit: 1_009 })));
    assert!(matches!(with(999, 3), Err(ArchiveError::Quota { what: "bytes", limit: 999 })));
    assert!(matches!(with(1_010, 2), Err(ArchiveError::Quota { what: "files", limit: 2 })));
    assert!(matches!(with(1_010, 1), Err(ArchiveError::Quota { what: "files", limit: 1 })));
    // Each of these single bytes costs a chunk, in an archive too.
    let sparse = put(&fs, "/home/user/sparse", b"");
    for chunk in 0..100 {
        sparse.write_at(chunk * 65_536, b"x").unwrap();
    }
    let bytes = archive(&fs, &base);
    let most = Quota { max_bytes: 100 * 4096, max_files: 10 };
    assert!(read(&base, Quota { max_bytes: 50 * 4096, ..most }, &bytes).is_err() && read(&base, most, &bytes).is_ok());
}

#[test]
fn another_base_is_told() {
    let (fs, base) = begun();
    put(&fs, "/home/user/f", b"x");
    let bytes = archive(&fs, &base);
    for change in [
        |fs: &Fs| base_file(fs, "/usr/lib/more.py", "", 0o644),
        |fs: &Fs| base_file(fs, "/etc/passwd", "longer", 0o644),
        |fs: &Fs| base_dir(fs, "/home/user", 0o700, true),
        |fs: &Fs| base_dir(fs, "/home/user", 0o755, false),
    ] {
        let (other, _) = begun();
        change(&other);
        assert!(matches!(read(&other.snapshot(), LARGE, &bytes), Err(ArchiveError::OtherBase)));
    }
    let (twin, _) = begun();
    assert!(read(&twin.snapshot(), LARGE, &bytes).is_ok());
}

#[test]
fn every_cut_is_found() {
    let (fs, base) = begun();
    put(&fs, "/home/user/f", [1; 500]);
    fs.symlink(&fs.root(), "/home/user/s", "target").unwrap();
    let bytes = archive(&fs, &base);
    for len in 0..bytes.len() {
        let error = read(&base, LARGE, &bytes[..len]).err();
        assert!(matches!(error, Some(ArchiveError::Truncated)), "{len} of {} bytes: {error:?}", bytes.len());
    }
    assert!(matches!(read(&base, LARGE, b"not an archive, but long enough to be one"), Err(ArchiveError::NotArchive)));
}

/// A forged archive: one directory and what a test puts into it.
struct Forged(Vec<u8>);

impl Forged {
    /// Up to the list of files; numbers from `first` on are free.
    fn new(base: &Snapshot) -> (Self, u64) {
        let mut bytes = Vec::new();
        base.export(base, &mut bytes).unwrap();
        let next = bytes.len() - 9;
        let first = u64::from_le_bytes(bytes[next..next + 8].try_into().unwrap());
        bytes.truncate(next);
        bytes.extend((first + 100).to_le_bytes());
        (Self(bytes), first)
    }

    fn file(mut self, kind: u8, ino: u64, body: &[u8]) -> Self {
        self.0.push(kind);
        self.0.extend(ino.to_le_bytes());
        self.0.push(0);
        self.0.extend(0o755_u32.to_le_bytes());
        self.0.extend([0; 24]);
        self.0.extend(body);
        self
    }

    fn read(mut self, base: &Snapshot) -> Result<Snapshot, ArchiveError> {
        self.0.push(0);
        read(base, LARGE, &self.0)
    }
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_le_bytes(), text.as_bytes()].concat()
}

fn names(names: &[(&str, u8, u64)]) -> Vec<u8> {
    let name = |(name, flags, ino): &(&str, u8, u64)| [text(name), vec![*flags], ino.to_le_bytes().to_vec()].concat();
    names.iter().flat_map(name).chain([0, 0]).collect()
}

#[test]
fn what_no_filesystem_is_is_refused() {
    let (fs, _) = fresh();
    let base = fs.snapshot();
    // The root with `entries`, and then `more`.
    let forge = |entries: &[(&str, u8, u64)], more: &dyn Fn(Forged, u64) -> Forged| {
        let (forged, first) = Forged::new(&base);
        more(forged.file(2, 1, &names(entries)), first).read(&base).map(|read| list(&read.to_fs(&fs), "/"))
    };
    let n = Forged::new(&base).1;
    let empty = [0; 12];
    let one = |forged: Forged, n| forged.file(1, n, &empty);
    let directory = |inside: &[(&str, u8, u64)]| forge(&[("d", 0, n)], &|forged, n| forged.file(2, n, &names(inside)));
    assert_eq!(forge(&[("a", 0, n), ("b", 0, n)], &one).unwrap(), ["a", "b"]);
    assert_eq!(directory(&[]).unwrap(), ["d"]);
    for name in [".", "..", "a/b", "/", "a\0", "\u{f7c3}\u{f7a9}", &"x".repeat(256)] {
        assert!(forge(&[(name, 0, n)], &one).is_err(), "{name:?}");
    }
    let wrong: [(&str, Result<Vec<String>, ArchiveError>); 16] = [
        ("names out of order", forge(&[("b", 0, n), ("a", 0, n)], &one)),
        ("a name twice", forge(&[("a", 0, n), ("a", 0, n)], &one)),
        ("no such file", forge(&[("a", 0, n + 1)], &one)),
        ("a whiteout in memory", forge(&[("a", 3, 0)], &|forged, _| forged)),
        ("a whiteout over nothing", forge(&[("a", 1, 0)], &|forged, _| forged)),
        ("a cover in memory", forge(&[("a", 2, n)], &one)),
        ("a file without a name", forge(&[], &one)),
        ("the root in itself", forge(&[("a", 0, 1)], &|forged, _| forged)),
        ("a directory in itself", directory(&[("d", 0, n)])),
        ("a directory in two places", forge(&[("d", 0, n), ("e", 0, n)], &|forged, n| forged.file(2, n, &names(&[])))),
        ("a ring apart", forge(&[], &|forged, n| forged.file(2, n, &names(&[("e", 0, n + 1)])).file(2, n + 1, &names(&[("d", 0, n)])))),
        ("a number beyond the next", forge(&[("a", 0, n + 100)], &|forged, n| forged.file(1, n + 100, &empty))),
        ("numbers out of order", forge(&[("a", 0, n), ("b", 0, n + 1)], &|forged, n| forged.file(1, n + 1, &empty).file(1, n, &empty))),
        ("a link to nothing", forge(&[("a", 0, n)], &|forged, n| forged.file(3, n, &text("")))),
        ("no device", forge(&[("a", 0, n)], &|forged, n| forged.file(4, n, &[6]))),
        ("no type", forge(&[("a", 0, n)], &|forged, n| forged.file(5, n, &[]))),
    ];
    for (what, answer) in wrong {
        assert!(matches!(answer, Err(ArchiveError::Malformed(_))), "{what}: {answer:?}");
    }
}

#[test]
fn lengths_are_not_believed() {
    let (fs, _) = fresh();
    let base = fs.snapshot();
    let (_, n) = Forged::new(&base);
    let contents = |len: u64, pieces: &[(u32, u64, usize)]| {
        let mut body = len.to_le_bytes().to_vec();
        for (count, offset, there) in pieces {
            body.extend(count.to_le_bytes());
            body.extend(offset.to_le_bytes());
            body.extend(vec![7; *there]);
        }
        body.extend([0; 4]);
        let (forged, n) = Forged::new(&base);
        forged.file(2, 1, &names(&[("f", 0, n)])).file(1, n, &body).read(&base)
    };
    let read = contents(100, &[(3, 10, 3), (2, 50, 2)]).unwrap().to_fs(&fs);
    assert_eq!((get(&read, "/f").unwrap().len(), read.stat(&read.root(), "/f", true).unwrap().ino), (100, n));
    assert!(contents(i64::MAX as u64, &[(1, (1 << 40) + 5, 1)]).is_ok(), "a sparse file has any length");
    for (len, pieces) in [
        (u64::MAX, &[][..]),
        (4, &[(5, 0, 5)][..]),
        (100, &[(3, 98, 3)]),
        (100, &[(3, u64::MAX - 1, 3)]),
        (100, &[(3, 10, 3), (3, 12, 3)]),
        (u64::MAX >> 1, &[(65_537, 0, 65_537)]),
        (u64::MAX >> 1, &[(u32::MAX, 0, 0)]),
    ] {
        assert!(contents(len, pieces).is_err(), "{len} {pieces:?}");
    }
}

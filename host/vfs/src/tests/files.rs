//! Contents: reading, writing, holes, lengths, times; nodes that outlive their names; devices.

use super::*;
use crate::chunk::CHUNK;

#[test]
fn written_bytes_are_read_back() {
    let (fs, root) = fresh();
    let node = put(&fs, "/f", b"hello");
    assert_eq!(node.write_at(3, b"p me"), Ok(4));
    assert_eq!(get(&fs, "/f").unwrap(), b"help me");
    assert_eq!(node.append(b"!"), Ok(8));
    assert_eq!(node.append(b""), Ok(8));
    assert_eq!(fs.stat(&root, "/f", true).unwrap().size, 8);
    assert_eq!(node.read_at(8, 10).unwrap().len(), 0);
    assert_eq!(node.read_at(7, 10).unwrap(), "!");
}

#[test]
fn whole_chunks_come_without_a_copy() {
    let (fs, _) = fresh();
    let node = put(&fs, "/f", vec![7; 3 * CHUNK]);
    let one = node.read_at(CHUNK as u64, CHUNK).unwrap();
    let two = node.read_at(CHUNK as u64, CHUNK).unwrap();
    assert_eq!((one.as_ptr(), one.len()), (two.as_ptr(), CHUNK));
    // A reader keeps what it read, whatever is written afterwards.
    node.write_at(CHUNK as u64, &[9; 10]).unwrap();
    assert!(one.iter().all(|byte| *byte == 7));
    assert_eq!(node.read_at(CHUNK as u64, 11).unwrap(), [9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 7][..]);
}

#[test]
fn a_read_is_short_rather_than_large() {
    let (fs, _) = fresh();
    let node = put(&fs, "/f", b"x");
    node.set_len(1 << 40).unwrap();
    let bytes = node.read_at(0, usize::MAX).unwrap();
    assert!(!bytes.is_empty() && bytes.len() <= 1 << 20);
}

#[test]
fn holes_read_as_zeros_and_cost_nothing() {
    let (fs, _) = with_quota(10, 10);
    let node = put(&fs, "/f", b"");
    assert_eq!(node.write_at(1 << 40, b"end"), Ok(3));
    assert_eq!(node.write_at((1 << 40) + 7, b"x"), Ok(1));
    let stat = node.stat().unwrap();
    assert_eq!((stat.size, stat.blocks, fs.usage().bytes), ((1 << 40) + 8, 1, 8));
    assert_eq!(node.read_at((1 << 40) - 2, 20).unwrap(), b"\0\0end\0\0\0\0x"[..]);
    assert_eq!(node.read_at(12_345, 5).unwrap(), [0; 5][..]);
    node.set_len(1 << 41).unwrap();
    assert_eq!(fs.usage().bytes, 8);
    assert_eq!(node.read_at((1 << 41) - 1, 5).unwrap(), [0][..]);
}

#[test]
fn what_is_cut_off_is_zero_when_it_comes_back() {
    for cut in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK - 5] {
        let (fs, _) = fresh();
        let node = put(&fs, "/f", vec![1; 3 * CHUNK]);
        node.set_len(cut as u64).unwrap();
        assert_eq!(fs.usage().bytes, cut as u64);
        node.set_len(3 * CHUNK as u64).unwrap();
        let bytes = all(&node);
        assert!(bytes[..cut].iter().all(|byte| *byte == 1) && bytes[cut..].iter().all(|byte| *byte == 0), "cut at {cut}");
    }
}

#[test]
fn open_truncates_only_what_it_may_write() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"text");
    base_file(&fs, "/b", "base", 0o644);
    fs.open(&root, "/f", OpenHow { truncate: true, ..WRITE }).unwrap();
    assert_eq!(get(&fs, "/f").unwrap(), b"");
    assert_eq!(fs.open(&root, "/b", OpenHow { truncate: true, ..READ }).err(), Some(FsError::Access));
    assert_eq!(get(&fs, "/b").unwrap(), b"base");
}

#[test]
fn an_unlinked_file_lives_until_it_is_closed() {
    let (fs, root) = fresh();
    let node = put(&fs, "/f", b"text");
    let other = node.clone();
    fs.unlink(&root, "/f").unwrap();
    assert_eq!(fs.stat(&root, "/f", true), Err(FsError::NotFound));
    node.write_at(4, b"!").unwrap();
    assert_eq!((all(&node), node.stat().unwrap().nlink), (b"text!".to_vec(), 0));
    assert_eq!((fs.usage().bytes, fs.usage().files), (5, 1));
    drop(node);
    assert_eq!(all(&other), b"text!");
    drop(other);
    assert_eq!((fs.usage().bytes, fs.usage().files), (0, 0));
}

#[test]
fn an_anonymous_file_has_no_name_and_counts() {
    let (fs, root) = fresh();
    let node = fs.anonymous().unwrap();
    node.write_at(0, b"secret").unwrap();
    assert_eq!((all(&node), fs.usage().bytes, fs.usage().files), (b"secret".to_vec(), 6, 1));
    assert!(root.read_dir().unwrap().is_empty());
    drop(node);
    assert_eq!((fs.usage().bytes, fs.usage().files), (0, 0));
}

#[test]
fn rights_are_those_of_the_opening() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"text");
    let reader = fs.open(&root, "/f", READ).unwrap();
    let writer = fs.open(&root, "/f", OpenHow { read: false, ..WRITE }).unwrap();
    fs.set_mode(&root, "/f", true, 0).unwrap();
    assert_eq!(fs.open(&root, "/f", READ).err(), Some(FsError::Access));
    assert_eq!(all(&reader), b"text");
    assert_eq!(reader.write_at(0, b"x"), Err(FsError::BadDescriptor));
    assert_eq!(reader.set_len(0), Err(FsError::BadDescriptor));
    assert_eq!(writer.write_at(0, b"T"), Ok(1));
    assert_eq!(writer.read_at(0, 1), Err(FsError::BadDescriptor));
    assert_eq!(all(&reader), b"Text");
}

#[test]
fn times_follow_what_happens() {
    let (fs, root) = fresh();
    let node = put(&fs, "/f", b"text");
    let stat = || node.stat().unwrap();
    let first = stat();
    node.write_at(0, b"x").unwrap();
    let written = stat();
    assert!(written.mtime > first.mtime && written.ctime == written.mtime && written.atime == first.atime);
    fs.set_mode(&root, "/f", true, 0o600).unwrap();
    assert!(stat().ctime > written.ctime && stat().mtime == written.mtime);
    fs.set_times(&root, "/f", true, SetTime::At(5), SetTime::Keep).unwrap();
    assert_eq!((stat().atime, stat().mtime), (5, written.mtime));
    node.set_times(SetTime::Keep, SetTime::At(1_700_000_000_123_456_789)).unwrap();
    assert_eq!(stat().mtime, 1_700_000_000_123_456_789);
    let before = root.stat().unwrap().mtime;
    fs.rename(&root, "/f", &root, "/g").unwrap();
    assert!(root.stat().unwrap().mtime > before);
    assert_eq!(stat().mtime, 1_700_000_000_123_456_789);
}

#[test]
fn devices() {
    let (fs, root) = fresh();
    for (name, device) in [("null", Device::Null), ("zero", Device::Zero), ("full", Device::Full), ("urandom", Device::Urandom)] {
        fs.add_base(&format!("/dev/{name}"), BaseEntry::Device(device)).unwrap();
    }
    let open = |path: &str| fs.open(&root, path, WRITE).unwrap();
    assert_eq!(open("/dev/null").read_at(0, 9).unwrap().len(), 0);
    assert_eq!(open("/dev/null").write_at(u64::MAX, b"gone"), Ok(4));
    assert_eq!(open("/dev/zero").read_at(9, 3).unwrap(), [0; 3][..]);
    assert_eq!(open("/dev/full").write_at(0, b"x"), Err(FsError::NoSpace));
    let random = open("/dev/urandom");
    assert_eq!((random.file_type(), random.device()), (FileType::CharDevice, Some(Device::Urandom)));
    assert_eq!(root.device(), None);
    assert_eq!(open("/dev/urandom").read_at(0, 1), Err(FsError::Unsupported));
    // A shell redirects with O_CREAT | O_TRUNC.
    assert!(fs.open(&root, "/dev/null", OpenHow { truncate: true, ..CREATE }).is_ok());
}

#[test]
fn descriptors_are_numbers_under_dev_fd() {
    let (fs, root) = fresh();
    base_dir(&fs, "/dev/fd", 0o755, false);
    fs.add_base("/dev/stdin", BaseEntry::Symlink("fd/0".into())).unwrap();
    let device = |path: &str| fs.open(&root, path, READ).map(|node| (node.file_type(), node.device()));
    assert_eq!(device("/dev/fd/17"), Ok((FileType::CharDevice, Some(Device::Fd(17)))));
    assert_eq!(device("/dev/stdin"), Ok((FileType::CharDevice, Some(Device::Fd(0)))));
    for wrong in ["/dev/fd/x", "/dev/fd/07", "/dev/fd/-1", "/dev/fd/4294967296", "/dev/fd/+1"] {
        assert_eq!(device(wrong), Err(FsError::NotFound), "{wrong}");
    }
    assert_eq!(device("/dev/fd/1/x"), Err(FsError::NotDirectory));
    assert_eq!(list(&fs, "/dev/fd"), ["0", "1", "2"]);
    assert_eq!(fs.unlink(&root, "/dev/fd/1"), Err(FsError::NotPermitted));
    assert_eq!(fs.open(&root, "/dev/fd/name", CREATE).err(), Some(FsError::Access));
}

#[test]
fn computed_files_say_what_the_viewer_of_the_handle_says() {
    let (fs, root) = fresh();
    for name in ["who", "closed"] {
        fs.add_base(&format!("/proc/{name}"), BaseEntry::Computed(name)).unwrap();
    }
    fs.add_base("/proc/link", BaseEntry::ComputedLink("home")).unwrap();
    put(&fs, "/ann-home", b"a file of ann's");
    let (ann, bob) = (fs.seen_by(Arc::new(Who("ann"))), fs.seen_by(Arc::new(Who("bob"))));
    assert_eq!(get(&ann, "/proc/who").unwrap(), b"who for ann");
    assert_eq!(get(&bob, "/proc/who").unwrap(), b"who for bob");
    assert_eq!((get(&fs, "/proc/who"), get(&ann, "/proc/closed")), (Err(FsError::NotPermitted), Err(FsError::OutOfMemory)));
    // A link leads where the viewer of the following handle says.
    assert_eq!(get(&ann, "/proc/link").unwrap(), b"a file of ann's");
    assert_eq!((get(&bob, "/proc/link"), bob.readlink(&root, "/proc/link")), (Err(FsError::NotFound), Ok("/bob-home".to_owned())));
    assert_eq!(fs.readlink(&root, "/proc/link"), Err(FsError::NotPermitted));
    // A regular file without a length until it is opened; it cannot be changed.
    let stat = ann.stat(&root, "/proc/who", true).unwrap();
    assert_eq!((stat.kind, stat.size, stat.mode), (FileType::Regular, 0, 0o444));
    let node = ann.open(&root, "/proc/who", READ).unwrap();
    assert_eq!((node.stat().unwrap().size, node.ident().unwrap()), (11, (stat.dev, stat.ino)));
    assert_eq!((node.read_at(4, 3).unwrap(), node.read_at(99, 3).unwrap()), ("for".into(), "".into()));
    assert_eq!((node.write_at(0, b"x"), node.set_len(0)), (Err(FsError::BadDescriptor), Err(FsError::BadDescriptor)));
    assert_eq!((ann.open(&root, "/proc/who", WRITE).err(), node.set_mode(0o777)), (Some(FsError::Access), Err(FsError::NotPermitted)));
    assert_eq!(ann.set_mode(&root, "/proc/who", true, 0o777), Err(FsError::NotPermitted));
    assert_eq!(ann.link(&root, "/proc/who", true, &root, "/mine"), Err(FsError::NotPermitted));
}

#[test]
fn each_process_has_a_directory_that_only_a_viewer_shows() {
    let (fs, root) = fresh();
    fs.add_base("/proc", BaseEntry::Dir { mode: 0o755, user_owned: false }).unwrap();
    fs.add_base("/proc/self/who", BaseEntry::Computed("who")).unwrap();
    fs.add_base("/proc/self/home", BaseEntry::ComputedLink("home")).unwrap();
    fs.add_base("/proc/up", BaseEntry::Computed("up")).unwrap();
    put(&fs, "/7-ann-home", b"where 7 is");
    let ann = fs.seen_by(Arc::new(Who("ann")));
    assert_eq!(list(&ann, "/proc"), ["12", "7", "self", "up"]);
    assert_eq!(list(&fs, "/proc"), ["self", "up"]);
    for (path, text) in [("self/who", "who for ann"), ("7/who", "who of 7 for ann"), ("7/home", "where 7 is"), ("up", "up for ann")] {
        assert_eq!(get(&ann, &format!("/proc/{path}")).unwrap(), text.as_bytes());
    }
    assert_eq!(ann.readlink(&root, "/proc/12/home"), Ok("/12-ann-home".to_owned()));
    // The way back leads out of the process.
    assert_eq!(get(&ann, "/proc/7/../self/who").unwrap(), b"who for ann");
    assert_eq!(get(&ann, "/proc/7/../12/./who").unwrap(), b"who of 12 for ann");
    for wrong in ["/proc/8", "/proc/07", "/proc/7x", "/proc/-7", "/proc/self/7", "/7"] {
        assert_eq!(ann.stat(&root, wrong, true).err(), Some(FsError::NotFound), "{wrong}");
    }
    assert_eq!(fs.stat(&root, "/proc/7", true).err(), Some(FsError::NotFound), "no viewer");
    // An open directory stays that of its process, and its files have numbers of their own.
    let seven = ann.open(&root, "/proc/7", OpenHow { directory: true, ..READ }).unwrap();
    assert_eq!(all(&ann.open(&seven, "who", READ).unwrap()), b"who of 7 for ann");
    let (own, other) = (ann.stat(&root, "/proc/self/who", true).unwrap(), ann.stat(&seven, "who", true).unwrap());
    assert_ne!(own.ino, other.ino);
    let page = seven.read_dir_after("home", 9).unwrap();
    let page: Vec<_> = page.iter().map(|(entry, stat)| (entry.name.as_str(), entry.ino, stat.ino)).collect();
    assert_eq!(page, [("who", other.ino, other.ino)]);
    let proc = ann.open(&root, "/proc", OpenHow { directory: true, ..READ }).unwrap();
    let entry = proc.read_dir().unwrap().into_iter().find(|entry| entry.name == "7").unwrap();
    assert_eq!((entry.kind, entry.ino), (FileType::Directory, seven.stat().unwrap().ino));
    // Nothing can be put there.
    assert_eq!((ann.mkdir(&root, "/proc/8", 0o755), ann.unlink(&root, "/proc/7/who")), (Err(FsError::Access), Err(FsError::Access)));
    assert_eq!(ann.rename(&root, "/proc/7", &root, "/mine"), Err(FsError::Access));
    assert_eq!(ann.open(&seven, "new", CREATE).err(), Some(FsError::Access));
}

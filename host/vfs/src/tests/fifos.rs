//! Named pipes: names, modes, the quota, archives. What flows through them is in the crate of processes.

use super::*;

const FIFO: Option<FileType> = Some(FileType::Fifo);

fn kind(fs: &Fs, path: &str) -> Option<FileType> {
    fs.stat(&fs.root(), path, false).ok().map(|stat| stat.kind)
}

#[test]
fn a_named_pipe_is_a_name_with_a_mode() {
    let (fs, root) = fresh();
    fs.mkfifo(&root, "/p", 0o640).unwrap();
    let stat = fs.stat(&root, "/p", true).unwrap();
    assert_eq!((stat.kind, stat.mode, stat.nlink, stat.size, stat.blocks), (FileType::Fifo, 0o640, 1, 0, 0));
    assert_eq!(fs.mkfifo(&root, "/p", 0o640), Err(FsError::Exists));
    assert_eq!(fs.mkfifo(&root, "/", 0o640), Err(FsError::Exists));
    assert_eq!(fs.mkfifo(&root, "/no/p", 0o640), Err(FsError::NotFound));
    assert_eq!(fs.mkfifo(&root, "/q/", 0o640), Err(FsError::NotFound));
    assert_eq!(fs.mkfifo(&root, "/p/q", 0o640), Err(FsError::NotDirectory));
    let listed = fs.open(&root, "/", OpenHow { directory: true, ..READ }).unwrap().read_dir().unwrap();
    assert_eq!(listed.iter().map(|entry| (entry.name.as_str(), entry.kind)).collect::<Vec<_>>(), [("p", FileType::Fifo)]);

    base_dir(&fs, "/given", 0o755, false);
    assert_eq!(fs.mkfifo(&root, "/given/p", 0o640), Err(FsError::Access));
}

#[test]
fn its_node_says_which_pipe_it_is_and_carries_no_bytes() {
    let (fs, root) = fresh();
    fs.mkfifo(&root, "/p", 0o400).unwrap();
    assert_eq!(fs.open(&root, "/p", WRITE).err(), Some(FsError::Access));
    assert_eq!(fs.open(&root, "/p", OpenHow { exclusive: true, ..CREATE }).err(), Some(FsError::Exists));
    assert_eq!(fs.open(&root, "/p", OpenHow { directory: true, ..READ }).err(), Some(FsError::NotDirectory));
    assert_eq!(fs.open(&root, "/p/", READ).err(), Some(FsError::NotDirectory));
    fs.set_mode(&root, "/p", true, 0o600).unwrap();
    fs.link(&root, "/p", false, &root, "/other").unwrap();
    fs.symlink(&root, "/link", "p").unwrap();
    let node = fs.open(&root, "/link", OpenHow { truncate: true, ..CREATE }).unwrap();
    assert_eq!((node.file_type(), node.readable(), node.writable()), (FileType::Fifo, true, true));
    assert_eq!(node.ident(), fs.open(&root, "/other", READ).unwrap().ident(), "two names, one pipe");
    assert_eq!(node.read_at(0, 1), Err(FsError::Unsupported));
    assert_eq!(node.write_at(0, b"x"), Err(FsError::Unsupported));
    assert_eq!(node.append(b"x"), Err(FsError::Unsupported));
    assert_eq!(node.set_len(0), Err(FsError::Invalid));
    assert_eq!(OpenFile::new(node, false).seek(Whence::Start, 0), Err(FsError::IllegalSeek));
}

#[test]
fn it_can_be_moved_and_removed_while_it_is_open() {
    let (fs, root) = fresh();
    fs.mkfifo(&root, "/p", 0o600).unwrap();
    let node = fs.open(&root, "/p", READ).unwrap();
    put(&fs, "/f", b"a file");
    fs.rename(&root, "/p", &root, "/f").unwrap();
    assert_eq!((kind(&fs, "/p"), kind(&fs, "/f")), (None, FIFO));
    assert_eq!(node.ident(), fs.open(&root, "/f", WRITE).unwrap().ident());
    fs.unlink(&root, "/f").unwrap();
    fs.mkfifo(&root, "/f", 0o600).unwrap();
    let new = fs.open(&root, "/f", READ).unwrap();
    assert!(node.ident() != new.ident() && node.stat().unwrap().nlink == 0, "another pipe has the name, not the number");
    assert_eq!(fs.usage().files, 2);
    drop(node);
    assert_eq!(fs.usage().files, 1);
}

#[test]
fn it_counts_as_a_file_and_costs_no_bytes() {
    let (fs, root) = with_quota(0, 2);
    fs.mkfifo(&root, "/a", 0o600).unwrap();
    fs.mkfifo(&root, "/b", 0o600).unwrap();
    assert_eq!(fs.mkfifo(&root, "/c", 0o600), Err(FsError::NoSpace));
    assert_eq!(fs.usage(), FilesUsage { bytes: 0, max_bytes: 0, files: 2, max_files: 2 });
    fs.unlink(&root, "/a").unwrap();
    assert_eq!(fs.mkfifo(&root, "/c", 0o600), Ok(()));
}

#[test]
fn snapshots_archives_and_digests_have_it() {
    let (fs, root) = fresh();
    let empty = fs.snapshot();
    let before = fs.digest(&root, "/").unwrap();
    fs.mkfifo(&root, "/p", 0o620).unwrap();
    assert_ne!(fs.digest(&root, "/").unwrap(), before);
    let with_pipe = fs.digest(&root, "/").unwrap();
    let mut bytes = Vec::new();
    fs.snapshot().export(&empty, &mut bytes).unwrap();
    let read = Snapshot::import(&empty, Quota { max_bytes: 0, max_files: 1 }, &mut &bytes[..]).unwrap();
    let none = Snapshot::import(&empty, Quota { max_bytes: 0, max_files: 0 }, &mut &bytes[..]);
    assert!(matches!(none, Err(ArchiveError::Quota { what: "files", .. })));
    fs.restore(&empty);
    assert_eq!(kind(&fs, "/p"), None);
    fs.restore(&read);
    let stat = fs.stat(&root, "/p", true).unwrap();
    assert_eq!((stat.kind, stat.mode, stat.nlink), (FileType::Fifo, 0o620, 1));
    assert_eq!(fs.digest(&root, "/").unwrap(), with_pipe);
}

#[test]
fn watches_see_it() {
    let (fs, root) = fresh();
    let mut watch = fs.watch(8);
    fs.mkfifo(&root, "/p", 0o600).unwrap();
    assert!(watch.try_next().is_some());
    assert!(watch.try_next().is_none());
}

#[test]
fn the_name_of_a_socket_is_a_file_that_is_never_read_or_written() {
    let (fs, root) = fresh();
    let empty = fs.snapshot();
    fs.mksocket(&root, "/s", 0o755).unwrap();
    assert_eq!(fs.mksocket(&root, "/s", 0o755), Err(FsError::Exists));
    for how in [READ, WRITE] {
        assert_eq!(fs.open(&root, "/s", how).err(), Some(FsError::NoDevice));
    }
    let node = fs.open(&root, "/s", OpenHow::default()).unwrap();
    assert_eq!((node.file_type(), node.stat().unwrap().mode), (FileType::Socket, 0o755));
    assert_eq!((node.read_at(0, 1), node.set_len(0)), (Err(FsError::BadDescriptor), Err(FsError::BadDescriptor)));
    let digest = fs.digest(&root, "/").unwrap();
    let mut bytes = Vec::new();
    fs.snapshot().export(&empty, &mut bytes).unwrap();
    fs.restore(&empty);
    assert_eq!(kind(&fs, "/s"), None);
    fs.restore(&Snapshot::import(&empty, Quota { max_bytes: 0, max_files: 1 }, &mut &bytes[..]).unwrap());
    assert_eq!((kind(&fs, "/s"), fs.digest(&root, "/").unwrap()), (Some(FileType::Socket), digest));
}

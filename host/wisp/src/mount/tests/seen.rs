//! What an overlay notes about the host's files when it changes them, and what became of them since.

use std::os::unix::fs::PermissionsExt;

use super::*;
use wisp_vfs::{ArchiveError, Since, Snapshot};

const ALL: Quota = Quota { max_bytes: 1 << 20, max_files: 100 };

fn since(host: &Host, path: &str) -> Since {
    host.fs.snapshot().since(0, path).unwrap()
}

fn mode(host: &Host, name: &str, mode: u32) {
    std::fs::set_permissions(host.path(name), PermissionsExt::from_mode(mode)).unwrap();
}

#[test]
fn what_the_host_changes_afterwards_is_told() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    // Long ago, so that a file that is written now has another time.
    let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    for name in ["read", "cut", "gone", "over", "late"] {
        host.write(name, "before");
        std::fs::File::options().write(true).open(host.path(name)).unwrap().set_modified(long_ago).unwrap();
    }
    host.link("file", "link");
    fs.open(root, "/mnt/read", WRITE).unwrap().append(b"!").unwrap();
    fs.open(root, "/mnt/cut", OpenHow { truncate: true, ..WRITE }).unwrap();
    fs.unlink(root, "/mnt/gone").unwrap();
    host.put("/mnt/new", "new").unwrap();
    fs.rename(root, "/mnt/new", root, "/mnt/over").unwrap();
    fs.unlink(root, "/mnt/link").unwrap();
    fs.set_mode(root, "/mnt/dir/sub", true, 0o700).unwrap();
    host.put("/mnt/made", "made").unwrap();
    let all = ["read", "cut", "gone", "over", "link", "dir", "dir/sub", "made", "late", "nowhere"];
    for name in all {
        assert_eq!(since(&host, name), Since::Same, "{name}");
    }
    // The same bytes again: those that were read are known by their contents, the others by what `stat` said.
    for name in ["read", "cut", "gone", "over"] {
        std::fs::remove_file(host.path(name)).unwrap();
        host.write(name, "before");
    }
    assert_eq!(
        ["read", "cut", "gone", "over"].map(|name| since(&host, name)),
        [Since::Same, Since::Changed, Since::Changed, Since::Changed]
    );
    host.write("read", "after!");
    std::fs::remove_file(host.path("link")).unwrap();
    host.link("elsewhere", "link");
    mode(&host, "dir/sub", 0o711);
    host.write("made", "made");
    assert_eq!(
        ["read", "link", "dir/sub", "made"].map(|name| since(&host, name)),
        [Since::Changed, Since::Changed, Since::Changed, Since::Added]
    );
    std::fs::remove_file(host.path("read")).unwrap();
    std::fs::remove_file(host.path("gone")).unwrap();
    assert_eq!(["read", "gone"].map(|name| since(&host, name)), [Since::Removed; 2]);
    assert_eq!(host.fs.snapshot().since(1, "file"), Err(FsError::BadDescriptor));
}

#[test]
fn what_the_session_did_not_change_is_the_hosts() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    mode(&host, "file", 0o644);
    host.link("file", "link");
    // Copied up, and as they were.
    fs.open(root, "/mnt/file", WRITE).unwrap();
    fs.set_times(root, "/mnt/link", false, wisp_vfs::SetTime::Now, wisp_vfs::SetTime::Now).unwrap();
    fs.set_mode(root, "/mnt/dir/inner", true, 0o600).unwrap();
    host.write("file", "newer");
    std::fs::remove_file(host.path("link")).unwrap();
    host.link("dir", "link");
    mode(&host, "dir", 0o711);
    assert_eq!(
        ["file", "link", "dir", "dir/inner"].map(|name| since(&host, name)),
        [Since::OnlyHost, Since::OnlyHost, Since::OnlyHost, Since::Same]
    );
    mode(&host, "file", 0o600);
    assert_eq!(since(&host, "file"), Since::OnlyHost);
    fs.set_mode(root, "/mnt/file", true, 0o640).unwrap();
    assert_eq!(since(&host, "file"), Since::Changed, "both");
}

#[test]
fn files_of_a_renamed_directory_come_along() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    host.write("dir/sub/deep", "deep");
    assert_eq!(host.fs.snapshot().moved_directory(0), Ok(None));
    fs.set_mode(root, "/mnt/dir/inner", true, 0o600).unwrap();
    assert_eq!(host.fs.snapshot().moved_directory(0), Ok(None));
    fs.rename(root, "/mnt/dir", root, "/mnt/moved").unwrap();
    assert_eq!(host.fs.snapshot().moved_directory(0), Ok(Some("dir".into())));
    // It was never looked at, and is visible below the new name.
    assert_eq!(["dir", "dir/inner", "dir/sub", "dir/sub/deep"].map(|name| since(&host, name)), [Since::Same; 4]);
    host.write("dir/inner", "other");
    assert_eq!(since(&host, "dir/inner"), Since::Changed);
    // The new name covers nothing of the host's, although the directory does under its old one.
    host.put("/mnt/moved/inner", "mine").unwrap();
    assert_eq!(["moved", "moved/inner"].map(|name| since(&host, name)), [Since::Same; 2]);
    // Removed there, it is seen nowhere.
    fs.unlink(root, "/mnt/moved/sub/deep").unwrap();
    fs.rmdir(root, "/mnt/moved/sub").unwrap();
    assert_eq!(["dir/sub", "dir/sub/deep"].map(|name| since(&host, name)), [Since::Same; 2]);
    host.write("dir/sub/later", "later");
    assert_eq!(since(&host, "dir/sub/later"), Since::Added);
    // In a directory of the session's own in its old place, the host's are hidden.
    fs.mkdir(root, "/mnt/dir", 0o755).unwrap();
    host.write("dir/another", "another");
    assert_eq!(since(&host, "dir/another"), Since::Same, "`moved` shows it");
}

/// The archive of this filesystem, and what comes of it.
fn archived(host: &Host, base: &Snapshot) -> (Vec<u8>, Fs) {
    let mut bytes = Vec::new();
    host.fs.snapshot().export(base, &mut bytes).unwrap();
    let read = Snapshot::import(base, ALL, &mut &bytes[..]).unwrap();
    let mut again = Vec::new();
    read.export(base, &mut again).unwrap();
    assert!(again == bytes, "the same state gives other bytes");
    let fs = read.to_fs(&host.fs);
    (bytes, fs)
}

#[test]
fn an_archive_keeps_it_and_one_without_it_says_that_nobody_knows() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    host.link("file", "link");
    host.write("gone", "gone");
    let base = fs.snapshot();
    fs.open(root, "/mnt/file", WRITE).unwrap().append(b"!").unwrap();
    fs.set_times(root, "/mnt/link", false, wisp_vfs::SetTime::Now, wisp_vfs::SetTime::Now).unwrap();
    fs.unlink(root, "/mnt/dir/inner").unwrap();
    fs.unlink(root, "/mnt/gone").unwrap();
    fs.note_applied(0, ["gone"]).unwrap();
    let (bytes, read) = archived(&host, &base);
    let since = |fs: &Fs, path: &str| fs.snapshot().since(0, path).unwrap();
    let names = ["file", "link", "dir", "dir/inner"];
    assert_eq!(names.map(|name| since(&read, name)), [Since::Same; 4]);
    assert_eq!(since(&read, "gone"), Since::OnlyHost, "it was applied, and is there again");
    host.write("file", "other");
    std::fs::remove_file(host.path("dir/inner")).unwrap();
    assert_eq!(names.map(|name| since(&read, name)), [Since::Changed, Since::Same, Since::Same, Since::Removed]);

    // The notes are at the end: 10, the mount, the path, the form. Without them, it is what an earlier wisp wrote.
    let first = [&[10, 0, 0, 0, 0][..], &3_u16.to_le_bytes(), b"dir", &[1]].concat();
    let at = bytes.windows(first.len()).position(|part| part == first).unwrap();
    let old = [&bytes[..at], &[0]].concat();
    let read = Snapshot::import(&base, ALL, &mut &old[..]).unwrap().to_fs(fs);
    assert_eq!(names.map(|name| since(&read, name)), [Since::Unknown; 4]);
    assert_eq!(since(&read, "nowhere"), Since::Same);

    let altered = |from: usize, with: &[u8]| {
        let bytes = [&bytes[..at + from], with, &bytes[at + from + with.len()..]].concat();
        Snapshot::import(&base, ALL, &mut &bytes[..]).map(drop)
    };
    assert!(altered(0, &first).is_ok());
    for (from, with, what) in [
        (1, &[1][..], "another mount"),
        (7, b"/ir", "no path"),
        (7, b"zzz", "not in order"),
        (10, &[9], "no form"),
        (11, &[0xff; 4], "no mode"),
        (0, &[1], "no file"),
    ] {
        assert!(matches!(altered(from, with), Err(ArchiveError::Malformed(_) | ArchiveError::Truncated)), "{what}");
    }
    let few = Quota { max_files: 4, ..ALL };
    let refused = Snapshot::import(&base, few, &mut &bytes[..]).map(drop);
    assert!(matches!(refused, Err(ArchiveError::Quota { what: "notes about files of the host", limit: 4 })), "{refused:?}");
}

#[test]
fn there_are_no_more_notes_than_files_may_be() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    for number in 0..15 {
        std::fs::create_dir(host.path(&format!("d{number:02}"))).unwrap();
        for name in 0..10 {
            host.write(&format!("d{number:02}/{name}"), "");
        }
    }
    // Only the whiteout of each directory counts in the end.
    for number in 0..15 {
        for name in 0..10 {
            fs.unlink(root, &format!("/mnt/d{number:02}/{name}")).unwrap();
        }
        fs.rmdir(root, &format!("/mnt/d{number:02}")).unwrap();
    }
    assert_eq!(fs.usage().files, 15);
    assert_eq!(since(&host, "d00/0"), Since::Same);
    assert_ne!(since(&host, "d14/9"), Since::Same, "it was not noted, so it is not applied");
}

/// An archive that cannot be read again would lose the whole session.
#[test]
fn an_archive_has_as_many_notes_as_can_be_read_again() {
    let quota = Quota { max_bytes: 1 << 20, max_files: 20_000 };
    let top = tempfile::tempdir().unwrap();
    std::fs::create_dir(top.path().join("data")).unwrap();
    let fs = Fs::new(quota, Arc::new(Still));
    let host = Host { top, root: fs.root(), fs };
    let deep = vec!["d".repeat(250); 14].join("/");
    let name = |number: usize| format!("{deep}/{number:0250}");
    std::fs::create_dir_all(host.path(&deep)).unwrap();
    (0..9_000).for_each(|number| host.write(&name(number), ""));
    host.mount("/mnt", MountAccess::Overlay);
    let (fs, root, base) = (&host.fs, &host.root, host.fs.snapshot());
    let archived = || {
        let mut bytes = Vec::new();
        fs.snapshot().export(&base, &mut bytes).unwrap();
        Snapshot::import(&base, quota, &mut &bytes[..]).unwrap().to_fs(fs).snapshot()
    };
    // The paths of the notes do not count as those of copies: together they would be too many.
    for number in 0..5_000 {
        fs.set_mode(root, &format!("/mnt/{}", name(number)), true, 0o600).unwrap();
    }
    assert_eq!(archived().since(0, &name(4_999)), Ok(Since::Same));
    // These are too many themselves.
    for number in 5_000..9_000 {
        fs.unlink(root, &format!("/mnt/{}", name(number))).unwrap();
    }
    let read = archived();
    assert_eq!(
        ["0".into(), name(0), name(8_000), name(8_999)].map(|path| read.since(0, &path)),
        [Ok(Since::Same), Ok(Since::Same), Ok(Since::Same), Ok(Since::Unknown)]
    );
}

#[test]
fn an_overlay_that_is_reset_shows_the_host_and_counts_nothing() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    let base = fs.snapshot();
    host.put("/kept", "kept").unwrap();
    fs.link(root, "/kept", false, root, "/other").unwrap();
    let before = fs.usage();
    host.put("/mnt/file", "changed").unwrap();
    fs.mkdir(root, "/mnt/made", 0o755).unwrap();
    host.put("/mnt/made/one", "one").unwrap();
    fs.link(root, "/mnt/made/one", false, root, "/mnt/two").unwrap();
    fs.rename(root, "/mnt/dir", root, "/mnt/moved").unwrap();
    fs.unlink(root, "/mnt/moved/inner").unwrap();
    fs.symlink(root, "/mnt/link", "file").unwrap();
    fs.mkfifo(root, "/mnt/pipe", 0o600).unwrap();
    let open = fs.open(root, "/mnt/made/one", READ).unwrap();
    assert_ne!(fs.usage(), before);
    fs.reset_overlay(0).unwrap();
    assert_eq!(fs.usage(), before);
    assert_eq!((host.list("/mnt"), host.list("/mnt/dir")), (vec!["dir".into(), "file".into()], vec!["inner".into(), "sub".into()]));
    assert_eq!((host.get("/mnt/file").unwrap(), host.get("/other").unwrap()), ("text".into(), "kept".into()));
    assert_eq!(open.read_at(0, 10), Err(FsError::BadDescriptor));
    assert_eq!((since(&host, "dir/inner"), fs.stat(root, "/mnt", true).unwrap().nlink), (Since::Same, 1));
    drop(open);
    // It goes on as if nothing had been.
    host.put("/mnt/dir/inner", "again").unwrap();
    assert_eq!((since(&host, "dir/inner"), host.read("dir/inner").unwrap()), (Since::Same, "inner".into()));
    archived(&host, &base);
    let other = Host::new(MountAccess::Write);
    assert_eq!(other.fs.reset_overlay(0), Err(FsError::ReadOnly));
}

#[test]
fn a_single_file_is_noted_and_reset() {
    let top = tempfile::tempdir().unwrap();
    std::fs::create_dir(top.path().join("data")).unwrap();
    let host = Host::over(top, 1 << 20);
    host.write("one", "one");
    let source = super::super::SingleFile::open(&host.path("one"), false).unwrap();
    host.fs.mount("/one", Arc::new(source), MountAccess::Overlay).unwrap();
    let base = host.fs.snapshot();
    host.fs.open(&host.root, "/one", WRITE).unwrap().append(b"!").unwrap();
    assert_eq!(since(&host, ""), Since::Same);
    let (_, read) = archived(&host, &base);
    host.write("one", "two");
    assert_eq!((since(&host, ""), read.snapshot().since(0, "")), (Since::Changed, Ok(Since::Changed)));
    host.fs.reset_overlay(0).unwrap();
    assert_eq!((host.get("/one").unwrap(), host.fs.usage().bytes), ("two".into(), 0));
    host.fs.open(&host.root, "/one", WRITE).unwrap();
    assert_eq!(since(&host, ""), Since::Same);
}

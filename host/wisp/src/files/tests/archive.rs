//! Archives, out and in.

use ::tar::{Builder, EntryType, Header};

use super::*;

/// An archive with these entries: name, type, contents or target, mode.
fn archive(entries: &[(&str, EntryType, &str, u32)]) -> Cursor<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    for (name, kind, text, mode) in entries {
        let link = matches!(kind, EntryType::Symlink | EntryType::Link);
        let mut header = Header::new_gnu();
        // Written as it is: the crate refuses some of these names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        if link {
            header.as_old_mut().linkname[..text.len()].copy_from_slice(text.as_bytes());
        }
        header.set_entry_type(*kind);
        header.set_mode(*mode);
        header.set_mtime(77);
        header.set_size(if link { 0 } else { text.len() as u64 });
        header.set_cksum();
        archive.append(&header, if link { &b""[..] } else { text.as_bytes() }).unwrap();
    }
    Cursor::new(archive.into_inner().unwrap())
}

const FILE: EntryType = EntryType::Regular;

#[tokio::test]
async fn names_keep_their_bytes() {
    let files = files();
    files.write("d/caf\u{f7e9}", "text").await.unwrap();
    files.symlink("caf\u{f7e9}", "d/link").await.unwrap();
    let bytes = files.pack("/home/user", &["d"], Vec::new(), TarBounds::new()).await.unwrap();
    assert_eq!(bytes.windows(6).filter(|part| *part == b"/caf\xe9\0").count(), 1, "its name");
    assert_eq!(bytes.windows(6).filter(|part| *part == b"2caf\xe9\0").count(), 1, "the link's target");
    files.unpack("/tmp/new", Cursor::new(bytes), TarBounds::new()).await.unwrap();
    assert_eq!(files.read("/tmp/new/d/link").await.unwrap(), "text");
}

#[tokio::test]
async fn a_tree_goes_out_and_comes_back() {
    let files = files();
    files.write_with("d/run", "text", WriteOptions::new().mode(0o4755)).await.unwrap();
    let long = format!("d/{}/{}", "n".repeat(200), "m".repeat(200));
    files.write(&long, vec![7; 200_000]).await.unwrap();
    files.symlink("../e/f", "d/link").await.unwrap();
    files.write("e/f", "outside").await.unwrap();
    files.set_mode("d", 0o750).await.unwrap();
    let bytes = files.pack("/home/user", &["d", "e/f"], Vec::new(), TarBounds::new()).await.unwrap();
    let done = files.unpack("/tmp/new", Cursor::new(bytes), TarBounds::new()).await.unwrap();
    assert_eq!((done.entries, done.bytes), (6, 200_011));
    assert_eq!(text(&files, "/tmp/new/d/link").await, "outside");
    assert_eq!(files.read(&format!("/tmp/new/{long}")).await.unwrap(), vec![7; 200_000]);
    assert_eq!(files.stat("/tmp/new/d/run").await.unwrap().mode, 0o755, "the right of another user does not go out");
    assert_eq!(files.stat("/tmp/new/d").await.unwrap().mode, 0o750);
    assert_eq!(files.stat("/tmp/new/d/run").await.unwrap().mtime, files.stat("d/run").await.unwrap().mtime);
    let everything = files.pack("e", &[], Vec::new(), TarBounds::new()).await.unwrap();
    files.unpack("g", Cursor::new(everything), TarBounds::new()).await.unwrap();
    assert_eq!(names(&files, "g").await, ["f"]);
}

#[tokio::test]
async fn what_leads_out_is_refused_and_named() {
    let files = files();
    files.mkdir("base").await.unwrap();
    files.symlink("/tmp", "base/elsewhere").await.unwrap();
    files.symlink("/tmp/target", "base/aim").await.unwrap();
    for (entries, reason) in [
        (&[("../f", FILE, "x", 0o644_u32)] as &[_], "the entry `../f` of the archive has `..` in its name"),
        (&[("a/../../f", FILE, "x", 0o644)], "has `..` in its name"),
        (&[("/tmp/f", FILE, "x", 0o644)], "has an absolute name"),
        (&[("elsewhere/f", FILE, "x", 0o644)], "goes through `elsewhere`, which is a symbolic link or a file"),
        (&[("elsewhere", EntryType::Directory, "", 0o755)], "is a directory, and something else has its name"),
        (&[("l", EntryType::Symlink, "/etc/passwd", 0o777)], "is a symbolic link that may lead out: `/etc/passwd`"),
        (&[("l", EntryType::Symlink, "..", 0o777)], "may lead out"),
        (&[("a/l", EntryType::Symlink, "../../x", 0o777)], "may lead out"),
        // Each link alone stays inside; together they lead out.
        (&[("dot", EntryType::Symlink, ".", 0o777), ("a/l", EntryType::Symlink, "../dot/dot/../../x", 0o777)], "the entry `a/l`"),
        (&[("l", EntryType::Symlink, "a", 0o777), ("a/x", FILE, "", 0o644), ("l/f", FILE, "x", 0o644)], "goes through `l`"),
        (&[("h", EntryType::Link, "../../../etc/passwd", 0o644)], "is a link to a file outside"),
        (&[("h", EntryType::Link, "elsewhere/f", 0o644)], "goes through `elsewhere`"),
        (&[("h", EntryType::Link, "aim", 0o644)], "is a link to something that is not a file"),
        (&[("dev", EntryType::Char, "", 0o666)], "is a device or a pipe"),
        (&[("dev", EntryType::Block, "", 0o666)], "is a device or a pipe"),
        (&[("pipe", EntryType::Fifo, "", 0o666)], "is a device or a pipe"),
        (&[("a", EntryType::Directory, "", 0o755), ("a", FILE, "x", 0o644)], "there is a directory of its name"),
    ] {
        let error = message(files.unpack("base", archive(entries), TarBounds::new()).await);
        assert!(error.starts_with("cannot unpack into `/home/user/base`: the entry `") && error.contains(reason), "{error}");
    }
    assert_eq!(names(&files, "/tmp").await.len(), 0);
    assert_eq!(text(&files, "/etc/passwd").await, "root");
}

#[tokio::test]
async fn what_stays_inside_is_unpacked() {
    let files = files();
    files.symlink("/tmp/target", "aim").await.unwrap();
    let entries = [
        ("./", EntryType::Directory, "", 0o700),
        ("a/b/", EntryType::Directory, "", 0o555),
        ("a/b/f", FILE, "text", 0o6777),
        ("a/b/l", EntryType::Symlink, "../../a/b/f", 0o777),
        ("h", EntryType::Link, "a/b/f", 0o644),
        ("aim", FILE, "new", 0o600),
        ("pax_global_header", EntryType::XGlobalHeader, "17 comment=xxxxx\n", 0o644),
    ];
    let done = files.unpack("/home/user", archive(&entries), TarBounds::new()).await.unwrap();
    assert_eq!((done.entries, done.bytes), (5, 7));
    assert_eq!(text(&files, "a/b/l").await, "text");
    assert_eq!((files.stat("a/b/f").await.unwrap().mode, files.stat("a/b").await.unwrap().mode), (0o777, 0o555));
    assert_eq!((files.stat("h").await.unwrap().nlink, files.stat("h").await.unwrap().mtime), (2, 77_000_000_000));
    // The link that had the name is replaced, not followed.
    assert_eq!(files.stat_link("aim").await.unwrap().kind, FileType::Regular);
    assert!(files.stat("/tmp/target").await.is_err());
}

#[tokio::test]
async fn bombs() {
    let small = with_quota(1_000, 5);
    let many: Vec<(String, EntryType, &str, u32)> = (0..10).map(|number| (number.to_string(), FILE, "x", 0o644)).collect();
    let many: Vec<_> = many.iter().map(|(name, kind, text, mode)| (name.as_str(), *kind, *text, *mode)).collect();
    let error = message(small.unpack("/tmp", archive(&many), TarBounds::new()).await);
    assert!(error.contains("`filesystem.max_files` = 5"), "{error}");
    let files = files();
    let bounds = TarBounds::new().entries(9);
    assert!(message(files.unpack("/tmp", archive(&many), bounds).await).contains("more entries than the 9"));
    files.unpack("/tmp", archive(&many), bounds.entries(10)).await.unwrap();
    assert!(message(files.unpack("/tmp", archive(&many), TarBounds::new().bytes(9)).await).contains("more bytes than the 9"));
    assert!(message(files.pack("/tmp", &[], Vec::new(), TarBounds::new().bytes(9)).await).contains("more bytes than the 9"));
    assert!(message(files.pack("/tmp", &[], Vec::new(), bounds).await).contains("more files than the 9"));
    sparse(&files, "/tmp/huge", i64::MAX as u64);
    assert!(message(files.pack("/tmp", &[], Vec::new(), TarBounds::new()).await).starts_with("cannot pack `/tmp/huge`"));

    // A name that never ends is not held in memory.
    let mut header = Header::new_gnu();
    header.set_path("././@LongLink").unwrap();
    header.set_entry_type(EntryType::GNULongName);
    header.set_size(8 << 30);
    header.set_cksum();
    let endless = Cursor::new(header.as_bytes().to_vec());
    let endless = std::io::Read::chain(endless, std::io::repeat(b'n'));
    assert!(message(files.unpack("/tmp", endless, TarBounds::new()).await).contains("the head of an entry has more than 1048576 bytes"));
    let error = message(files.unpack("/tmp", Cursor::new(vec![1; 600]), TarBounds::new()).await);
    assert!(error.starts_with("cannot unpack into `/tmp`: "), "{error}");
}

#[tokio::test]
async fn names_that_are_packed_stay_below_the_base() {
    let files = files();
    for name in ["/etc", "..", "a/../.."] {
        assert!(matches!(
            files.pack("/home/user", &[name], Vec::new(), TarBounds::new()).await.unwrap_err().source,
            FilesReason::Entry { .. }
        ));
    }
    assert!(files.pack("/home/user", &["nothing"], Vec::new(), TarBounds::new()).await.unwrap_err().is_not_found());
    files.pack("/home/user", &["."], Vec::new(), TarBounds::new()).await.unwrap();
}

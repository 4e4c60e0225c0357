//! Names that are not UTF-8 have the same bytes on the host, in programs, in archives, and in what comes back.

use std::ffi::OsStr;
use std::fs;
use std::io::Cursor;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use wisp::fs::TarBounds;
use wisp::policy::Access;

use crate::kit::{builder, output, printed};

fn named(folder: &Path, name: &[u8]) -> PathBuf {
    folder.join(OsStr::from_bytes(name))
}

/// The names below a folder, as bytes.
fn names(folder: &Path) -> Vec<Vec<u8>> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().as_bytes().to_vec()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn files_of_a_mount_are_read_and_written_under_their_own_bytes() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The third has the bytes of the character by which the first is spelled.
    for (name, text) in [(&b"caf\xe9"[..], "one"), ("café".as_bytes(), "two"), ("caf\u{f7e9}".as_bytes(), "three"), (b"d\xff", "")] {
        if text.is_empty() {
            fs::create_dir(named(from.path(), name)).unwrap();
        } else {
            fs::write(named(from.path(), name), text).unwrap();
        }
    }
    fs::write(named(&named(from.path(), b"d\xff"), b"\x80in"), "four").unwrap();
    let session = builder("").mount(from.path(), "/mnt/from", Access::Read).mount(to.path(), "/mnt/to", Access::Write);
    let session = session.build().await.expect("a session");

    let text = output(&session, "cd /mnt/from; cat \"$(printf 'caf\\351')\" caf*; cat d*/*; ls | od -An -tx1 | tr -d ' \\n'").await;
    assert_eq!(text, "onetwoonethreefour636166c3a90a636166e90a636166ef9fa90a64ff0a");
    output(&session, "cp -r /mnt/from/. /mnt/to && cd /mnt/to && mv \"$(printf 'caf\\351')\" \"$(printf '\\351')\"").await;
    assert_eq!(names(to.path()), [&b"caf\xc3\xa9"[..], b"caf\xef\x9f\xa9", b"d\xff", b"\xe9"]);
    assert_eq!(fs::read(named(&named(to.path(), b"d\xff"), b"\x80in")).unwrap(), b"four");

    let program = "import os, shutil\nos.chdir('/mnt/to')\nprint(sorted(os.listdir(b'.')), open('\\udce9').read())\n\
                   shutil.copytree('d\\udcff', b'e\\xfe'.decode('utf-8', 'surrogateescape'))\nos.remove(b'\\xe9')";
    assert_eq!(printed(&session, program).await, "[b'caf\\xc3\\xa9', b'caf\\xef\\x9f\\xa9', b'd\\xff', b'\\xe9'] one\n");
    assert_eq!(names(to.path()), [&b"caf\xc3\xa9"[..], b"caf\xef\x9f\xa9", b"d\xff", b"e\xfe"]);

    // An archive of the sandbox's goes to the host, and one of the host's into the sandbox.
    output(&session, "cd /mnt/from && tar cf /mnt/to/t.tar .").await;
    let files = session.files();
    let done = files.unpack("/home/user/in", Cursor::new(fs::read(to.path().join("t.tar")).unwrap()), TarBounds::new()).await.unwrap();
    assert_eq!(done.entries, 5);
    assert_eq!(output(&session, "cat in/caf* in/d*/*").await, "twoonethreefour");
    let out = files.pack("/home/user/in", &[], Vec::new(), TarBounds::new()).await.unwrap();
    assert!(out.windows(8).any(|part| part == b"d\xff/\x80in\0\0"), "a name has its own bytes");
}

#[tokio::test]
async fn no_two_texts_are_one_file_of_the_host() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("é"), "host").unwrap();
    let session = builder("").mount(folder.path(), "/mnt/in", Access::Write).build().await.expect("a session");
    let files = session.files();
    assert_eq!(files.read("/mnt/in/é").await.unwrap(), "host");
    // The bytes of that name, each spelled: no name is spelled so.
    assert!(files.read("/mnt/in/\u{f7c3}\u{f7a9}").await.is_err());
    assert!(files.write("/mnt/in/\u{f7c3}\u{f7a9}", "x").await.is_err());
    files.write("/mnt/in/\u{f7c3}", "half").await.unwrap();
    assert_eq!(names(folder.path()), [&b"\xc3"[..], b"\xc3\xa9"]);
    // What is spelled is never a separator or `..`.
    files.write("/mnt/in/\u{f7c0}\u{f7af}\u{f7c0}\u{f7ae}", "long").await.unwrap();
    assert_eq!(names(folder.path()), [&b"\xc0\xaf\xc0\xae"[..], b"\xc3", b"\xc3\xa9"]);
}

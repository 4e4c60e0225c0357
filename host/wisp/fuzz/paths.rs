//! Target: any text as a path, on a filesystem with links that lead everywhere. Nothing panics, different operations
//! agree, and `is_host` is right about what stays in memory.

use std::sync::Arc;

use wisp_vfs::{
    BaseEntry, Clock, DirEntry, Fs, FsError, HostFile, HostMode, HostOpen, HostStat, Mount, MountAccess, OpenHow, Quota, SetTime,
};

use crate::input::Input;

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        0
    }
}

/// A mount that fails the test when it is accessed.
struct Forbidden;

macro_rules! forbidden {
    ($($name:ident($($argument:ty),*) -> $answer:ty;)*) => {
        impl Mount for Forbidden {$(
            fn $name(&self, $(_: $argument),*) -> Result<$answer, FsError> {
                panic!("the host was asked for something that stays in memory")
            }
        )*}
    };
}

forbidden! {
    stat(&str) -> HostStat;
    read_link(&str) -> String;
    read_dir(&str) -> Vec<DirEntry>;
    open(&str, HostOpen) -> Arc<dyn HostFile>;
    mkdir(&str, HostMode) -> ();
    rmdir(&str) -> ();
    unlink(&str) -> ();
    symlink(&str, &str) -> ();
    link(&str, &str) -> ();
    rename(&str, &str) -> ();
    set_mode(&str, HostMode) -> ();
    set_times(&str, SetTime, SetTime) -> ();
}

fn filesystem() -> Fs {
    let fs = Fs::new(Quota { max_bytes: 1 << 20, max_files: 1000 }, Arc::new(Still));
    let base = |path: &str, entry| fs.add_base(path, entry).expect("the layout is sound");
    base("/a/b/c", BaseEntry::Dir { mode: 0o755, user_owned: true });
    base("/a/file", BaseEntry::File { data: "text".into(), mode: 0o644 });
    base("/a/up", BaseEntry::Symlink("..".into()));
    base("/a/root", BaseEntry::Symlink("/".into()));
    base("/a/self", BaseEntry::Symlink("self".into()));
    base("/a/b/two", BaseEntry::Symlink("c/../../b//./c/".into()));
    base("/a/b/none", BaseEntry::Symlink("missing".into()));
    base("/a/b/file", BaseEntry::Symlink("../file/".into()));
    base("/dev/fd", BaseEntry::Dir { mode: 0o755, user_owned: false });
    fs.mount("/h", Arc::new(Forbidden), MountAccess::Overlay).expect("nothing else is mounted");
    base("/a/host", BaseEntry::Symlink("../h".into()));
    fs
}

fn path(input: &mut Input<'_>) -> String {
    if input.once_in(8) {
        return String::from_utf8_lossy(input.rest()).into_owned();
    }
    const PARTS: [&str; 20] = [
        "a",
        "b",
        "c",
        "file",
        "up",
        "root",
        "self",
        "two",
        "none",
        "..",
        ".",
        "",
        "/",
        "dev",
        "fd",
        "007",
        "4294967295",
        "h",
        "host",
        "\u{e9}",
    ];
    let mut path = String::new();
    while !input.is_empty() {
        path.push_str(input.pick(&PARTS));
        if !input.once_in(16) {
            path.push('/');
        }
    }
    if input.once_in(2) {
        path = path.trim_end_matches('/').to_owned();
    }
    path
}

pub(crate) fn target(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let fs = filesystem();
    let at = fs.root();
    let path = path(&mut input);
    if fs.is_host(&at, &path) {
        return;
    }
    let stat = fs.stat(&at, &path, true);
    let opened = fs.open(&at, &path, OpenHow::default());
    match (&stat, &opened) {
        (Ok(stat), Ok(node)) => {
            assert_eq!(node.file_type(), stat.kind, "{path:?}");
            assert_eq!(node.ident(), Ok((stat.dev, stat.ino)), "{path:?}");
        }
        (Err(one), Err(other)) => assert_eq!(one, other, "{path:?}"),
        _ => panic!("stat and open disagree about {path:?}: {stat:?}, {:?}", opened.as_ref().err()),
    }
    if path.len() > 4096 {
        assert_eq!(stat, Err(FsError::NameTooLong));
    }
    if let Ok(link) = fs.stat(&at, &path, false) {
        let is_link = link.kind == wisp_vfs::FileType::Symlink;
        assert_eq!(fs.readlink(&at, &path).is_ok(), is_link, "{path:?}");
    }
    let doubled = path.replace('/', "//./");
    if doubled.len() <= 4096 && !path.ends_with('/') {
        assert_eq!(fs.stat(&at, &doubled, true), stat, "{path:?}");
    }
}

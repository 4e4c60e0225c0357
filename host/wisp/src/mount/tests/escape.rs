//! Ways out of a mount, each with the permitted way that resembles it.

use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use wisp_vfs::{FileType, Refused};

const EVERY: [MountAccess; 3] = [MountAccess::Read, MountAccess::Write, MountAccess::Overlay];

#[test]
fn absolute_links() {
    for access in EVERY {
        let host = Host::new(access);
        host.link(host.top.path().join("secret"), "out");
        host.link(host.top.path(), "up");
        host.link(host.path("file"), "home");
        host.link("file", "inside");
        for path in ["/mnt/out", "/mnt/up/secret", "/mnt/up", "/mnt/home", "/mnt/up/data/file"] {
            assert_eq!(host.get(path), Err(FsError::NotPermitted), "{path} {access:?}");
        }
        assert_eq!(host.get("/mnt/inside").unwrap(), "text");
        // The link itself is a file like any other.
        assert_eq!(host.stat("/mnt/out").kind, FileType::Symlink);
        assert!(host.fs.readlink(&host.root, "/mnt/out").unwrap().ends_with("secret"));
    }
}

#[test]
fn relative_links() {
    for access in EVERY {
        let host = Host::new(access);
        host.link("../secret", "out");
        host.link("../../secret", "dir/out");
        host.link("..", "up");
        host.link("dir/../../data/file", "around");
        host.link("../file", "dir/inside");
        host.link("sub/../../dir/inner", "dir/winding");
        for path in ["/mnt/out", "/mnt/dir/out", "/mnt/up/secret", "/mnt/up/mnt/file", "/mnt/around"] {
            assert_eq!(host.get(path), Err(FsError::NotPermitted), "{path} {access:?}");
        }
        assert_eq!(host.get("/mnt/dir/inside").unwrap(), "text");
        assert_eq!(host.get("/mnt/dir/winding").unwrap(), "inner");
    }
}

#[test]
fn dots_lead_to_the_guests_own_tree() {
    for access in EVERY {
        let host = Host::new(access);
        host.put("/secret", "the guest's own").unwrap();
        for path in ["/mnt/../secret", "/mnt/dir/../../secret", "/mnt/dir/../../../../secret"] {
            assert_eq!(host.get(path).unwrap(), "the guest's own", "{path} {access:?}");
        }
        let inside = host.fs.open(&host.root, "/mnt/dir", READ).unwrap();
        let read = |path: &str| host.fs.open(&inside, path, READ).map(|node| node.read_at(0, 100).unwrap());
        assert_eq!(read("../../secret").unwrap(), "the guest's own");
        assert_eq!(read("../file").unwrap(), "text");
    }
}

#[test]
fn links_a_guest_makes() {
    let host = Host::new(MountAccess::Write);
    let make = |path: &str, target: &str| host.fs.symlink(&host.root, path, target);
    for target in ["/etc/passwd", "../secret", "dir/../../secret", "..", "/", ".", "dir/inner", "./file", "file/"] {
        assert_eq!(make("/mnt/made", target), Err(FsError::NotPermitted), "{target}");
    }
    assert_eq!(make("/mnt/dir/made", "../file"), Err(FsError::NotPermitted));
    assert_eq!(make("/mnt/dir/made", "inner"), Ok(()));
    assert_eq!(host.get("/mnt/dir/made").unwrap(), "inner");
    // In an overlay they stay in memory and refer to the guest's own tree.
    let host = Host::new(MountAccess::Overlay);
    host.fs.symlink(&host.root, "/mnt/made", "../secret").unwrap();
    assert_eq!(host.get("/mnt/made"), Err(FsError::NotFound));
    host.put("/secret", "the guest's own").unwrap();
    assert_eq!(host.get("/mnt/made").unwrap(), "the guest's own");
    assert!(!host.path("made").exists());
}

#[test]
fn the_mounted_directory_swapped_for_a_link() {
    for access in EVERY {
        let host = Host::new(access);
        std::fs::rename(host.path(""), host.top.path().join("moved")).unwrap();
        let outside = host.top.path().join("outside");
        std::fs::create_dir(&outside).unwrap();
        std::fs::write(outside.join("file"), "secret").unwrap();
        std::os::unix::fs::symlink(&outside, host.top.path().join("data")).unwrap();
        assert_eq!(host.get("/mnt/file").unwrap(), "text", "{access:?}");
        assert_eq!(host.list("/mnt"), ["dir", "file"], "{access:?}");
    }
}

/// Sets a flag when it goes out of scope, also by a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The host repeatedly swaps a directory for a link that leads out, while a guest walks through it.
#[test]
fn renames_during_the_walk() {
    for access in EVERY {
        let host = Host::new(access);
        std::fs::create_dir(host.path("swap")).unwrap();
        host.write("swap/name", "text");
        std::fs::create_dir(host.top.path().join("outside")).unwrap();
        std::fs::write(host.top.path().join("outside/name"), "secret").unwrap();
        host.link(host.top.path().join("outside"), "evil");
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            // Ends the other thread however this one ends: a failed assertion must not hang.
            let ending = SetOnDrop(&done);
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::fs::rename(host.path("swap"), host.path("aside")).unwrap();
                    std::fs::rename(host.path("evil"), host.path("swap")).unwrap();
                    std::fs::rename(host.path("swap"), host.path("evil")).unwrap();
                    std::fs::rename(host.path("aside"), host.path("swap")).unwrap();
                }
            });
            for _ in 0..5000 {
                match host.get("/mnt/swap/name") {
                    Ok(text) => assert_eq!(text, "text"),
                    Err(error) => {
                        // Invalid: a link that became a folder between lookup and read
                        let expected = [FsError::NotFound, FsError::NotPermitted, FsError::Loop, FsError::NotDirectory, FsError::Invalid];
                        assert!(expected.contains(&error), "{error}");
                    }
                }
                if access == MountAccess::Write {
                    // Whether these succeed depends on timing; where they take effect does not.
                    let _ = host.fs.open(&host.root, "/mnt/swap/planted", CREATE);
                    let _ = host.fs.mkdir(&host.root, "/mnt/swap/made", 0o755);
                }
                assert!(!host.top.path().join("outside/planted").exists() && !host.top.path().join("outside/made").exists());
                if access == MountAccess::Write {
                    let _ = host.fs.unlink(&host.root, "/mnt/swap/planted");
                    let _ = host.fs.rmdir(&host.root, "/mnt/swap/made");
                }
            }
            drop(ending);
        });
        // How often the permitted way was open in the meantime depends on the scheduler; afterwards it is open.
        assert_eq!(host.get("/mnt/swap/name").as_deref(), Ok("text"));
    }
}

/// The last component becomes a link between lookup and open.
#[test]
fn a_file_swapped_for_a_link() {
    let host = Host::new(MountAccess::Write);
    let dir = HostDir::open(&host.path("")).unwrap();
    host.link("file", "inside");
    host.link("../secret", "out");
    let open = |path: &str| wisp_vfs::Mount::open(&dir, path, wisp_vfs::HostOpen { read: true, ..Default::default() }).map(drop);
    assert_eq!(open("out"), Err(FsError::Loop));
    assert_eq!(open("inside"), Err(FsError::Loop));
    assert_eq!(open("../secret"), Err(FsError::Refused(Refused::Outside)));
    assert_eq!(open("dir/../../secret"), Err(FsError::Refused(Refused::Outside)));
    assert_eq!(open("/etc/passwd"), Err(FsError::Refused(Refused::Outside)));
    assert_eq!(open("dir/../file"), Ok(()));
}

#[test]
fn pipes_sockets_and_devices_are_not_opened() {
    for access in EVERY {
        let host = Host::new(access);
        rustix::fs::mknodat(rustix::fs::CWD, host.path("fifo"), rustix::fs::FileType::Fifo, 0o666.into(), 0).unwrap();
        let _listener = UnixListener::bind(host.path("socket")).unwrap();
        // Opening a pipe for reading would wait for a writer: this test ends because it is not opened.
        for name in ["/mnt/fifo", "/mnt/socket"] {
            assert_eq!(host.get(name), Err(FsError::NotPermitted), "{name} {access:?}");
            let write = host.fs.open(&host.root, name, OpenHow { read: false, ..CREATE }).err();
            assert_eq!(write, Some(FsError::NotPermitted), "{name} {access:?}");
        }
        assert_eq!((host.stat("/mnt/fifo").kind, host.stat("/mnt/socket").kind), (FileType::Fifo, FileType::Unknown));
        assert_eq!(host.list("/mnt"), ["dir", "fifo", "file", "socket"]);
        assert_eq!(host.get("/mnt/file").unwrap(), "text");
    }
    let host = Host::new(MountAccess::Read);
    host.fs.mount("/hostdev", Arc::new(HostDir::open(Path::new("/dev")).unwrap()), MountAccess::Read).unwrap();
    assert_eq!(host.get("/hostdev/null"), Err(FsError::NotPermitted));
    assert_eq!(host.stat("/hostdev/null").kind, FileType::Unknown);
}

#[test]
fn a_named_pipe_is_made_in_memory_and_not_on_the_host() {
    for (access, refused) in [(MountAccess::Read, FsError::ReadOnly), (MountAccess::Write, FsError::NotPermitted)] {
        let host = Host::new(access);
        assert_eq!(host.fs.mkfifo(&host.root, "/mnt/new", 0o666), Err(refused), "{access:?}");
        assert!(!host.path("new").exists());
    }
    let host = Host::new(MountAccess::Overlay);
    host.fs.mkfifo(&host.root, "/mnt/dir/new", 0o666).unwrap();
    assert_eq!(host.stat("/mnt/dir/new").kind, FileType::Fifo);
    assert!(!host.path("dir/new").exists());
    // The allowed twin: it can be opened, for it is the sandbox's own, unlike a pipe of the host beside it.
    assert_eq!(host.fs.open(&host.root, "/mnt/dir/new", READ).map(|node| node.file_type()), Ok(FileType::Fifo));
    // A copy of the host's pipe in memory would join other processes than the host's.
    rustix::fs::mknodat(rustix::fs::CWD, host.path("fifo"), rustix::fs::FileType::Fifo, 0o666.into(), 0).unwrap();
    assert_eq!(host.fs.set_mode(&host.root, "/mnt/fifo", true, 0o600), Err(FsError::NotPermitted));
}

#[test]
fn a_loop_of_links_ends() {
    for access in EVERY {
        let host = Host::new(access);
        host.link("two", "one");
        host.link("one", "two");
        host.link("dir", "to-dir");
        assert_eq!(host.get("/mnt/one"), Err(FsError::Loop), "{access:?}");
        assert_eq!(host.get("/mnt/to-dir/inner").unwrap(), "inner", "{access:?}");
    }
}

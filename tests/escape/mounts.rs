//! Mounts that change while they are in use, and host files that are not regular.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;
use wisp::policy::Access;
use wisp::{Command, Session};
use wisp_tests::wisp::SECRET;

use crate::escape::kit::{ENGINE, policy};

/// A folder `data` to mount, and beside it `outside` with a secret.
fn place() -> TempDir {
    let place = TempDir::new().expect("a temporary folder");
    for (folder, file, text) in [("data/deep", "a.txt", "inside\n"), ("outside", "a.txt", SECRET)] {
        fs::create_dir_all(place.path().join(folder)).unwrap();
        fs::write(place.path().join(folder).join(file), text).unwrap();
    }
    place
}

async fn mounted(data: &Path, access: Access) -> Session {
    let session = ENGINE.session(&policy(&["coreutils"], "")).mount(data, "/mnt/input", access);
    session.build().await.unwrap_or_else(|error| panic!("{error}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mount_swapped_for_a_symlink_stays_the_folder_it_was() {
    for access in [Access::Read, Access::Overlay, Access::Write] {
        let place = place();
        let data = place.path().join("data");
        let session = mounted(&data, access).await;
        fs::rename(&data, place.path().join("moved")).unwrap();
        symlink(place.path().join("outside"), &data).unwrap();
        let outcome = session.run(Command::new("cat").arg("/mnt/input/deep/a.txt")).await.unwrap();
        assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "inside\n"));
        let outcome = session.run(Command::new("cat").args(["/mnt/input/a.txt", "/mnt/input/../a.txt"])).await.unwrap();
        assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (1, ""));
        session.run(Command::new("touch").arg("/mnt/input/new")).await.unwrap();
        assert!(!place.path().join("outside/new").exists(), "{access:?} wrote outside");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_lock_is_the_sessions_and_never_taken_on_the_host() {
    for access in [Access::Read, Access::Overlay, Access::Write] {
        let place = place();
        let data = place.path().join("data");
        // If it were taken on the host, it would conflict with this one.
        let host = fs::File::open(data.join("deep/a.txt")).unwrap();
        host.lock().unwrap();
        let session = mounted(&data, access).await;
        let file = "/mnt/input/deep/a.txt";
        let outcome = session.run(Command::new("flock").args(["-n", file, "cat", file])).await.unwrap();
        assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "inside\n"), "{access:?} {}", outcome.stderr_text());
        // Within the session it excludes others, whatever name and descriptor they use.
        let nested = ["-n", file, "flock", "-n", "-E", "9", "/mnt/input/deep/../deep/a.txt", "cat", file];
        let outcome = session.run(Command::new("flock").args(nested)).await.unwrap();
        assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (9, ""), "{access:?} {}", outcome.stderr_text());
        let outcome = session.run(Command::new("flock").args(["-n", "/mnt/input/deep", "echo", "a folder"])).await.unwrap();
        assert_eq!((outcome.exit_code(), outcome.stdout_text().as_ref()), (0, "a folder\n"), "{access:?} {}", outcome.stderr_text());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_that_turns_into_a_symlink_during_the_walk_does_not_lead_out() {
    let place = place();
    let (deep, spare, door) = (place.path().join("data/deep"), place.path().join("data/spare"), place.path().join("data/door"));
    symlink(place.path().join("outside"), &door).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swapping = std::thread::spawn({
        let stop = stop.clone();
        move || {
            // Swapped between a folder and a link that leads out, as fast as possible.
            while !stop.load(Ordering::Relaxed) {
                fs::rename(&deep, &spare).unwrap();
                fs::rename(&door, &deep).unwrap();
                fs::rename(&deep, &door).unwrap();
                fs::rename(&spare, &deep).unwrap();
            }
        }
    });
    for access in [Access::Read, Access::Overlay, Access::Write] {
        let session = mounted(&place.path().join("data"), access).await;
        let outcome = session.run(Command::new("cat").args(vec!["/mnt/input/deep/a.txt"; 2000])).await.unwrap();
        let found = outcome.stdout_text();
        assert!(found.lines().all(|line| line == "inside"), "{access:?}: something else was read");
        if access == Access::Write {
            let names = (0..500).map(|number| format!("/mnt/input/deep/new-{number}"));
            session.run(Command::new("touch").args(names)).await.unwrap();
        }
    }
    stop.store(true, Ordering::Relaxed);
    swapping.join().expect("the swapping thread");
    let outside: Vec<_> = fs::read_dir(place.path().join("outside")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(outside, ["a.txt"], "something was written outside");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pipes_and_sockets_of_the_host_are_seen_and_never_opened() {
    let place = place();
    let data = place.path().join("data");
    let made = std::process::Command::new("mkfifo").arg(data.join("fifo")).status().expect("mkfifo");
    assert!(made.success());
    let listener = UnixListener::bind(data.join("socket")).unwrap();
    listener.set_nonblocking(true).unwrap();
    let session = mounted(&data, Access::Write).await;
    // Opening a pipe without a writer would wait forever.
    let outcome = session.run(Command::new("cat").args(["/mnt/input/fifo", "/mnt/input/socket"])).await.unwrap();
    assert_eq!((outcome.exit_code(), outcome.stdout.len()), (1, 0), "{}", outcome.stderr_text());
    let outcome = session.run(Command::new("tee").arg("/mnt/input/fifo").stdin_bytes("x")).await.unwrap();
    assert_eq!(outcome.exit_code(), 1);
    assert!(listener.accept().is_err(), "a guest connected");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_mount_takes_no_mode_that_gives_rights() {
    let place = place();
    let data = place.path().join("data");
    let session = mounted(&data, Access::Write).await;
    let outcome = session.run(Command::new("chmod").args(["7777", "/mnt/input/deep/a.txt", "/mnt/input/deep"])).await.unwrap();
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    for path in ["deep/a.txt", "deep"] {
        assert_eq!(fs::metadata(data.join(path)).unwrap().permissions().mode() & 0o7000, 0, "{path}");
    }
}

/// wisp's own `files.open` takes a mode unchanged, unlike WASI: it could once leave a program that runs with the
/// rights of the host's user.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_that_takes_a_mode_leaves_rights() {
    let place = place();
    let data = place.path().join("data");
    fs::set_permissions(data.join("deep/a.txt"), fs::Permissions::from_mode(0o4755)).unwrap();
    let session = ENGINE.session(&policy(&["python3"], "")).mount(&data, "/mnt/input", Access::Write);
    let session = session.build().await.unwrap_or_else(|error| panic!("{error}"));
    let script = r#"
import os
# The bindings cannot be imported, but a hostile program finds them.
files = os.chmod.__globals__["files"]
how = files.OpenFlags.READ | files.OpenFlags.WRITE | files.OpenFlags.CREATE
for name, bits in ("user", 0o4755), ("group", 0o2755), ("sticky", 0o1777), ("plain", 0o711):
    with files.open("/mnt/input/" + name, how, bits) as file:
        file.write(b"a program")
    files.set_mode("/mnt/input/" + name, bits)
    os.open("/mnt/input/os-" + name, os.O_CREAT | os.O_WRONLY, bits)
    os.mkdir("/mnt/input/dir-" + name, bits)
with open("/mnt/input/deep/a.txt", "a") as file:
    file.write("mine")
"#;
    let outcome = session.run(Command::new("python3").args(["-c", script])).await.unwrap();
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    let mode = |name: &str| fs::metadata(data.join(name)).unwrap().permissions().mode() & 0o7777;
    for name in ["user", "group", "sticky", "plain"] {
        for name in [name.to_owned(), format!("os-{name}"), format!("dir-{name}")] {
            assert_eq!(mode(&name) & 0o7000, 0, "{name}");
        }
    }
    assert_eq!((mode("user"), mode("plain"), mode("deep/a.txt")), (0o755, 0o711, 0o755));
    assert_eq!(fs::read_to_string(data.join("user")).unwrap(), "a program");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_embeds_wisp_cannot_mount_its_cache_for_writing() {
    let cache = ENGINE.cache().directory().expect("the tests have a cache").to_owned();
    let inside = TempDir::new_in(&cache).expect("a folder in the cache");
    for folder in [cache.as_path(), cache.parent().unwrap(), inside.path()] {
        let session = |access| ENGINE.session(&policy(&["coreutils"], "")).mount(folder, "/mnt/input", access).build();
        let error = session(Access::Write).await.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("wisp's cache of machine code"), "{}: {error:?}", folder.display());
        for access in [Access::Read, Access::Overlay] {
            assert!(session(access).await.is_ok(), "{}: {access:?}", folder.display());
        }
    }
    let place = place();
    assert!(mounted(&place.path().join("data"), Access::Write).await.run(Command::new("true")).await.is_ok());
}

/// A guest that could write there would decide what the next engine runs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_embeds_wisp_cannot_mount_its_components_for_writing() {
    let folder = ENGINE.components().folder().expect("the tests name a folder");
    let session = |access| ENGINE.session(&policy(&["coreutils"], "")).mount(folder, "/mnt/input", access).build();
    let error = session(Access::Write).await.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("wisp's components"), "{error:?}");
    for access in [Access::Read, Access::Overlay] {
        assert!(session(access).await.is_ok(), "{access:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hard_link_of_the_host_is_the_only_way_to_share_and_the_host_made_it() {
    let place = place();
    let data = place.path().join("data");
    let session = mounted(&data, Access::Write).await;
    let outcome = session.run(Command::new("ln").args(["/etc/passwd", "/mnt/input/passwd"])).await.unwrap();
    assert_ne!(outcome.exit_code(), 0);
    let outcome = session.run(Command::new("mv").args(["/mnt/input/deep/a.txt", "/tmp/a.txt"])).await.unwrap();
    assert_eq!(outcome.exit_code(), 0, "moving out copies: {}", outcome.stderr_text());
    assert!(!data.join("deep/a.txt").exists());
}

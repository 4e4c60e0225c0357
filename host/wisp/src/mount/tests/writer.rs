//! Writing to a folder of the host what a session changed: somebody changes the folder at the same time. Each attack has a
//! permitted twin.

use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::writer::{Folder, WriteError};
use super::*;
use wisp_vfs::{HostMode, HostStat, Mount as _};

/// A folder with `file`, `dir/inner` and `dir/sub`, open for writing; beside it is a secret.
fn folder() -> (Host, Folder) {
    let host = Host::new(MountAccess::Overlay);
    let ino = HostDir::open(&host.path("")).unwrap().stat("").unwrap().ino;
    let folder = Folder::open(&host.path(""), ino).unwrap();
    (host, folder)
}

fn seen(host: &Host, path: &str) -> HostStat {
    HostDir::open(&host.path("")).unwrap().stat(path).unwrap()
}

fn put(folder: &Folder, path: &str, text: &str, over: Option<&HostStat>) -> Result<(), WriteError> {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let scratch = folder.scratch(directory, HostMode::new(0o7640), |file| {
        file.write_all_at(text.as_bytes(), 0).unwrap();
        Ok(text.len() as u64)
    })?;
    folder.put(scratch, path, over)
}

/// The names in the folder and below it, sorted.
fn names(host: &Host) -> Vec<String> {
    let (mut found, mut left) = (Vec::new(), vec![String::new()]);
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(host.path(&directory)).unwrap().map(Result::unwrap) {
            let name = format!("{directory}{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                left.push(format!("{name}/"));
            }
            found.push(name);
        }
    }
    found.sort();
    found
}

#[test]
fn what_is_as_it_was_seen_is_replaced_in_one_step() {
    let (host, folder) = folder();
    std::fs::hard_link(host.path("file"), host.top.path().join("other")).unwrap();
    put(&folder, "file", "new", Some(&seen(&host, "file"))).unwrap();
    put(&folder, "dir/made", "made", None).unwrap();
    assert_eq!((host.read("file").unwrap(), host.read("dir/made").unwrap()), ("new".into(), "made".into()));
    let other = std::fs::read_to_string(host.top.path().join("other")).unwrap();
    assert_eq!(other, "text", "another name of the old file is another file now");
    assert_eq!(std::fs::metadata(host.path("file")).unwrap().mode() & 0o7777, 0o640, "permission bits only");
    folder.make_directory("new", HostMode::new(0o7777)).unwrap();
    assert_eq!(std::fs::metadata(host.path("new")).unwrap().mode() & 0o7777, 0o777);
    folder.set_directory_mode("new", None, HostMode::new(0o500)).unwrap();
    assert_eq!(std::fs::metadata(host.path("new")).unwrap().mode() & 0o7777, 0o500);
    // What the host does with its folder's group, and with who may remove files, stays.
    std::fs::set_permissions(host.path("new"), PermissionsExt::from_mode(0o3777)).unwrap();
    folder.set_directory_mode("new", Some(&seen(&host, "new")), HostMode::new(0o7757)).unwrap();
    assert_eq!(std::fs::metadata(host.path("new")).unwrap().mode() & 0o7777, 0o3757);
    folder.set_file_mode("dir/inner", &seen(&host, "dir/inner"), HostMode::new(0o4711)).unwrap();
    assert_eq!(std::fs::metadata(host.path("dir/inner")).unwrap().mode() & 0o7777, 0o711);
    let link = folder.scratch_link("", "/etc/passwd").unwrap();
    folder.put(link, "link", None).unwrap();
    folder.remove("dir/sub", &seen(&host, "dir/sub")).unwrap();
    assert_eq!(names(&host), ["dir", "dir/inner", "dir/made", "file", "link", "new"]);
    folder.remove("link", &seen(&host, "link")).unwrap();
    assert!(std::fs::metadata("/etc/passwd").is_ok() && !host.path("link").exists());
}

#[test]
fn what_changed_meanwhile_is_not_touched() {
    let (host, folder) = folder();
    let (file, inner, sub) = (seen(&host, "file"), seen(&host, "dir/inner"), seen(&host, "dir/sub"));
    host.write("file", "the host's");
    std::fs::remove_file(host.path("dir/inner")).unwrap();
    std::fs::set_permissions(host.path("dir/sub"), PermissionsExt::from_mode(0o711)).unwrap();
    host.write("taken", "the host's");
    let before = names(&host);
    for done in [
        put(&folder, "file", "new", Some(&file)),
        put(&folder, "dir/inner", "new", Some(&inner)),
        put(&folder, "taken", "new", None),
        folder.remove("file", &file),
        folder.remove("dir/inner", &inner),
        folder.remove("dir/sub", &sub),
        folder.set_file_mode("file", &file, HostMode::new(0o777)),
        folder.set_directory_mode("dir/sub", Some(&sub), HostMode::new(0o777)),
        folder.make_directory("taken", HostMode::new(0o777)),
    ] {
        assert_eq!(done, Err(WriteError::Changed));
    }
    assert_eq!(names(&host), before, "no scratch file is left");
    assert_eq!((host.read("file").unwrap(), host.read("taken").unwrap()), ("the host's".into(), "the host's".into()));
    // A scratch file that gets no name goes with it, and so does one that cannot be filled.
    drop(folder.scratch("dir", HostMode::new(0o600), |_| Ok(0)).unwrap());
    assert!(folder.scratch("dir", HostMode::new(0o600), |_| Err(FsError::Io)).is_err());
    assert_eq!(names(&host), before);
    put(&folder, "file", "new", Some(&seen(&host, "file"))).unwrap();
}

#[test]
fn names_of_one_file_go_one_after_another() {
    let (host, folder) = folder();
    for name in ["one", "two", "three", "four"] {
        std::fs::hard_link(host.path("file"), host.path(name)).unwrap();
    }
    std::fs::set_permissions(host.path("file"), PermissionsExt::from_mode(0o644)).unwrap();
    let [one, two, three, four] = ["one", "two", "three", "four"].map(|name| seen(&host, name));
    folder.set_file_mode("one", &one, HostMode::new(0o600)).unwrap();
    folder.set_file_mode("two", &two, HostMode::new(0o600)).unwrap();
    assert_eq!(folder.set_file_mode("three", &three, HostMode::new(0o640)), Err(WriteError::Changed), "it has another mode now");
    std::fs::set_permissions(host.path("file"), PermissionsExt::from_mode(four.mode)).unwrap();
    folder.remove("one", &one).unwrap();
    folder.remove("three", &three).unwrap();
    put(&folder, "four", "new", Some(&four)).unwrap();
    host.write("file", "other");
    assert_eq!(folder.remove("two", &two), Err(WriteError::Changed));
    assert_eq!((host.read("two").unwrap(), host.read("four").unwrap()), ("other".into(), "new".into()));
}

#[test]
fn no_link_is_followed() {
    let (host, folder) = folder();
    let inner = seen(&host, "dir/inner");
    std::fs::create_dir(host.top.path().join("outside")).unwrap();
    std::fs::rename(host.path("dir/inner"), host.top.path().join("outside/inner")).unwrap();
    std::fs::rename(host.path("dir"), host.path("real")).unwrap();
    for target in [host.top.path().join("outside"), host.path("real"), "real".into()] {
        symlink(&target, host.path("dir")).unwrap();
        for done in [
            put(&folder, "dir/made", "x", None),
            folder.remove("dir/inner", &inner),
            folder.make_directory("dir/made", HostMode::new(0o777)),
            folder.set_file_mode("dir/inner", &inner, HostMode::new(0o777)),
            folder.set_directory_mode("dir", None, HostMode::new(0o777)),
            folder.scratch_link("dir", "file").map(drop),
        ] {
            assert!(done.is_err(), "{}", target.display());
        }
        assert!(folder.directory("dir").is_err() && folder.directory_by_names("dir").is_err());
        std::fs::remove_file(host.path("dir")).unwrap();
    }
    // In place of a file, a link is a change, and nothing is written through it.
    let file = seen(&host, "file");
    std::fs::remove_file(host.path("file")).unwrap();
    symlink(host.top.path().join("secret"), host.path("file")).unwrap();
    assert_eq!(put(&folder, "file", "new", Some(&file)), Err(WriteError::Changed));
    assert_eq!(folder.set_file_mode("file", &file, HostMode::new(0o777)), Err(WriteError::Changed));
    put(&folder, "file", "new", Some(&seen(&host, "file"))).unwrap();
    assert_eq!(std::fs::read_to_string(host.top.path().join("secret")).unwrap(), "secret");
    assert_eq!(host.read("file").unwrap(), "new");
    put(&folder, "real/made", "x", None).unwrap();
    // Names that no overlay has.
    for path in ["..", "../outside", "real/../.."] {
        assert!(folder.directory(path).is_err(), "{path}");
    }
    assert!(folder.directory("").is_ok() && folder.directory("real/sub").is_ok() && folder.directory_by_names("real/sub").is_ok());
}

#[test]
fn another_folder_in_its_place_is_not_opened() {
    let (host, _) = folder();
    let ino = seen(&host, "").ino;
    assert!(Folder::open(&host.path(""), ino).is_ok());
    std::fs::rename(host.path(""), host.top.path().join("moved")).unwrap();
    std::fs::create_dir(host.path("")).unwrap();
    assert!(Folder::open(&host.path(""), ino).is_err());
    std::fs::remove_dir(host.path("")).unwrap();
    symlink(host.top.path().join("moved"), host.top.path().join("data")).unwrap();
    assert!(Folder::open(&host.top.path().join("data"), ino).is_ok(), "the same folder under another name");
}

/// A folder that somebody swaps for a link as fast as possible: nothing is written outside.
#[test]
fn renames_while_it_is_written() {
    let (host, folder) = folder();
    std::fs::create_dir(host.top.path().join("outside")).unwrap();
    symlink(host.top.path().join("outside"), host.path("door")).unwrap();
    let (dir, spare, door) = (host.path("dir"), host.path("spare"), host.path("door"));
    let stop = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                std::fs::rename(&dir, &spare).unwrap();
                std::fs::rename(&door, &dir).unwrap();
                std::fs::rename(&dir, &door).unwrap();
                std::fs::rename(&spare, &dir).unwrap();
            }
        });
        let tries = (0..2_000).filter(|number| put(&folder, &format!("dir/{number}"), "x", None).is_ok()).count();
        stop.store(true, Ordering::Relaxed);
        tries
    });
    assert_eq!(std::fs::read_dir(host.top.path().join("outside")).unwrap().count(), 0);
    put(&folder, "dir/last", "x", None).unwrap();
    let made = names(&host).iter().filter(|name| name.starts_with("dir/") && !name.contains(".wisp-apply-")).count();
    assert_eq!(made, written + 3, "those that were written, `inner`, `sub` and `last`");
}

//! What mounts refuse from outside, each with what they permit.

use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;

use super::*;
use wisp_policy::{Access, Overrides};
use wisp_vfs::MountAccess;

/// A folder of the host with `file` and `dir/inner`, beside a secret, mounted at /mnt/input.
fn mounted(access: Access) -> (TempDir, Files) {
    let top = tempfile::tempdir().unwrap();
    let data = top.path().join("data");
    std::fs::create_dir_all(data.join("dir")).unwrap();
    std::fs::write(top.path().join("secret"), "secret").unwrap();
    std::fs::write(data.join("file"), "text").unwrap();
    std::fs::write(data.join("dir/inner"), "inner").unwrap();
    let overrides = Overrides::host_program().mount_at(&data, "/mnt/input", access);
    let policy = Policy::offline().with(&crate::policy_files::HostFiles, &overrides).unwrap();
    let fs = fs(Quota { max_bytes: 1_000, max_files: 100 });
    let kind = match access {
        Access::Read => MountAccess::Read,
        Access::Write => MountAccess::Write,
        Access::Overlay => MountAccess::Overlay,
    };
    fs.mount("/mnt/input", crate::mount::open(&data, access == Access::Write).unwrap(), kind).unwrap();
    (top, Files::new(fs, Arc::new(policy)))
}

/// The names in the folder on the host.
fn on_host(top: &TempDir) -> Vec<String> {
    let names = std::fs::read_dir(top.path().join("data")).unwrap();
    let mut names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_read_mount_is_read_and_nothing_else() {
    let (top, files) = mounted(Access::Read);
    assert_eq!(text(&files, "/mnt/input/file").await, "text");
    let mut reader = files.read_stream("/mnt/input/file").await.unwrap();
    assert_eq!(reader.chunk().await.unwrap().unwrap(), "text");
    assert_eq!(reader.chunk().await.unwrap(), None);
    assert_eq!(paths(&files.list("/mnt/input").await.unwrap()), ["/mnt/input/dir", "/mnt/input/file"]);
    assert_eq!(paths(&files.glob("/mnt/**/inner", WalkOptions::new()).await.unwrap()), ["/mnt/input/dir/inner"]);
    assert_eq!(files.grep("inn", "/mnt", GrepOptions::new()).await.unwrap().matches.len(), 1);

    let path = "/mnt/input/file";
    let error = message(files.write(path, "x").await);
    assert!(error.starts_with("cannot write to `/mnt/input/file`: the mount `/mnt/input` ("), "{error}");
    assert!(error.ends_with("the mount is granted read-only; `access = \"write\"` or `\"overlay\"` there would allow it"), "{error}");
    let attempts = [
        refused(files.write("/mnt/input/new", "x").await),
        refused(files.replace(path, "x").await),
        refused(files.create_new("/mnt/input/new", "x").await),
        refused(files.append(path, "x").await),
        refused(files.write_at(path, 0, "x").await),
        refused(files.write_stream(path, Cursor::new("x")).await),
        refused(files.mkdir("/mnt/input/new").await),
        refused(files.rename(path, "/mnt/input/new").await),
        refused(files.remove(path).await),
        refused(files.remove_tree("/mnt/input/dir").await),
        refused(files.set_mode(path, 0o777).await),
        refused(files.symlink("file", "/mnt/input/new").await),
        refused(files.copy(path, "/mnt/input/new").await),
    ];
    assert_eq!(attempts, [FsError::ReadOnly; 13]);
    assert_eq!(on_host(&top), ["dir", "file"]);
    files.copy("/mnt/input", "copy").await.unwrap();
    assert_eq!(text(&files, "copy/dir/inner").await, "inner");
}

#[tokio::test]
async fn links_of_the_host_do_not_lead_out() {
    let (top, files) = mounted(Access::Write);
    let data = top.path().join("data");
    symlink("../secret", data.join("out")).unwrap();
    symlink(top.path().join("secret"), data.join("absolute")).unwrap();
    symlink("../../etc", data.join("dir/up")).unwrap();
    symlink("file", data.join("beside")).unwrap();
    for path in ["/mnt/input/out", "/mnt/input/absolute", "/mnt/input/dir/up/passwd"] {
        let error = message(files.read(path).await);
        assert!(error.contains("leads out of the mount"), "{error}");
        assert_eq!(refused(files.replace(path, "x").await), FsError::NotPermitted, "{path}");
        assert_eq!(refused(files.write(path, "x").await), FsError::NotPermitted, "{path}");
        assert_eq!(refused(files.canonical(path).await), FsError::NotPermitted, "{path}");
    }
    assert_eq!(files.grep("secret", "/mnt/input", GrepOptions::new()).await.unwrap().matches, []);
    assert_eq!(std::fs::read_to_string(top.path().join("secret")).unwrap(), "secret");
    // The twin stays inside.
    files.replace("/mnt/input/beside", "new").await.unwrap();
    assert_eq!(std::fs::read_to_string(data.join("file")).unwrap(), "new");
    assert!(data.join("beside").is_symlink());
}

#[tokio::test]
async fn a_write_mount_is_written_and_gets_no_traps() {
    let (top, files) = mounted(Access::Write);
    let data = top.path().join("data");
    std::fs::set_permissions(data.join("file"), PermissionsExt::from_mode(0o640)).unwrap();
    files.replace("/mnt/input/file", "new").await.unwrap();
    files.write_with("/mnt/input/run", "x", WriteOptions::new().mode(0o4755)).await.unwrap();
    let mode = |name: &str| std::fs::metadata(data.join(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("file"), mode("run")), (0o640, 0o755));
    assert_eq!(on_host(&top), ["dir", "file", "run"], "no scratch file is left");
    let error = message(files.symlink("/etc/passwd", "/mnt/input/trap").await);
    assert!(error.contains("names a file beside it"), "{error}");
    files.symlink("file", "/mnt/input/link").await.unwrap();
    assert_eq!(files.write_stream("/mnt/input/file", Cursor::new("streamed")).await.unwrap(), 8);
    assert_eq!(text(&files, "/mnt/input/link").await, "streamed");
    assert_eq!(refused(files.rename("/mnt/input/file", "file").await), FsError::CrossDevice);
    assert_eq!(files.usage().bytes, 0, "the host's files are not the session's");
    files.remove_tree("/mnt/input/dir").await.unwrap();
    assert!(!data.join("dir").exists());
}

#[tokio::test]
async fn an_overlay_keeps_changes_in_the_session() {
    let (top, files) = mounted(Access::Overlay);
    files.replace("/mnt/input/file", "changed").await.unwrap();
    files.remove_tree("/mnt/input/dir").await.unwrap();
    files.write("/mnt/input/more", "x").await.unwrap();
    assert_eq!(names(&files, "/mnt/input").await, ["file", "more"]);
    assert_eq!(std::fs::read_to_string(top.path().join("data/file")).unwrap(), "text");
    assert_eq!(on_host(&top), ["dir", "file"]);
    let error = message(files.write("/mnt/input/large", vec![0; 2_000]).await);
    assert!(error.contains("`filesystem.quota`"), "{error}");
}

#[tokio::test]
async fn trees_above_a_mount() {
    let (top, files) = mounted(Access::Write);
    let error = files.remove_tree("/mnt").await.unwrap_err();
    assert_eq!((error.fs(), error.path.as_str()), (Some(FsError::Busy), "/mnt/input"));
    assert_eq!(on_host(&top), ["dir", "file"]);
    let walked = files.walk("/mnt", WalkOptions::new()).await.unwrap();
    assert_eq!(walked.entries.len(), 4);
    let walked = files.walk("/mnt", WalkOptions::new().mounts(false)).await.unwrap();
    assert_eq!(paths(&walked), ["/mnt/input"]);
    // A copy and an archive of what is above have the mount as an empty directory; those of the mount have its files.
    files.copy("/mnt", "copy").await.unwrap();
    assert_eq!(names(&files, "copy/input").await.len(), 0);
    let entries = |bytes: Vec<u8>| ::tar::Archive::new(Cursor::new(bytes)).entries().unwrap().count();
    assert_eq!(entries(files.pack("/", &["mnt"], Vec::new(), TarBounds::new()).await.unwrap()), 2);
    assert_eq!(entries(files.pack("/mnt/input", &[], Vec::new(), TarBounds::new()).await.unwrap()), 3);
    assert_eq!(refused(files.digest("/mnt/input").await), FsError::Unsupported);
}

#[tokio::test]
async fn a_diff_that_names_a_read_mount_changes_nothing() {
    let (top, files) = mounted(Access::Read);
    files.write("/tmp/a", "one\n").await.unwrap();
    let part = |path: &str, old: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{old}\n+new\n");
    std::fs::write(top.path().join("data/file"), "text\n").unwrap();
    let diff = part("tmp/a", "one") + &part("mnt/input/file", "text");
    let error = files.apply_patch("/", diff).await.unwrap_err();
    assert_eq!((error.fs(), error.path.as_str()), (Some(FsError::ReadOnly), "/mnt/input/file"));
    assert_eq!(text(&files, "/tmp/a").await, "one\n");
    assert_eq!(names(&files, "/tmp").await, ["a"]);
    files.apply_patch("/", part("tmp/a", "one")).await.unwrap();
    assert_eq!(text(&files, "/tmp/a").await, "new\n");

    let mut archive = ::tar::Builder::new(Vec::new());
    let mut header = ::tar::Header::new_gnu();
    header.set_size(1);
    header.set_mode(0o644);
    archive.append_data(&mut header, "new", &b"x"[..]).unwrap();
    let archive = archive.into_inner().unwrap();
    assert_eq!(refused(files.unpack("/mnt/input", Cursor::new(archive.clone()), TarBounds::new()).await), FsError::ReadOnly);
    assert_eq!(files.unpack("/tmp", Cursor::new(archive), TarBounds::new()).await.unwrap().bytes, 1);
}

#[tokio::test]
async fn an_overlay_differs_from_its_host_and_other_mounts_do_not_differ() {
    let (top, files) = mounted(Access::Overlay);
    std::fs::set_permissions(top.path().join("data/dir"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let start = files.fs.snapshot();
    let changes = async || {
        let found = files.differences(start.clone(), "/", 100).await.unwrap().entries;
        let shown = |difference: &wisp_vfs::Difference| {
            assert_eq!(difference.mount, Some(0));
            format!("{:?} {}", difference.kind, difference.path.replace("/mnt/input/", ""))
        };
        found.iter().map(shown).collect::<Vec<_>>()
    };
    // Copied up, and as it was.
    files.append("/mnt/input/file", "").await.unwrap();
    files.set_mode("/mnt/input/dir/inner", 0o600).await.unwrap();
    let mode = std::fs::metadata(top.path().join("data/dir/inner")).unwrap().permissions().mode() & 0o777;
    files.set_mode("/mnt/input/dir/inner", mode).await.unwrap();
    assert_eq!(changes().await, [""; 0]);
    files.append("/mnt/input/file", "!").await.unwrap();
    // A directory of the host's under another name: what is in it comes with it.
    files.rename("/mnt/input/dir", "/mnt/input/moved").await.unwrap();
    assert_eq!(changes().await, ["Deleted dir", "Deleted dir/inner", "Modified file", "Added moved", "Added moved/inner"]);
    // One of the session's in its place hides what the host has there.
    files.mkdir("/mnt/input/dir").await.unwrap();
    assert_eq!(changes().await, ["Deleted dir/inner", "Modified file", "Added moved", "Added moved/inner"]);
    // What the host removes in the meantime was not there in the beginning.
    std::fs::remove_file(top.path().join("data/file")).unwrap();
    assert_eq!(changes().await[1], "Added file");

    for access in [Access::Write, Access::Read] {
        let (top, files) = mounted(access);
        let start = files.fs.snapshot();
        if access == Access::Write {
            files.write("/mnt/input/file", "other").await.unwrap();
            assert_eq!(std::fs::read(top.path().join("data/file")).unwrap(), b"other");
        }
        assert_eq!(files.differences(start, "/", 100).await.unwrap().entries.len(), 0);
    }
}

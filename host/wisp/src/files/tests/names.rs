//! Directories, links, renaming, copying, removing.

use super::*;

#[tokio::test]
async fn directories_and_names() {
    let files = files();
    files.mkdir("d").await.unwrap();
    assert_eq!(refused(files.mkdir("d").await), FsError::Exists);
    assert_eq!(refused(files.mkdir("x/y").await), FsError::NotFound);
    files.mkdir_all("x/y/../z//w").await.unwrap();
    files.mkdir_all("x/y/../z").await.unwrap();
    assert_eq!(names(&files, "x").await, ["y", "z"]);
    files.write("f", "text").await.unwrap();
    assert_eq!(refused(files.mkdir_all("f/g").await), FsError::NotDirectory);
    files.rename("f", "d/g").await.unwrap();
    assert!(files.stat("f").await.unwrap_err().is_not_found());
    files.write("h", "other").await.unwrap();
    files.rename("h", "d/g").await.unwrap();
    assert_eq!(text(&files, "d/g").await, "other");
    assert_eq!(refused(files.remove("d").await), FsError::NotEmpty);
    files.remove("d/g").await.unwrap();
    files.remove("d").await.unwrap();
    assert_eq!(names(&files, "/home/user").await, ["x"]);
}

#[tokio::test]
async fn links_are_followed_as_a_guest_follows_them() {
    let files = files();
    files.write("d/f", "text").await.unwrap();
    files.symlink("d", "link").await.unwrap();
    files.symlink("../user/link/f", "far").await.unwrap();
    files.symlink("loop", "loop").await.unwrap();
    assert_eq!(text(&files, "far").await, "text");
    assert_eq!(files.canonical("/home/./user/far").await.unwrap(), "/home/user/d/f");
    assert_eq!(files.canonical("/../..").await.unwrap(), "/");
    assert_eq!(files.stat_link("far").await.unwrap().kind, FileType::Symlink);
    assert_eq!(files.stat("far").await.unwrap().kind, FileType::Regular);
    assert_eq!(files.readlink("far").await.unwrap(), "../user/link/f");
    assert_eq!(refused(files.readlink("d").await), FsError::Invalid);
    for error in [refused(files.read("loop").await), refused(files.replace("loop", "").await), refused(files.canonical("loop").await)] {
        assert_eq!(error, FsError::Loop);
    }
    files.set_mode("far", 0o640).await.unwrap();
    assert_eq!(files.stat("d/f").await.unwrap().mode, 0o640);
    files.remove("far").await.unwrap();
    assert_eq!(text(&files, "d/f").await, "text");
}

#[tokio::test]
async fn copies() {
    let files = files();
    files.write_with("d/e/f", "text", WriteOptions::new().mode(0o755)).await.unwrap();
    files.symlink("../nowhere", "d/e/link").await.unwrap();
    files.set_mode("d/e", 0o555).await.unwrap();
    files.copy("d", "copy").await.unwrap();
    assert_eq!(text(&files, "copy/e/f").await, "text");
    assert_eq!(files.stat("copy/e/f").await.unwrap().mode, 0o755);
    assert_eq!(files.stat("copy/e").await.unwrap().mode, 0o555);
    assert_eq!(files.readlink("copy/e/link").await.unwrap(), "../nowhere");
    assert_eq!(refused(files.copy("d", "copy").await), FsError::Exists);
    assert_eq!(refused(files.copy("d", "d/inner").await), FsError::Invalid);
    assert_eq!(names(&files, "d").await, ["e"], "the attempt leaves nothing");
    files.copy("d/e/f", "g").await.unwrap();
    files.copy("d/e/f", "g").await.unwrap();
    assert_eq!(text(&files, "g").await, "text");
    assert_eq!(refused(files.copy("/dev/zero", "zero").await), FsError::Unsupported);
    assert_eq!(refused(files.copy("g", "d").await), FsError::IsDirectory);
}

#[tokio::test]
async fn named_pipes_are_copied_and_never_read() {
    let files = files();
    files.mkdir("d").await.unwrap();
    files.fs.mkfifo(&files.fs.root(), "/home/user/d/pipe", 0o640).unwrap();
    files.copy("d", "copy").await.unwrap();
    files.copy("d/pipe", "alone").await.unwrap();
    for path in ["copy/pipe", "alone"] {
        let (copy, stat) = (files.stat(path).await.unwrap(), files.stat("d/pipe").await.unwrap());
        assert_eq!((copy.kind, copy.mode), (FileType::Fifo, 0o640));
        assert_ne!(copy.ino, stat.ino, "another pipe");
    }
    // No process of the sandbox has the other end of what the host reads or writes.
    assert_eq!(refused(files.read("alone").await), FsError::Unsupported);
    assert_eq!(refused(files.write("alone", "text").await), FsError::Unsupported);
    assert_eq!(refused(files.replace("alone", "text").await), FsError::NotPermitted);
    files.remove_tree("copy").await.unwrap();
    files.remove("alone").await.unwrap();
    assert_eq!(names(&files, "/home/user").await, ["d"]);
}

#[tokio::test]
async fn trees_are_removed_however_deep_they_are() {
    let files = files();
    files.write("kept", "text").await.unwrap();
    // Deeper than any path names.
    let (fs, mut at) = (&files.fs, files.fs.open(&files.fs.root(), "/home/user", OpenHow::default()).unwrap());
    for _ in 0..3_000 {
        fs.mkdir(&at, "dd", 0o755).unwrap();
        fs.symlink(&at, "link", "/home/user/kept").unwrap();
        at = fs.open(&at, "dd", OpenHow::default()).unwrap();
    }
    drop(at);
    assert!(files.walk("", WalkOptions::new()).await.is_err());
    let listing = files.walk("dd", WalkOptions::new()).await.unwrap();
    assert!(listing.truncated, "it is deeper than a walk goes");
    files.remove_tree("dd").await.unwrap();
    files.remove("link").await.unwrap();
    assert_eq!(names(&files, "/home/user").await, ["kept"]);
    assert_eq!(files.usage().files, 1);
    for number in 0..2_500 {
        files.write(&format!("wide/{number}/f"), "").await.unwrap();
    }
    files.remove_tree("wide").await.unwrap();
    files.remove_tree("kept").await.unwrap();
    assert_eq!(files.usage().files, 0);
    assert_eq!(refused(files.remove_tree("/").await), FsError::Busy);
    assert_eq!(refused(files.remove_tree("/etc").await), FsError::Access);
}

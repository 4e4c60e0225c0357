//! Links that a guest makes or moves in a write mount: none leads out, whatever follows it.

use super::*;

const REFUSED: Result<(), FsError> = Err(FsError::NotPermitted);

fn write() -> Host {
    Host::new(MountAccess::Write)
}

impl Host {
    fn symlink(&self, target: &str, name: &str) -> Result<(), FsError> {
        self.fs.symlink(&self.root, &format!("/mnt/{name}"), target)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), FsError> {
        self.fs.rename(&self.root, &format!("/mnt/{from}"), &self.root, &format!("/mnt/{to}"))
    }

    fn hard_link(&self, from: &str, to: &str) -> Result<(), FsError> {
        self.fs.link(&self.root, &format!("/mnt/{from}"), false, &self.root, &format!("/mnt/{to}"))
    }

    fn text(&self, name: &str) -> Option<PathBuf> {
        std::fs::read_link(self.path(name)).ok()
    }
}

/// A link that was inside at its first place would lead out if it were moved up.
#[test]
fn a_link_moves_wherever_it_likes_and_means_its_neighbour() {
    let host = write();
    assert_eq!(host.symlink("../secret", "dir/link"), REFUSED);
    assert_eq!(host.symlink("inner", "dir/link"), Ok(()));
    assert_eq!(host.rename("dir/link", "up"), Ok(()));
    assert_eq!(host.text("up"), Some("inner".into()));
    assert_eq!(host.get("/mnt/up"), Err(FsError::NotFound));
    assert_eq!(host.rename("up", "dir/sub/down"), Ok(()));
    assert_eq!(host.hard_link("dir/sub/down", "dir/again"), Ok(()));
    assert_eq!(host.get("/mnt/dir/again").unwrap(), "inner");
}

/// Links of the host stay where they are, whatever name a guest uses to move them.
#[test]
fn links_of_the_host_stay() {
    let host = write();
    host.link("../file", "dir/inside");
    host.link("/etc/passwd", "out");
    for link in ["dir/inside", "out"] {
        assert_eq!(host.rename(link, "two"), REFUSED, "{link}");
        assert_eq!(host.hard_link(link, "two"), REFUSED, "{link}");
        assert_eq!(host.rename(link, "dir/sub/two"), REFUSED, "{link}");
        assert!(host.text(link).is_some() && host.text("two").is_none() && host.text("dir/sub/two").is_none());
    }
    // It may be removed, and it may be replaced.
    assert_eq!(host.fs.unlink(&host.root, "/mnt/out"), Ok(()));
    assert_eq!(host.rename("file", "dir/inside"), Ok(()));
    assert_eq!(host.read("dir/inside").as_deref(), Some("text"));
    // One that names its neighbour is like a guest's.
    host.link("inner", "dir/plain");
    assert_eq!(host.rename("dir/plain", "plain"), Ok(()));
}

/// A guest's link that leads through a link of the host would lead out.
#[test]
fn no_link_leads_to_one_of_the_hosts() {
    let host = write();
    host.link("..", "door");
    assert_eq!(host.symlink("door/secret", "one"), REFUSED);
    assert_eq!(host.symlink("door", "one"), REFUSED);
    // Through another link, made before or after, or moved there.
    host.link("door", "hall");
    assert_eq!(host.symlink("hall", "one"), REFUSED);
    assert_eq!(host.symlink("door", "dir/two"), Ok(()));
    assert_eq!(host.rename("dir/two", "two"), REFUSED);
    assert_eq!(host.hard_link("dir/two", "two"), REFUSED);
    assert_eq!(host.symlink("two", "three"), Ok(()));
    assert_eq!(host.rename("dir/two", "two"), REFUSED);
    assert_eq!(host.symlink("file", "two"), Ok(()));
    assert_eq!(host.get("/mnt/three").unwrap(), "text");
}

#[test]
fn a_folder_with_the_hosts_links_moves_within_its_own_alone() {
    let host = write();
    host.link("../../file", "dir/sub/link");
    let moved = |from: &str, to: &str| host.rename(from, to);
    assert_eq!(moved("dir/sub", "sub"), Err(FsError::CrossDevice));
    assert_eq!(moved("dir", "other"), Ok(()));
    assert_eq!(moved("other/sub", "other/again"), Ok(()));
    assert_eq!(host.get("/mnt/other/again/link").unwrap(), "text");
    assert_eq!(host.fs.unlink(&host.root, "/mnt/other/again/link"), Ok(()));
    host.link("near", "other/again/link");
    assert_eq!(moved("other/again", "sub"), Ok(()));
    assert_eq!(host.text("sub/link"), Some("near".into()));
}

/// A folder through which a link of the host leads is replaced by a link: guests' links never change the depth, so
/// `..` stays right.
#[test]
fn a_link_in_place_of_a_folder_keeps_the_depth() {
    let host = write();
    host.link("sub/../../file", "dir/winding");
    host.fs.rmdir(&host.root, "/mnt/dir/sub").unwrap();
    for target in [".", "..", "../dir"] {
        assert_eq!(host.symlink(target, "dir/sub"), REFUSED);
    }
    host.fs.mkdir(&host.root, "/mnt/dir/real", 0o755).unwrap();
    host.symlink("real", "dir/sub").unwrap();
    assert_eq!(std::fs::read_to_string(host.path("dir/winding")).unwrap(), "text");
}

/// Processes of one session that swap links concurrently.
#[test]
fn no_race_puts_a_link_over_a_door() {
    let host = write();
    host.link("..", "door");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..3000 {
                let _ = host.symlink("door", "dir/a");
                let _ = host.fs.unlink(&host.root, "/mnt/dir/a");
                let _ = host.symlink("file", "dir/a");
                let _ = host.fs.unlink(&host.root, "/mnt/dir/a");
            }
        });
        for _ in 0..3000 {
            let _ = host.rename("dir/a", "b");
            let says = host.text("b");
            assert!(says.is_none() || says == Some("file".into()), "{says:?}");
            let _ = host.fs.unlink(&host.root, "/mnt/b");
        }
    });
    assert_eq!((host.symlink("file", "c"), host.symlink("door", "d")), (Ok(()), REFUSED));
}

use super::*;

/// `/` of one disk; below it another disk, and a folder of the first disk that is bound twice: to a name with a space,
/// and to a single file.
const TABLE: &[u8] = b"\
21 1 8:1 / / rw - ext4 /dev/sda1 rw
22 21 8:2 / /srv rw shared:1 - ext4 /dev/sdb1 rw
23 21 8:1 /home/user/project /mnt/a\\040b rw - ext4 /dev/sda1 rw
24 21 8:1 /home/user/policy.toml /etc/wisp/policy.toml ro - ext4 /dev/sda1 rw
25 21 0:5 / /srv rw - tmpfs none rw
";

fn at(path: &str) -> (String, String) {
    let (device, path) = place(TABLE, Path::new(path)).expect("every absolute path is below the root");
    (String::from_utf8(device).expect("digits"), path.to_str().expect("text").to_owned())
}

#[test]
fn a_place_is_seen_through_bind_mounts() {
    assert_eq!(at("/home/user/policy.toml"), ("8:1".into(), "/home/user/policy.toml".into()));
    assert_eq!(at("/mnt/a b/src/x"), ("8:1".into(), "/home/user/project/src/x".into()));
    assert_eq!(at("/mnt/a b"), ("8:1".into(), "/home/user/project".into()));
    assert_eq!(at("/mnt/a bc"), ("8:1".into(), "/mnt/a bc".into()), "names, not letters");
    assert_eq!(at("/etc/wisp/policy.toml"), ("8:1".into(), "/home/user/policy.toml".into()));
    assert_eq!(at("/srv/x"), ("0:5".into(), "/x".into()), "the later mount covers the earlier");
    assert_eq!(place(b"", Path::new("/x")), None);
    assert_eq!(place(b"no table\n\\", Path::new("/x")), None);
}

#[test]
fn octal_numbers_stand_for_bytes() {
    assert_eq!(unescape(b"a\\040b\\134\\011"), Path::new("a b\\\t"));
    assert_eq!(unescape(b"\\9\\04"), Path::new("\\9\\04"));
}

#[test]
fn what_holds_what() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("project/deep")).expect("folders");
    std::fs::create_dir(at("beside")).expect("a folder");
    std::fs::write(at("project/deep/policy.toml"), "").expect("a file");
    std::os::unix::fs::symlink(at("project"), at("link")).expect("a link");
    std::os::unix::fs::symlink(at("project/deep/policy.toml"), at("beside/policy.toml")).expect("a link");
    std::fs::hard_link(at("project/deep/policy.toml"), at("other-name")).expect("a link");
    for (holder, path) in [
        ("project", "project/deep/policy.toml"),
        ("project/deep", "project/deep/policy.toml"),
        ("link", "project/deep/policy.toml"),
        ("project", "link/deep/policy.toml"),
        ("project", "beside/policy.toml"),
        ("beside", "beside/policy.toml"),
        (".", "link"),
        ("project/deep/policy.toml", "project/deep/policy.toml"),
        ("other-name", "project/deep/policy.toml"),
        (".", "project"),
        (".", "missing"),
        ("project", "project/missing/deep"),
        ("project", "link/missing"),
    ] {
        assert!(HostFiles.holds(&at(holder), &at(path)), "{holder} holds {path}");
    }
    for (holder, path) in [
        ("beside", "project/deep/policy.toml"),
        ("project/deep", "project"),
        ("project", "missing"),
        ("project/deep", "project/missing"),
        ("missing", "project"),
        ("missing", "missing"),
    ] {
        assert!(!HostFiles.holds(&at(holder), &at(path)), "{holder} does not hold {path}");
    }
}

#[test]
fn each_link_on_the_way_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let top = folder.path().canonicalize().expect("it is there");
    let at = |name: &str| top.join(name);
    std::fs::create_dir_all(at("real/deep")).expect("folders");
    std::fs::write(at("real/deep/policy.toml"), "").expect("a file");
    for (target, link) in [("real", "one"), ("../one/deep", "real/two"), ("policy.toml", "real/deep/three"), ("turns", "turns")] {
        std::os::unix::fs::symlink(target, at(link)).expect("a link");
    }
    let links = |path: &str| HostFiles.links(&at(path));
    assert_eq!(links("one/two/three"), ["one", "real/two", "one", "real/deep/three"].map(at));
    // The directory above where a link leads, not above the link.
    assert_eq!(links("real/two/../two/policy.toml"), ["real/two", "one", "real/two", "one"].map(at));
    assert_eq!((links("real/deep/policy.toml"), links("missing/x")), (vec![], vec![]));
    assert_eq!(links("turns").len(), MAX_LINKS);
}

#[test]
fn what_can_be_mounted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("data.csv");
    std::fs::write(&file, "1,2").expect("a file");
    assert_eq!(HostFiles.mountable(&file), Ok(file.canonicalize().expect("it is there")));
    assert!(HostFiles.mountable(folder.path()).is_ok());
    for path in ["/proc", "/proc/self", "/proc/self/environ", "/proc/self/fd", "/sys"] {
        let found = HostFiles.mountable(Path::new(path));
        assert!(matches!(found, Err(SourceError::Kernel("proc" | "sysfs"))), "{path}: {found:?}");
    }
    assert_eq!(HostFiles.mountable(Path::new("/dev/null")), Err(SourceError::NotMountable));
    assert_eq!(HostFiles.mountable(&file.join("x")), Err(SourceError::NotADirectory));
}

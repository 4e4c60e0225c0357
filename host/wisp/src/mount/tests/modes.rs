//! No bit beyond the permissions reaches the host through any operation that takes a mode.

use std::os::unix::fs::PermissionsExt as _;

use super::*;

impl Host {
    fn mode(&self, name: &str) -> u32 {
        std::fs::symlink_metadata(self.path(name)).unwrap().permissions().mode() & 0o7777
    }

    fn set(&self, name: &str, mode: u32) {
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }
}

#[test]
fn files_and_directories_are_made_plain() {
    let host = Host::new(MountAccess::Write);
    for (name, bits) in [("user", 0o4000), ("group", 0o2000), ("sticky", 0o1000), ("all", 0o7000)] {
        let how = OpenHow { mode: bits | 0o711, ..CREATE };
        host.fs.open(&host.root, &format!("/mnt/{name}"), how).unwrap();
        host.fs.open(&host.root, &format!("/mnt/{name}-x"), OpenHow { exclusive: true, truncate: true, ..how }).unwrap();
        host.fs.mkdir(&host.root, &format!("/mnt/{name}-d"), bits | 0o711).unwrap();
        for made in [name.to_owned(), format!("{name}-x"), format!("{name}-d")] {
            assert_eq!(host.mode(&made), 0o711, "{made}");
        }
        for made in [name.to_owned(), format!("{name}-d")] {
            let path = format!("/mnt/{made}");
            host.fs.set_mode(&host.root, &path, true, bits | 0o700).unwrap();
            assert_eq!(host.mode(&made), 0o700, "{made}");
            host.fs.open(&host.root, &path, READ).unwrap().set_mode(bits | 0o755).unwrap();
            assert_eq!(host.mode(&made), 0o755, "{made}");
        }
    }
}

/// As root, the kernel would let a program keep its set-ID bits when other bytes are written to it.
#[test]
fn a_program_of_the_hosts_loses_its_rights_before_it_is_written() {
    let host = Host::new(MountAccess::Write);
    host.set("file", 0o6755);
    assert_eq!(host.get("/mnt/file").unwrap(), "text");
    assert_eq!(host.mode("file"), 0o6755, "reading changes nothing");
    host.fs.open(&host.root, "/mnt/file", WRITE).unwrap();
    assert_eq!(host.mode("file"), 0o755);
    host.set("file", 0o2711);
    host.put("/mnt/file", "changed").unwrap();
    assert_eq!((host.mode("file"), host.read("file").as_deref()), (0o711, Some("changed")));
}

#[test]
fn an_overlay_shows_and_keeps_permissions() {
    let host = Host::new(MountAccess::Overlay);
    host.set("file", 0o6755);
    assert_eq!(host.stat("/mnt/file").mode, 0o755);
    host.put("/mnt/file", "changed").unwrap();
    assert_eq!((host.stat("/mnt/file").mode, host.mode("file")), (0o755, 0o6755));
}

//! The files that every session starts with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;

use crate::program::error::SessionError;
use crate::program::tool_bytes::ToolBytes;
use crate::program::workshop::Workshop;
use crate::wasi::{HOST_NAME, PROC_FILES, PROC_LINKS};
use wisp_policy::layout::{HOME, PATH, SCRATCH, SHELL, WORKSPACE};
use wisp_vfs::{BaseEntry, Clock, Device, Fs, Layer, LayerBuilder, Quota, Snapshot};

/// Changes when the cached form of a component's files does.
const LAYER: &str = "wisp-layer-1";

/// First line of a program file; the component's name follows.
pub(crate) const PROGRAM_MAGIC: &str = "#!wisp component ";

/// Other names of shipped tools.
const ALIASES: &[(&str, &str)] = &[("sh", "bash"), ("python3", "python")];

/// Returns `/etc/passwd`, with the only user and root, which owns the programs.
fn passwd() -> String {
    format!("root:x:0:0:root:/root:{SHELL}\nuser:x:1000:1000:user:{HOME}:{SHELL}\n")
}

const GROUP: &str = "root:x:0:\nuser:x:1000:\n";
const HOSTS: &str = "127.0.0.1 localhost\n::1 localhost\n";
const OS_RELEASE: &str = "NAME=\"wisp\"\nID=wisp\nPRETTY_NAME=\"wisp sandbox\"\n";

/// Returns the state that every session with these tools and this output directory starts in, and the result of
/// `in the meantime`, which runs while the state is made. It is made once and shared, so that a session starts with a pointer
/// to it.
pub(crate) fn template<T>(
    workshop: &Workshop,
    output: &str,
    tools: &BTreeMap<String, ToolBytes>,
    meanwhile: impl FnOnce() -> T,
) -> (Result<Snapshot, SessionError>, T) {
    let mut key = output.to_owned();
    for (name, bytes) in tools {
        // Writing to a string cannot fail.
        let _ = write!(key, "\n{name} {}", bytes.layout_digest());
    }
    if let Some(snapshot) = workshop.templates().get(&key) {
        return (Ok(snapshot), meanwhile());
    }
    let (made, other) = std::thread::scope(|scope| {
        let making = scope.spawn(|| lay_out(workshop, output, tools));
        let other = meanwhile();
        (making.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), other)
    });
    if let Ok(snapshot) = &made {
        workshop.templates().put(key, snapshot.clone());
    }
    (made, other)
}

/// 1980-01-01, the date of shipped files: fixed, so that sessions of one policy are identical to the byte, and the
/// earliest date that zip archives can hold.
const BASE_DATE: u64 = 315_532_800_000_000_000;

/// The clock of base files.
struct NoTime;

impl Clock for NoTime {
    fn now(&self) -> u64 {
        BASE_DATE
    }
}

/// Lays out directories, devices, programs and configuration.
fn lay_out(workshop: &Workshop, output: &str, tools: &BTreeMap<String, ToolBytes>) -> Result<Snapshot, SessionError> {
    let fs = &Fs::new(Quota { max_bytes: u64::MAX, max_files: u64::MAX }, Arc::new(NoTime));
    let directory = |path: &str, mode, user_owned| add(fs, path, BaseEntry::Dir { mode, user_owned });
    for (path, mode) in [
        ("/usr", 0o755),
        (PATH, 0o755),
        ("/usr/lib", 0o755),
        ("/etc", 0o755),
        ("/dev", 0o755),
        ("/dev/fd", 0o555),
        ("/proc", 0o755),
        ("/proc/self", 0o555),
        ("/proc/sys/kernel", 0o555),
        ("/var", 0o755),
        (SCRATCH, 0o1777),
        ("/var/tmp", 0o1777),
    ] {
        directory(path, mode, false)?;
    }
    for path in [HOME, WORKSPACE, "/mnt", output] {
        directory(path, 0o755, true)?;
    }
    let links = [("/bin", "usr/bin"), ("/lib", "usr/lib"), ("/dev/stdin", "fd/0"), ("/dev/stdout", "fd/1"), ("/dev/stderr", "fd/2")];
    for (path, target) in links {
        add(fs, path, BaseEntry::Symlink(target.to_owned()))?;
    }
    let devices = [
        ("null", Device::Null),
        ("zero", Device::Zero),
        ("full", Device::Full),
        ("random", Device::Random),
        ("urandom", Device::Urandom),
        ("tty", Device::Tty),
    ];
    for (name, device) in devices {
        add(fs, &format!("/dev/{name}"), BaseEntry::Device(device))?;
    }
    for path in PROC_FILES {
        add(fs, path, BaseEntry::Computed(path))?;
    }
    for path in PROC_LINKS {
        add(fs, path, BaseEntry::ComputedLink(path))?;
    }
    let files = [("/etc/group", GROUP), ("/etc/hosts", HOSTS), ("/etc/os-release", OS_RELEASE)];
    for (path, text) in files {
        add(fs, path, BaseEntry::File { data: Bytes::from_static(text.as_bytes()), mode: 0o644 })?;
    }
    add(fs, "/etc/passwd", BaseEntry::File { data: passwd().into(), mode: 0o644 })?;
    add(fs, "/etc/hostname", BaseEntry::File { data: format!("{HOST_NAME}\n").into(), mode: 0o644 })?;
    for (name, bytes) in tools {
        program(workshop, fs, name, bytes)?;
    }
    Ok(fs.snapshot())
}

/// Returns the names of a tool's programs.
pub(crate) fn programs<'t>(name: &'t str, bytes: &'t ToolBytes) -> impl Iterator<Item = &'t str> {
    let applets = match bytes {
        ToolBytes::Shipped(component) => component.applets(),
        ToolBytes::Custom(_) => &[],
    };
    let aliases = ALIASES.iter().filter(move |(tool, _)| *tool == name && matches!(bytes, ToolBytes::Shipped(_)));
    let others = aliases.map(|(_, alias)| *alias).chain(applets.iter().map(String::as_str));
    std::iter::once(name).chain(others.filter(move |other| *other != name))
}

fn program(workshop: &Workshop, fs: &Fs, name: &str, bytes: &ToolBytes) -> Result<(), SessionError> {
    let text = format!("{PROGRAM_MAGIC}{name}\n");
    add(fs, &format!("{PATH}/{name}"), BaseEntry::File { data: text.into(), mode: 0o755 })?;
    for alias in programs(name, bytes).skip(1) {
        add(fs, &format!("{PATH}/{alias}"), BaseEntry::Symlink(name.to_owned()))?;
    }
    let ToolBytes::Shipped(component) = bytes else { return Ok(()) };
    let Some(digest) = component.base_digest() else { return Ok(()) };
    let damaged = |reason: String| SessionError::Archive { tool: name.to_owned(), reason };
    let block = workshop.cache().unpacked(LAYER, digest, || layer(name, &component.base()?.unwrap_or_default().into()))?;
    let layer = Layer::open(block).map_err(|error| damaged(error.to_string()))?;
    fs.add_layer(&layer).map_err(|source| SessionError::Base { path: "/".to_owned(), source })
}

/// Returns the files that come with a component as a layer, from their archive.
fn layer(name: &str, archive: &Bytes) -> Result<Vec<u8>, SessionError> {
    let damaged = |reason: String| SessionError::Archive { tool: name.to_owned(), reason };
    // A cursor lets tar skip the contents instead of reading them.
    let mut reader = tar::Archive::new(std::io::Cursor::new(&archive[..]));
    let mut layer = LayerBuilder::default();
    for entry in reader.entries_with_seek().map_err(|error| damaged(error.to_string()))? {
        let entry = entry.map_err(|error| damaged(error.to_string()))?;
        let path = entry.path().map_err(|error| damaged(error.to_string()))?;
        let path = format!("/{}", path.to_str().ok_or_else(|| damaged("a name is not UTF-8".to_owned()))?.trim_end_matches('/'));
        let mode = entry.header().mode().unwrap_or(0o644) & 0o777;
        let added = match entry.header().entry_type() {
            tar::EntryType::Directory => layer.directory(&path, 0o755),
            tar::EntryType::Regular => {
                let start = usize::try_from(entry.raw_file_position()).unwrap_or(usize::MAX);
                let end = start.saturating_add(usize::try_from(entry.size()).unwrap_or(usize::MAX));
                let data = archive.get(start..end).map(|part| archive.slice_ref(part));
                layer.file(&path, data.ok_or_else(|| damaged(format!("`{path}` is cut off")))?, mode)
            }
            tar::EntryType::Symlink => {
                let target = entry.link_name().ok().flatten();
                let target = target.as_deref().and_then(std::path::Path::to_str);
                layer.symlink(&path, target.ok_or_else(|| damaged(format!("the link `{path}` leads nowhere")))?)
            }
            other => return Err(damaged(format!("`{path}` is of type {other:?}"))),
        };
        added.map_err(|source| SessionError::Base { path, source })?;
    }
    layer.finish().map_err(|error| damaged(error.to_string()))
}

fn add(fs: &Fs, path: &str, entry: BaseEntry) -> Result<(), SessionError> {
    fs.add_base(path, entry).map_err(|source| SessionError::Base { path: path.to_owned(), source })
}

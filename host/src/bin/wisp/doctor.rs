//! `wisp doctor`: what this machine offers, and what is slower without.

use std::fmt::Write as _;
use std::fs;

use rustix::fs::MemfdFlags;
use wisp::components::ComponentSource;
use wisp::policy::Policy;
use wisp::{Engine, Session};

use crate::{Failure, print};

/// Linux since which `PAGEMAP_SCAN` exists: memory is restored by copying the pages a process touched.
const PAGEMAP_SCAN: (u32, u32) = (6, 7);

/// Print the report; the code is 1 when something that wisp needs is missing.
pub(crate) fn doctor() -> Result<u8, Failure> {
    let mut report = String::new();
    let mut healthy = true;
    machine(&mut report);
    let components = ComponentSource::from_environment().map_err(Failure::internal)?;
    match Engine::builder().components(components.clone()).build() {
        Ok(engine) => {
            cache(&mut report, &engine);
            healthy &= tools(&mut report, &engine, &components);
        }
        Err(error) => {
            line(&mut report, false, "engine", &error.to_string());
            healthy = false;
        }
    }
    print(&report)?;
    Ok(u8::from(!healthy))
}

/// One line: a mark, what it is about, what was found.
fn line(report: &mut String, good: bool, about: &str, found: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(report, "{} {about:<14} {found}", if good { "ok  " } else { "--  " });
}

fn machine(report: &mut String) {
    line(report, true, "wisp", &format!("{} with wasmtime 48", env!("CARGO_PKG_VERSION")));
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy().into_owned();
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    line(
        report,
        true,
        "machine",
        &format!("{} {release} {}, {cpus} processors", system.sysname().to_string_lossy(), system.machine().to_string_lossy()),
    );
    let new_enough = version(&release).is_some_and(|version| version >= PAGEMAP_SCAN);
    let found = if new_enough {
        "the kernel has it: the memory of an ended process is restored page by page"
    } else {
        "needs Linux 6.7: without it, memory is given back to the kernel after each process, and starts are slower"
    };
    line(report, new_enough, "PAGEMAP_SCAN", found);
    let memfd = rustix::fs::memfd_create("wisp-doctor", MemfdFlags::CLOEXEC).is_ok();
    let found = if memfd {
        "allowed: processes share one image of a component's memory"
    } else {
        "denied (a seccomp filter?): each process's memory is filled anew, and starts are slower"
    };
    line(report, memfd, "memfd_create", found);
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    match limit {
        None => line(report, true, "address space", "not limited: up to 1,000 processes at once"),
        Some(bytes) => {
            line(report, false, "address space", &format!("limited to {} GiB (ulimit -v): each process reserves 4 GiB of it", bytes >> 30));
        }
    }
}

/// Major and minor number of a kernel's release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(['.', '-']).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn cache(report: &mut String, engine: &Engine) {
    let Some(directory) = engine.cache().directory() else {
        return line(
            report,
            false,
            "code cache",
            "none: neither XDG_CACHE_HOME nor HOME is set; every run compiles anew, which takes seconds",
        );
    };
    let files = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes: Vec<u64> = files
        .filter(|file| file.file_name().to_string_lossy().ends_with(".cwasm"))
        .filter_map(|file| file.metadata().ok())
        .map(|facts| facts.len())
        .collect();
    let total = sizes.iter().sum::<u64>() >> 20;
    line(report, true, "code cache", &format!("{} (private), {} components, {total} MiB", directory.display(), sizes.len()));
}

fn tools(report: &mut String, engine: &Engine, components: &ComponentSource) -> bool {
    if components.list().next().is_none() {
        line(report, false, "components", &format!("{} has none: build them with `toolchain/just build`", components.place()));
        return false;
    }
    line(report, true, "components", &format!("from {}", components.place()));
    let compiled = compiled(engine);
    for component in components.list() {
        let state = match compiled.iter().find(|(name, _)| name == component.name()) {
            Some((_, true)) => "machine code cached",
            Some((_, false)) => "to be compiled at first use",
            None => "not in the default policy",
        };
        let size = component.size() as f64 / 1e6;
        line(report, true, &format!("  {}", component.name()), &format!("sha256 {}, {size:.1} MB, {state}", component.digest()));
    }
    true
}

/// The tools of the default policy, and whether their machine code is in the cache.
fn compiled(engine: &Engine) -> Vec<(String, bool)> {
    let session = tokio::runtime::Builder::new_current_thread()
        .build()
        .ok()
        .and_then(|runtime| runtime.block_on(engine.session(&Policy::offline()).build()).ok());
    session.as_ref().map(Session::compiled).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn a_release_begins_with_two_numbers() {
        assert_eq!(version("6.18.44-fc"), Some((6, 18)));
        assert_eq!(version("5.15-generic"), Some((5, 15)));
        assert_eq!(version("unknown"), None);
    }
}

//! Linking: interface by interface, only what the world decided.

use wasmtime::StoreContextMut;
use wasmtime::component::Linker;

use super::artifacts::HasLabels;
use super::bindings::{wasi, wisp};
use super::cli::{HasEnvironment, HasExit, HasStandardStreams};
use super::clocks::{HasMonotonicClock, HasWallClock};
use super::context::{Part, WasiState};
use super::files::HasFiles;
use super::frontend::HasFrontend;
use super::host::HasHost;
use super::http::{HasHttp, HasLastFailure};
use super::loopback::HasSockets;
use super::process::HasProcess;
use super::random::HasRandom;
use super::session::HasFacts;

type Add<T> = fn(&mut Linker<T>) -> wasmtime::Result<()>;

/// Returns how each interface is linked, by its name without its version.
fn table<T: WasiState>() -> [(&'static str, Add<T>); 32] {
    use wasi::{cli, clocks, filesystem, http, random};
    use wasmtime_wasi_io::bindings::wasi::io;
    use wisp::sandbox;
    macro_rules! ours {
        ($part:ty, $interface:path) => {
            |linker| {
                use $interface as interface;
                interface::add_to_linker::<T, $part>(linker, part::<T, $part>)
            }
        };
    }
    [
        ("wasi:io/error", |linker| io::error::add_to_linker::<T, HasTable>(linker, T::table)),
        ("wasi:io/poll", |linker| io::poll::add_to_linker::<T, HasTable>(linker, T::table)),
        ("wasi:io/streams", |linker| io::streams::add_to_linker::<T, HasTable>(linker, T::table)),
        ("wasi:cli/environment", ours!(HasEnvironment, cli::environment)),
        ("wasi:cli/exit", ours!(HasExit, cli::exit)),
        ("wasi:cli/stdin", ours!(HasStandardStreams, cli::stdin)),
        ("wasi:cli/stdout", ours!(HasStandardStreams, cli::stdout)),
        ("wasi:cli/stderr", ours!(HasStandardStreams, cli::stderr)),
        ("wasi:cli/terminal-input", ours!(HasStandardStreams, cli::terminal_input)),
        ("wasi:cli/terminal-output", ours!(HasStandardStreams, cli::terminal_output)),
        ("wasi:cli/terminal-stdin", ours!(HasStandardStreams, cli::terminal_stdin)),
        ("wasi:cli/terminal-stdout", ours!(HasStandardStreams, cli::terminal_stdout)),
        ("wasi:cli/terminal-stderr", ours!(HasStandardStreams, cli::terminal_stderr)),
        ("wasi:clocks/monotonic-clock", ours!(HasMonotonicClock, clocks::monotonic_clock)),
        ("wasi:clocks/wall-clock", ours!(HasWallClock, clocks::wall_clock)),
        ("wasi:filesystem/types", ours!(HasFiles, filesystem::types)),
        ("wasi:filesystem/preopens", ours!(HasFiles, filesystem::preopens)),
        ("wasi:random/random", ours!(HasRandom, random::random)),
        ("wasi:random/insecure", ours!(HasRandom, random::insecure)),
        ("wasi:random/insecure-seed", ours!(HasRandom, random::insecure_seed)),
        ("wisp:sandbox/files", ours!(HasFiles, sandbox::files)),
        ("wisp:sandbox/process", ours!(HasProcess, sandbox::process)),
        ("wisp:sandbox/terminal", ours!(HasProcess, sandbox::terminal)),
        ("wisp:sandbox/loopback", ours!(HasSockets, sandbox::loopback)),
        ("wisp:sandbox/threads", super::threads::link),
        ("wisp:sandbox/artifacts", ours!(HasLabels, sandbox::artifacts)),
        ("wisp:sandbox/session", ours!(HasFacts, sandbox::session)),
        ("wisp:sandbox/network", ours!(HasLastFailure, sandbox::network)),
        ("wisp:sandbox/frontend", ours!(HasFrontend, sandbox::frontend)),
        ("wisp:sandbox/host", ours!(HasHost, sandbox::host)),
        ("wasi:http/types", |linker| {
            http::types::add_to_linker::<T, HasHttp>(linker, &http::types::LinkOptions::default(), part::<T, HasHttp>)
        }),
        ("wasi:http/outgoing-handler", ours!(HasHttp, http::outgoing_handler)),
    ]
}

/// Returns the part of the process in a store that an interface sees.
fn part<T: WasiState, P: Part>(state: &mut T) -> P::Data<'_> {
    P::of(state.wasi())
}

/// `wasi:io` is wasmtime's own, and sees only the handles.
struct HasTable;

impl wasmtime::component::HasData for HasTable {
    type Data<'a> = &'a mut wasmtime::component::ResourceTable;
}

/// Links one interface, named without its version. Returns false if the host has no such interface.
///
/// # Errors
/// If wasmtime refuses, as it does for an interface that is linked twice.
pub fn link<T: WasiState>(linker: &mut Linker<T>, interface: &str) -> wasmtime::Result<bool> {
    for (name, add) in table::<T>() {
        if name == interface {
            add(linker)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Links what the component that replaces denied interfaces calls: the instance `name` with its only function `denied`.
///
/// # Errors
/// If wasmtime refuses, as it does for a name that is linked twice.
pub fn link_denials<T: WasiState>(linker: &mut Linker<T>, name: &str) -> wasmtime::Result<()> {
    linker.instance(name)?.func_wrap("denied", |mut store: StoreContextMut<'_, T>, (function,): (u32,)| {
        let view = store.data_mut().wasi();
        view.table.elsewhere();
        if let Some(refusals) = &view.ctx.refusals {
            refusals.import(function);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use wisp_policy::capability::{Decision, Interface};

    use super::*;

    struct Nothing;

    impl WasiState for Nothing {
        fn wasi(&mut self) -> super::super::WasiView<'_> {
            unreachable!("nothing is instantiated")
        }
        fn table(&mut self) -> &mut wasmtime::component::ResourceTable {
            unreachable!("nothing is instantiated")
        }
    }

    #[test]
    fn what_the_capability_table_grants_is_here_and_nothing_else() {
        let engine = wasmtime::Engine::default();
        let mut linker = Linker::<Nothing>::new(&engine);
        for interface in Interface::ALL {
            let capability = interface.capability();
            let granted = capability.has(Decision::Host) || capability.has(Decision::Virtual);
            assert_eq!(link(&mut linker, interface.name()).unwrap(), granted, "{}", interface.name());
        }
        assert!(!link(&mut linker, "wasi:unknown/interface").unwrap());
    }
}

//! Components for the tests, made from WIT.

use crate::Grants;
use wit_component::{ComponentEncoder, StringEncoding, dummy_module, embed_component_metadata};
use wit_parser::{LiftLowerAbi, ManglingAndAbi, Resolve, WorldId};

/// WASI as older programs know it: the interfaces of `wit/deps`, under another version, with the unstable items
/// that wisp refuses or denies as a whole.
pub(super) fn wasi(version: &str) -> Resolve {
    let mut resolve = Resolve::default();
    resolve.features.extend(["clocks-timezone", "network-error-code"].map(str::to_owned));
    texts(resolve, version)
}

/// As `wasi`, including everything that is unstable.
pub(super) fn unstable_wasi(version: &str) -> Resolve {
    texts(Resolve { all_features: true, ..Resolve::default() }, version)
}

fn texts(mut resolve: Resolve, version: &str) -> Resolve {
    for text in [
        include_str!("../../wit/deps/io.wit"),
        include_str!("../../wit/deps/clocks.wit"),
        include_str!("../../wit/deps/random.wit"),
        include_str!("../../wit/deps/filesystem.wit"),
        include_str!("../../wit/deps/sockets.wit"),
        include_str!("../../wit/deps/cli.wit"),
        include_str!("../../wit/deps/http.wit"),
    ] {
        let text = text.replace("@0.2.12", &format!("@{version}"));
        let text = text.replace("version = 0.2.12", "version = 0.2.0").replace("version = 0.2.1)", "version = 0.2.0)");
        resolve.push_source("wasi.wit", &text).unwrap_or_else(|error| panic!("{error:#}"));
    }
    resolve
}

/// The component of the world `test:it/it` in `text`, with a core module whose functions all trap.
pub(super) fn component(resolve: Resolve, text: &str) -> Vec<u8> {
    encode(resolve, text, |resolve, world| dummy_module(resolve, world, ManglingAndAbi::Legacy(LiftLowerAbi::Sync)))
}

/// The component of the world `test:it/it` in `text`, with this core module.
pub(super) fn program(resolve: Resolve, text: &str, module: &str) -> Vec<u8> {
    encode(resolve, text, |_, _| wat::parse_str(module).unwrap_or_else(|error| panic!("{error}")))
}

fn encode(mut resolve: Resolve, text: &str, module: impl FnOnce(&Resolve, WorldId) -> Vec<u8>) -> Vec<u8> {
    let package = resolve.push_source("test.wit", text).unwrap_or_else(|error| panic!("{error:#}"));
    let world = resolve.select_world(&[package], Some("it")).unwrap_or_else(|error| panic!("{error:#}"));
    let mut module = module(&resolve, world);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
        .and_then(|()| ComponentEncoder::default().module(&module)?.encode())
        .unwrap_or_else(|error| panic!("{error:#}"))
}

/// A command of WASI `version`, with these additional lines in its world.
pub(super) fn command(version: &str, more: &str) -> Vec<u8> {
    let text = format!(
        "package test:it; world it {{ import wasi:cli/environment@{version}; import wasi:cli/stdout@{version}; {more} export wasi:cli/run@{version}; }}"
    );
    component(wasi(version), &text)
}

/// Every import of sockets.
pub(super) fn sockets(version: &str) -> String {
    ["network", "instance-network", "tcp", "tcp-create-socket", "udp", "udp-create-socket", "ip-name-lookup"]
        .iter()
        .map(|name| format!("import wasi:sockets/{name}@{version};\n"))
        .collect()
}

/// A policy that sets nothing.
pub(super) fn nothing() -> Grants {
    Grants::default()
}

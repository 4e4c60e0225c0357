//! Components for the tests, made from WIT.

use crate::Grants;
use crate::imports::outline;
use crate::join::{Joined, Part};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{
    Function, LiftLowerAbi, ManglingAndAbi, Resolve, ResourceIntrinsic, TypeDefKind, TypeId, WasmExport, WasmExportKind, WasmImport,
    WorldId, WorldItem, WorldKey,
};

/// How the names and signatures of core functions are made: as all guests' are.
const ABI: ManglingAndAbi = ManglingAndAbi::Legacy(LiftLowerAbi::Sync);

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
    encode(resolve, text, true, trapping)
}

/// As `component`, but compatible versions of one interface stay separate imports.
pub(super) fn unmerged(resolve: Resolve, text: &str) -> Vec<u8> {
    encode(resolve, text, false, trapping)
}

fn trapping(resolve: &Resolve, world: WorldId) -> Vec<u8> {
    wat::parse_str(traps(resolve, world)).unwrap_or_else(|error| panic!("{error}"))
}

/// A core module that imports and exports every function of `world`; what it exports traps.
/// (wit-component has one, behind a feature that the shipped build would have to carry.)
fn traps(resolve: &Resolve, world: WorldId) -> String {
    let world = &resolve.worlds[world];
    let (mut imports, mut exports) = (String::new(), String::new());
    for (key, item) in &world.imports {
        match item {
            WorldItem::Function(function) => import(&mut imports, resolve, None, function),
            WorldItem::Type { id, .. } => import_drop(&mut imports, resolve, None, *id),
            WorldItem::Interface { id, .. } => {
                resolve.interfaces[*id].functions.values().for_each(|function| import(&mut imports, resolve, Some(key), function));
                resolve.interfaces[*id].types.values().for_each(|id| import_drop(&mut imports, resolve, Some(key), *id));
            }
        }
    }
    for (key, item) in &world.exports {
        match item {
            WorldItem::Function(function) => export(&mut exports, resolve, None, function),
            WorldItem::Type { .. } => {}
            WorldItem::Interface { id, .. } => {
                resolve.interfaces[*id].functions.values().for_each(|function| export(&mut exports, resolve, Some(key), function));
            }
        }
    }
    let memory = resolve.wasm_export_name(ABI, WasmExport::Memory);
    let realloc = resolve.wasm_export_name(ABI, WasmExport::Realloc);
    format!(
        "(module {imports} {exports} (memory (export {memory:?}) 0) (func (export {realloc:?}) (param i32 i32 i32 i32) (result i32) unreachable))"
    )
}

fn import(text: &mut String, resolve: &Resolve, interface: Option<&WorldKey>, func: &Function) {
    let (module, name) = resolve.wasm_import_name(ABI, WasmImport::Func { interface, func });
    let signature = signature(resolve, AbiVariant::GuestImport, func);
    writeln!(text, "(import {module:?} {name:?} (func {signature}))").expect("a String takes everything");
}

/// Owners of a resource import the function that drops it; other types import nothing.
fn import_drop(text: &mut String, resolve: &Resolve, interface: Option<&WorldKey>, resource: TypeId) {
    if matches!(resolve.types[resource].kind, TypeDefKind::Resource) {
        let intrinsic = WasmImport::ResourceIntrinsic { interface, resource, intrinsic: ResourceIntrinsic::ImportedDrop };
        let (module, name) = resolve.wasm_import_name(ABI, intrinsic);
        writeln!(text, "(import {module:?} {name:?} (func (param i32)))").expect("a String takes everything");
    }
}

fn export(text: &mut String, resolve: &Resolve, interface: Option<&WorldKey>, func: &Function) {
    let name = resolve.wasm_export_name(ABI, WasmExport::Func { interface, func, kind: WasmExportKind::Normal });
    let signature = signature(resolve, AbiVariant::GuestExport, func);
    writeln!(text, "(func (export {name:?}) {signature} unreachable)").expect("a String takes everything");
}

/// Parameters and results of a core function, in WebAssembly's text format.
fn signature(resolve: &Resolve, variant: AbiVariant, function: &Function) -> String {
    let signature = resolve.wasm_signature(variant, function);
    let types = |word: &str, types: &[WasmType]| match types {
        [] => String::new(),
        types => format!("({word} {})", types.iter().copied().map(core).collect::<Vec<_>>().join(" ")),
    };
    format!("{}{}", types("param", &signature.params), types("result", &signature.results))
}

const fn core(of: WasmType) -> &'static str {
    match of {
        WasmType::I32 | WasmType::Pointer | WasmType::Length => "i32",
        WasmType::I64 | WasmType::PointerOrI64 => "i64",
        WasmType::F32 => "f32",
        WasmType::F64 => "f64",
    }
}

/// The component of the world `test:it/it` in `text`, with this core module.
pub(super) fn program(resolve: Resolve, text: &str, module: &str) -> Vec<u8> {
    encode(resolve, text, true, |_, _| wat::parse_str(module).unwrap_or_else(|error| panic!("{error}")))
}

fn encode(mut resolve: Resolve, text: &str, merge: bool, module: impl FnOnce(&Resolve, WorldId) -> Vec<u8>) -> Vec<u8> {
    let package = resolve.push_source("test.wit", text).unwrap_or_else(|error| panic!("{error:#}"));
    let world = resolve.select_world(&[package], Some("it")).unwrap_or_else(|error| panic!("{error:#}"));
    let mut module = module(&resolve, world);
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)
        .and_then(|()| ComponentEncoder::default().merge_imports_based_on_semver(merge).module(&module)?.encode())
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

/// A component composed with the provider of denials for these imports, whatever a policy says.
pub(super) fn joined(bytes: &[u8], denied: &[&str]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let mut joined = Joined::default();
    let instance = joined.add(&Part::new(bytes, denied.to_vec())?, &BTreeMap::new())?;
    let composed = joined.finish(instance, outline(bytes)?.exports.iter().map(String::as_str))?;
    outline(&composed)?;
    Ok(composed)
}

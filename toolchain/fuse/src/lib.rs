//! Merges the core modules of a component into one whose memory is its whole state.
//!
//! A component made by componentize-py is a dozen core modules that are linked at every instantiation: thousands of
//! imported functions, and table and data segments whose offsets are globals, which an engine cannot prepare
//! beforehand. All of it is known when the component is built. [`fuse`] does the linking once:
//!
//! - the modules become one; what one imported from another is a direct call. wit-component's shim becomes part of it,
//!   with its table appended to the program's; its fix-up module stays, for it fills that table with functions that
//!   need the merged module's memory. The types, imports and exports of the component are not touched;
//! - globals that are never set become constants, so every segment has a constant offset, and the data segments become
//!   one image of the memory, cut at long zeros;
//! - globals that are set move into a page of memory of their own. Only the stack pointer stays. A call that returns
//!   while it is not at its base traps: between calls *memory is the whole state*, which is what lets the host take
//!   snapshots and forks by memory alone, and use an instance again. What would contradict that (start functions, tables that code changes,
//!   passive segments, two memories) is refused, with a reason and what to do;
//! - what the component does not use (exports, functions, types, globals) is left out;
//! - names of files that a program gives to WASI, or gets from it, are spelled on the way, so that each byte of them survives (`wire`);
//! - CPython objects that are listed become immortal, so that no call writes their reference counts.
//!
//! The input must have been initialised before (componentize-py does), or need no initialisation (Rust).
//! The output depends on nothing but the input.
//!
//! Measured on two cores of an AMD EPYC VM, wasmtime 48.0.8 with the pooling allocator, median of 2,000 instantiations
//! with imports that are never called:
//!
//! | component | size | core modules | imported functions | instantiate | teardown | fusing |
//! |---|---|---|---|---|---|---|
//! | python3 (componentize-py) | 27.3 → 25.5 MB | 14 → 2 | 1,180 → 50 | 680 → 15 µs | 12 → 3.7 µs | 0.8 s |
//! | coreutils (Rust) | 7.5 → 7.1 MB | 4 → 2 | 111 → 24 | 19 → 12 µs | 4.7 → 3.6 µs | 0.4 s |
//! | sh (Rust) | 0.75 → 0.68 MB | 4 → 2 | 82 → 22 | 15 → 9.6 µs | 4.7 → 3.5 µs | 0.1 s |

mod component;
mod encode;
mod entry;
mod error;
mod globals;
mod image;
mod link;
mod module;
mod names;
mod plan;
mod report;
mod rewrite;
mod scan;
mod tables;
mod value;
mod wire;
mod wire_code;

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{Validator, WasmFeatures};

pub use error::Error;
pub use report::{Change, Global, Report};

use component::{Component, Kind};
use encode::{Encoder, Export};
use globals::{Fate, Globals, PAGE};
use image::Image;
use link::{Func, Linked};
use plan::{Plan, Source};
use rewrite::Writer;
use scan::Reachable;
use tables::Tables;
use wire::Wire;

/// What a component may use, and no more: WebAssembly 2.0, sums in initialisers, components.
const FEATURES: WasmFeatures = WasmFeatures::WASM2.union(WasmFeatures::EXTENDED_CONST).union(WasmFeatures::COMPONENT_MODEL);

/// What the caller may choose.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Keep the names of functions, for profiles and backtraces.
    pub names: bool,
    /// Addresses of CPython objects that are to be immortal.
    pub immortal: Vec<u32>,
    /// Leave the arguments and variables of `wasi:cli/environment` as text. For a component whose bindings read them, not its libc:
    /// bindings make text of what they get, and bytes that are not UTF-8 are an error there.
    pub text_environment: bool,
}

/// Fuses a component. Returns the fused component and what was done.
///
/// # Errors
/// When the bytes are no valid component, or the component cannot be proven static.
pub fn fuse(bytes: &[u8], options: &Options) -> Result<(Vec<u8>, Report), Error> {
    validate(bytes, "the component is not valid", "give a component of WebAssembly 2.0")?;
    let component = Component::parse(bytes)?;
    let plan = Plan::new(&component)?;
    let linked = Linked::new(&plan)?;
    scan::start_functions(&linked)?;
    let exports = exports(&plan, &linked)?;
    let roots = exports.iter().filter(|(_, kind, _)| *kind == Kind::Func).map(|(_, _, func)| *func);
    let reachable = Reachable::new(&linked, roots)?;
    let wire = Wire::new(&plan, &linked, options.text_environment)?;
    let room = if wire.is_empty() { 0 } else { wire_code::ROOM * wire_code::PLACES };
    let globals = Globals::new(&linked, &reachable, room)?;
    let mut image = Image::new(&linked)?;
    for (global, fate) in linked.globals.iter().zip(&globals.fates) {
        if let (Fate::Memory(address), Some(value)) = (fate, global.value.bytes()) {
            image.put(*address as usize, &value);
        }
    }
    let made_immortal = image.immortal(&options.immortal)?;
    let tables = Tables::new(&plan, &linked, &reachable)?;
    let calls = entry::calls(&plan, &linked)?;
    let encoder = Encoder {
        linked: &linked,
        calls: &calls,
        wire: &wire,
        reachable: &reachable,
        globals: &globals,
        tables: &tables,
        image: &image,
        exports: &exports,
        names: options.names,
    };
    let encoded = encoder.encode()?;
    let fused = Writer::write(&plan, &linked, &tables, &encoded, &exports)?;
    validate(&fused, "the fused component is not valid", "this is a bug of wisp-fuse: keep the component")?;

    let mut report = report(&plan, &linked, &reachable, &globals);
    report.bytes = Change { before: bytes.len(), after: fused.len() };
    report.imports.after = encoded.imports.len();
    report.exports.after = exports.len();
    report.segments.after = encoded.segments;
    report.tables = Change { before: linked.tables.len(), after: tables.types.len() };
    report.data_end = image.len();
    report.immortal = options.immortal.len();
    report.made_immortal = made_immortal;
    Ok((fused, report))
}

fn validate(bytes: &[u8], what: &str, remedy: &str) -> Result<(), Error> {
    let valid = Validator::new_with_features(FEATURES).validate_all(bytes);
    valid.map(drop).map_err(|error| Error::new(what, error.to_string(), remedy))
}

/// The exports of the merged module: what the component needs, each item once, under the name it had if that is free.
fn exports(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>) -> Result<Vec<Export>, Error> {
    let (mut exports, mut known, mut taken) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (kind, source, mut name) in plan.needed()? {
        let Source::Merged { instance, index } = source else { continue };
        if kind == Kind::Global {
            return Err(Error::new(
                format!("a module that stays as it is needs the global `{name}`"),
                "globals become constants or move into memory",
                "link the component as wit-component does",
            ));
        }
        let item = linked.lookup(plan, kind, instance, index)?;
        if !known.insert((kind, item)) {
            continue;
        }
        while !taken.insert(name.clone()) {
            name.push('\'');
        }
        exports.push((name, kind, item));
    }
    Ok(exports)
}

fn report(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>, reachable: &Reachable, globals: &Globals) -> Report {
    let name = |instance: &u32| plan.component.module_name(plan.module_of(*instance).unwrap_or_default());
    let functions = reachable.funcs.iter().filter(|func| matches!(linked.funcs[**func as usize], Func::Body { .. }));
    let pages = linked.memory.map_or(0, |(_, memory)| memory.initial as usize);
    let mut report = Report {
        merged: plan.merged.iter().map(name).collect(),
        kept: plan.kept.iter().map(name).collect(),
        functions: Change { before: linked.parts.iter().map(|part| part.module.bodies.len()).sum(), after: functions.count() },
        imports: Change { before: linked.parts.iter().map(|part| part.module.imported[0] as usize).sum(), after: 0 },
        exports: Change { before: linked.parts.iter().map(|part| part.module.exports.len()).sum(), after: 0 },
        segments: Change { before: linked.parts.iter().map(|part| part.module.data.len()).sum(), after: 0 },
        pages: Change { before: pages, after: pages + globals.pages as usize },
        asks_memory_size: reachable.asks_size.iter().map(|func| linked.func_name(*func)).collect(),
        ..Report::default()
    };
    let exported: Vec<BTreeMap<u32, &str>> = linked.parts.iter().map(global_exports).collect();
    for (index, (global, fate)) in linked.globals.iter().zip(&globals.fates).enumerate() {
        let part = &linked.parts[global.part];
        let entry = |address| Global {
            module: part.name.clone(),
            index: global.index,
            name: part.module.global_names.get(&global.index).or(exported[global.part].get(&global.index)).map(|name| (*name).to_owned()),
            ty: value::type_name(global.ty.content_type),
            address,
            value: global.value.bytes().unwrap_or_default().iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        match fate {
            Fate::Constant(_) => report.constant_globals += usize::from(reachable.read.contains(&(index as u32))),
            Fate::Memory(address) => report.moved_globals.push(entry(Some(*address))),
            Fate::Stays => report.remaining_globals.push(entry(None)),
        }
    }
    debug_assert!(globals.page.is_none_or(|page| u64::from(page) == pages as u64 * PAGE));
    report
}

fn global_exports<'a>(part: &link::Part<'_, 'a>) -> BTreeMap<u32, &'a str> {
    part.module.exports.iter().filter(|(_, (kind, _))| *kind == Kind::Global).map(|(name, (_, index))| (*index, *name)).collect()
}

//! Imports whose strings are names. A file's name is bytes, a string of WASI is text: here the one becomes the other, between the guest's
//! libc, which has bytes, and the import. What the guest opens or lists may so have any name (`wire_code`).
//!
//! wit-component's shim has a function for each import that needs the memory. It is where every call of the import passes, whether the
//! program, a library or an adapter makes it; a function of ours takes its place. A libc for WASI 0.2 refuses a name that is not UTF-8
//! before it calls the import; so a function of ours takes the place of that one too.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{CanonicalFunction, FuncType, Instance, ValType};

use crate::Error;
use crate::component::{Def, Kind};
use crate::encode::of_body;
use crate::link::Linked;
use crate::plan::{Plan, Source};
use crate::wire_code::{Answer, Shape};

const TYPES: &str = "wasi:filesystem/types";
const ENVIRONMENT: &str = "wasi:cli/environment";

const fn names(name: &'static str, parameters: u32, names: &'static [u32]) -> Shape {
    Shape { interface: TYPES, name, parameters, names, answer: Answer::None }
}

/// The imports. Not `initial-cwd`: guests call it through bindings, which make text of it, and read that themselves.
const SHAPES: &[Shape] = &[
    names("[method]descriptor.create-directory-at", 4, &[1]),
    names("[method]descriptor.link-at", 8, &[2, 5]),
    names("[method]descriptor.metadata-hash-at", 5, &[2]),
    names("[method]descriptor.open-at", 7, &[2]),
    names("[method]descriptor.remove-directory-at", 4, &[1]),
    names("[method]descriptor.rename-at", 7, &[1, 4]),
    names("[method]descriptor.set-times-at", 11, &[2]),
    names("[method]descriptor.stat-at", 5, &[2]),
    names("[method]descriptor.symlink-at", 6, &[1, 3]),
    names("[method]descriptor.unlink-file-at", 4, &[1]),
    Shape { answer: Answer::Name, ..names("[method]descriptor.readlink-at", 4, &[1]) },
    Shape { answer: Answer::Entry, ..names("[method]directory-entry-stream.read-directory-entry", 2, &[]) },
    Shape { interface: ENVIRONMENT, answer: Answer::List(1), ..names("get-arguments", 1, &[]) },
    Shape { interface: ENVIRONMENT, answer: Answer::List(2), ..names("get-environment", 1, &[]) },
];

/// The function of a libc for WASI 0.2 that makes a WASI string of a C string, and fails if it is not UTF-8 (`file_utils.c` of wasi-libc).
/// It is exported by a shared libc, and by a program that is linked with `--export-if-defined` (`components/.cargo/config.toml`).
const CHECKED: &str = "wasi_string_from_c";

/// The linked functions that ours take the place of.
#[derive(Default)]
pub(crate) struct Wire {
    /// Those that call an import.
    pub(crate) imports: BTreeMap<u32, &'static Shape>,
    /// Those of libcs that accept only names in UTF-8.
    pub(crate) checks: BTreeSet<u32>,
}

impl Wire {
    pub(crate) fn new(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>, text_environment: bool) -> Result<Self, Error> {
        let mut imports = imports(plan, linked)?;
        imports.retain(|_, shape| !text_environment || shape.interface != ENVIRONMENT);
        let mut checks = BTreeSet::new();
        for part in linked.parts.iter().filter(|_| !imports.is_empty()) {
            let Some((Kind::Func, index)) = part.module.exports.get(CHECKED) else { continue };
            let func = part.func(*index)?;
            if of_body(linked, func).is_ok_and(|ty| *ty == FuncType::new([ValType::I32; 2], [ValType::I32])) {
                checks.insert(func);
            }
        }
        Ok(Self { imports, checks })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.imports.is_empty()
    }
}

/// Returns the functions of the shim that lead to imports whose strings are names.
fn imports(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>) -> Result<BTreeMap<u32, &'static Shape>, Error> {
    let mut found = BTreeMap::new();
    for instance in &plan.kept {
        let Some(Instance::Instantiate { args, .. }) = plan.component.instances.get(*instance as usize) else { continue };
        for arg in args {
            let Some(Instance::FromExports(exports)) = plan.component.instances.get(arg.index as usize) else { continue };
            // The module that fills the shim's table gets the table, and each import under the name that the shim has for it.
            let mut shim = None;
            for export in exports {
                if Kind::try_from(export.kind)? == Kind::Table
                    && let Source::Merged { instance, .. } = plan.source(Kind::Table, export.index)?
                {
                    shim = Some(instance);
                }
            }
            let Some(shim) = shim else { continue };
            for export in exports {
                if Kind::try_from(export.kind)? != Kind::Func {
                    continue;
                }
                let Def::Canon(CanonicalFunction::Lower { func_index, .. }) = plan.def(Kind::Func, export.index)? else { continue };
                let Some(shape) = plan.component.imported(*func_index).and_then(|(interface, name)| shape(interface, name)) else {
                    continue;
                };
                // A component that was fused before has no such function any more.
                let Ok(Source::Merged { instance, index }) = plan.export(shim, Kind::Func, export.name) else { continue };
                let func = linked.lookup(plan, Kind::Func, instance, index)?;
                check(shape, of_body(linked, func)?)?;
                found.insert(func, shape);
            }
        }
    }
    Ok(found)
}

/// Returns what a function of an interface with a version says of names.
fn shape(interface: &str, name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name && interface.split_once('@').is_some_and(|(interface, _)| interface == shape.interface))
}

/// Checks that the function takes what is expected of it: in another order the names would be elsewhere.
fn check(shape: &Shape, ty: &FuncType) -> Result<(), Error> {
    let pairs = shape.names.iter().flat_map(|name| [*name as usize, *name as usize + 1]);
    let addresses = pairs.chain([shape.parameters as usize - 1]).all(|at| ty.params().get(at) == Some(&ValType::I32));
    if ty.params().len() == shape.parameters as usize && addresses && ty.results().is_empty() {
        return Ok(());
    }
    Err(Error::new(
        format!("`{}` of `{}` has other parameters than expected", shape.name, shape.interface),
        "the names among them are spelled, so their places must be known",
        "correct the table in toolchain/fuse/src/wire.rs for this version of the interface",
    ))
}

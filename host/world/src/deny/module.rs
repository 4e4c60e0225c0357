//! The deny provider's core module, encoded directly: a few instructions for each function.

use super::answer::{Answer, Drop, Store, alias, answer, owner};
use crate::import::REPORT;
use crate::known;
use std::collections::BTreeMap;
use wasm_encoder::{
    BlockType, CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection, ImportSection, MemArg, MemorySection,
    MemoryType, Module, NameMap, NameSection, TypeSection, ValType,
};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{
    Int, InterfaceId, LiftLowerAbi, ManglingAndAbi, Resolve, ResourceIntrinsic, TypeId, TypeOwner, WasmExport, WasmExportKind, WasmImport,
    WorldKey,
};

const MANGLING: ManglingAndAbi = ManglingAndAbi::Legacy(LiftLowerAbi::Sync);

/// Bytes of the memory: one page.
const PAGE: i32 = 65536;
/// Where results are written. Aligned for every type. Arguments are written over it, and never read.
const RESULT: i32 = 1024;

/// The index of the function that reports denied calls.
const REPORTED: u32 = 0;

/// How the names of the functions begin that stand in for denied ones.
const DENIES: &str = "the policy denies ";

/// Returns whether the core function of this name stands in for a denied one. If it traps, the program has called what the policy denies, and
/// there was no error to return. Only a name: a component can have such functions of its own.
pub fn is_denial(function: &str) -> bool {
    function.starts_with(DENIES)
}

/// Builds the module for a world that exports `denied`.
pub(super) fn core(resolve: &Resolve, denied: &[(String, InterfaceId)]) -> Vec<u8> {
    let functions: Vec<_> = denied
        .iter()
        .flat_map(|(name, id)| resolve.interfaces[*id].functions.values().map(move |function| (name, *id, function)))
        .map(|(name, id, function)| (name, id, function, answer(resolve, denied, function)))
        .collect();

    let mut builder = Builder::default();
    builder.report();
    // Imports come first in the index space: collect those that the bodies will call.
    for (.., found) in &functions {
        match found {
            Answer::Inert(resource) => builder.import(resolve, denied, *resource, ResourceIntrinsic::ExportedNew),
            Answer::Denial { drops, .. } => {
                for Drop { resource, .. } in drops {
                    builder.import(resolve, denied, *resource, dropped(resolve, denied, *resource));
                }
            }
            Answer::Unreachable | Answer::Trap => {}
        }
    }
    for (name, id, function, found) in &functions {
        let signature = resolve.wasm_signature(AbiVariant::GuestExport, function);
        let (params, results) = (core_types(&signature.params), core_types(&signature.results));
        let export = resolve.wasm_export_name(
            MANGLING,
            WasmExport::Func { interface: Some(&WorldKey::Interface(*id)), func: function, kind: WasmExportKind::Normal },
        );
        let mut body = Function::new([]);
        if matches!(found, Answer::Denial { .. } | Answer::Trap) {
            // The number's bits, whatever their sign.
            body.instructions().i32_const(known::number(name, &function.name).cast_signed()).call(REPORTED);
        }
        match found {
            Answer::Denial { stores, drops } => {
                for Drop { parameter, given, resource } in drops {
                    let called = builder.imported(*resource, dropped(resolve, denied, *resource));
                    let mut code = body.instructions();
                    match given {
                        None => code.local_get(*parameter).call(called),
                        Some(given) => code.local_get(*given).if_(BlockType::Empty).local_get(*parameter).call(called).end(),
                    };
                }
                for store in stores {
                    write(&mut body, *store);
                }
                body.instructions().i32_const(RESULT).end();
            }
            Answer::Inert(resource) => {
                let called = builder.imported(*resource, ResourceIntrinsic::ExportedNew);
                body.instructions().i32_const(1).call(called).end();
            }
            Answer::Unreachable | Answer::Trap => {
                body.instructions().unreachable().end();
            }
        }
        builder.function(&export, format!("{DENIES}{name} {}", function.name), &params, &results, body);
    }
    builder.realloc();
    builder.finish()
}

/// Returns the way to drop a handle to `resource`.
fn dropped(resolve: &Resolve, denied: &[(String, InterfaceId)], resource: TypeId) -> ResourceIntrinsic {
    match owner(resolve, denied, resource) {
        Some(_) => ResourceIntrinsic::ExportedDrop,
        None => ResourceIntrinsic::ImportedDrop,
    }
}

fn write(body: &mut Function, store: Store) {
    let mut code = body.instructions();
    code.i32_const(RESULT).i32_const(store.value.cast_signed());
    let place = MemArg { offset: store.offset as u64, align: 0, memory_index: 0 };
    match store.width {
        Int::U8 => code.i32_store8(place),
        Int::U16 => code.i32_store16(place),
        Int::U32 | Int::U64 => code.i32_store(place),
    };
}

fn core_types(types: &[WasmType]) -> Vec<ValType> {
    types
        .iter()
        .map(|ty| match ty {
            WasmType::I32 | WasmType::Pointer | WasmType::Length => ValType::I32,
            WasmType::I64 | WasmType::PointerOrI64 => ValType::I64,
            WasmType::F32 => ValType::F32,
            WasmType::F64 => ValType::F64,
        })
        .collect()
}

#[derive(Default)]
struct Builder {
    types: TypeSection,
    imports: ImportSection,
    intrinsics: BTreeMap<(TypeId, bool), u32>,
    functions: FunctionSection,
    exports: ExportSection,
    code: CodeSection,
    names: NameMap,
    count: u32,
}

impl Builder {
    /// Adds the import that reports denied calls: the first, [`REPORTED`].
    fn report(&mut self) {
        let ty = self.ty(&[ValType::I32], &[]);
        self.imports.import(REPORT, "denied", EntityType::Function(ty));
        self.names.append(self.count, "denied");
        self.count += 1;
    }

    fn import(&mut self, resolve: &Resolve, denied: &[(String, InterfaceId)], resource: TypeId, intrinsic: ResourceIntrinsic) {
        let resource = alias(resolve, resource);
        let key = (resource, matches!(intrinsic, ResourceIntrinsic::ExportedNew));
        let interface = owner(resolve, denied, resource).or(match resolve.types[resource].owner {
            TypeOwner::Interface(id) => Some(id),
            _ => None,
        });
        if self.intrinsics.contains_key(&key) {
            return;
        }
        let interface = interface.map(WorldKey::Interface);
        let (module, name) =
            resolve.wasm_import_name(MANGLING, WasmImport::ResourceIntrinsic { interface: interface.as_ref(), resource, intrinsic });
        let results: &[ValType] = if key.1 { &[ValType::I32] } else { &[] };
        let ty = self.ty(&[ValType::I32], results);
        self.imports.import(&module, &name, EntityType::Function(ty));
        self.names.append(self.count, &name);
        self.intrinsics.insert(key, self.count);
        self.count += 1;
    }

    fn imported(&self, resource: TypeId, intrinsic: ResourceIntrinsic) -> u32 {
        // `core` imports what every function needs before it writes the first body.
        self.intrinsics[&(resource, matches!(intrinsic, ResourceIntrinsic::ExportedNew))]
    }

    fn ty(&mut self, params: &[ValType], results: &[ValType]) -> u32 {
        self.types.ty().function(params.iter().copied(), results.iter().copied());
        self.types.len() - 1
    }

    fn function(&mut self, export: &str, name: String, params: &[ValType], results: &[ValType], body: Function) {
        let ty = self.ty(params, results);
        self.functions.function(ty);
        self.exports.export(export, ExportKind::Func, self.count);
        self.names.append(self.count, &name);
        self.code.function(&body);
        self.count += 1;
    }

    /// Adds where arguments in memory go: all to the same place, because they are never read. Arguments larger than a page
    /// trap.
    fn realloc(&mut self) {
        let mut body = Function::new([]);
        body.instructions().local_get(3).i32_const(PAGE).i32_gt_u().if_(BlockType::Empty).unreachable().end().i32_const(0).end();
        let name = "an argument of a denied call is larger than 64 KiB".to_owned();
        self.function("cabi_realloc", name, &[ValType::I32; 4], &[ValType::I32], body);
    }

    fn finish(mut self) -> Vec<u8> {
        let mut memories = MemorySection::new();
        memories.memory(MemoryType { minimum: 1, maximum: Some(1), memory64: false, shared: false, page_size_log2: None });
        self.exports.export("memory", ExportKind::Memory, 0);
        let mut names = NameSection::new();
        names.module("wisp-deny");
        names.functions(&self.names);
        let mut module = Module::new();
        module
            .section(&self.types)
            .section(&self.imports)
            .section(&self.functions)
            .section(&memories)
            .section(&self.exports)
            .section(&self.code)
            .section(&names);
        module.finish()
    }
}

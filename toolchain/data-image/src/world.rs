//! A world, and its functions in the order of their numbers.

use std::path::Path;

use anyhow::{Context, Result};
use wit_parser::abi::{AbiVariant, WasmType};
use wit_parser::{Function, InterfaceId, Resolve, TypeDefKind, TypeId, WorldId, WorldItem};

/// A world that was read from WIT.
pub(crate) struct World {
    pub resolve: Resolve,
    pub id: WorldId,
}

/// What an import does.
pub(crate) enum Action<'a> {
    /// It is this function.
    Call(&'a Function),
    /// It drops a handle of this resource.
    Drop(TypeId),
}

/// An import.
pub(crate) struct Import<'a> {
    /// The interface, as the module names it: `wisp:sandbox/files@0.1.0`.
    pub module: String,
    pub interface: InterfaceId,
    /// The name in the interface: `[method]open-file.read`.
    pub name: String,
    pub action: Action<'a>,
    /// The types of its parameters, and of its result, in the canonical ABI.
    pub params: Vec<WasmType>,
    pub result: Option<WasmType>,
}

/// An export.
pub(crate) struct Export<'a> {
    /// The name: `wasi:cli/run@0.2.12#run`.
    pub name: String,
    pub function: &'a Function,
    pub params: Vec<WasmType>,
    pub result: Option<WasmType>,
}

impl World {
    /// Reads a world: `name` is one of the package in the folder.
    pub(crate) fn read(folder: &Path, name: &str) -> Result<Self> {
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let id = resolve.select_world(&[package], Some(name))?;
        Ok(Self { resolve, id })
    }

    /// Every import. Its number is its place here.
    pub(crate) fn imports(&self) -> Vec<Import<'_>> {
        let mut found = Vec::new();
        for (key, item) in &self.resolve.worlds[self.id].imports {
            let WorldItem::Interface { id, .. } = item else { continue };
            let (module, interface) = (self.resolve.name_world_key(key), &self.resolve.interfaces[*id]);
            for function in interface.functions.values() {
                let signature = self.resolve.wasm_signature(AbiVariant::GuestImport, function);
                found.push(Import {
                    module: module.clone(),
                    interface: *id,
                    name: function.name.clone(),
                    action: Action::Call(function),
                    params: signature.params,
                    result: signature.results.first().copied(),
                });
            }
            for (name, resource) in &interface.types {
                if matches!(self.resolve.types[*resource].kind, TypeDefKind::Resource) {
                    found.push(Import {
                        module: module.clone(),
                        interface: *id,
                        name: format!("[resource-drop]{name}"),
                        action: Action::Drop(*resource),
                        params: vec![WasmType::I32],
                        result: None,
                    });
                }
            }
        }
        found
    }

    /// Every export. Its number is its place here.
    pub(crate) fn exports(&self) -> Vec<Export<'_>> {
        let mut found = Vec::new();
        for (key, item) in &self.resolve.worlds[self.id].exports {
            let WorldItem::Interface { id, .. } = item else { continue };
            let module = self.resolve.name_world_key(key);
            for function in self.resolve.interfaces[*id].functions.values() {
                let signature = self.resolve.wasm_signature(AbiVariant::GuestExport, function);
                found.push(Export {
                    name: format!("{module}#{}", function.name),
                    function,
                    params: signature.params,
                    result: signature.results.first().copied(),
                });
            }
        }
        found
    }
}

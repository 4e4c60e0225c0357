//! The component around a program and its deny provider, and the imports that it has in the program's place.
//!
//! An import is declared with types that the program defines before it, and a type may come out of another import. So
//! the program's definitions are read from the first to the last import, and repeated outside in the same order with new
//! indices. What takes a type out of a denied import cannot be repeated; an import that stays and needs it is an error.

use super::deny::REPORT;
use std::collections::BTreeMap;
use std::error::Error;
use wasm_encoder::reencode::{self, Reencode, ReencodeComponent};
use wasm_encoder::{
    ComponentBuilder, ComponentExportKind, ComponentTypeRef, ComponentTypeSection, InstanceType, PrimitiveValType, TypeBounds,
};
use wasmparser::{ComponentAlias, ComponentExternalKind, ComponentOuterAliasKind, ComponentType, Parser, Payload};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// A component's item: its kind and its index among the outer component's items of that kind.
type Item = (ComponentExportKind, u32);

/// The outer component in the making.
#[derive(Default)]
pub(super) struct Outer {
    builder: ComponentBuilder,
    /// What a component inside gets as its import of that name.
    provided: BTreeMap<String, Item>,
}

impl Outer {
    /// Imports what `program` imports, except for `denied`, and the report of denied calls.
    pub(super) fn import(&mut self, program: &[u8], denied: &[&str]) -> Result<()> {
        let mut inner = Inner::default();
        for payload in top_level(program) {
            match payload? {
                Payload::ComponentTypeSection(types) => {
                    for ty in types {
                        self.repeat_type(&mut inner, ty?)?;
                    }
                }
                Payload::ComponentAliasSection(aliases) => {
                    for alias in aliases {
                        self.repeat_alias(&mut inner, alias?)?;
                    }
                }
                Payload::ComponentImportSection(imports) => {
                    for import in imports {
                        self.repeat_import(&mut inner, import?, denied)?;
                    }
                }
                // These are made inside: they only take their places in the order.
                Payload::ComponentInstanceSection(instances) => instances.into_iter().for_each(|_| inner.instances.push(None)),
                Payload::ComponentExportSection(exports) => {
                    for export in exports {
                        match export?.kind {
                            ComponentExternalKind::Type => inner.types.push(None),
                            ComponentExternalKind::Instance => inner.instances.push(None),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        let report = self.builder.type_instance(None, &report());
        let report = self.builder.import(REPORT, ComponentTypeRef::Instance(report));
        self.provided.insert(REPORT.to_owned(), (ComponentExportKind::Instance, report));
        Ok(())
    }

    /// Puts a component inside and instantiates it with what is provided. Returns the instance.
    pub(super) fn instantiate(&mut self, component: &[u8]) -> Result<u32> {
        let mut arguments = Vec::new();
        for payload in top_level(component) {
            let Payload::ComponentImportSection(imports) = payload? else { continue };
            for import in imports {
                let name = import?.name.name;
                let (kind, index) = *self.provided.get(name).ok_or_else(|| format!("nothing provides the import `{name}`"))?;
                arguments.push((name, kind, index));
            }
        }
        let component = self.builder.component_raw(None, component);
        Ok(self.builder.instantiate(None, component, arguments))
    }

    /// Provides an interface that an instance exports.
    pub(super) fn provide(&mut self, instance: u32, name: &str) {
        let alias = self.builder.alias_export(instance, name, ComponentExportKind::Instance);
        self.provided.insert(name.to_owned(), (ComponentExportKind::Instance, alias));
    }

    /// Exports what `program` exports, out of its instance.
    pub(super) fn export(mut self, program: &[u8], instance: u32) -> Result<Vec<u8>> {
        for payload in top_level(program) {
            let Payload::ComponentExportSection(exports) = payload? else { continue };
            for export in exports {
                let export = export?;
                let kind = export.kind.into();
                let item = self.builder.alias_export(instance, export.name.name, kind);
                self.builder.export(export.name, kind, item, None);
            }
        }
        Ok(self.builder.finish())
    }

    fn repeat_type(&mut self, inner: &mut Inner, ty: ComponentType<'_>) -> Result<()> {
        // Resources of the program's own are no part of an import.
        let own = matches!(ty, ComponentType::Resource { .. });
        let mut trial = ComponentTypeSection::new();
        if own || inner.repeat(|inner| inner.parse_component_type(trial.ty(), ty.clone()))?.is_none() {
            inner.types.push(None);
            return Ok(());
        }
        let (index, encoder) = self.builder.ty(None);
        inner.parse_component_type(encoder, ty)?;
        inner.types.push(Some(index));
        Ok(())
    }

    fn repeat_alias(&mut self, inner: &mut Inner, alias: ComponentAlias<'_>) -> Result<()> {
        match alias {
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Type, .. } => {
                let alias = inner.repeat(|inner| inner.component_alias(alias))?;
                inner.types.push(alias.map(|alias| self.builder.alias(None, alias)));
            }
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Instance, .. } => inner.instances.push(None),
            ComponentAlias::Outer { kind: ComponentOuterAliasKind::Type, .. } => inner.types.push(None),
            _ => {}
        }
        Ok(())
    }

    fn repeat_import(&mut self, inner: &mut Inner, import: wasmparser::ComponentImport<'_>, denied: &[&str]) -> Result<()> {
        let name = import.name.name;
        if denied.contains(&name) {
            inner.instances.push(None);
            return Ok(());
        }
        let Some(ty) = inner.repeat(|inner| inner.component_type_ref(import.ty))? else {
            return Err(format!("its import `{name}` uses a type of an import that is denied").into());
        };
        let index = self.builder.import(import.name, ty);
        let kind = match ty {
            ComponentTypeRef::Instance(_) => {
                inner.instances.push(Some(index));
                ComponentExportKind::Instance
            }
            ComponentTypeRef::Type(TypeBounds::Eq(_)) => {
                inner.types.push(Some(index));
                ComponentExportKind::Type
            }
            _ => return Err(format!("its import `{name}` is no interface").into()),
        };
        self.provided.insert(name.to_owned(), (kind, index));
        Ok(())
    }
}

/// The sections of a component without those of the modules and components in it.
fn top_level(component: &[u8]) -> impl Iterator<Item = wasmparser::Result<Payload<'_>>> {
    let mut depth = 0usize;
    Parser::new(0).parse_all(component).filter(move |payload| match payload {
        Ok(Payload::ModuleSection { .. } | Payload::ComponentSection { .. }) => {
            depth += 1;
            false
        }
        Ok(Payload::End(_)) => {
            depth = depth.saturating_sub(1);
            false
        }
        Ok(_) => depth == 0,
        Err(_) => true,
    })
}

/// The interface by which denied calls are reported: `denied: func(function: u32)`.
fn report() -> InstanceType {
    let mut report = InstanceType::new();
    report.ty().function().params([("function", PrimitiveValType::U32)]).result(None);
    report.export("denied", ComponentTypeRef::Func(0));
    report
}

/// The definitions of the program so far: the index that each has in the outer component, if it is repeated there.
#[derive(Default)]
struct Inner {
    types: Vec<Option<u32>>,
    instances: Vec<Option<u32>>,
    /// How many types the one that is being read lies inside.
    depth: u32,
    /// Something was named that is not repeated.
    lost: bool,
}

impl Inner {
    /// What `read` makes with new indices; `None` if it names something that is not repeated.
    fn repeat<T>(&mut self, read: impl FnOnce(&mut Self) -> std::result::Result<T, reencode::Error>) -> Result<Option<T>> {
        self.lost = false;
        let made = read(self)?;
        Ok((!self.lost).then_some(made))
    }

    fn found(&mut self, index: Option<u32>) -> u32 {
        self.lost |= index.is_none();
        index.unwrap_or_default()
    }

    fn ty(&mut self, index: u32) -> u32 {
        self.found(self.types.get(index as usize).copied().flatten())
    }
}

impl Reencode for Inner {
    type Error = std::convert::Infallible;
}

impl ReencodeComponent for Inner {
    fn component_type_index(&mut self, index: u32) -> u32 {
        if self.depth == 0 { self.ty(index) } else { index }
    }

    fn component_instance_index(&mut self, index: u32) -> u32 {
        if self.depth == 0 { self.found(self.instances.get(index as usize).copied().flatten()) } else { index }
    }

    fn outer_component_type_index(&mut self, count: u32, index: u32) -> u32 {
        if count == self.depth { self.ty(index) } else { index }
    }

    /// Core types describe modules, and no import that wisp provides has one.
    fn outer_type_index(&mut self, _: u32, _: u32) -> std::result::Result<u32, reencode::Error> {
        Ok(self.found(None))
    }

    fn push_depth(&mut self) {
        self.depth += 1;
    }

    fn pop_depth(&mut self) {
        self.depth -= 1;
    }
}

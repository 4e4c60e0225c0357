//! Reads what a component imports and exports, without deciding about it.

use super::deny::Denial;
use super::error::{NotAComponent, WorldError};
use super::import::{Import, Kind};
use wasmparser::component_types::ComponentEntityType;
use wasmparser::{ComponentExternalKind, ComponentTypeRef, Encoding, Parser, Payload, TypeBounds, ValidPayload, Validator, WasmFeatures};
use wisp_policy::capability::Decision;
use wisp_policy::digest::sha256;
use wisp_policy::lookup::lookup;

/// What a component imports and exports: all that a decision needs.
///
/// Reading takes a pass over the whole component (30 ms for Python's 18 MB), deciding takes microseconds. Read each
/// component once, keep the result beside the machine code under the component's digest, and decide for every
/// session.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Imports {
    pub(super) digest: String,
    pub(super) outline: Outline,
    /// The imports that the deny provider cannot replace, each with the reason.
    pub(super) undeniable: Vec<(String, String)>,
}

impl Imports {
    /// Reads a component. `name` appears in the error.
    pub fn read(name: &str, component: &[u8]) -> Result<Self, WorldError> {
        Self::read_digested(name, component, sha256(component))
    }

    /// Works like [`Imports::read`], of a component whose digest is known.
    pub fn read_digested(name: &str, component: &[u8], digest: String) -> Result<Self, WorldError> {
        let outline = outline(component).map_err(|source| WorldError::NotAComponent { name: name.to_owned(), source })?;
        let deniable = |name: &str| lookup(name).is_ok_and(|known| known.capability().has(Decision::Denied));
        let denied: Vec<&str> = outline
            .imports
            .iter()
            .filter(|import| import.kind == Kind::Instance && deniable(&import.name))
            .map(|import| import.name.as_str())
            .collect();
        let undeniable = if denied.is_empty() {
            Vec::new()
        } else {
            match Denial::read(component, &denied) {
                Ok(denial) => denial.obstacles(),
                Err(why) => denied.iter().map(|name| ((*name).to_owned(), why.to_string())).collect(),
            }
        };
        Ok(Self { digest, outline, undeniable })
    }

    /// Returns the SHA-256 of the component, in lower-case hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// Imports and exports of a component.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Outline {
    /// The imports, in the component's order.
    pub imports: Vec<Import>,
    /// The names of the exports.
    pub exports: Vec<String>,
}

/// Reads the outline of a component.
///
/// Validates the structure but not the function bodies: compiling validates those, and reports their errors.
pub(super) fn outline(bytes: &[u8]) -> Result<Outline, NotAComponent> {
    if !bytes.starts_with(b"\0asm") {
        return Err(NotAComponent::NotWasm(beginning(bytes)));
    }
    if bytes.get(4..8) == Some(&[1, 0, 0, 0]) {
        return Err(NotAComponent::CoreModule);
    }
    let damaged = |error: wasmparser::BinaryReaderError| NotAComponent::Damaged(error.to_string());
    let mut validator = Validator::new_with_features(WasmFeatures::all());
    let mut depth = 0usize;
    let mut imports = Vec::new();
    let mut outline = Outline::default();
    let mut complete = false;
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(damaged)?;
        match &payload {
            Payload::Version { encoding: Encoding::Module, .. } if depth == 0 => return Err(NotAComponent::CoreModule),
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section.clone() {
                    let import = import.map_err(damaged)?;
                    imports.push((import.name.name.to_owned(), import.ty));
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section.clone() {
                    let export = export.map_err(damaged)?;
                    if export.kind != ComponentExternalKind::Type {
                        outline.exports.push(export.name.name.to_owned());
                    }
                }
            }
            _ => {}
        }
        match validator.payload(&payload).map_err(damaged)? {
            ValidPayload::Parser(_) => depth += 1,
            ValidPayload::End(types) if depth == 0 => {
                complete = true;
                outline.imports = imports.drain(..).map(|(name, ty)| import(name, ty, types.as_ref())).collect();
            }
            ValidPayload::End(_) => depth -= 1,
            ValidPayload::Ok | ValidPayload::Func(..) => {}
        }
    }
    if !complete {
        return Err(NotAComponent::Damaged("unexpected end of the file".to_owned()));
    }
    Ok(outline)
}

fn import(name: String, ty: ComponentTypeRef, types: wasmparser::types::TypesRef<'_>) -> Import {
    let kind = match ty {
        ComponentTypeRef::Instance(_) => Kind::Instance,
        ComponentTypeRef::Func(_) => Kind::Function,
        ComponentTypeRef::Type(TypeBounds::Eq(_)) => Kind::TypeName,
        ComponentTypeRef::Type(TypeBounds::SubResource) => Kind::Resource,
        ComponentTypeRef::Module(_) => Kind::Module,
        ComponentTypeRef::Component(_) => Kind::Component,
        ComponentTypeRef::Value(_) => Kind::Value,
    };
    let (mut items, mut foreign) = (Vec::new(), Vec::new());
    if let Some(ComponentEntityType::Instance(id)) = types.component_item_for_import(&name).map(|item| item.ty) {
        for (item, of) in &types[id].exports {
            match of.ty {
                ComponentEntityType::Func(_) | ComponentEntityType::Type { .. } => items.push(item.clone()),
                _ => foreign.push(item.clone()),
            }
        }
    }
    Import { name, kind, items, foreign }
}

/// Returns the first bytes of a file, for an error message.
fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "nothing: it is empty".to_owned(),
        _ => format!("`{}`", bytes[..bytes.len().min(8)].escape_ascii()),
    }
}

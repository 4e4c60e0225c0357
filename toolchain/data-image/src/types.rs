//! The functions and types of a world as JSON, for `abi.py`.
//!
//! A type is a string (`"u32"`) or a list: `["list", T]`, `["option", T]`, `["result", T, T]`, `["tuple", T…]`,
//! `["record", CLASS, T…]`, `["variant", [CLASS, T]…]`, `["enum", CLASS, COUNT]`, `["flags", CLASS, COUNT]`,
//! `["own", CLASS]`, `["borrow", CLASS]`; `null` is no type. A class is `imports.files.OpenFile`, by the names that
//! componentize-py gives them.

use std::collections::HashMap;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use wit_parser::{Function, Handle, InterfaceId, Type, TypeDefKind, TypeId, TypeOwner};

use crate::world::{Action, World};

/// The JSON: `{"imports": [{module, name, params, result}…], "exports": […]}`.
pub(crate) fn describe(world: &World) -> Result<Value> {
    let names = Names::of(world);
    let mut imports = Vec::new();
    for import in world.imports() {
        let module = names.modules[&import.interface].clone();
        imports.push(match import.action {
            Action::Call(function) => names.function(&module, function)?,
            Action::Drop(resource) => json!({"module": module, "drop": names.class(resource)?}),
        });
    }
    let exports = world.exports().iter().map(|export| names.function("exports", export.function)).collect::<Result<Vec<_>>>()?;
    Ok(json!({"imports": imports, "exports": exports}))
}

/// The names of Python's modules.
struct Names<'a> {
    world: &'a World,
    modules: HashMap<InterfaceId, String>,
}

impl<'a> Names<'a> {
    fn of(world: &'a World) -> Self {
        let (resolve, mut modules) = (&world.resolve, HashMap::new());
        let here = &resolve.worlds[world.id];
        for (items, folder) in [(&here.exports, "exports"), (&here.imports, "imports")] {
            let ids: Vec<InterfaceId> = items
                .values()
                .filter_map(|item| match item {
                    wit_parser::WorldItem::Interface { id, .. } => Some(*id),
                    _ => None,
                })
                .collect();
            let name = |id: InterfaceId| resolve.interfaces[id].name.clone().unwrap_or_default();
            for id in &ids {
                let mut full = name(*id);
                if ids.iter().filter(|other| name(**other) == full).count() > 1
                    && let Some(package) = resolve.interfaces[*id].package
                {
                    let package = &resolve.packages[package].name;
                    full = format!("{}-{}-{full}", package.namespace, package.name);
                }
                modules.insert(*id, format!("{folder}.{}", full.replace('-', "_")));
            }
        }
        Self { world, modules }
    }

    fn function(&self, module: &str, function: &Function) -> Result<Value> {
        let params = function.params.iter().map(|param| self.ty(&param.ty)).collect::<Result<Vec<_>>>()?;
        let result = self.optional(function.result.as_ref())?;
        Ok(json!({"module": module, "name": function.name, "params": params, "result": result}))
    }

    fn class(&self, id: TypeId) -> Result<String> {
        let found = &self.world.resolve.types[id];
        let (Some(name), TypeOwner::Interface(owner)) = (&found.name, found.owner) else { bail!("a type without a name") };
        let camel: String = name.split('-').map(capitalised).collect();
        Ok(format!("{}.{camel}", self.modules[&owner]))
    }

    fn optional(&self, ty: Option<&Type>) -> Result<Value> {
        ty.map_or(Ok(Value::Null), |ty| self.ty(ty))
    }

    fn ty(&self, ty: &Type) -> Result<Value> {
        let id = match ty {
            Type::Bool => return Ok("bool".into()),
            Type::U8 => return Ok("u8".into()),
            Type::U16 => return Ok("u16".into()),
            Type::U32 => return Ok("u32".into()),
            Type::U64 => return Ok("u64".into()),
            Type::S8 => return Ok("s8".into()),
            Type::S16 => return Ok("s16".into()),
            Type::S32 => return Ok("s32".into()),
            Type::S64 => return Ok("s64".into()),
            Type::F32 => return Ok("f32".into()),
            Type::F64 => return Ok("f64".into()),
            Type::Char => return Ok("char".into()),
            Type::String => return Ok("string".into()),
            Type::ErrorContext => bail!("no error contexts"),
            Type::Id(id) => *id,
        };
        let mut list;
        match &self.world.resolve.types[id].kind {
            TypeDefKind::Type(other) => return self.ty(other),
            TypeDefKind::List(of) => list = vec!["list".into(), self.ty(of)?],
            TypeDefKind::Option(of) => list = vec!["option".into(), self.ty(of)?],
            TypeDefKind::Result(result) => {
                list = vec!["result".into(), self.optional(result.ok.as_ref())?, self.optional(result.err.as_ref())?];
            }
            TypeDefKind::Tuple(tuple) => {
                list = vec!["tuple".into()];
                for of in &tuple.types {
                    list.push(self.ty(of)?);
                }
            }
            TypeDefKind::Record(record) => {
                list = vec!["record".into(), self.class(id)?.into()];
                for field in &record.fields {
                    list.push(self.ty(&field.ty)?);
                }
            }
            TypeDefKind::Variant(variant) => {
                list = vec!["variant".into()];
                let class = self.class(id)?;
                for case in &variant.cases {
                    let name: String = case.name.split('-').map(capitalised).collect();
                    list.push(json!([format!("{class}_{name}"), self.optional(case.ty.as_ref())?]));
                }
            }
            TypeDefKind::Enum(cases) => list = vec!["enum".into(), self.class(id)?.into(), cases.cases.len().into()],
            TypeDefKind::Flags(flags) => list = vec!["flags".into(), self.class(id)?.into(), flags.flags.len().into()],
            TypeDefKind::Handle(Handle::Own(resource)) => list = vec!["own".into(), self.class(self.origin(*resource))?.into()],
            TypeDefKind::Handle(Handle::Borrow(resource)) => list = vec!["borrow".into(), self.class(self.origin(*resource))?.into()],
            other => bail!("no {}", other.as_str()),
        }
        Ok(Value::Array(list))
    }

    /// The type that a name was given to by `use`.
    fn origin(&self, id: TypeId) -> TypeId {
        match self.world.resolve.types[id].kind {
            TypeDefKind::Type(Type::Id(other)) => self.origin(other),
            _ => id,
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.to_lowercase();
    if let Some(first) = letters.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    letters
}

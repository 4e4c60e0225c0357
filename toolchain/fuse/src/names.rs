//! The name section of the component, with the new indices of core items.

use std::collections::BTreeMap;

use wasm_encoder::{ComponentNameSection, NameMap};
use wasmparser::{ComponentName, ComponentNameSectionReader};

use crate::Error;
use crate::component::Kind;
use crate::rewrite::Renumbered;

pub(crate) fn renumber(section: ComponentNameSectionReader<'_>, new: &Renumbered) -> Result<ComponentNameSection, Error> {
    let mut names = ComponentNameSection::new();
    let same = |map| mapped(map, Some);
    for name in section {
        match name? {
            ComponentName::Component { name, .. } => names.component(name),
            ComponentName::CoreFuncs(map) => names.core_funcs(&through(map, &new.spaces[Kind::Func as usize])?),
            ComponentName::CoreTables(map) => names.core_tables(&through(map, &new.spaces[Kind::Table as usize])?),
            ComponentName::CoreMemories(map) => names.core_memories(&through(map, &new.spaces[Kind::Memory as usize])?),
            ComponentName::CoreGlobals(map) => names.core_globals(&through(map, &new.spaces[Kind::Global as usize])?),
            ComponentName::CoreModules(map) => names.core_modules(&through(map, &new.modules)?),
            ComponentName::CoreInstances(map) => names.core_instances(&through(map, &new.instances)?),
            ComponentName::CoreTags(_) => {}
            ComponentName::CoreTypes(map) => names.core_types(&same(map)?),
            ComponentName::Types(map) => names.types(&same(map)?),
            ComponentName::Instances(map) => names.instances(&same(map)?),
            ComponentName::Components(map) => names.components(&same(map)?),
            ComponentName::Funcs(map) => names.funcs(&same(map)?),
            ComponentName::Values(map) => names.values(&same(map)?),
            ComponentName::Unknown { ty, data, .. } => names.raw(ty, data),
        }
    }
    Ok(names)
}

fn through(map: wasmparser::NameMap<'_>, new: &BTreeMap<u32, u32>) -> Result<NameMap, Error> {
    mapped(map, |old| new.get(&old).copied())
}

/// A name map is sorted, and names an index once: of several old items that became one, the first gives the name.
fn mapped(map: wasmparser::NameMap<'_>, new: impl Fn(u32) -> Option<u32>) -> Result<NameMap, Error> {
    let mut sorted = BTreeMap::new();
    for naming in map {
        let naming = naming?;
        if let Some(index) = new(naming.index) {
            sorted.entry(index).or_insert(naming.name);
        }
    }
    let mut names = NameMap::new();
    for (index, name) in sorted {
        names.append(index, name);
    }
    Ok(names)
}

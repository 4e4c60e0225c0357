//! What an instance of a component costs the host in addition to its memories. It is counted before the component is
//! compiled, so that instantiation is short (wasmtime's own work at an instantiation cannot be interrupted) and its
//! cost is known.

use std::ops::Range;

use wasmparser::{
    ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, ComponentType, ComponentTypeRef, ElementItems,
    ElementKind, Instance, Payload, TypeRef,
};

use super::CORES_PER_COMPONENT;
use super::sections::{ExtractError, sections};

/// Maximum host memory of an instance. Attack: 4.5 MB of globals that are instantiated 400 times and become
/// gigabytes. CPython with packages needs a tenth of this.
const MAX_COST: u64 = 16 << 20;

/// Maximum levels of nested components: each is a recursive call here. Composed components have three.
const MAX_DEPTH: usize = 100;

/// Bytes of a core instance, whatever it contains.
const CORE: u64 = 1024;

/// Bytes of an instance of a nested component: its handles and flags. Attack: 20 components, each made of two instances of the one
/// before: 656 bytes that become a million instances.
const COMPONENT: u64 = 256;

/// Bytes of a canonical function: what the host keeps to call it, and the adapter between two components.
const CANONICAL: u64 = 256;

/// Bytes of a resource type that a component defines.
const RESOURCE: u64 = 128;

/// Bytes of a function: its reference, which is made if anything but a call needs it.
const FUNCTION: u64 = 40;

/// Bytes of the import of a function: what calls it, and its reference.
const IMPORT: u64 = 64;

/// Bytes of a global.
const GLOBAL: u64 = 16;

/// Bytes of a tag.
const TAG: u64 = 8;

/// Bytes of the import of a global, table, memory or tag.
const ROW: u64 = 64;

/// Bytes of what describes a table.
const TABLE: u64 = 256;

/// Bytes of what describes a memory.
const MEMORY: u64 = 512;

/// Bytes of a table element.
pub(crate) const ELEMENT: u64 = 8;

/// Bytes of a passive element segment, and of each of its elements: every instance has its own. Segments that are active or declared
/// are not kept. Attack: 400,000 null references in 196 instances become 1.2 GB.
const SEGMENT: u64 = 96;
const SEGMENT_ELEMENT: u64 = 16;

/// Bytes of a data segment: where it begins and how long it is. Attack: 90,000 empty segments in 196 instances become 200 MB.
const DATA: u64 = 16;

/// Core instances, and their cost in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cost {
    instances: u64,
    bytes: u64,
}

impl Cost {
    /// Returns the cost of `count` things of `each` bytes.
    fn of(count: u32, each: u64) -> Self {
        Self { instances: 0, bytes: u64::from(count) * each }
    }

    fn and(self, other: Self) -> Self {
        Self { instances: self.instances.saturating_add(other.instances), bytes: self.bytes.saturating_add(other.bytes) }
    }
}

/// What a component can instantiate: what is defined in it so far. Imported modules, and modules taken from an
/// instance, are unknown and never accepted.
#[derive(Default)]
struct Level {
    modules: Vec<Option<Cost>>,
    components: Vec<Option<Cost>>,
}

/// Returns the maximum number of bytes of host memory that an instance of this component costs.
///
/// # Errors
/// When it cannot be read, or costs more than an engine accepts.
pub(super) fn cost(bytes: &[u8]) -> Result<u64, ExtractError> {
    let cost = component(bytes, 0..bytes.len(), &mut Vec::new())?;
    if cost.instances > u64::from(CORES_PER_COMPONENT) {
        return Err(ExtractError::TooLarge(format!("{} core instances", cost.instances), CORES_PER_COMPONENT.to_string()));
    }
    if cost.bytes > MAX_COST {
        let mib = cost.bytes.div_ceil(1 << 20);
        return Err(ExtractError::TooLarge(
            format!("functions, globals, tables, segments and instances that cost the host {mib} MiB for each process"),
            format!("{} MiB", MAX_COST >> 20),
        ));
    }
    Ok(cost.bytes)
}

/// Checks whether an instance of this component costs no more than an engine accepts. Unreadable components are reported
/// elsewhere.
///
/// # Errors
/// What costs too much, in words.
pub(crate) fn check_cost(bytes: &[u8]) -> Result<(), String> {
    match cost(bytes) {
        Err(error @ ExtractError::TooLarge(..)) => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Returns the cost of an instance of the component at `range`. `outer` are the enclosing components, the innermost last.
fn component(bytes: &[u8], range: Range<usize>, outer: &mut Vec<Level>) -> Result<Cost, ExtractError> {
    if outer.len() >= MAX_DEPTH {
        return Err(ExtractError::TooLarge(format!("more than {MAX_DEPTH} levels of components"), MAX_DEPTH.to_string()));
    }
    outer.push(Level::default());
    let mut total = Cost::default();
    for payload in sections(bytes, range)? {
        match payload? {
            Payload::ModuleSection { unchecked_range, .. } => {
                let module = module(bytes, unchecked_range)?;
                level(outer).modules.push(Some(module));
            }
            Payload::ComponentSection { unchecked_range, .. } => {
                let inner = component(bytes, unchecked_range, outer)?;
                level(outer).components.push(Some(inner));
            }
            Payload::InstanceSection(section) => {
                for instance in section {
                    if let Instance::Instantiate { module_index, .. } = instance? {
                        total = total.and(known(&level(outer).modules, module_index)?);
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section {
                    if let ComponentInstance::Instantiate { component_index, .. } = instance? {
                        total = total.and(known(&level(outer).components, component_index)?).and(Cost::of(1, COMPONENT));
                    }
                }
            }
            Payload::ComponentCanonicalSection(section) => total = total.and(Cost::of(section.count(), CANONICAL)),
            Payload::ComponentTypeSection(section) => {
                for ty in section {
                    if let ComponentType::Resource { .. } = ty? {
                        total = total.and(Cost::of(1, RESOURCE));
                    }
                }
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section {
                    self::alias(&alias?, outer);
                }
            }
            Payload::ComponentImportSection(section) => {
                for import in section {
                    match import?.ty {
                        ComponentTypeRef::Module(_) => level(outer).modules.push(None),
                        ComponentTypeRef::Component(_) => level(outer).components.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                for export in section {
                    let export = export?;
                    let level = level(outer);
                    let same = |list: &[Option<Cost>]| list.get(export.index as usize).copied().flatten();
                    match export.kind {
                        ComponentExternalKind::Module => level.modules.push(same(&level.modules)),
                        ComponentExternalKind::Component => level.components.push(same(&level.components)),
                        _ => {}
                    }
                }
            }
            // The component itself has them, not its instances.
            Payload::Version { .. } | Payload::CoreTypeSection(_) | Payload::CustomSection(_) | Payload::End(_) => {}
            other => return Err(unknown(&other)),
        }
    }
    outer.pop();
    Ok(total)
}

/// Returns the component that is being read.
fn level(levels: &mut [Level]) -> &mut Level {
    // `component` pushed one before it read anything.
    levels.last_mut().expect("a component is being read")
}

fn known(list: &[Option<Cost>], index: u32) -> Result<Cost, ExtractError> {
    match list.get(index as usize) {
        Some(Some(cost)) => Ok(*cost),
        _ => Err(ExtractError::TooLarge(
            "modules or components that it is given as values, whose cost is not known".to_owned(),
            "none".to_owned(),
        )),
    }
}

/// Refuses a section that this file does not know: a later version of wasmtime may keep something of it for each instance.
fn unknown(section: &Payload<'_>) -> ExtractError {
    let which = section.as_section().map_or_else(|| "without a number".to_owned(), |(id, _)| format!("number {id}"));
    ExtractError::TooLarge(format!("sections whose cost is not known ({which})"), "none".to_owned())
}

fn alias(alias: &ComponentAlias<'_>, levels: &mut [Level]) {
    match *alias {
        ComponentAlias::InstanceExport { kind: ComponentExternalKind::Module, .. } => level(levels).modules.push(None),
        ComponentAlias::InstanceExport { kind: ComponentExternalKind::Component, .. } => level(levels).components.push(None),
        ComponentAlias::Outer { kind, count, index } => {
            let place = levels.len().checked_sub(1 + count as usize).and_then(|at| levels.get(at));
            let find = |list: fn(&Level) -> &Vec<Option<Cost>>| place.and_then(|place| list(place).get(index as usize)).copied().flatten();
            let (module, component) = (find(|level| &level.modules), find(|level| &level.components));
            match kind {
                ComponentOuterAliasKind::CoreModule => level(levels).modules.push(module),
                ComponentOuterAliasKind::Component => level(levels).components.push(component),
                _ => {}
            }
        }
        _ => {}
    }
}

/// Returns the cost of an instance of the module at `range`.
fn module(bytes: &[u8], range: Range<usize>) -> Result<Cost, ExtractError> {
    let mut cost = Cost { instances: 1, bytes: CORE };
    let mut add = |count: u32, each: u64| cost = cost.and(Cost::of(count, each));
    for payload in sections(bytes, range)? {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    match import?.ty {
                        TypeRef::Func(_) | TypeRef::FuncExact(_) => add(1, IMPORT),
                        TypeRef::Table(_) | TypeRef::Memory(_) | TypeRef::Global(_) | TypeRef::Tag(_) => add(1, ROW),
                    }
                }
            }
            Payload::FunctionSection(section) => add(section.count(), FUNCTION),
            Payload::GlobalSection(section) => add(section.count(), GLOBAL),
            Payload::TagSection(section) => add(section.count(), TAG),
            Payload::MemorySection(section) => add(section.count(), MEMORY),
            Payload::TableSection(section) => {
                for table in section {
                    add(1, TABLE);
                    add(u32::try_from(table?.ty.initial).unwrap_or(u32::MAX), ELEMENT);
                }
            }
            Payload::ElementSection(section) => {
                for segment in section {
                    let segment = segment?;
                    match segment.kind {
                        ElementKind::Passive => {
                            add(1, SEGMENT);
                            add(count(&segment.items), SEGMENT_ELEMENT);
                        }
                        ElementKind::Active { .. } | ElementKind::Declared => {}
                    }
                }
            }
            // Active ones too: those that cannot become part of the memory's first contents are kept like passive ones.
            Payload::DataSection(section) => add(section.count(), DATA),
            // The module itself has them, not its instances.
            Payload::Version { .. }
            | Payload::TypeSection(_)
            | Payload::ExportSection(_)
            | Payload::StartSection { .. }
            | Payload::DataCountSection { .. }
            | Payload::CodeSectionStart { .. }
            | Payload::CodeSectionEntry(_)
            | Payload::CustomSection(_)
            | Payload::End(_) => {}
            other => return Err(unknown(&other)),
        }
    }
    Ok(cost)
}

/// Returns the elements of a segment.
fn count(items: &ElementItems<'_>) -> u32 {
    match items {
        ElementItems::Functions(functions) => functions.count(),
        ElementItems::Expressions(_, expressions) => expressions.count(),
    }
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "cost_measured.rs"]
mod measured;

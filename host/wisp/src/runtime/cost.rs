//! What an instance of a component costs the host in addition to its memories. It is counted before the component is
//! compiled, so that instantiation is short (wasmtime's own work at an instantiation cannot be interrupted) and its
//! cost is known.

use std::ops::Range;

use wasmparser::{ComponentAlias, ComponentExternalKind, ComponentInstance, ComponentOuterAliasKind, ComponentTypeRef, Instance, Payload};

use super::CORES_PER_COMPONENT;
use super::data_image::{ExtractError, sections};

/// Maximum host memory of an instance. Attack: 4.5 MB of globals that are instantiated 400 times and become
/// gigabytes. CPython with packages needs a tenth of this.
const MAX_COST: u64 = 16 << 20;

/// Maximum levels of nested components: each is a recursive call here. Composed components have three.
const MAX_DEPTH: usize = 100;

/// Bytes of a core instance, whatever it contains.
const CORE: u64 = 1024;

/// Bytes of a function, imported or defined: its reference.
const FUNCTION: u64 = 40;

/// Bytes of a global.
const GLOBAL: u64 = 16;

/// Bytes of the import of a global, table or memory, and of what describes a table or memory.
const ROW: u64 = 64;

/// Bytes of a table element.
const ELEMENT: u64 = 8;

/// Core instances, and their cost in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Cost {
    instances: u64,
    bytes: u64,
}

impl Cost {
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

/// Maximum bytes of host memory that an instance of this component costs.
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
            format!("globals, tables and functions that cost the host {mib} MiB for each process"),
            format!("{} MiB", MAX_COST >> 20),
        ));
    }
    Ok(cost.bytes)
}

/// Whether an instance of this component costs no more than an engine accepts. Unreadable components are reported
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

/// The cost of an instance of the component at `range`. `outer` are the enclosing components, the innermost last.
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
                        total = total.and(known(&level(outer).components, component_index)?);
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
            _ => {}
        }
    }
    outer.pop();
    Ok(total)
}

/// The component that is being read.
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

/// The cost of an instance of the module at `range`.
fn module(bytes: &[u8], range: Range<usize>) -> Result<Cost, ExtractError> {
    let mut cost = CORE;
    let mut add = |count: u32, each: u64| cost = cost.saturating_add(u64::from(count).saturating_mul(each));
    for payload in sections(bytes, range)? {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    match import?.ty {
                        wasmparser::TypeRef::Func(_) | wasmparser::TypeRef::FuncExact(_) => add(1, FUNCTION),
                        _ => add(1, ROW),
                    }
                }
            }
            Payload::FunctionSection(section) => add(section.count(), FUNCTION),
            Payload::GlobalSection(section) => add(section.count(), GLOBAL),
            Payload::MemorySection(section) => add(section.count(), ROW),
            Payload::TableSection(section) => {
                for table in section {
                    add(1, ROW);
                    add(u32::try_from(table?.ty.initial).unwrap_or(u32::MAX), ELEMENT);
                }
            }
            _ => {}
        }
    }
    Ok(Cost { instances: 1, bytes: cost })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<u64, String> {
        cost(&wat::parse_str(text).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_in_an_instance_is_counted() {
        assert_eq!(of("(component)"), Ok(0));
        assert_eq!(of("(component (core module))"), Ok(0), "nothing is instantiated");
        let module = r#"(core module $m (import "a" "b" (func)) (func) (global i64 (i64.const 0)) (table 100 funcref) (memory 1))"#;
        let one = CORE + 2 * FUNCTION + GLOBAL + ROW + 100 * ELEMENT + ROW;
        let instance = r#"(core module $f (func (export "b"))) (core instance $a (instantiate $f))"#;
        let twice = format!(
            r#"(component {module} {instance} (core instance (instantiate $m (with "a" (instance $a))))
               (core instance (instantiate $m (with "a" (instance $a)))))"#
        );
        assert_eq!(of(&twice), Ok(CORE + FUNCTION + 2 * one));
    }

    #[test]
    fn nested_components_are_counted_as_often_as_they_are_instantiated() {
        let text = "(component (core module $m) (core module $other (global i32 (i32.const 1)))
            (component $c (alias outer 1 $m (core module $x)) (core instance (instantiate $x)) (core instance (instantiate $x)))
            (component $d (alias outer 1 $c (component $y)) (instance (instantiate $y)) (instance (instantiate $y)))
            (instance (instantiate $d)) (instance (instantiate $c)) (core instance (instantiate $other)))";
        assert_eq!(of(text), Ok(7 * CORE + GLOBAL));
    }

    #[test]
    fn what_costs_too_much_is_refused_and_the_largest_that_does_not_is_taken() {
        let globals = |count: usize| {
            format!("(component (core module $m {}) (core instance (instantiate $m)))", "(global i32 (i32.const 1))".repeat(count))
        };
        assert!(of(&globals(1_000_000)).is_ok());
        let refused = of(&globals(1_100_000)).unwrap_err();
        assert!(refused.contains("cost the host 17 MiB for each process") && refused.contains("16 MiB"), "{refused}");
        let many = |count: usize| format!("(component (core module $m) {})", "(core instance (instantiate $m))".repeat(count));
        assert!(of(&many(200)).is_ok());
        assert!(of(&many(201)).unwrap_err().contains("201 core instances"));
        let table = "(component (core module $m (table 190000 funcref)) (core instance (instantiate $m)) (core instance (instantiate $m)))";
        assert!(of(table).is_ok());
    }

    #[test]
    fn doubling_and_nesting_end() {
        let mut text = String::from("(component $c0 (core module $m) (core instance (instantiate $m)))");
        for level in 1..70 {
            let before = level - 1;
            text.push_str(&format!(
                "(component $c{level} (alias outer 1 $c{before} (component $x)) (instance (instantiate $x)) (instance (instantiate $x)))"
            ));
        }
        let doubled = of(&format!("(component {text} (instance (instantiate $c69)))")).unwrap_err();
        assert!(doubled.contains("core instances"), "{doubled}");
        let nested = |levels: usize| {
            let mut inner = wasm_encoder::Component::new();
            for _ in 1..levels {
                let mut outer = wasm_encoder::Component::new();
                outer.section(&wasm_encoder::NestedComponentSection(&inner));
                inner = outer;
            }
            cost(&inner.finish()).map_err(|error| error.to_string())
        };
        assert_eq!(nested(MAX_DEPTH), Ok(0));
        assert!(nested(MAX_DEPTH + 1).unwrap_err().contains("levels of components"));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let given = r#"(component (component $c (import "m" (core module $m)) (core instance (instantiate $m))))"#;
        assert!(of(given).unwrap_err().contains("given as values"));
    }
}

//! Splits a component into the same component without the data of its memory, and that data as an image.
//!
//! wasmtime does not give an image to memories that a host makes (see [`super::memory`]), so data segments would be
//! copied at every start. A memory whose initial contents are known (one that a core module defines itself, filled by
//! active segments at constant offsets) becomes an image instead; everything else stays as it is.

use std::ops::Range;

use wasm_encoder::{Component, ComponentSectionId, RawSection, SectionId};
use wasmparser::{ConstExpr, DataKind, ElementKind, Encoding, Operator, Payload};

use super::cost::cost;
use super::memory::{MemoryShape, WASM_PAGE};
use super::sections::{ExtractError, sections};
use super::signal_words::signal_words;

/// Maximum bytes of an image (1 GiB): it is made in memory.
const MAX_IMAGE: u64 = 1 << 30;

/// Maximum functions of a core module: each costs every instance tens of bytes. CPython with pandas has 90,000.
const MAX_FUNCTIONS: u32 = 300_000;

/// Maximum core modules of a component.
const MAX_MODULES: usize = 400;

/// The memory of the provider of denials, which is composed with a component (`host/world/src/deny`).
const DENIALS: MemoryShape = MemoryShape { minimum: 1, maximum: Some(1) };

/// The initial contents of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Contents {
    /// The memory's type, which no other memory of the component has.
    pub shape: MemoryShape,
    /// The bytes up to the last that is not zero.
    pub data: Vec<u8>,
}

/// A core module inside the component.
struct Module {
    range: Range<usize>,
    memories: Vec<MemoryShape>,
    contents: Option<Found>,
    /// Whether it has a start function.
    starts: bool,
    /// Globals of its own that can change.
    variables: u32,
    /// Whether it has segments that code can use and drop.
    passive: bool,
}

/// The data of a module that can be extracted.
struct Found {
    segments: Vec<(u64, Range<usize>)>,
    end: u64,
}

/// A component as it is compiled, and the information found in it.
#[derive(Debug)]
pub(crate) struct Extracted {
    /// The component, without the extracted data.
    pub component: Vec<u8>,
    /// The extracted data.
    pub contents: Option<Contents>,
    /// Whether instantiating it runs none of its code: no core module has a start function.
    pub inert: bool,
    /// Whether its state can be the extracted memory alone, between calls: it has no other memory but that of the provider of
    /// denials, into which only a denied call writes, at most one global that can change (the stack pointer), and no segment that
    /// code can drop. What code does to tables is not looked at.
    pub whole: bool,
    /// Maximum host memory of an instance without its memories, in bytes.
    pub cost: u64,
    /// The words of its memory by which its program notices signals, as address and bits.
    pub signal_words: Vec<(u32, u32)>,
}

/// Extracts the data of the memory that has the most, of those of the program: `program` is where it is in `component`. What is around it
/// was composed with it.
///
/// # Errors
/// When the component cannot be read, or is larger than an engine accepts.
pub(crate) fn extract(component: &[u8], program: &Range<usize>) -> Result<Extracted, ExtractError> {
    let modules = modules(component)?;
    let (cost, signal_words) = (cost(component)?, signal_words(component, program)?);
    let inert = modules.iter().all(|module| !module.starts);
    let memories = modules.iter().flat_map(|module| &module.memories).filter(|shape| **shape != DENIALS);
    let single = memories.count() == 1;
    let variables = modules.iter().map(|module| u64::from(module.variables)).sum::<u64>();
    let whole = single && variables <= 1 && modules.iter().all(|module| !module.passive);
    let unique = |shape: MemoryShape| modules.iter().flat_map(|module| &module.memories).filter(|other| **other == shape).count() == 1;
    let best = modules
        .iter()
        .filter(|module| program.start <= module.range.start && module.range.end <= program.end)
        .filter_map(|module| {
            let found = module.contents.as_ref()?;
            let [shape] = module.memories[..] else { return None };
            let fits = found.end <= (shape.minimum * WASM_PAGE).min(MAX_IMAGE);
            (fits && found.end > 0 && unique(shape)).then_some((module, found, shape))
        })
        .max_by_key(|(_, found, _)| found.end);
    let Some((module, found, shape)) = best else {
        return Ok(Extracted { component: component.to_vec(), contents: None, inert, whole: false, cost, signal_words });
    };
    let mut data = vec![0; found.end as usize];
    for (at, bytes) in &found.segments {
        data[*at as usize..*at as usize + bytes.len()].copy_from_slice(&component[bytes.clone()]);
    }
    while data.last() == Some(&0) {
        data.pop();
    }
    let stripped = without_data(component, 0..component.len(), &module.range)?;
    Ok(Extracted { component: stripped, contents: Some(Contents { shape, data }), inert, whole, cost, signal_words })
}

/// Returns every core module, including those of nested components.
fn modules(component: &[u8]) -> Result<Vec<Module>, ExtractError> {
    let mut found = Vec::new();
    let mut pending: Vec<Range<usize>> = std::iter::once(0..component.len()).collect();
    while let Some(range) = pending.pop() {
        for payload in sections(component, range)? {
            match payload? {
                Payload::ModuleSection { unchecked_range, .. } => found.push(module(component, unchecked_range)?),
                Payload::ComponentSection { unchecked_range, .. } => pending.push(unchecked_range),
                _ => {}
            }
            if found.len() > MAX_MODULES {
                return Err(ExtractError::TooLarge(format!("{} core modules", found.len()), MAX_MODULES.to_string()));
            }
        }
    }
    Ok(found)
}

fn module(component: &[u8], range: Range<usize>) -> Result<Module, ExtractError> {
    let mut module = Module { range: range.clone(), memories: Vec::new(), contents: None, starts: false, variables: 0, passive: false };
    let (mut functions, mut imported_memories) = (0, 0);
    let mut found = Some(Found { segments: Vec::new(), end: 0 });
    for payload in sections(component, range)? {
        match payload? {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    match import?.ty {
                        wasmparser::TypeRef::Func(_) | wasmparser::TypeRef::FuncExact(_) => functions += 1,
                        wasmparser::TypeRef::Memory(_) => imported_memories += 1,
                        _ => {}
                    }
                }
            }
            Payload::FunctionSection(section) => functions += section.count(),
            Payload::MemorySection(section) => {
                for memory in section {
                    let memory = memory?;
                    module.memories.push(MemoryShape { minimum: memory.initial, maximum: memory.maximum });
                    if memory.memory64 || memory.shared || memory.page_size_log2.is_some() {
                        found = None;
                    }
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    module.variables += u32::from(global?.ty.mutable);
                }
            }
            Payload::ElementSection(section) => {
                for element in section {
                    module.passive |= matches!(element?.kind, ElementKind::Passive);
                }
            }
            Payload::StartSection { .. } => module.starts = true,
            // Code may then refer to the segments by number.
            Payload::DataCountSection { .. } => {
                module.passive = true;
                found = None;
            }
            Payload::DataSection(section) => {
                for data in section {
                    let data = data?;
                    let place = match data.kind {
                        DataKind::Active { memory_index: 0, offset_expr } => constant(&offset_expr),
                        _ => None,
                    };
                    found = found.zip(place).map(|(mut found, at)| {
                        found.end = found.end.max(at + data.data.len() as u64);
                        found.segments.push((at, data.range.end - data.data.len()..data.range.end));
                        found
                    });
                }
            }
            _ => {}
        }
        if functions > MAX_FUNCTIONS {
            return Err(ExtractError::TooLarge(format!("{functions} functions in one core module"), MAX_FUNCTIONS.to_string()));
        }
    }
    module.contents = found.filter(|_| imported_memories == 0 && module.memories.len() == 1);
    Ok(module)
}

/// Returns the value of an offset that is a single constant.
fn constant(expression: &ConstExpr<'_>) -> Option<u64> {
    let mut operators = expression.get_operators_reader();
    let Ok(Operator::I32Const { value }) = operators.read() else { return None };
    matches!(operators.read(), Ok(Operator::End)).then_some(u64::from(value.cast_unsigned()))
}

/// Returns the component at `range`, with the module at `target` without its data section.
fn without_data(bytes: &[u8], range: Range<usize>, target: &Range<usize>) -> Result<Vec<u8>, ExtractError> {
    let mut result = Component::new();
    for payload in sections(bytes, range.clone())? {
        let payload = payload?;
        let nested = |inner: &Range<usize>| inner.start <= target.start && target.end <= inner.end;
        match &payload {
            Payload::Version { encoding, .. } => debug_assert_eq!(*encoding, Encoding::Component),
            Payload::ModuleSection { unchecked_range, .. } if unchecked_range == target => {
                let module = module_without_data(bytes, unchecked_range)?;
                result.section(&RawSection { id: ComponentSectionId::CoreModule.into(), data: &module });
            }
            Payload::ModuleSection { unchecked_range, .. } => {
                result.section(&RawSection { id: ComponentSectionId::CoreModule.into(), data: &bytes[unchecked_range.clone()] });
            }
            Payload::ComponentSection { unchecked_range, .. } => {
                let inner = if nested(unchecked_range) {
                    without_data(bytes, unchecked_range.clone(), target)?
                } else {
                    bytes[unchecked_range.clone()].to_vec()
                };
                result.section(&RawSection { id: ComponentSectionId::Component.into(), data: &inner });
            }
            _ => {
                if let Some((id, section)) = payload.as_section() {
                    result.section(&RawSection { id, data: &bytes[section] });
                }
            }
        }
    }
    Ok(result.finish())
}

fn module_without_data(bytes: &[u8], range: &Range<usize>) -> Result<Vec<u8>, ExtractError> {
    let mut result = wasm_encoder::Module::new();
    for payload in sections(bytes, range.clone())? {
        if let Some((id, section)) = payload?.as_section()
            && id != u8::from(SectionId::Data)
        {
            result.section(&RawSection { id, data: &bytes[section] });
        }
    }
    Ok(result.finish())
}

#[cfg(test)]
#[path = "data_image_tests.rs"]
mod tests;

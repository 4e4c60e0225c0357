//! What becomes of every global: a constant, a place in memory, or the one that stays, the stack pointer.

use std::collections::BTreeMap;

use wasmparser::ValType;

use crate::Error;
use crate::component::Kind;
use crate::link::Linked;
use crate::scan::Reachable;
use crate::value::Value;

/// The name by which linkers call the stack pointer.
const STACK_POINTER: &str = "__stack_pointer";

/// Bytes of a page of linear memory.
pub(crate) const PAGE: u64 = 65536;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Never set: its value.
    Constant(Value),
    /// Lies in memory, at this address.
    Memory(u32),
    /// Stays a global: the stack pointer.
    Stays,
}

pub(crate) struct Globals {
    pub(crate) fates: Vec<Fate>,
    /// The one that stays.
    pub(crate) stack_pointer: Option<u32>,
    /// Where the pages begin that were added to the memory.
    pub(crate) page: Option<u32>,
    /// How many were added.
    pub(crate) pages: u64,
    /// Where in them the room is that was asked for.
    pub(crate) room: u32,
}

impl Globals {
    /// Finds their places; `room`: so many bytes more are reserved behind them.
    pub(crate) fn new(linked: &Linked<'_, '_>, reachable: &Reachable, room: u32) -> Result<Self, Error> {
        let stack_pointer = stack_pointer(linked).filter(|global| reachable.set.contains(global));
        let moved: Vec<u32> = reachable.set.iter().copied().filter(|global| Some(*global) != stack_pointer).collect();
        let mut places = BTreeMap::new();
        let (mut page, mut pages, mut after) = (None, 0, 0);
        if !moved.is_empty() || room > 0 {
            let start = new_page(linked, room)?;
            let mut at = start;
            for global in moved {
                let size = slot(linked, global)?;
                at = at.next_multiple_of(size);
                places.insert(global, at);
                at += size;
            }
            if u64::from(at - start) > PAGE {
                return Err(Error::new(
                    format!("{} globals are set by code, more than fit into a page of memory", places.len()),
                    "every global that is set moves into one reserved page",
                    "link the guest so that it has fewer globals",
                ));
            }
            after = at;
            pages = u64::from(at - start + room).div_ceil(PAGE);
            page = Some(start);
        }
        let fates = linked.globals.iter().enumerate().map(|(index, global)| {
            let index = index as u32;
            match places.get(&index) {
                Some(address) => Fate::Memory(*address),
                None if stack_pointer == Some(index) => Fate::Stays,
                None => Fate::Constant(global.value),
            }
        });
        Ok(Self { fates: fates.collect(), stack_pointer, page, pages, room: after })
    }
}

/// The address of the page after the initial memory.
fn new_page(linked: &Linked<'_, '_>, room: u32) -> Result<u32, Error> {
    let Some((_, memory)) = linked.memory else {
        return Err(Error::new(
            "globals are set by code, but there is no memory",
            "they are to be moved into the memory, which is then the whole state",
            "give the guest a memory, or run it unfused",
        ));
    };
    memory
        .initial
        .checked_mul(PAGE)
        .and_then(|end| u32::try_from(end).ok())
        .filter(|end| u64::from(*end) + PAGE + u64::from(room) < 1 << 32)
        .ok_or_else(|| {
            Error::new(
                "the initial memory is all of the address space",
                "there is no room for the globals that are set by code",
                "make the guest smaller",
            )
        })
}

fn slot(linked: &Linked<'_, '_>, global: u32) -> Result<u32, Error> {
    let global = &linked.globals[global as usize];
    match global.ty.content_type {
        ValType::I32 | ValType::F32 => Ok(4),
        ValType::I64 | ValType::F64 => Ok(8),
        ValType::V128 => Ok(16),
        ValType::Ref(_) => Err(Error::new(
            format!("global {} of `{}` holds a reference and is set by code", global.index, linked.parts[global.part].name),
            "a reference cannot lie in memory, so memory would not be the whole state",
            "build the guest without such a global, or run it unfused",
        )),
    }
}

/// The stack pointer of the module that has the memory: by the name under which it is exported or imported, by its
/// name in the name section, and else the first global that can change and has no name, which is where wasm-ld puts it.
fn stack_pointer(linked: &Linked<'_, '_>) -> Option<u32> {
    let (owner, _) = linked.memory?;
    let of_owner = |global: &u32| linked.globals[*global as usize].part == owner && linked.globals[*global as usize].ty.mutable;
    let exported = linked.parts[owner].module.exports.get(STACK_POINTER).filter(|(kind, _)| *kind == Kind::Global);
    let named = linked.parts[owner].module.global_names.iter().find(|(_, name)| **name == STACK_POINTER);
    let by_name = exported.map(|(_, index)| *index).or(named.map(|(index, _)| *index));
    let linked_index = by_name.and_then(|index| linked.parts[owner].maps[Kind::Global as usize].get(index as usize).copied());
    let imported = || {
        linked.parts.iter().find_map(|part| {
            let globals = part.module.imports.iter().filter(|import| matches!(import.ty, wasmparser::TypeRef::Global(_)));
            let at = globals.clone().position(|import| import.name == STACK_POINTER)?;
            part.maps[Kind::Global as usize].get(at).copied().filter(of_owner)
        })
    };
    let first = || {
        let can_be = |global: &u32| {
            let of = &linked.globals[*global as usize];
            of.ty.content_type == ValType::I32 && !linked.parts[owner].module.global_names.contains_key(&of.index)
        };
        (0..linked.globals.len() as u32).find(|global| of_owner(global) && can_be(global))
    };
    linked_index.filter(of_owner).or_else(imported).or_else(first)
}

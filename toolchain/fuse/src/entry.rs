//! The ways by which the host calls into the merged module.
//!
//! The stack pointer is the only state outside the memory, and between calls there is none: a call that returns while it is not at its
//! base traps. A program that is wrong, or made to do wrong by what it runs, cannot pass one on to what is called next.

use std::collections::BTreeSet;

use wasm_encoder::{Function, Instruction};
use wasmparser::{CanonicalFunction, CanonicalOption, FuncType};

use crate::Error;
use crate::component::{Def, Item, Kind};
use crate::globals::Globals;
use crate::link::{Func, Linked};
use crate::plan::{Plan, Source};
use crate::value::Value;

/// The interface that exports the entry of threads, in the names that wit-component gives to core functions.
const THREAD_ENTRY: &str = "wisp:sandbox/thread-entry@";

/// The linked functions after which nothing of the module is on its stack, if the host calls them: those that are lifted, or what
/// runs after them, for their results may lie there until then. The entry of threads is none: another call waits meanwhile.
pub(crate) fn calls(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>) -> Result<BTreeSet<u32>, Error> {
    let mut calls = BTreeSet::new();
    for item in &plan.component.items {
        let Item::Lift(CanonicalFunction::Lift { core_func_index, options, .. }) = item else { continue };
        let after = options.iter().find_map(|option| match option {
            CanonicalOption::PostReturn(index) => Some(*index),
            _ => None,
        });
        let last = after.unwrap_or(*core_func_index);
        let within = matches!(plan.def(Kind::Func, last)?, Def::Export { name, .. } if name.contains(THREAD_ENTRY));
        if let (false, Source::Merged { instance, index }) = (within, plan.source(Kind::Func, last)?) {
            calls.insert(linked.lookup(plan, Kind::Func, instance, index)?);
        }
    }
    Ok(calls)
}

/// The type of a linked function of the merged module; `None` if it is the host's.
pub(crate) fn type_of<'l>(linked: &Linked<'l, '_>, func: u32) -> Result<Option<&'l FuncType>, Error> {
    let Some(Func::Body { part, body }) = linked.funcs.get(func as usize) else { return Ok(None) };
    let module = linked.parts[*part].module;
    module.func_type(module.imported[Kind::Func as usize] + *body as u32).map(Some)
}

/// A function that calls number `target` and traps if the stack pointer is not at its base afterwards; `None` if there is none.
pub(crate) fn checking(linked: &Linked<'_, '_>, globals: &Globals, target: u32, ty: &FuncType) -> Option<Function> {
    let base = globals.stack_pointer.map(|global| linked.globals[global as usize].value);
    let (base, differs) = match base? {
        Value::I32(base) => (Instruction::I32Const(base), Instruction::I32Ne),
        Value::I64(base) => (Instruction::I64Const(base), Instruction::I64Ne),
        _ => return None,
    };
    let mut function = Function::new([]);
    for parameter in 0..ty.params().len() as u32 {
        function.instruction(&Instruction::LocalGet(parameter));
    }
    function.instruction(&Instruction::Call(target));
    function.instruction(&Instruction::GlobalGet(0)).instruction(&base).instruction(&differs);
    function.instruction(&Instruction::If(wasm_encoder::BlockType::Empty));
    function.instruction(&Instruction::Unreachable).instruction(&Instruction::End).instruction(&Instruction::End);
    Some(function)
}

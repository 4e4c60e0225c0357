//! What is reachable, and what the reachable code does to globals, tables and segments.

use std::collections::{BTreeMap, BTreeSet};

use wasmparser::{ElementItems, ElementKind, Operator};

use crate::Error;
use crate::component::Kind;
use crate::link::{Func, Linked};
use crate::plan::start_function;
use crate::value::Value;

/// The entries of a table at the start: index → linked function.
pub(crate) type TableImage = BTreeMap<u32, u32>;

#[derive(Default)]
pub(crate) struct Reachable {
    /// Linked functions that can run, or can be seen.
    pub(crate) funcs: BTreeSet<u32>,
    /// Globals that reachable code sets.
    pub(crate) set: BTreeSet<u32>,
    /// Globals that reachable code reads.
    pub(crate) read: BTreeSet<u32>,
    /// Per function, the globals it sets.
    pub(crate) sets: BTreeMap<u32, BTreeSet<u32>>,
    /// Functions that code refers to by `ref.func`.
    pub(crate) referred: BTreeSet<u32>,
    /// Functions that ask for the size of the memory.
    pub(crate) asks_size: BTreeSet<u32>,
    pub(crate) tables: Vec<TableImage>,
    /// Tables that code uses in another way than by calling through an entry that is a constant of the code.
    pub(crate) loose_tables: BTreeSet<u32>,
}

impl Reachable {
    /// Everything that `roots` and the tables reach.
    pub(crate) fn new(linked: &Linked<'_, '_>, roots: impl IntoIterator<Item = u32>) -> Result<Self, Error> {
        let mut reachable = Self { tables: tables(linked)?, ..Self::default() };
        let mut todo: Vec<u32> = roots.into_iter().collect();
        todo.extend(reachable.tables.iter().flat_map(BTreeMap::values));
        while let Some(func) = todo.pop() {
            if reachable.funcs.insert(func) {
                reachable.visit(linked, func, &mut todo)?;
            }
        }
        Ok(reachable)
    }

    fn visit(&mut self, linked: &Linked<'_, '_>, func: u32, todo: &mut Vec<u32>) -> Result<(), Error> {
        let Some(Func::Body { part, body }) = linked.funcs.get(func as usize) else { return Ok(()) };
        let part = &linked.parts[*part];
        let mut operators = part.module.bodies[*body].get_operators_reader()?;
        let mut sets = BTreeSet::new();
        let mut entry = None;
        while !operators.eof() {
            let operator = operators.read()?;
            let last = entry.take();
            match operator {
                Operator::I32Const { value } => entry = Some(value as u32),
                Operator::CallIndirect { table_index, .. } => {
                    let table = part.map(Kind::Table, table_index)?;
                    if last.is_none_or(|entry| u64::from(entry) >= linked.tables[table as usize].initial) {
                        self.loose_tables.insert(table);
                    }
                }
                Operator::TableGet { table } | Operator::TableSize { table } => {
                    self.loose_tables.insert(part.map(Kind::Table, table)?);
                }
                Operator::Call { function_index } | Operator::ReturnCall { function_index } => todo.push(part.func(function_index)?),
                Operator::RefFunc { function_index } => {
                    let target = part.func(function_index)?;
                    self.referred.insert(target);
                    todo.push(target);
                }
                Operator::GlobalGet { global_index } => {
                    let global = part.map(Kind::Global, global_index)?;
                    if self.read.insert(global)
                        && let Value::Func(target) = linked.globals[global as usize].value
                    {
                        self.referred.insert(target);
                        todo.push(target);
                    }
                }
                Operator::GlobalSet { global_index } => {
                    sets.insert(part.map(Kind::Global, global_index)?);
                }
                Operator::MemorySize { .. } => {
                    self.asks_size.insert(func);
                }
                operator => changes_more_than_memory(&operator, || format!("`{}` of `{}`", linked.func_name(func), part.name))?,
            }
        }
        self.set.extend(&sets);
        if !sets.is_empty() {
            self.sets.insert(func, sets);
        }
        Ok(())
    }
}

/// Refuses start functions, unless they provably do nothing: whatever they did would have to be done before.
pub(crate) fn start_functions(linked: &Linked<'_, '_>) -> Result<(), Error> {
    for part in &linked.parts {
        if let Some(start) = part.module.start
            && !does_nothing(linked, part.func(start)?, 4)?
        {
            return Err(start_function(&part.name));
        }
    }
    Ok(())
}

/// Is the function provably without effect? It may call others of which that is true, `depth` deep.
fn does_nothing(linked: &Linked<'_, '_>, func: u32, depth: u32) -> Result<bool, Error> {
    let Some(Func::Body { part, body }) = linked.funcs.get(func as usize) else { return Ok(false) };
    let part = &linked.parts[*part];
    let mut operators = part.module.bodies[*body].get_operators_reader()?;
    while !operators.eof() {
        match operators.read()? {
            Operator::Nop | Operator::Return | Operator::End => {}
            Operator::Call { function_index } if depth > 0 => {
                if !does_nothing(linked, part.func(function_index)?, depth - 1)? {
                    return Ok(false);
                }
            }
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Refuses what would make more than memory the state of the instance.
pub(crate) fn changes_more_than_memory(operator: &Operator<'_>, place: impl Fn() -> String) -> Result<(), Error> {
    let table = "a table that code changes is state outside the memory, and cannot be initialised once for all";
    let segment = "a segment that is dropped is state outside the memory, and one that is copied later cannot become part of its image";
    let (name, why) = match operator {
        Operator::TableSet { .. } => ("table.set", table),
        Operator::TableGrow { .. } => ("table.grow", table),
        Operator::TableFill { .. } => ("table.fill", table),
        Operator::TableCopy { .. } => ("table.copy", table),
        Operator::TableInit { .. } => ("table.init", table),
        Operator::ElemDrop { .. } => ("elem.drop", segment),
        Operator::MemoryInit { .. } => ("memory.init", segment),
        Operator::DataDrop { .. } => ("data.drop", segment),
        _ => return Ok(()),
    };
    Err(Error::new(format!("{} uses {name}", place()), why, "build the guest so that it does not, or run it unfused"))
}

/// The active element segments of all parts, applied in their order.
fn tables(linked: &Linked<'_, '_>) -> Result<Vec<TableImage>, Error> {
    let mut images = vec![TableImage::new(); linked.tables.len()];
    for part in &linked.parts {
        for element in &part.module.elements {
            let ElementKind::Active { table_index, offset_expr } = &element.kind else { continue };
            let table = part.map(Kind::Table, table_index.unwrap_or_default())? as usize;
            let mut at = Value::of(offset_expr, |index| linked.value(part, index), |index| part.func(index))?.offset()?;
            let mut put = |entry: Option<u32>| {
                if u64::from(at) >= linked.tables[table].initial {
                    return Err(outside(&part.name, "an element", "table"));
                }
                match entry {
                    Some(func) => images[table].insert(at, func),
                    None => images[table].remove(&at),
                };
                at += 1;
                Ok(())
            };
            match element.items.clone() {
                ElementItems::Functions(functions) => {
                    for func in functions {
                        put(Some(part.func(func?)?))?;
                    }
                }
                ElementItems::Expressions(_, expressions) => {
                    for expression in expressions {
                        match Value::of(&expression?, |index| linked.value(part, index), |index| part.func(index))? {
                            Value::Func(func) => put(Some(func))?,
                            Value::Null(_) => put(None)?,
                            _ => return Err(Error::broken("an element is no function")),
                        }
                    }
                }
            }
        }
    }
    Ok(images)
}

pub(crate) fn outside(part: &str, what: &str, of: &str) -> Error {
    Error::new(
        format!("{what} segment of `{part}` lies outside of its {of}"),
        "instantiating the component traps",
        "build the component again; it cannot have worked",
    )
}

//! The tables of the merged module. wit-component's shim calls through a table of its own, which the fix-up module
//! fills; it is appended to the table of the program, so that one table is enough: pools of instances have one each.
//! (A wild function pointer just past the program's table then meets a function of the shim, which the program may call
//! anyway, in place of a trap. wasm-ld gives no program such pointers.)

use std::collections::BTreeMap;

use wasm_encoder::reencode::{self, Reencode, utils};
use wasmparser::{ConstExpr, ElementItems, ElementKind, Parser, RefType, TableType, TypeRef};

use crate::Error;
use crate::component::Kind;
use crate::link::Linked;
use crate::module::Module;
use crate::plan::{Plan, Source};
use crate::scan::Reachable;
use crate::value::Value;

/// Where a linked table went: the table of the merged module, and the entry it begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) table: u32,
    pub(crate) base: u32,
}

pub(crate) struct Tables {
    /// Linked table → its place.
    pub(crate) places: Vec<Place>,
    /// The tables of the merged module.
    pub(crate) types: Vec<TableType>,
    /// The modules that stay but fill a table that was appended, which rewrites them.
    fillers: BTreeMap<u32, Shift>,
}

impl Tables {
    pub(crate) fn new(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>, reachable: &Reachable) -> Result<Self, Error> {
        let fillers = fillers(plan, linked)?;
        let joinable = |table: usize| {
            let filled = fillers.iter().filter(|(_, filled)| filled.contains(&(table as u32)));
            let by_pure = filled.clone().all(|(module, tables)| tables.len() == 1 && only_fills(&plan.modules[*module as usize]));
            by_pure && filled.count() > 0 && !reachable.loose_tables.contains(&(table as u32))
        };
        let plain = |table: &TableType| table.element_type == RefType::FUNCREF;
        let head = (0..linked.tables.len()).find(|table| plain(&linked.tables[*table]) && !joinable(*table));
        let mut tables = Self { places: Vec::new(), types: Vec::new(), fillers: BTreeMap::new() };
        let mut appended = Vec::new();
        for (index, ty) in linked.tables.iter().enumerate() {
            tables.places.push(Place { table: tables.types.len() as u32, base: 0 });
            match head {
                Some(head) if head != index && plain(ty) && joinable(index) => appended.push(index),
                _ => tables.types.push(*ty),
            }
        }
        for index in appended {
            let Some(head) = head else { continue };
            let table = tables.places[head].table;
            let ty = &mut tables.types[table as usize];
            let added = linked.tables[index].initial;
            let Ok(base) = u32::try_from(ty.initial) else { continue };
            tables.places[index] = Place { table, base };
            ty.initial += added;
            ty.maximum = ty.maximum.map(|_| ty.initial);
        }
        for (module, filled) in &fillers {
            if let [table] = filled.as_slice() {
                let place = tables.places[*table as usize];
                if place.base > 0 {
                    tables.fillers.insert(*module, Shift { base: place.base, total: tables.types[place.table as usize].initial });
                }
            }
        }
        Ok(tables)
    }

    /// A module that stays, rewritten if it fills a table that was appended.
    pub(crate) fn filler(&self, module: u32, bytes: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Some(shift) = self.fillers.get(&module) else { return Ok(None) };
        let mut written = wasm_encoder::Module::new();
        utils::parse_core_module(&mut shift.clone(), &mut written, Parser::new(0), bytes)?;
        Ok(Some(written.finish()))
    }
}

/// The modules that stay and import tables: the linked tables of each, in the order of its instances' imports.
fn fillers(plan: &Plan<'_, '_>, linked: &Linked<'_, '_>) -> Result<BTreeMap<u32, Vec<u32>>, Error> {
    let mut fillers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for instance in &plan.kept {
        let module = plan.module_of(*instance).unwrap_or_default();
        for import in plan.modules[module as usize].imports.iter().filter(|import| matches!(import.ty, TypeRef::Table(_))) {
            if let Source::Merged { instance, index } = plan.export(plan.argument(*instance, import.module)?, Kind::Table, import.name)? {
                fillers.entry(module).or_default().push(linked.lookup(plan, Kind::Table, instance, index)?);
            }
        }
    }
    Ok(fillers)
}

/// Does the module nothing but fill the one table it imports, at constant places?
fn only_fills(module: &Module<'_>) -> bool {
    let constant = |offset: &ConstExpr<'_>| {
        let nothing = || Error::broken("not a constant");
        Value::of(offset, |_| Err(nothing()), |_| Err(nothing())).is_ok()
    };
    module.bodies.is_empty()
        && module.globals.is_empty()
        && module.tables.is_empty()
        && module.imported[Kind::Table as usize] == 1
        && module.elements.iter().all(|element| {
            let active = matches!(&element.kind, ElementKind::Active { offset_expr, .. } if constant(offset_expr));
            active && matches!(element.items, ElementItems::Functions(_))
        })
}

/// Writes a module that fills a table for the longer table.
#[derive(Debug, Clone)]
struct Shift {
    base: u32,
    total: u64,
}

impl Reencode for Shift {
    type Error = Error;

    /// The only constant expressions of such a module are the offsets of its elements.
    fn const_expr(&mut self, offset: ConstExpr<'_>) -> Result<wasm_encoder::ConstExpr, reencode::Error<Error>> {
        let nothing = || Error::broken("an offset is no constant");
        let at = Value::of(&offset, |_| Err(nothing()), |_| Err(nothing())).and_then(Value::offset);
        Ok(wasm_encoder::ConstExpr::i32_const((at.map_err(reencode::Error::UserError)? + self.base) as i32))
    }

    fn table_type(&mut self, table: TableType) -> Result<wasm_encoder::TableType, reencode::Error<Error>> {
        utils::table_type(self, TableType { initial: self.total, maximum: None, ..table })
    }
}

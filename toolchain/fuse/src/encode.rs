//! Writes the merged module.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportSection, Function, FunctionSection, GlobalSection,
    GlobalType, ImportSection, Instruction, MemArg, MemorySection, NameMap, NameSection, TableSection, TypeSection,
};
use wasmparser::{FuncType, Operator, ValType};

use crate::Error;
use crate::component::Kind;
use crate::entry;
use crate::globals::{Fate, Globals};
use crate::image::Image;
use crate::link::{Func, Linked, Part};
use crate::scan::Reachable;
use crate::tables::Tables;
use crate::wire::Wire;
use crate::wire_code::{self, Shape};

/// An export of the merged module: its name, kind and linked number.
pub(crate) type Export = (String, Kind, u32);

/// The types of the merged module, each one once.
#[derive(Default)]
struct Types {
    known: HashMap<FuncType, u32>,
    section: TypeSection,
}

impl Types {
    fn index(&mut self, ty: &FuncType) -> Result<u32, Error> {
        if let Some(index) = self.known.get(ty) {
            return Ok(*index);
        }
        let index = self.known.len() as u32;
        let encoded = RoundtripReencoder.func_type(ty.clone()).map_err(|error| Error::broken(error.to_string()))?;
        self.section.ty().func_type(&encoded);
        self.known.insert(ty.clone(), index);
        Ok(index)
    }
}

pub(crate) struct Encoder<'e, 'p, 'a> {
    pub(crate) linked: &'e Linked<'p, 'a>,
    pub(crate) reachable: &'e Reachable,
    pub(crate) globals: &'e Globals,
    pub(crate) tables: &'e Tables,
    pub(crate) image: &'e Image,
    pub(crate) exports: &'e [Export],
    /// Linked functions after which the stack pointer must be at its base, if the host calls them.
    pub(crate) calls: &'e BTreeSet<u32>,
    /// Linked functions of whose names each byte is to survive.
    pub(crate) wire: &'e Wire,
    pub(crate) names: bool,
}

/// What was written.
pub(crate) struct Encoded {
    pub(crate) bytes: Vec<u8>,
    /// The outside functions it imports: indices of `Linked::hosts`, in the order of the imports.
    pub(crate) hosts: Vec<u32>,
    /// The module and the name of every import.
    pub(crate) imports: Vec<(String, String)>,
    pub(crate) segments: usize,
}

impl Encoder<'_, '_, '_> {
    pub(crate) fn encode(&self) -> Result<Encoded, Error> {
        let mut types = Types::default();
        let (mut hosts, mut imports, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
        for func in &self.reachable.funcs {
            match self.linked.funcs[*func as usize] {
                Func::Host(host) => hosts.push((*func, host)),
                Func::Body { part, body } => bodies.push((*func, part, body)),
            }
        }
        let order = hosts.iter().map(|(func, _)| func).chain(bodies.iter().map(|(func, ..)| func));
        let own: HashMap<u32, u32> = order.enumerate().map(|(new, func)| (*func, new as u32)).collect();
        // what spells names comes after them, and is called in their place
        let (mut numbers, mut next) = (own.clone(), own.len() as u32);
        let helpers = if self.wire.is_empty() { Vec::new() } else { Vec::from(wire_code::functions(next)) };
        let first_helper = next;
        next += helpers.len() as u32;
        let around: Vec<(u32, &Shape)> =
            self.wire.imports.iter().filter(|(func, _)| own.contains_key(func)).map(|(func, shape)| (*func, *shape)).collect();
        for (func, _) in &around {
            numbers.insert(*func, next);
            next += 1;
        }
        for func in self.wire.checks.iter().filter(|func| own.contains_key(func)) {
            numbers.insert(*func, wire_code::taking(first_helper));
        }

        let mut import_section = ImportSection::new();
        let mut taken = BTreeSet::new();
        for (_, host) in &hosts {
            let host = &self.linked.hosts[*host as usize];
            let mut name = host.name.clone();
            while !taken.insert((host.module.clone(), name.clone())) {
                name.push('\'');
            }
            import_section.import(&host.module, &name, EntityType::Function(types.index(&host.ty)?));
            imports.push((host.module.clone(), name));
        }
        let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
        for (func, part, body) in &bodies {
            let part = &self.linked.parts[*part];
            let index = part.module.imported[Kind::Func as usize] + *body as u32;
            functions.function(types.index(part.module.func_type(index)?)?);
            let mut writer = Body { encoder: self, part, numbers: &numbers, types: &mut types };
            code.function(&writer.write(*func, *body)?);
        }

        for (ty, helper) in &helpers {
            functions.function(types.index(ty)?);
            code.function(helper);
        }
        for (func, shape) in &around {
            functions.function(types.index(of_body(self.linked, *func)?)?);
            code.function(&wire_code::around(shape, number(&own, *func)?, first_helper, self.globals.room));
        }

        // what the host calls is a function of its own, after all others
        let mut entries = numbers.clone();
        for func in self.calls {
            let Some(ty) = entry::type_of(self.linked, *func)? else { continue };
            let Some(checking) = entry::checking(self.linked, self.globals, number(&numbers, *func)?, ty) else { continue };
            functions.function(types.index(ty)?);
            code.function(&checking);
            entries.insert(*func, next);
            next += 1;
        }

        let mut module = wasm_encoder::Module::new();
        module.section(&types.section).section(&import_section).section(&functions);
        self.tables_and_memory(&mut module)?;
        self.globals_and_exports(&mut module, &entries)?;
        self.elements(&mut module, &numbers)?;
        module.section(&code);
        let mut data = DataSection::new();
        let segments = self.image.segments();
        for (address, bytes) in &segments {
            data.active(0, &ConstExpr::i32_const(*address as i32), bytes.iter().copied());
        }
        module.section(&data);
        if self.names {
            let mut map = NameMap::new();
            for (func, _) in &hosts {
                map.append(own[func], &self.linked.func_name(*func));
            }
            for (func, ..) in &bodies {
                map.append(own[func], &self.linked.func_name(*func));
            }
            let mut names = NameSection::new();
            names.functions(&map);
            module.section(&names);
        }
        let hosts = hosts.into_iter().map(|(_, host)| host).collect();
        Ok(Encoded { bytes: module.finish(), hosts, imports, segments: segments.len() })
    }

    fn tables_and_memory(&self, module: &mut wasm_encoder::Module) -> Result<(), Error> {
        let mut tables = TableSection::new();
        for table in &self.tables.types {
            tables.table(RoundtripReencoder.table_type(*table).map_err(|error| Error::broken(error.to_string()))?);
        }
        module.section(&tables);
        if let Some((_, memory)) = self.linked.memory {
            let mut ty = wasm_encoder::MemoryType::from(memory);
            ty.minimum += self.globals.pages;
            // what the guest may grow by stays the same
            ty.maximum = ty.maximum.map(|maximum| (maximum + self.globals.pages).min(1 << 16));
            module.section(MemorySection::new().memory(ty));
        }
        Ok(())
    }

    fn globals_and_exports(&self, module: &mut wasm_encoder::Module, numbers: &HashMap<u32, u32>) -> Result<(), Error> {
        if let Some(global) = self.globals.stack_pointer {
            let global = &self.linked.globals[global as usize];
            let val_type = RoundtripReencoder.val_type(global.ty.content_type).map_err(|error| Error::broken(error.to_string()))?;
            let value = global.value.instruction(|func| number(numbers, func))?;
            let ty = GlobalType { val_type, mutable: true, shared: false };
            module.section(GlobalSection::new().global(ty, &ConstExpr::extended([value])));
        }
        let mut exports = ExportSection::new();
        for (name, kind, item) in self.exports {
            let index = match kind {
                Kind::Func => number(numbers, *item)?,
                Kind::Table => self.tables.places[*item as usize].table,
                Kind::Memory => 0,
                Kind::Global => return Err(Error::broken("a global is exported")),
            };
            exports.export(name, (*kind).into(), index);
        }
        module.section(&exports);
        Ok(())
    }

    fn elements(&self, module: &mut wasm_encoder::Module, numbers: &HashMap<u32, u32>) -> Result<(), Error> {
        let mut section = ElementSection::new();
        for (table, image) in self.reachable.tables.iter().enumerate() {
            let place = self.tables.places[table];
            let table_index = if place.table == 0 { None } else { Some(place.table) };
            let mut runs: Vec<(u32, Vec<u32>)> = Vec::new();
            for (at, func) in image {
                let func = number(numbers, *func)?;
                match runs.last_mut() {
                    Some((start, run)) if *start + run.len() as u32 == *at => run.push(func),
                    _ => runs.push((*at, vec![func])),
                }
            }
            for (start, run) in runs {
                section.active(table_index, &ConstExpr::i32_const((place.base + start) as i32), Elements::Functions(run.into()));
            }
        }
        if !self.reachable.referred.is_empty() {
            let referred = self.reachable.referred.iter().map(|func| number(numbers, *func)).collect::<Result<Vec<_>, _>>()?;
            section.declared(Elements::Functions(referred.into()));
        }
        module.section(&section);
        Ok(())
    }
}

/// Returns the type of a linked function that the module has itself.
pub(crate) fn of_body<'l>(linked: &Linked<'l, '_>, func: u32) -> Result<&'l FuncType, Error> {
    entry::type_of(linked, func)?.ok_or_else(|| Error::broken(format!("linked function {func} is not the module's own")))
}

fn number(numbers: &HashMap<u32, u32>, func: u32) -> Result<u32, Error> {
    numbers.get(&func).copied().ok_or_else(|| Error::broken(format!("linked function {func} was taken for unreachable")))
}

/// Rewrites one function: other indices, and globals replaced by what became of them.
struct Body<'b, 'e, 'p, 'a> {
    encoder: &'b Encoder<'e, 'p, 'a>,
    part: &'b Part<'p, 'a>,
    numbers: &'b HashMap<u32, u32>,
    types: &'b mut Types,
}

impl Body<'_, '_, '_, '_> {
    fn write(&mut self, func: u32, body: usize) -> Result<Function, Error> {
        let module = self.part.module;
        let body_reader = &module.bodies[body];
        let parameters = module.func_type(module.imported[Kind::Func as usize] + body as u32)?.params().len() as u32;
        let mut next = parameters;
        let mut locals = Vec::new();
        for declaration in body_reader.get_locals_reader()? {
            let (count, ty) = declaration?;
            next += count;
            locals.push((count, self.val_type(ty)?));
        }
        // a store takes its address before its value: one local of each type that is stored to
        let mut scratch = BTreeMap::new();
        for global in self.encoder.reachable.sets.get(&func).into_iter().flatten() {
            let ty = self.encoder.linked.globals[*global as usize].ty.content_type;
            if let (Fate::Memory(_), false) = (self.encoder.globals.fates[*global as usize], scratch.contains_key(&ty)) {
                scratch.insert(ty, next);
                next += 1;
                locals.push((1, self.val_type(ty)?));
            }
        }
        let mut function = Function::new(locals);
        let mut operators = body_reader.get_operators_reader()?;
        // a constant is held back until it is known whether it is an entry of a table that was appended
        let mut held = None;
        while !operators.eof() {
            let operator = operators.read()?;
            if let Some(value) = held.take() {
                let base = match operator {
                    Operator::CallIndirect { table_index, .. } => {
                        self.encoder.tables.places[self.part.map(Kind::Table, table_index)? as usize].base as i32
                    }
                    _ => 0,
                };
                function.instruction(&Instruction::I32Const(value + base));
            }
            match operator {
                Operator::I32Const { value } => held = Some(value),
                Operator::GlobalGet { global_index } => {
                    let global = self.part.map(Kind::Global, global_index)?;
                    match self.encoder.globals.fates[global as usize] {
                        Fate::Constant(value) => {
                            function.instruction(&value.instruction(|func| number(self.numbers, func))?);
                        }
                        Fate::Memory(address) => {
                            function.instruction(&Instruction::I32Const(address as i32));
                            function.instruction(&load(self.encoder.linked.globals[global as usize].ty.content_type)?);
                        }
                        Fate::Stays => {
                            function.instruction(&Instruction::GlobalGet(0));
                        }
                    }
                }
                Operator::GlobalSet { global_index } => {
                    let global = self.part.map(Kind::Global, global_index)?;
                    match self.encoder.globals.fates[global as usize] {
                        Fate::Constant(_) => return Err(Error::broken("a global that is set was taken for a constant")),
                        Fate::Memory(address) => {
                            let ty = self.encoder.linked.globals[global as usize].ty.content_type;
                            let local = *scratch.get(&ty).ok_or_else(|| Error::broken("a function sets a global it did not set before"))?;
                            function.instruction(&Instruction::LocalSet(local));
                            function.instruction(&Instruction::I32Const(address as i32));
                            function.instruction(&Instruction::LocalGet(local));
                            function.instruction(&store(ty)?);
                        }
                        Fate::Stays => {
                            function.instruction(&Instruction::GlobalSet(0));
                        }
                    }
                }
                operator => {
                    function.instruction(&self.instruction(operator)?);
                }
            }
        }
        Ok(function)
    }
}

impl Reencode for Body<'_, '_, '_, '_> {
    type Error = Error;

    fn function_index(&mut self, func: u32) -> Result<u32, reencode::Error<Error>> {
        self.part.func(func).and_then(|func| number(self.numbers, func)).map_err(reencode::Error::UserError)
    }

    fn type_index(&mut self, ty: u32) -> Result<u32, reencode::Error<Error>> {
        let missing = || Error::broken(format!("`{}` has no type {ty}", self.part.name));
        let ty = self.part.module.types.get(ty as usize).ok_or_else(missing).map_err(reencode::Error::UserError)?;
        self.types.index(ty).map_err(reencode::Error::UserError)
    }

    fn table_index(&mut self, table: u32) -> Result<u32, reencode::Error<Error>> {
        let table = self.part.map(Kind::Table, table).map_err(reencode::Error::UserError)?;
        Ok(self.encoder.tables.places[table as usize].table)
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, reencode::Error<Error>> {
        self.part.map(Kind::Memory, memory).map_err(reencode::Error::UserError)
    }
}

fn load(ty: ValType) -> Result<Instruction<'static>, Error> {
    let at = |align| MemArg { offset: 0, align, memory_index: 0 };
    Ok(match ty {
        ValType::I32 => Instruction::I32Load(at(2)),
        ValType::I64 => Instruction::I64Load(at(3)),
        ValType::F32 => Instruction::F32Load(at(2)),
        ValType::F64 => Instruction::F64Load(at(3)),
        ValType::V128 => Instruction::V128Load(at(4)),
        ValType::Ref(_) => return Err(Error::broken("a reference was moved into memory")),
    })
}

fn store(ty: ValType) -> Result<Instruction<'static>, Error> {
    let at = |align| MemArg { offset: 0, align, memory_index: 0 };
    Ok(match ty {
        ValType::I32 => Instruction::I32Store(at(2)),
        ValType::I64 => Instruction::I64Store(at(3)),
        ValType::F32 => Instruction::F32Store(at(2)),
        ValType::F64 => Instruction::F64Store(at(3)),
        ValType::V128 => Instruction::V128Store(at(4)),
        ValType::Ref(_) => return Err(Error::broken("a reference was moved into memory")),
    })
}

//! The merged instances as one: every function, global, table and memory of theirs gets one number, and what one
//! imports from another is that other's.

use std::collections::BTreeMap;

use wasmparser::{FuncType, GlobalType, MemoryType, TableType};

use crate::Error;
use crate::component::Kind;
use crate::module::{Module, kind_of};
use crate::plan::{Host, Plan, Source};
use crate::value::Value;

/// One merged instance.
pub(crate) struct Part<'p, 'a> {
    pub(crate) name: String,
    pub(crate) module: &'p Module<'a>,
    /// For each kind: from the module's index space to the linked one.
    pub(crate) maps: [Vec<u32>; 4],
}

/// A linked function.
pub(crate) enum Func {
    Host(u32),
    /// Body `body` of part `part`.
    Body {
        part: usize,
        body: usize,
    },
}

/// A function from outside.
pub(crate) struct HostFunc {
    pub(crate) host: Host,
    /// What the first to import it calls it.
    pub(crate) module: String,
    pub(crate) name: String,
    pub(crate) ty: FuncType,
}

pub(crate) struct LinkedGlobal {
    pub(crate) part: usize,
    /// Its index in the part's module.
    pub(crate) index: u32,
    pub(crate) ty: GlobalType,
    pub(crate) value: Value,
}

pub(crate) struct Linked<'p, 'a> {
    pub(crate) parts: Vec<Part<'p, 'a>>,
    pub(crate) funcs: Vec<Func>,
    pub(crate) hosts: Vec<HostFunc>,
    pub(crate) globals: Vec<LinkedGlobal>,
    pub(crate) tables: Vec<TableType>,
    /// The one memory, and the part that defines it.
    pub(crate) memory: Option<(usize, MemoryType)>,
}

impl<'p, 'a> Linked<'p, 'a> {
    pub(crate) fn new(plan: &'p Plan<'_, 'a>) -> Result<Self, Error> {
        let mut linked =
            Self { parts: Vec::new(), funcs: Vec::new(), hosts: Vec::new(), globals: Vec::new(), tables: Vec::new(), memory: None };
        let mut known = BTreeMap::new();
        for instance in &plan.merged {
            linked.part(plan, *instance, &mut known)?;
        }
        Ok(linked)
    }

    fn part(&mut self, plan: &'p Plan<'_, 'a>, instance: u32, known: &mut BTreeMap<Host, u32>) -> Result<(), Error> {
        let index = plan.module_of(instance).unwrap_or_default();
        let (module, number) = (&plan.modules[index as usize], self.parts.len());
        let mut part = Part { name: plan.component.module_name(index), module, maps: Default::default() };
        for import in &module.imports {
            let kind = kind_of(import)?;
            let target = match plan.export(plan.argument(instance, import.module)?, kind, import.name)? {
                Source::Merged { instance, index } => self.lookup(plan, kind, instance, index)?,
                Source::Host(host) if kind == Kind::Func => match known.get(&host) {
                    Some(target) => *target,
                    None => {
                        let ty = module.func_type(part.maps[0].len() as u32)?.clone();
                        let target = self.funcs.len() as u32;
                        known.insert(host.clone(), target);
                        self.funcs.push(Func::Host(self.hosts.len() as u32));
                        self.hosts.push(HostFunc { host, module: import.module.to_owned(), name: import.name.to_owned(), ty });
                        target
                    }
                },
                Source::Host(_) => {
                    return Err(Error::new(
                        format!(
                            "`{}` imports the {kind:?} `{}.{}` from a module that is not merged",
                            part.name, import.module, import.name
                        ),
                        "only functions may come from outside: memory is to be the whole state",
                        "link the module as wit-component does",
                    ));
                }
            };
            part.maps[kind as usize].push(target);
        }
        for body in 0..module.bodies.len() {
            part.maps[Kind::Func as usize].push(self.funcs.len() as u32);
            self.funcs.push(Func::Body { part: number, body });
        }
        for table in &module.tables {
            if table.table64 || table.shared {
                return Err(unsupported(&part.name, "a 64-bit or shared table"));
            }
            part.maps[Kind::Table as usize].push(self.tables.len() as u32);
            self.tables.push(*table);
        }
        for memory in &module.memories {
            if memory.memory64 || memory.shared || memory.page_size_log2.is_some() {
                return Err(unsupported(&part.name, "a 64-bit or shared memory, or one with pages of its own size"));
            }
            if let Some((other, _)) = self.memory {
                return Err(Error::new(
                    format!("`{}` and `{}` each have a memory", self.parts[other].name, part.name),
                    "the merged module has one memory, which is its whole state",
                    "link them as shared libraries of one memory",
                ));
            }
            part.maps[Kind::Memory as usize].push(0);
            self.memory = Some((number, *memory));
        }
        for global in &module.globals {
            let value = Value::of(&global.init_expr, |index| self.value(&part, index), |index| part.func(index))?;
            let index = part.maps[Kind::Global as usize].len() as u32;
            part.maps[Kind::Global as usize].push(self.globals.len() as u32);
            self.globals.push(LinkedGlobal { part: number, index, ty: global.ty, value });
        }
        self.parts.push(part);
        Ok(())
    }

    /// The linked number of an item of a merged instance.
    pub(crate) fn lookup(&self, plan: &Plan<'_, '_>, kind: Kind, instance: u32, index: u32) -> Result<u32, Error> {
        let part = plan.merged.binary_search(&instance).ok().and_then(|part| self.parts.get(part));
        let found = part.and_then(|part| part.maps[kind as usize].get(index as usize));
        found.copied().ok_or_else(|| Error::broken(format!("core instance {instance} has no {kind:?} {index}, or comes too late")))
    }

    /// The first value of a global of the part's index space.
    pub(crate) fn value(&self, part: &Part<'_, '_>, index: u32) -> Result<Value, Error> {
        let global = part.maps[Kind::Global as usize].get(index as usize).and_then(|index| self.globals.get(*index as usize));
        global.map(|global| global.value).ok_or_else(|| Error::broken(format!("`{}` has no global {index}", part.name)))
    }

    /// How errors and name sections call a function.
    pub(crate) fn func_name(&self, func: u32) -> String {
        match self.funcs.get(func as usize) {
            Some(Func::Body { part, body }) => {
                let part = &self.parts[*part];
                let index = part.module.imported[Kind::Func as usize] + *body as u32;
                let exported = || part.module.exports.iter().find(|(_, item)| **item == (Kind::Func, index)).map(|(name, _)| name);
                let name = part.module.func_names.get(&index).or_else(exported);
                name.map_or_else(|| format!("function {index}"), |name| (*name).to_owned())
            }
            Some(Func::Host(host)) => self.hosts[*host as usize].name.clone(),
            None => format!("function {func}"),
        }
    }
}

impl Part<'_, '_> {
    /// The linked number of a function.
    pub(crate) fn func(&self, index: u32) -> Result<u32, Error> {
        self.map(Kind::Func, index)
    }

    pub(crate) fn map(&self, kind: Kind, index: u32) -> Result<u32, Error> {
        let found = self.maps[kind as usize].get(index as usize).copied();
        found.ok_or_else(|| Error::broken(format!("`{}` has no {kind:?} {index}", self.name)))
    }
}

fn unsupported(name: &str, what: &str) -> Error {
    Error::new(format!("`{name}` has {what}"), "it is not merged", "build the guest for plain wasm32")
}

//! Which core instances become one, and where every item that one of them asks for comes from.

use std::collections::BTreeSet;

use wasmparser::Instance;

use crate::Error;
use crate::component::{Component, Def, Item, Kind, References};
use crate::module::{Module, kind_of};
use crate::scan::changes_more_than_memory;

/// An item that the merged module gets from outside.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Host {
    /// A canonical function: an index of the component's core functions.
    Canon(u32),
    /// An export of an instance that stays as it is.
    Export(u32, String),
}

/// Where an item is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// In a merged instance: an index of its module's own index space.
    Merged {
        instance: u32,
        index: u32,
    },
    Host(Host),
}

pub(crate) struct Plan<'c, 'a> {
    pub(crate) component: &'c Component<'a>,
    pub(crate) modules: Vec<Module<'a>>,
    /// The instances that are merged, in the order they were instantiated.
    pub(crate) merged: Vec<u32>,
    /// The instances of modules that stay as they are.
    pub(crate) kept: Vec<u32>,
}

impl<'c, 'a> Plan<'c, 'a> {
    pub(crate) fn new(component: &'c Component<'a>) -> Result<Self, Error> {
        let modules = component.modules.iter().map(|bytes| Module::parse(bytes)).collect::<Result<Vec<_>, _>>()?;
        let mut plan = Self { component, modules, merged: Vec::new(), kept: Vec::new() };
        let (late, early) = (plan.late()?, plan.early()?);
        let instantiated = (0..component.instances.len() as u32).filter(|one| plan.module_of(*one).is_some()).collect::<Vec<_>>();
        (plan.kept, plan.merged) = instantiated.into_iter().partition(|one| late.contains(one) || early.contains(one));
        plan.check()?;
        Ok(plan)
    }

    /// Instances that need a canonical function which itself needs a core item (`canon lower` with a memory): they come
    /// after what they lower into.
    fn late(&self) -> Result<BTreeSet<u32>, Error> {
        let mut late = BTreeSet::new();
        for (index, instance) in self.component.instances.iter().enumerate() {
            let is_late = match instance {
                Instance::Instantiate { args, .. } => args.iter().any(|arg| late.contains(&arg.index)),
                Instance::FromExports(exports) => {
                    let mut found = false;
                    for export in exports {
                        found |= match self.def(export.kind.try_into()?, export.index)? {
                            Def::Export { instance, .. } => late.contains(instance),
                            Def::Canon(canon) => !References::of_canon(canon)?.is_empty(),
                        };
                    }
                    found
                }
            };
            if is_late {
                late.insert(index as u32);
            }
        }
        Ok(late)
    }

    /// Instances that give destructors of resources: functions for a type may need the type, and so come after it. It is
    /// wit-component's shim that does, which needs nothing itself: it stays before them.
    fn early(&self) -> Result<BTreeSet<u32>, Error> {
        let mut early = BTreeSet::new();
        for item in &self.component.items {
            let Item::Types(types) = item else { continue };
            for (kind, index) in References::of_types(types.clone())? {
                let Def::Export { instance, .. } = self.def(kind, index)? else { continue };
                let module = self.module_of(*instance).map(|module| &self.modules[module as usize]);
                if module.is_some_and(|module| module.imports.is_empty() && module.memories.is_empty() && module.globals.is_empty()) {
                    early.insert(*instance);
                }
            }
        }
        Ok(early)
    }

    fn check(&self) -> Result<(), Error> {
        if self.merged.is_empty() {
            return Err(Error::new(
                "nothing to fuse",
                "no core module of the component can be instantiated before its imports are lowered",
                "give a component made by wit-component (Rust, componentize-py, `wasm-tools component new`)",
            ));
        }
        for instance in &self.kept {
            let index = self.module_of(*instance).unwrap_or_default();
            let (name, module) = (self.component.module_name(index), &self.modules[index as usize]);
            let mut state = !module.memories.is_empty() || module.globals.iter().any(|global| global.ty.mutable);
            for import in &module.imports {
                state |= matches!(kind_of(import)?, Kind::Memory | Kind::Global);
            }
            if state {
                return Err(Error::new(
                    format!("core module `{name}` has or shares a memory or globals, and is not merged"),
                    "it needs functions that are lowered with the memory of another module",
                    "link it as wit-component does, with a shim for its imports",
                ));
            }
            if module.start.is_some() {
                return Err(start_function(&name));
            }
            for body in &module.bodies {
                let mut operators = body.get_operators_reader()?;
                while !operators.eof() {
                    changes_more_than_memory(&operators.read()?, || format!("a function of `{name}`"))?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn module_of(&self, instance: u32) -> Option<u32> {
        match self.component.instances.get(instance as usize)? {
            Instance::Instantiate { module_index, .. } => Some(*module_index),
            Instance::FromExports(_) => None,
        }
    }

    pub(crate) fn is_merged(&self, instance: u32) -> bool {
        self.merged.binary_search(&instance).is_ok()
    }

    pub(crate) fn def(&self, kind: Kind, index: u32) -> Result<&'c Def<'a>, Error> {
        let found = self.component.spaces[kind as usize].get(index as usize);
        found.ok_or_else(|| Error::broken(format!("there is no core {kind:?} {index}")))
    }

    /// The instance that an instantiation hands over for the imports from `module`.
    pub(crate) fn argument(&self, instance: u32, module: &str) -> Result<u32, Error> {
        let Some(Instance::Instantiate { args, .. }) = self.component.instances.get(instance as usize) else {
            return Err(Error::broken(format!("core instance {instance} has no arguments")));
        };
        let found = args.iter().find(|arg| arg.name == module).map(|arg| arg.index);
        found.ok_or_else(|| Error::broken(format!("core instance {instance} gets nothing for `{module}`")))
    }

    /// Where a core item of the component comes from.
    pub(crate) fn source(&self, kind: Kind, index: u32) -> Result<Source, Error> {
        match self.def(kind, index)? {
            Def::Canon(_) => Ok(Source::Host(Host::Canon(index))),
            Def::Export { instance, name } => self.export(*instance, kind, name),
        }
    }

    /// Where the export of an instance comes from.
    pub(crate) fn export(&self, instance: u32, kind: Kind, name: &str) -> Result<Source, Error> {
        let missing = || Error::broken(format!("core instance {instance} does not export `{name}`"));
        match self.component.instances.get(instance as usize).ok_or_else(missing)? {
            Instance::FromExports(exports) => {
                let export = exports.iter().find(|export| export.name == name).ok_or_else(missing)?;
                self.source(kind, export.index)
            }
            Instance::Instantiate { module_index, .. } if self.is_merged(instance) => {
                let module = &self.modules[*module_index as usize];
                let (_, index) = *module.exports.get(name).ok_or_else(missing)?;
                match module.import(kind, index) {
                    Some(import) => self.export(self.argument(instance, import.module)?, kind, import.name),
                    None => Ok(Source::Merged { instance, index }),
                }
            }
            Instance::Instantiate { .. } => Ok(Source::Host(Host::Export(instance, name.to_owned()))),
        }
    }

    /// What the rest of the component needs from the merged instances, with the name it uses.
    pub(crate) fn needed(&self) -> Result<Vec<(Kind, Source, String)>, Error> {
        let mut references = Vec::new();
        for item in &self.component.items {
            match item {
                Item::Lift(canon) => references.extend(References::of_canon(canon)?),
                Item::Types(types) => references.extend(References::of_types(types.clone())?),
                Item::Core(kind, index) => {
                    if let Def::Canon(canon) = self.def(*kind, *index)? {
                        references.extend(References::of_canon(canon)?);
                    }
                }
                _ => {}
            }
        }
        let mut needed = Vec::new();
        for instance in &self.kept {
            let Some(Instance::Instantiate { module_index, args }) = self.component.instances.get(*instance as usize) else { continue };
            for arg in args {
                match self.component.instances.get(arg.index as usize) {
                    Some(Instance::FromExports(exports)) => {
                        for export in exports {
                            references.push((export.kind.try_into()?, export.index));
                        }
                    }
                    _ if self.is_merged(arg.index) => {
                        for import in self.modules[*module_index as usize].imports.iter().filter(|import| import.module == arg.name) {
                            let kind = kind_of(import)?;
                            needed.push((kind, self.export(arg.index, kind, import.name)?, import.name.to_owned()));
                        }
                    }
                    _ => {}
                }
            }
        }
        for (kind, index) in references {
            let name = match self.def(kind, index)? {
                Def::Export { name, .. } => (*name).to_owned(),
                Def::Canon(_) => String::new(),
            };
            needed.push((kind, self.source(kind, index)?, name));
        }
        needed.retain(|(_, source, _)| matches!(source, Source::Merged { .. }));
        Ok(needed)
    }
}

pub(crate) fn start_function(name: &str) -> Error {
    Error::new(
        format!("core module `{name}` has a start function"),
        "what it does at instantiation cannot be known here, and the order of start functions would be lost",
        "initialise the component before it is fused (componentize-py does; for others Wizer), so that it needs no start function",
    )
}

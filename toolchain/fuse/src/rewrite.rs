//! Writes the component again around the merged module. Items of the component level keep their order and their
//! indices; core items are written when something first needs them, and get new indices.

use std::collections::BTreeMap;

use wasm_encoder::reencode::{self, Reencode, ReencodeComponent, RoundtripReencoder};
use wasm_encoder::{
    Alias, CanonicalFunctionSection, ComponentAliasSection, ComponentTypeSection, ExportKind, InstanceSection, ModuleArg, RawSection,
};
use wasmparser::{CanonicalFunction, Instance};

use crate::Error;
use crate::component::{Def, Item, Kind, References};
use crate::encode::{Encoded, Export};
use crate::link::Linked;
use crate::module::kind_of;
use crate::names;
use crate::plan::{Host, Plan, Source};
use crate::tables::Tables;

/// Old index → new index of core modules, instances, and the four spaces of core items.
#[derive(Default)]
pub(crate) struct Renumbered {
    pub(crate) modules: BTreeMap<u32, u32>,
    pub(crate) instances: BTreeMap<u32, u32>,
    pub(crate) spaces: [BTreeMap<u32, u32>; 4],
}

impl Renumbered {
    fn new_index(&self, kind: Kind, old: u32) -> Result<u32, reencode::Error<Error>> {
        let found = self.spaces[kind as usize].get(&old).copied();
        found.ok_or_else(|| reencode::Error::UserError(Error::broken(format!("core {kind:?} {old} was not written"))))
    }
}

impl Reencode for Renumbered {
    type Error = Error;

    fn function_index(&mut self, func: u32) -> Result<u32, reencode::Error<Error>> {
        self.new_index(Kind::Func, func)
    }

    fn table_index(&mut self, table: u32) -> Result<u32, reencode::Error<Error>> {
        self.new_index(Kind::Table, table)
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, reencode::Error<Error>> {
        self.new_index(Kind::Memory, memory)
    }
}

impl ReencodeComponent for Renumbered {}

/// The section that is being filled: neighbours of one kind share one.
enum Open {
    Nothing,
    Aliases(ComponentAliasSection),
    Instances(InstanceSection),
    Canons(CanonicalFunctionSection),
}

/// The merged instance while the component is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merged {
    NotYet,
    BeingWritten,
    Written(u32),
}

pub(crate) struct Writer<'w, 'c, 'a> {
    plan: &'w Plan<'c, 'a>,
    linked: &'w Linked<'w, 'a>,
    encoded: &'w Encoded,
    tables: &'w Tables,
    exports: &'w [Export],
    out: wasm_encoder::Component,
    open: Open,
    merged: Merged,
    /// The index of the merged module. Modules come before what instantiates them, so it is there when it is used.
    merged_module: u32,
    new: Renumbered,
    /// How many core modules, instances, and items of each kind, are written.
    written_modules: u32,
    written_instances: u32,
    written: [u32; 4],
    /// Aliases that are written: (instance, kind, name) → new index.
    aliases: BTreeMap<(u32, Kind, String), u32>,
    /// The index of the item that is being written.
    at: usize,
}

impl<'w, 'c, 'a> Writer<'w, 'c, 'a> {
    pub(crate) fn write(
        plan: &'w Plan<'c, 'a>,
        linked: &'w Linked<'w, 'a>,
        tables: &'w Tables,
        encoded: &'w Encoded,
        exports: &'w [Export],
    ) -> Result<Vec<u8>, Error> {
        let mut writer = Self {
            plan,
            linked,
            encoded,
            tables,
            exports,
            out: wasm_encoder::Component::new(),
            open: Open::Nothing,
            merged: Merged::NotYet,
            merged_module: 0,
            new: Renumbered::default(),
            written_modules: 0,
            written_instances: 0,
            written: [0; 4],
            aliases: BTreeMap::new(),
            at: 0,
        };
        for (at, item) in plan.component.items.iter().enumerate() {
            writer.at = at;
            writer.item(item)?;
        }
        writer.close();
        Ok(writer.out.finish())
    }

    fn item(&mut self, item: &Item<'a>) -> Result<(), Error> {
        match item {
            Item::Raw { id, bytes } => self.section(&RawSection { id: *id, data: bytes }),
            Item::Types(types) => {
                self.need_all(References::of_types(types.clone())?)?;
                let mut section = ComponentTypeSection::new();
                self.new.parse_component_type_section(&mut section, types.clone())?;
                self.section(&section);
            }
            Item::Alias(alias) => {
                let alias = RoundtripReencoder.component_alias(alias.clone()).map_err(|error| Error::broken(error.to_string()))?;
                self.aliases().alias(alias);
            }
            Item::Module(index) => self.module(*index)?,
            Item::Instance(index) => {
                if self.plan.kept.contains(index) {
                    self.instance(*index)?;
                }
            }
            Item::Core(..) => {}
            Item::Lift(canon) => self.canon(canon)?,
            Item::Names(section) => {
                let section = names::renumber(section.clone(), &self.new)?;
                self.section(&section);
            }
        }
        Ok(())
    }

    /// The merged module is written in the place of the first that became part of it.
    fn module(&mut self, index: u32) -> Result<(), Error> {
        let (plan, encoded) = (self.plan, self.encoded);
        let modules_of = |instances: &[u32]| instances.iter().filter_map(|instance| plan.module_of(*instance)).collect::<Vec<_>>();
        if modules_of(&plan.merged).into_iter().min() == Some(index) {
            self.merged_module = self.raw_module(&encoded.bytes);
            self.new.modules.insert(index, self.merged_module);
        }
        if modules_of(&plan.kept).contains(&index) {
            let bytes = plan.component.modules[index as usize];
            let new = match self.tables.filler(index, bytes)? {
                Some(filler) => self.raw_module(&filler),
                None => self.raw_module(bytes),
            };
            self.new.modules.insert(index, new);
        }
        Ok(())
    }

    fn raw_module(&mut self, bytes: &[u8]) -> u32 {
        // id 1: a core module
        self.section(&RawSection { id: 1, data: bytes });
        self.written_modules += 1;
        self.written_modules - 1
    }

    fn section(&mut self, section: &impl wasm_encoder::ComponentSection) {
        self.close();
        self.out.section(section);
    }

    fn close(&mut self) {
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing => {}
            Open::Aliases(section) => drop(self.out.section(&section)),
            Open::Instances(section) => drop(self.out.section(&section)),
            Open::Canons(section) => drop(self.out.section(&section)),
        }
    }

    fn aliases(&mut self) -> &mut ComponentAliasSection {
        if !matches!(self.open, Open::Aliases(_)) {
            self.close();
            self.open = Open::Aliases(ComponentAliasSection::new());
        }
        match &mut self.open {
            Open::Aliases(section) => section,
            _ => unreachable!("it was opened above"),
        }
    }

    fn instances(&mut self) -> &mut InstanceSection {
        if !matches!(self.open, Open::Instances(_)) {
            self.close();
            self.open = Open::Instances(InstanceSection::new());
        }
        match &mut self.open {
            Open::Instances(section) => section,
            _ => unreachable!("it was opened above"),
        }
    }

    /// Writes a canonical function after what it names.
    fn canon(&mut self, canon: &CanonicalFunction) -> Result<(), Error> {
        self.need_all(References::of_canon(canon)?)?;
        if !matches!(self.open, Open::Canons(_)) {
            self.close();
            self.open = Open::Canons(CanonicalFunctionSection::new());
        }
        if let Open::Canons(section) = &mut self.open {
            self.new.parse_component_canonical(section, canon.clone())?;
        }
        Ok(())
    }

    fn need_all(&mut self, references: Vec<(Kind, u32)>) -> Result<(), Error> {
        for (kind, index) in references {
            self.need(kind, index)?;
        }
        Ok(())
    }

    /// The new index of a core item, which is written now if it was not yet.
    fn need(&mut self, kind: Kind, old: u32) -> Result<u32, Error> {
        if let Some(new) = self.new.spaces[kind as usize].get(&old) {
            return Ok(*new);
        }
        let new = match self.plan.source(kind, old)? {
            Source::Merged { instance, index } => self.need_merged(kind, instance, index)?,
            Source::Host(host) => self.need_host(kind, &host)?,
        };
        self.new.spaces[kind as usize].insert(old, new);
        Ok(new)
    }

    fn need_host(&mut self, kind: Kind, host: &Host) -> Result<u32, Error> {
        match host {
            Host::Export(instance, name) => {
                let new = *self.new.instances.get(instance).ok_or_else(|| too_early(name))?;
                Ok(self.alias(new, kind, name))
            }
            Host::Canon(index) => {
                if let Some(new) = self.new.spaces[kind as usize].get(index) {
                    return Ok(*new);
                }
                let Def::Canon(canon) = self.plan.def(kind, *index)? else {
                    return Err(Error::broken(format!("core function {index} is not of the canonical ABI")));
                };
                let here =
                    self.plan.component.items[..self.at].iter().any(|item| matches!(item, Item::Core(Kind::Func, one) if one == index));
                if !here {
                    return Err(too_early(&format!("core function {index}")));
                }
                self.canon(canon)?;
                let new = self.count(Kind::Func);
                self.new.spaces[kind as usize].insert(*index, new);
                Ok(new)
            }
        }
    }

    fn need_merged(&mut self, kind: Kind, instance: u32, index: u32) -> Result<u32, Error> {
        let item = self.linked.lookup(self.plan, kind, instance, index)?;
        let exports = self.exports;
        let export = exports.iter().find(|(_, one, linked)| *one == kind && *linked == item);
        let (name, ..) = export.ok_or_else(|| Error::broken(format!("{kind:?} {index} of instance {instance} is not exported")))?;
        let merged = self.merged_instance()?;
        Ok(self.alias(merged, kind, name))
    }

    fn alias(&mut self, instance: u32, kind: Kind, name: &str) -> u32 {
        let key = (instance, kind, name.to_owned());
        if let Some(new) = self.aliases.get(&key) {
            return *new;
        }
        self.aliases().alias(Alias::CoreInstanceExport { instance, kind: kind.into(), name });
        let new = self.count(kind);
        self.aliases.insert(key, new);
        new
    }

    /// The index of the core item that was just written.
    fn count(&mut self, kind: Kind) -> u32 {
        let new = self.written[kind as usize];
        self.written[kind as usize] += 1;
        new
    }

    fn count_instance(&mut self) -> u32 {
        self.written_instances += 1;
        self.written_instances - 1
    }

    /// The merged instance, made when something first needs it.
    fn merged_instance(&mut self) -> Result<u32, Error> {
        match self.merged {
            Merged::Written(index) => return Ok(index),
            Merged::BeingWritten => return Err(too_early("an export of the merged module")),
            Merged::NotYet => self.merged = Merged::BeingWritten,
        }
        let (linked, encoded) = (self.linked, self.encoded);
        let mut groups: BTreeMap<&str, Vec<(&str, ExportKind, u32)>> = BTreeMap::new();
        for (host, (module, name)) in encoded.hosts.iter().zip(&encoded.imports) {
            let new = self.need_host(Kind::Func, &linked.hosts[*host as usize].host)?;
            groups.entry(module).or_default().push((name, ExportKind::Func, new));
        }
        let mut arguments = Vec::new();
        for (module, items) in groups {
            self.instances().export_items(items);
            arguments.push((module, ModuleArg::Instance(self.count_instance())));
        }
        let module = self.merged_module;
        self.instances().instantiate(module, arguments);
        let new = self.count_instance();
        self.merged = Merged::Written(new);
        for instance in &self.plan.merged {
            self.new.instances.insert(*instance, new);
        }
        Ok(new)
    }

    /// Writes an instance that stays, after what it is given.
    fn instance(&mut self, index: u32) -> Result<(), Error> {
        let new = match &self.plan.component.instances[index as usize] {
            Instance::FromExports(exports) => {
                let mut items = Vec::new();
                for export in exports {
                    let kind = Kind::try_from(export.kind)?;
                    items.push((export.name, kind.into(), self.need(kind, export.index)?));
                }
                self.instances().export_items(items);
                self.count_instance()
            }
            Instance::Instantiate { module_index, args } => {
                let mut arguments = Vec::new();
                for arg in args {
                    let given = if self.plan.is_merged(arg.index) {
                        self.part_of_merged(*module_index, arg.name, arg.index)?
                    } else {
                        if !self.new.instances.contains_key(&arg.index) {
                            self.instance(arg.index)?;
                        }
                        self.new.instances[&arg.index]
                    };
                    arguments.push((arg.name, ModuleArg::Instance(given)));
                }
                let module = self.new.modules.get(module_index).copied();
                let module = module.ok_or_else(|| Error::broken(format!("core module {module_index} was not written")))?;
                self.instances().instantiate(module, arguments);
                self.count_instance()
            }
        };
        self.new.instances.insert(index, new);
        Ok(())
    }

    /// What a module that stays imports from one that was merged, under the names it knows.
    fn part_of_merged(&mut self, module: u32, name: &str, instance: u32) -> Result<u32, Error> {
        let plan = self.plan;
        let mut items = Vec::new();
        for import in plan.modules[module as usize].imports.iter().filter(|import| import.module == name) {
            let kind = kind_of(import)?;
            let new = match plan.export(instance, kind, import.name)? {
                Source::Merged { instance, index } => self.need_merged(kind, instance, index)?,
                Source::Host(host) => self.need_host(kind, &host)?,
            };
            items.push((import.name, ExportKind::from(kind), new));
        }
        self.instances().export_items(items);
        Ok(self.count_instance())
    }
}

fn too_early(what: &str) -> Error {
    Error::new(
        format!("the merged module needs {what} before it exists"),
        "some module of the component must be instantiated before others are, with something of the component in between",
        "link the component as wit-component does, with a shim for such imports",
    )
}

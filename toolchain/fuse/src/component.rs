//! A component read into the things that fusing moves (core modules, instances, aliases, canonical functions) and the
//! rest, which is copied byte for byte.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

use wasm_encoder::reencode::{self, Reencode, ReencodeComponent};
use wasmparser::{
    CanonicalFunction, ComponentAlias, ComponentExternalKind, ComponentName, ComponentNameSectionReader, ComponentOuterAliasKind,
    ComponentType, ComponentTypeRef, ComponentTypeSectionReader, ExternalKind, Instance, KnownCustom, Parser, Payload,
};

use crate::Error;

/// The kinds of core items that modules share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Func,
    Table,
    Memory,
    Global,
}

impl TryFrom<ExternalKind> for Kind {
    type Error = Error;
    fn try_from(kind: ExternalKind) -> Result<Self, Error> {
        match kind {
            ExternalKind::Func | ExternalKind::FuncExact => Ok(Self::Func),
            ExternalKind::Table => Ok(Self::Table),
            ExternalKind::Memory => Ok(Self::Memory),
            ExternalKind::Global => Ok(Self::Global),
            ExternalKind::Tag => Err(Error::new(
                "a module exports or imports an exception tag",
                "tags are not merged",
                "build the guest without WebAssembly exceptions",
            )),
        }
    }
}

impl From<Kind> for wasm_encoder::ExportKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Func => Self::Func,
            Kind::Table => Self::Table,
            Kind::Memory => Self::Memory,
            Kind::Global => Self::Global,
        }
    }
}

/// Where a core item of the component comes from.
#[derive(Debug)]
pub(crate) enum Def<'a> {
    /// `alias core export`.
    Export { instance: u32, name: &'a str },
    /// A function of the canonical ABI: `canon lower`, `resource.drop`, …
    Canon(CanonicalFunction),
}

/// One definition of the component, in its order.
pub(crate) enum Item<'a> {
    /// A section of the component level, copied as it is.
    Raw {
        id: u8,
        bytes: &'a [u8],
    },
    /// Types of which one is a resource with a destructor, which names a core function.
    Types(ComponentTypeSectionReader<'a>),
    /// An alias of the component level.
    Alias(ComponentAlias<'a>),
    Module(u32),
    Instance(u32),
    /// An alias of a core item or a canonical function: an index of `spaces`.
    Core(Kind, u32),
    /// `canon lift`, which makes no core item.
    Lift(CanonicalFunction),
    Names(ComponentNameSectionReader<'a>),
}

#[derive(Default)]
pub(crate) struct Component<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// Core modules, in bytes.
    pub(crate) modules: Vec<&'a [u8]>,
    /// What the name section calls them.
    pub(crate) module_names: BTreeMap<u32, &'a str>,
    /// Core instances.
    pub(crate) instances: Vec<Instance<'a>>,
    /// The index spaces of core functions, tables, memories and globals.
    pub(crate) spaces: [Vec<Def<'a>>; 4],
    /// The instances of the component level: the name of one that is imported.
    interfaces: Vec<Option<&'a str>>,
    /// The functions of the component level: the instance and the name of one that is taken from an instance.
    functions: Vec<Option<(u32, &'a str)>>,
}

/// A use of a core module by the component level itself.
fn uses_modules(what: &str) -> Error {
    Error::new(
        format!("the component {what}"),
        "a core module that leaves the component, or comes from outside, cannot be merged",
        "fuse a component whose core modules are all its own",
    )
}

impl<'a> Component<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut component = Self::default();
        let mut depth = 0_u32;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            if depth > 0 {
                match &payload {
                    Payload::End(_) => depth -= 1,
                    Payload::Version { .. } | Payload::CodeSectionStart { .. } => {}
                    Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                        return Err(nested());
                    }
                    _ => component.inner(&payload)?,
                }
                continue;
            }
            match payload {
                Payload::ModuleSection { unchecked_range, .. } => {
                    let index = component.modules.len() as u32;
                    component.modules.push(slice(bytes, unchecked_range)?);
                    component.items.push(Item::Module(index));
                    depth = 1;
                }
                Payload::ComponentSection { unchecked_range, .. } => {
                    // id 4: a component section
                    component.items.push(Item::Raw { id: 4, bytes: slice(bytes, unchecked_range)? });
                    depth = 1;
                }
                payload => component.read(payload, bytes)?,
            }
        }
        Ok(component)
    }

    /// A section inside a module or a nested component. Modules are read later, nested components are copied: they may
    /// not reach the indices of core modules that fusing changes.
    fn inner(&self, payload: &Payload<'_>) -> Result<(), Error> {
        if let Payload::ComponentAliasSection(aliases) = payload {
            for alias in aliases.clone() {
                if let ComponentAlias::Outer { kind: ComponentOuterAliasKind::CoreModule, .. } = alias? {
                    return Err(nested());
                }
            }
        }
        if matches!(payload, Payload::InstanceSection(_)) {
            return Err(nested());
        }
        Ok(())
    }

    fn read(&mut self, payload: Payload<'a>, bytes: &'a [u8]) -> Result<(), Error> {
        match payload {
            Payload::Version { .. } | Payload::End(_) => {}
            Payload::InstanceSection(section) => {
                for instance in section {
                    self.items.push(Item::Instance(self.instances.len() as u32));
                    self.instances.push(instance?);
                }
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section {
                    self.alias(alias?)?;
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                for canon in section {
                    match canon? {
                        lift @ CanonicalFunction::Lift { .. } => {
                            self.functions.push(None);
                            self.items.push(Item::Lift(lift));
                        }
                        canon => self.core(Kind::Func, Def::Canon(canon)),
                    }
                }
            }
            Payload::ComponentTypeSection(section) => {
                let mut destructors = false;
                for ty in section.clone() {
                    destructors |= matches!(ty?, ComponentType::Resource { dtor: Some(_), .. });
                }
                if destructors {
                    self.items.push(Item::Types(section));
                } else {
                    self.items.push(Item::Raw { id: 7, bytes: slice(bytes, section.range())? });
                }
            }
            Payload::CustomSection(section) => match section.as_known() {
                KnownCustom::ComponentName(names) => {
                    for name in names.clone() {
                        if let ComponentName::CoreModules(map) = name? {
                            for naming in map {
                                let naming = naming?;
                                self.module_names.insert(naming.index, naming.name);
                            }
                        }
                    }
                    self.items.push(Item::Names(names));
                }
                _ => self.items.push(Item::Raw { id: 0, bytes: slice(bytes, section.range())? }),
            },
            payload => {
                self.check(&payload)?;
                self.number(&payload)?;
                let (id, range) = payload.as_section().ok_or_else(|| Error::broken("a part of the component is no section"))?;
                self.items.push(Item::Raw { id, bytes: slice(bytes, range)? });
            }
        }
        Ok(())
    }

    /// Refuses sections that are copied as they are, but name core modules.
    fn check(&self, payload: &Payload<'_>) -> Result<(), Error> {
        match payload {
            Payload::ComponentImportSection(section) => {
                for import in section.clone() {
                    if let ComponentTypeRef::Module(_) = import?.ty {
                        return Err(uses_modules("imports a core module"));
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                for export in section.clone() {
                    if export?.kind == ComponentExternalKind::Module {
                        return Err(uses_modules("exports a core module"));
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section.clone() {
                    let hands = match instance? {
                        wasmparser::ComponentInstance::Instantiate { args, .. } => {
                            args.iter().any(|arg| arg.kind == ComponentExternalKind::Module)
                        }
                        wasmparser::ComponentInstance::FromExports(exports) => {
                            exports.iter().any(|export| export.kind == ComponentExternalKind::Module)
                        }
                    };
                    if hands {
                        return Err(uses_modules("hands a core module to a nested component"));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Numbers the instances and functions of a section that is copied as it is.
    fn number(&mut self, payload: &Payload<'a>) -> Result<(), Error> {
        match payload {
            Payload::ComponentImportSection(section) => {
                for import in section.clone() {
                    let import = import?;
                    match import.ty {
                        ComponentTypeRef::Instance(_) => self.interfaces.push(Some(import.name.name)),
                        ComponentTypeRef::Func(_) => self.functions.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentExportSection(section) => {
                for export in section.clone() {
                    match export?.kind {
                        ComponentExternalKind::Instance => self.interfaces.push(None),
                        ComponentExternalKind::Func => self.functions.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => self.interfaces.extend((0..section.count()).map(|_| None)),
            _ => {}
        }
        Ok(())
    }

    /// Returns the name of the interface and of the function, if a function of the component level is an imported interface's.
    pub(crate) fn imported(&self, function: u32) -> Option<(&'a str, &'a str)> {
        let (instance, name) = (*self.functions.get(function as usize)?)?;
        Some(((*self.interfaces.get(instance as usize)?)?, name))
    }

    fn alias(&mut self, alias: ComponentAlias<'a>) -> Result<(), Error> {
        match &alias {
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Func, instance_index, name } => {
                self.functions.push(Some((*instance_index, *name)));
            }
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Instance, .. } => self.interfaces.push(None),
            _ => {}
        }
        match alias {
            ComponentAlias::CoreInstanceExport { kind, instance_index, name } => {
                self.core(kind.try_into()?, Def::Export { instance: instance_index, name });
            }
            ComponentAlias::InstanceExport { kind: ComponentExternalKind::Module, .. }
            | ComponentAlias::Outer { kind: ComponentOuterAliasKind::CoreModule, .. } => {
                return Err(uses_modules("takes a core module from an instance"));
            }
            alias => self.items.push(Item::Alias(alias)),
        }
        Ok(())
    }

    fn core(&mut self, kind: Kind, def: Def<'a>) {
        let space = &mut self.spaces[kind as usize];
        self.items.push(Item::Core(kind, space.len() as u32));
        space.push(def);
    }

    /// How errors and reports call a module.
    pub(crate) fn module_name(&self, index: u32) -> String {
        self.module_names.get(&index).map_or_else(|| format!("module {index}"), |name| (*name).to_owned())
    }
}

fn nested() -> Error {
    Error::new(
        "a nested component holds, instantiates or takes core modules",
        "only the core modules of the outer component are merged",
        "fuse the components before they are composed",
    )
}

/// Validation takes a component that ends within a nested module for whole.
fn slice(bytes: &[u8], range: Range<usize>) -> Result<&[u8], Error> {
    bytes.get(range).ok_or_else(|| Error::new("the component is cut off", "it ends within a module", "build or fetch it again"))
}

/// The core items that a canonical function or a type names.
#[derive(Default)]
pub(crate) struct References(pub(crate) Vec<(Kind, u32)>);

impl References {
    pub(crate) fn of_canon(canon: &CanonicalFunction) -> Result<Vec<(Kind, u32)>, Error> {
        let mut references = Self::default();
        let mut scratch = wasm_encoder::CanonicalFunctionSection::new();
        references.parse_component_canonical(&mut scratch, canon.clone()).map_err(|error| Error::broken(error.to_string()))?;
        Ok(references.0)
    }

    pub(crate) fn of_types(types: ComponentTypeSectionReader<'_>) -> Result<Vec<(Kind, u32)>, Error> {
        let mut references = Vec::new();
        for ty in types {
            if let ComponentType::Resource { dtor: Some(dtor), .. } = ty? {
                references.push((Kind::Func, dtor));
            }
        }
        Ok(references)
    }
}

impl Reencode for References {
    type Error = Infallible;

    fn function_index(&mut self, func: u32) -> Result<u32, reencode::Error> {
        self.0.push((Kind::Func, func));
        Ok(func)
    }

    fn table_index(&mut self, table: u32) -> Result<u32, reencode::Error> {
        self.0.push((Kind::Table, table));
        Ok(table)
    }

    fn memory_index(&mut self, memory: u32) -> Result<u32, reencode::Error> {
        self.0.push((Kind::Memory, memory));
        Ok(memory)
    }
}

impl ReencodeComponent for References {}

//! A core module, read.

use std::collections::BTreeMap;

use wasmparser::{
    CompositeInnerType, Data, Element, FuncType, FunctionBody, Global, Import, KnownCustom, MemoryType, Name, Parser, Payload, TableType,
    TypeRef,
};

use crate::Error;
use crate::component::Kind;

#[derive(Default)]
pub(crate) struct Module<'a> {
    pub(crate) types: Vec<FuncType>,
    pub(crate) imports: Vec<Import<'a>>,
    /// How many of each kind are imported.
    pub(crate) imported: [u32; 4],
    /// The type of every function, imported ones first.
    pub(crate) funcs: Vec<u32>,
    pub(crate) bodies: Vec<FunctionBody<'a>>,
    pub(crate) tables: Vec<TableType>,
    pub(crate) memories: Vec<MemoryType>,
    pub(crate) globals: Vec<Global<'a>>,
    pub(crate) exports: BTreeMap<&'a str, (Kind, u32)>,
    pub(crate) elements: Vec<Element<'a>>,
    pub(crate) data: Vec<Data<'a>>,
    pub(crate) start: Option<u32>,
    pub(crate) func_names: BTreeMap<u32, &'a str>,
    pub(crate) global_names: BTreeMap<u32, &'a str>,
}

impl<'a> Module<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut module = Self::default();
        for payload in Parser::new(0).parse_all(bytes) {
            module.read(payload?)?;
        }
        Ok(module)
    }

    fn read(&mut self, payload: Payload<'a>) -> Result<(), Error> {
        match payload {
            Payload::TypeSection(section) => {
                for group in section {
                    for ty in group?.into_types() {
                        let CompositeInnerType::Func(ty) = ty.composite_type.inner else {
                            return Err(Error::new(
                                "a module defines a type that is no function type",
                                "types of garbage collection are not merged",
                                "build the guest for plain WebAssembly 2.0",
                            ));
                        };
                        self.types.push(ty);
                    }
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import?;
                    let kind = kind_of(&import)?;
                    if let TypeRef::Func(ty) | TypeRef::FuncExact(ty) = import.ty {
                        self.funcs.push(ty);
                    }
                    self.imported[kind as usize] += 1;
                    self.imports.push(import);
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.funcs.push(ty?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table?.ty);
                }
            }
            Payload::MemorySection(section) => self.memories = section.into_iter().collect::<Result<_, _>>()?,
            Payload::GlobalSection(section) => self.globals = section.into_iter().collect::<Result<_, _>>()?,
            Payload::ExportSection(section) => {
                for export in section {
                    let export = export?;
                    self.exports.insert(export.name, (export.kind.try_into()?, export.index));
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(section) => self.elements = section.into_iter().collect::<Result<_, _>>()?,
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(section) => self.data = section.into_iter().collect::<Result<_, _>>()?,
            Payload::TagSection(_) => {
                Kind::try_from(wasmparser::ExternalKind::Tag)?;
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        match name? {
                            Name::Function(map) => collect(map, &mut self.func_names)?,
                            Name::Global(map) => collect(map, &mut self.global_names)?,
                            _ => {}
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The type of a function of the module's index space.
    pub(crate) fn func_type(&self, func: u32) -> Result<&FuncType, Error> {
        let ty = self.funcs.get(func as usize).and_then(|ty| self.types.get(*ty as usize));
        ty.ok_or_else(|| Error::broken(format!("function {func} has no type")))
    }

    /// The import that gives item `index` of `kind`, if it is an imported one.
    pub(crate) fn import(&self, kind: Kind, index: u32) -> Option<&Import<'a>> {
        let mut same = self.imports.iter().filter(|import| kind_of(import).is_ok_and(|one| one == kind));
        if index < self.imported[kind as usize] { same.nth(index as usize) } else { None }
    }
}

fn collect<'a>(map: wasmparser::NameMap<'a>, names: &mut BTreeMap<u32, &'a str>) -> Result<(), Error> {
    for naming in map {
        let naming = naming?;
        names.insert(naming.index, naming.name);
    }
    Ok(())
}

pub(crate) fn kind_of(import: &Import<'_>) -> Result<Kind, Error> {
    match import.ty {
        TypeRef::Func(_) | TypeRef::FuncExact(_) => Ok(Kind::Func),
        TypeRef::Table(_) => Ok(Kind::Table),
        TypeRef::Memory(_) => Ok(Kind::Memory),
        TypeRef::Global(_) => Ok(Kind::Global),
        TypeRef::Tag(_) => Kind::try_from(wasmparser::ExternalKind::Tag),
    }
}

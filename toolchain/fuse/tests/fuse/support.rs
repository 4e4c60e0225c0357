//! What the tests share: components as text, running one before and after, and looking into the result.

use std::fmt::Write as _;

use wasmparser::{Parser, Payload};
use wasmtime::component::{Component, Instance, Linker, Val};
use wasmtime::{Engine, Store, StoreContextMut};
use wisp_fuse::{Options, Report, fuse};

pub(crate) fn component(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the text is a component")
}

/// Two modules over one memory, `$a` (which has it) and `$b`, as one component; each `lift` is an export `name: type`
/// of a function of `$b`.
pub(crate) fn pair(a: &str, b: &str, lifts: &[(&str, &str)]) -> String {
    let mut text = format!(
        "(component (core module $A (memory (export \"memory\") 1) {a}) (core module $B (import \"a\" \"memory\" (memory 1)) {b})
        (core instance $a (instantiate $A)) (core instance $b (instantiate $B (with \"a\" (instance $a))))"
    );
    for (name, ty) in lifts {
        write!(text, "(func (export \"{name}\") {ty} (canon lift (core func $b \"{name}\")))").expect("a string takes text");
    }
    text.push(')');
    text
}

pub(crate) fn fused(bytes: &[u8]) -> (Vec<u8>, Report) {
    fuse(bytes, &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The message of the refusal.
pub(crate) fn refused(text: &str) -> String {
    match fuse(&component(text), &Options::default()) {
        Ok(_) => panic!("it was fused: {text}"),
        Err(error) => error.to_string(),
    }
}

/// A component at work. It may import `double: func(u32) -> u32` and `test:linked/log`, whose `say` takes a string.
pub(crate) struct Running {
    /// Holds what the component said.
    store: Store<Vec<String>>,
    instance: Instance,
}

impl Running {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let engine = Engine::default();
        let component = Component::new(&engine, bytes).expect("wasmtime takes it");
        let mut linker = Linker::new(&engine);
        let double = |mut store: StoreContextMut<'_, Vec<String>>, (value,): (u32,)| {
            store.data_mut().push(format!("double {value}"));
            Ok((value * 2,))
        };
        let say = |mut store: StoreContextMut<'_, Vec<String>>, (text,): (String,)| {
            store.data_mut().push(text);
            Ok(())
        };
        linker.root().func_wrap("double", double).expect("a function");
        linker.instance("test:linked/log").and_then(|mut log| log.func_wrap("say", say)).expect("a function");
        let mut store = Store::new(&engine, Vec::new());
        let instance = linker.instantiate(&mut store, &component).expect("it instantiates");
        Self { store, instance }
    }

    pub(crate) fn said(&self) -> &[String] {
        self.store.data()
    }

    /// Calls an export; a trap is an answer too.
    pub(crate) fn call(&mut self, name: &str, args: &[Val]) -> Result<Vec<Val>, String> {
        // `interface name` is a function of an exported interface
        let func = match name.split_once(' ') {
            Some((interface, name)) => {
                let outer = self.instance.get_export_index(&mut self.store, None, interface).expect("the interface is exported");
                self.instance.get_export_index(&mut self.store, Some(&outer), name)
            }
            None => self.instance.get_export_index(&mut self.store, None, name),
        };
        let func = func.and_then(|func| self.instance.get_func(&mut self.store, func)).unwrap_or_else(|| panic!("no export {name}"));
        let mut results = vec![Val::Bool(false); func.ty(&self.store).results().len()];
        func.call(&mut self.store, args, &mut results).map_err(|error| error.root_cause().to_string())?;
        Ok(results)
    }
}

/// Fuses a component and checks that both answer a row of calls alike; gives the fused one.
pub(crate) fn same(text: &str, calls: &[(&str, &[Val])]) -> (Vec<u8>, Report) {
    same_bytes(&component(text), calls)
}

pub(crate) fn same_bytes(before: &[u8], calls: &[(&str, &[Val])]) -> (Vec<u8>, Report) {
    let (after, report) = fused(before);
    let (mut old, mut new) = (Running::new(before), Running::new(&after));
    for (number, (name, args)) in calls.iter().enumerate() {
        let (old, new) = (old.call(name, args), new.call(name, args));
        assert_eq!(old, new, "call {number}: {name} {args:?}");
        assert!(old.is_ok() || name.starts_with("trap"), "call {number}: {name}: {old:?}");
    }
    assert_eq!(old.said(), new.said());
    (after, report)
}

/// What is in the core modules of a component, in their order.
#[derive(Debug, Default)]
pub(crate) struct Inside {
    pub(crate) imports: Vec<(String, String)>,
    pub(crate) exports: Vec<String>,
    pub(crate) types: u32,
    pub(crate) functions: u32,
    pub(crate) mutable_globals: usize,
    pub(crate) globals: u32,
    pub(crate) segments: u32,
    pub(crate) has_start: bool,
    pub(crate) has_names: bool,
}

pub(crate) fn inside(bytes: &[u8]) -> Vec<Inside> {
    let mut modules: Vec<Inside> = Vec::new();
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.expect("it can be read");
        if let Payload::Version { encoding: wasmparser::Encoding::Module, .. } = payload {
            modules.push(Inside::default());
            continue;
        }
        let Some(module) = modules.last_mut() else { continue };
        match payload {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.expect("an import");
                    module.imports.push((import.module.to_owned(), import.name.to_owned()));
                }
            }
            Payload::ExportSection(section) => {
                module.exports.extend(section.into_iter().map(|export| export.expect("an export").name.to_owned()));
            }
            Payload::TypeSection(section) => module.types = section.count(),
            Payload::FunctionSection(section) => module.functions = section.count(),
            Payload::GlobalSection(section) => {
                module.globals = section.count();
                module.mutable_globals = section.into_iter().filter(|global| global.as_ref().is_ok_and(|global| global.ty.mutable)).count();
            }
            Payload::DataSection(section) => module.segments = section.count(),
            Payload::StartSection { .. } => module.has_start = true,
            Payload::CustomSection(section) => module.has_names |= section.name() == "name",
            _ => {}
        }
    }
    modules
}

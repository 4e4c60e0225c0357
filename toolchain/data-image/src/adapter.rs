//! The preview-1 adapter, changed so that an instance of the component holds nothing that a copy of its memory lacks.
//!
//! As it is published, the adapter takes handles of the three standard streams at the first use of any file, allocates a
//! page for its state and one for its stack by growing the memory, and does the latter in a start function. A copy of the
//! process (a snapshot, a fork) has the memory but new globals, so it would hold other handles and lose two pages each time.
//! Here:
//! - `get-stdin`, `get-stdout` and `get-stderr` give numbers that are no handles. A method that is called on one of them
//!   takes the real handle, calls, and drops it.
//! - Stack and state have a fixed place, which the module keeps for them. So there is no start function either, and
//!   instances can be prepared in advance.

use anyhow::{Context, Error, Result, bail, ensure};
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{BlockType, CodeSection, ConstExpr, Function, FunctionSection, GlobalSection, GlobalType, Module, ValType};
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

/// Bytes of the adapter's stack, and of its state: a page of wasm each (wit-component, `gc.rs`; the adapter asserts it).
const PAGE: u32 = 64 << 10;

/// Bytes of memory that the adapter is given.
pub(crate) const ROOM: u32 = 2 * PAGE;

/// The initial `allocation_state`: the stack is allocated, the state is not (`AllocationState::StackAllocated`).
const STACK_ALLOCATED: i32 = 2;

/// What stands for standard input, output and error: far above the handles of an instance, and not the highest number,
/// which the bindings keep for a handle that was moved.
const STDIN: i32 = -4;
const STDOUT: i32 = -3;
const STDERR: i32 = -2;

/// What replaces an imported function.
#[derive(Clone, Copy)]
enum Instead {
    /// Allocates the state.
    Allocate,
    /// Gives the number that stands for a stream.
    Give(i32),
    /// Calls a method with the real handle in place of the number. The stream is kept if something refers to it.
    Lend { keep: bool },
    /// Drops a handle, unless it is such a number.
    Drop,
}

/// An imported function of the adapter.
struct Import<'a> {
    module: &'a str,
    name: &'a str,
    ty: u32,
}

/// What is known of the adapter before it is written.
struct Found<'a> {
    imports: Vec<Import<'a>>,
    /// The number of parameters of each type.
    params: Vec<usize>,
    /// Its own functions.
    functions: u32,
    /// The names of its globals, in order.
    globals: Vec<&'a str>,
}

/// Returns the adapter with these changes. `place` is the address of [`ROOM`] bytes.
pub(crate) fn changed(adapter: &[u8], place: u32) -> Result<Vec<u8>> {
    let found = read(adapter)?;
    ensure!(
        found.globals == ["__stack_pointer", "internal_state_ptr", "allocation_state"],
        "the adapter has other globals: {:?}",
        found.globals
    );
    let changes: Vec<(usize, Instead)> =
        found.imports.iter().enumerate().filter_map(|(number, import)| Some((number, instead(import)?))).collect();
    for (module, name) in [("__main_module__", "cabi_realloc"), ("wasi:cli/stdin", "get-stdin"), ("wasi:cli/stdout", "get-stdout")] {
        ensure!(changes.iter().any(|(number, _)| is(&found.imports[*number], module, name)), "the adapter does not import {module} {name}");
    }
    let mut writer = Writer { found: &found, place, replaced: Vec::new(), bodies: Vec::new(), globals: 0 };
    for (number, change) in changes {
        let body = writer.body(number, change).with_context(|| format!("cannot replace {}", found.imports[number].name))?;
        writer.bodies.push(body);
        writer.replaced.push(number);
    }
    let mut module = Module::new();
    writer.parse_core_module(&mut module, Parser::new(0), adapter).map_err(|error| anyhow::anyhow!("the adapter: {error}"))?;
    Ok(module.finish())
}

fn is(import: &Import<'_>, interface: &str, name: &str) -> bool {
    import.module.split('@').next() == Some(interface) && import.name == name
}

fn instead(import: &Import<'_>) -> Option<Instead> {
    Some(match (import.module.split('@').next()?, import.name) {
        ("__main_module__", "cabi_realloc") => Instead::Allocate,
        ("wasi:cli/stdin", "get-stdin") => Instead::Give(STDIN),
        ("wasi:cli/stdout", "get-stdout") => Instead::Give(STDOUT),
        ("wasi:cli/stderr", "get-stderr") => Instead::Give(STDERR),
        ("wasi:io/streams", "[resource-drop]input-stream" | "[resource-drop]output-stream") => Instead::Drop,
        ("wasi:io/streams", name) => Instead::Lend { keep: name.ends_with(".subscribe") },
        _ => return None,
    })
}

fn read(adapter: &[u8]) -> Result<Found<'_>> {
    let mut found = Found { imports: Vec::new(), params: Vec::new(), functions: 0, globals: Vec::new() };
    for payload in Parser::new(0).parse_all(adapter) {
        match payload? {
            Payload::TypeSection(types) => {
                for ty in types.into_iter_err_on_gc_types() {
                    found.params.push(ty?.params().len());
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    if let TypeRef::Func(ty) = import.ty {
                        found.imports.push(Import { module: import.module, name: import.name, ty });
                    }
                }
            }
            Payload::FunctionSection(functions) => found.functions = functions.count(),
            Payload::StartSection { .. } => bail!("the adapter has a start function"),
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        if let Name::Global(globals) = name? {
                            found.globals = globals.into_iter().map(|global| global.map(|global| global.name)).collect::<Result<_, _>>()?;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Writes the adapter again: the functions that replace imports come after its own.
struct Writer<'a> {
    found: &'a Found<'a>,
    place: u32,
    /// The imports that are replaced, and what by.
    replaced: Vec<usize>,
    bodies: Vec<Function>,
    /// Globals written so far.
    globals: usize,
}

impl Writer<'_> {
    /// Returns the number of an import that a replacement calls.
    fn import(&self, interface: &str, name: &str) -> Result<u32> {
        let number = self.found.imports.iter().position(|import| is(import, interface, name));
        Ok(u32::try_from(number.with_context(|| format!("the adapter does not import {interface} {name}"))?)?)
    }

    fn body(&self, number: usize, instead: Instead) -> Result<Function> {
        let import = &self.found.imports[number];
        let number = u32::try_from(number)?;
        let mut function = Function::new([]);
        let mut to = function.instructions();
        match instead {
            Instead::Allocate => {
                // The adapter asks once in an instance's life, for a page.
                to.local_get(3).i32_const(PAGE.cast_signed()).i32_ne().if_(BlockType::Empty).unreachable().end();
                to.i32_const((self.place + PAGE).cast_signed());
            }
            Instead::Give(stream) => {
                to.i32_const(stream);
            }
            Instead::Drop => {
                to.local_get(0).i32_const(STDIN).i32_lt_u().if_(BlockType::Empty).local_get(0).call(number).end();
            }
            Instead::Lend { keep } => {
                to.local_get(0).i32_const(STDIN).i32_ge_u().if_(BlockType::Empty);
                let kind = if import.name.starts_with("[method]input-stream.") {
                    to.call(self.import("wasi:cli/stdin", "get-stdin")?);
                    "input-stream"
                } else {
                    to.local_get(0).i32_const(STDOUT).i32_eq().if_(BlockType::Result(ValType::I32));
                    to.call(self.import("wasi:cli/stdout", "get-stdout")?).else_();
                    to.call(self.import("wasi:cli/stderr", "get-stderr")?).end();
                    "output-stream"
                };
                to.local_set(0);
                let params = u32::try_from(self.found.params[import.ty as usize])?;
                for place in 0..params {
                    to.local_get(place);
                }
                to.call(number);
                if !keep {
                    to.local_get(0).call(self.import("wasi:io/streams", &format!("[resource-drop]{kind}"))?);
                }
                to.return_().end();
                for place in 0..params {
                    to.local_get(place);
                }
                to.call(number);
            }
        }
        to.end();
        Ok(function)
    }
}

impl Reencode for Writer<'_> {
    type Error = Error;

    /// Calls of a replaced import go to its replacement; the replacements themselves are written with the imports' numbers.
    fn function_index(&mut self, function: u32) -> Result<u32, reencode::Error<Error>> {
        let Some(place) = self.replaced.iter().position(|number| *number == function as usize) else { return Ok(function) };
        let number = u32::try_from(self.found.imports.len() + place).map_err(|error| reencode::Error::UserError(error.into()))?;
        Ok(number + self.found.functions)
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), reencode::Error<Error>> {
        reencode::utils::parse_function_section(self, functions, section)?;
        for number in &self.replaced {
            functions.function(self.found.imports[*number].ty);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error<Error>> {
        reencode::utils::parse_code_section(self, code, section)?;
        for body in &self.bodies {
            code.function(body);
        }
        Ok(())
    }

    fn parse_global(&mut self, globals: &mut GlobalSection, _: wasmparser::Global<'_>) -> Result<(), reencode::Error<Error>> {
        // In the order that `changed` has checked.
        let value = [(self.place + PAGE).cast_signed(), 0, STACK_ALLOCATED][self.globals];
        globals.global(GlobalType { val_type: ValType::I32, mutable: true, shared: false }, &ConstExpr::i32_const(value));
        self.globals += 1;
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: wasmparser::CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error<Error>> {
        match section.name() {
            "name" => Ok(()), // by the names of its globals, wit-component would find a stack to allocate
            _ => reencode::utils::parse_custom_section(self, module, section),
        }
    }
}

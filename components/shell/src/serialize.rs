//! The state of a shell as bytes, for a shell in another process.
//!
//! Every field is written under its name, and read in the same order from the same list (`parts!`). A list that leaves out a
//! field of its struct does not compile; a state whose fields differ from the list is refused.

mod codec;
#[cfg(test)]
mod tests;
mod values;

use crate::ast::{Function, Kind};
use crate::shell::{Builtins, Calls, Definitions, Invocation, Last, Nesting, Options, Place, Position, Process, Shell, Signals, Traps};
use crate::sym::intern;
use crate::vars::Var;
use codec::{Reader, Writer};
use std::rc::Rc;

/// First bytes. The number is the version: raise it when the meaning of a field changes.
const MAGIC: &[u8] = b"wisp-sh-state-5\n";

/// Why a state is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused(String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Write and read parts of the shell: for each part the fields that another process takes over, and after `not` those that
/// begin there as in a new shell.
macro_rules! parts {
    ($($part:ident: $type:ident { $($field:ident),*; not $($other:ident),* })*) => {
        fn write_parts(shell: &Shell, out: &mut Writer) {
            $(
                let $type { $($field,)* $($other: _,)* } = &shell.$part;
                $(out.field(concat!(stringify!($part), ".", stringify!($field)), $field);)*
            )*
        }

        fn read_parts(shell: &mut Shell, input: &mut Reader<'_>) -> Result<(), Refused> {
            $($(shell.$part.$field = input.field(concat!(stringify!($part), ".", stringify!($field)))?;)*)*
            Ok(())
        }
    };
}

parts! {
    invocation: Invocation { arg0, from_string, from_stdin, script, interactive, started; not replaced_stdin }
    position: Position { source; not line, shift, base }
    calls: Calls { frames, params; not loops, kept_options, kept_getopts }
    definitions: Definitions { aliases, exported; not functions, readonly, traced }
    traps: Traps { commands, shown; not running, of_signals, status_before, leaving, drops_locals }
    signals: Signals { start_ignored, async_ignored; not arrived, told_ignored, dying, died, reaped }
    last: Last { status, pipeline, background; not substituted }
    nesting: Nesting { guarded, subshell; not depth, uncounted, trace }
    process: Process { pid, umask, limits, cwd, dirs; not own_pid }
    place: Place { execs_last, announced, nest, stdin_given; not tail }
    builtins: Builtins { disabled; not getopts, completions, completed, random }
}

/// A function, as its text.
struct Text {
    source: Rc<[u8]>,
    line: u32,
    text: Vec<u8>,
}

impl Text {
    fn of(function: &Function) -> Self {
        Self { source: function.source.clone(), line: function.body.line, text: crate::print::function_script(function) }
    }

    /// Parses the function again; nothing if the text does not read as one.
    fn parse(self) -> Option<Rc<Function>> {
        let mut parser = crate::parser::Parser::new(self.text, self.line, self.source);
        parser.extglob = true;
        let list = parser.whole().ok()?;
        match &list.items.first()?.and_or.first.commands.first()?.kind {
            Kind::Function(function) => Some(function.clone()),
            _ => None,
        }
    }
}

/// Returns the state and the commands to run, which begin at `line`.
pub(crate) fn save(shell: &Shell, text: &[u8], line: u32) -> Vec<u8> {
    let mut out = Writer::new(MAGIC);
    out.field("text", &text.to_vec());
    out.field("line", &line);
    out.field("options", &shell.opts.raw());
    write_parts(shell, &mut out);
    out.field("functions", &shell.definitions.functions.values().map(|function| Text::of(function)).collect::<Vec<_>>());
    out.field("variables", &shell.vars.sorted().into_iter().map(|(name, _, var)| (name, var)).collect::<Vec<_>>());
    out.field("in function", &shell.vars.in_function());
    out.into_bytes()
}

/// Takes over a state; returns the commands to run and their line.
///
/// # Errors
/// Another build of the shell wrote the state, or it is damaged. The shell has then taken over a part of it.
pub(crate) fn load(shell: &mut Shell, state: &[u8]) -> Result<(Vec<u8>, u32), Refused> {
    let Some(fields) = state.strip_prefix(MAGIC) else {
        let why = if state.starts_with(b"wisp-sh-state-") { "another build of the shell wrote it" } else { "it is not a shell's state" };
        return Err(Refused(why.into()));
    };
    let mut input = Reader::new(fields);
    let text = input.field("text")?;
    let line = input.field("line")?;
    let (set, shopt) = input.field("options")?;
    shell.opts = Options::from_raw(set, shopt);
    read_parts(shell, &mut input)?;
    let functions: Vec<Text> = input.field("functions")?;
    let variables: Vec<(Vec<u8>, Var)> = input.field("variables")?;
    let in_function = input.field("in function")?;
    input.end()?;
    let table = Rc::make_mut(&mut shell.definitions.functions);
    let mut lost = 0;
    for function in functions {
        match function.parse() {
            Some(function) => drop(table.insert(function.name.to_vec(), function)),
            None => lost += 1,
        }
    }
    if lost > 0 {
        shell.warn_raw(format!("sh: functions that cannot be read from the state: {lost}\n").as_bytes());
    }
    for (name, var) in variables {
        shell.vars.put(intern(&name), var);
    }
    if in_function {
        shell.vars.push_scope();
    }
    Ok((text, line))
}

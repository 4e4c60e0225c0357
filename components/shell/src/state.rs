//! The state of a shell as bytes, for a shell in another process.

use crate::shell::{Frame, Options, Shell};
use crate::sym::intern;
use crate::vars::{Assoc, Attrs, Indexed, Value, Var};
use std::collections::BTreeMap;
use std::rc::Rc;

/// First bytes: a state that some other build wrote is refused.
const MAGIC: &[u8] = b"wisp-sh-state-3\n";

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: i64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as i64);
        self.0.extend_from_slice(bytes);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<i64> {
        let (head, rest) = self.0.split_at_checked(8)?;
        self.0 = rest;
        Some(i64::from_le_bytes(head.try_into().ok()?))
    }
    fn bytes(&mut self) -> Option<Vec<u8>> {
        let len = usize::try_from(self.number()?).ok()?;
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(head.to_vec())
    }
    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }
}

/// The state and the commands to run.
pub fn save(shell: &mut Shell, text: &[u8], line: u32) -> Vec<u8> {
    let mut out = Writer::default();
    out.0.extend_from_slice(MAGIC);
    out.bytes(text);
    out.bytes(&shell.arg0);
    out.bytes(&shell.source);
    out.bytes(&shell.cwd);
    let (set, shopt) = shell.opts.raw();
    for number in [
        i64::from(line),
        i64::from(set),
        shopt as i64,
        i64::from(shell.umask),
        i64::from(shell.status),
        i64::from(shell.pid),
        i64::from(shell.subshell),
        shell.last_background.map_or(-1, i64::from),
        i64::from(shell.guarded),
        i64::from(shell.from_string),
        shell.started as i64,
        i64::from(shell.vars.in_function()),
        i64::from(shell.depth),
        i64::from(shell.script),
        i64::from(shell.from_stdin),
        i64::from(shell.interactive),
        shell.start_ignored as i64,
        shell.async_ignored as i64,
        i64::from(shell.execs_last),
        i64::from(shell.nest.parentheses),
        i64::from(shell.nest.piped),
        i64::from(shell.stdin_given),
    ] {
        out.number(number);
    }
    out.number(shell.params.len() as i64);
    for param in shell.params.iter() {
        out.bytes(param);
    }
    out.number(shell.dirs.len() as i64);
    for dir in &shell.dirs {
        out.bytes(dir);
    }
    out.number(shell.pipestatus.len() as i64);
    for status in &shell.pipestatus {
        out.number(i64::from(*status));
    }
    out.number(shell.frames.len() as i64);
    for frame in &shell.frames {
        out.bytes(&frame.name);
        out.bytes(&frame.source);
        out.number(i64::from(frame.call_line));
        out.number(i64::from(frame.function));
    }
    out.number(shell.aliases.len() as i64);
    for (name, value) in shell.aliases.iter() {
        out.bytes(name);
        out.bytes(value);
    }
    out.number(shell.traps.len() as i64);
    for (name, text) in shell.traps.iter() {
        out.bytes(name.as_bytes());
        out.bytes(text);
    }
    let shown: Vec<_> = shell.shown_traps.iter().flat_map(|traps| traps.iter()).collect();
    out.number(shown.len() as i64);
    for (name, text) in shown {
        out.bytes(name.as_bytes());
        out.bytes(text);
    }
    out.number(shell.disabled.len() as i64);
    for name in shell.disabled.iter() {
        out.bytes(name);
    }
    out.number(shell.functions.len() as i64);
    for function in shell.functions.values() {
        out.bytes(&function.source);
        out.number(i64::from(function.body.line));
        out.bytes(&crate::print::function_script(function));
    }
    out.number(shell.exported_functions.len() as i64);
    for name in shell.exported_functions.iter() {
        out.bytes(name);
    }
    let vars = shell.vars.sorted();
    out.number(vars.len() as i64);
    for (name, _, var) in vars {
        out.bytes(&name);
        out.number(i64::from(var.attrs.0));
        write_value(&mut out, &var.value);
    }
    out.0
}

fn write_value(out: &mut Writer, value: &Value) {
    match value {
        Value::Unset => out.number(0),
        Value::Str(text) => {
            out.number(1);
            out.bytes(text);
        }
        Value::Int(number) => {
            out.number(2);
            out.number(*number);
        }
        Value::Indexed(array) => {
            out.number(3);
            out.number(array.len() as i64);
            for (at, value) in array.iter() {
                out.number(at);
                out.bytes(value);
            }
        }
        Value::Assoc(array) => {
            out.number(4);
            let all: Vec<_> = array.iter().collect();
            out.number(all.len() as i64);
            // Set again in reverse, so that the order within a bucket stays.
            for (key, value) in all.into_iter().rev() {
                out.bytes(key);
                out.bytes(value);
            }
        }
    }
}

fn read_value(input: &mut Reader<'_>) -> Option<Value> {
    Some(match input.number()? {
        1 => Value::Str(input.bytes()?),
        2 => Value::Int(input.number()?),
        3 => {
            let mut array = Indexed::default();
            for (at, value) in input.list(|input| Some((input.number()?, input.bytes()?)))? {
                array.set(at, value);
            }
            Value::Indexed(array)
        }
        4 => {
            let mut array = Assoc::default();
            for (key, value) in input.list(|input| Some((input.bytes()?, input.bytes()?)))? {
                array.set(key, value);
            }
            Value::Assoc(array)
        }
        _ => Value::Unset,
    })
}

/// Take over a state; the commands to run and their line.
pub fn load(shell: &mut Shell, blob: &[u8]) -> Option<(Vec<u8>, u32)> {
    let mut input = Reader(blob.strip_prefix(MAGIC)?);
    let text = input.bytes()?;
    shell.arg0 = input.bytes()?.into();
    shell.source = input.bytes()?.into();
    shell.cwd = Rc::new(input.bytes()?);
    let numbers: Vec<i64> = (0..22).map(|_| input.number()).collect::<Option<_>>()?;
    let line = numbers[0] as u32;
    shell.opts = Options::from_raw(numbers[1] as u32, numbers[2] as u64);
    shell.umask = numbers[3] as u32;
    shell.status = numbers[4] as i32;
    shell.pid = numbers[5] as u32;
    shell.subshell = numbers[6] as u32;
    shell.last_background = u32::try_from(numbers[7]).ok();
    shell.guarded = numbers[8] as u32;
    shell.from_string = numbers[9] != 0;
    shell.started = numbers[10] as u64;
    let in_function = numbers[11] != 0;
    shell.script = numbers[13] != 0;
    shell.from_stdin = numbers[14] != 0;
    shell.interactive = numbers[15] != 0;
    shell.start_ignored = numbers[16] as u64;
    shell.async_ignored = numbers[17] as u64;
    shell.execs_last = numbers[18] != 0;
    shell.nest = crate::exec::Nest { parentheses: numbers[19] != 0, piped: numbers[20] != 0 };
    shell.stdin_given = numbers[21] != 0;
    shell.params = Rc::new(input.list(Reader::bytes)?);
    shell.dirs = input.list(Reader::bytes)?;
    shell.pipestatus = input.list(|input| input.number().map(|n| n as i32))?;
    shell.frames = input.list(|input| {
        Some(Frame {
            name: input.bytes()?.into(),
            source: input.bytes()?.into(),
            call_line: input.number()? as u32,
            function: input.number()? != 0,
            args: Rc::default(),
        })
    })?;
    shell.aliases = Rc::new(input.list(|input| Some((input.bytes()?, input.bytes()?)))?.into_iter().collect());
    let traps: BTreeMap<String, Vec<u8>> =
        input.list(|input| Some((String::from_utf8(input.bytes()?).ok()?, input.bytes()?)))?.into_iter().collect();
    shell.traps = Rc::new(traps);
    let shown: BTreeMap<String, Vec<u8>> =
        input.list(|input| Some((String::from_utf8(input.bytes()?).ok()?, input.bytes()?)))?.into_iter().collect();
    shell.shown_traps = (!shown.is_empty()).then(|| Rc::new(shown));
    shell.disabled = Rc::new(input.list(Reader::bytes)?);
    for (source, line, text) in input.list(|input| Some((input.bytes()?, input.number()?, input.bytes()?)))? {
        let mut parser = crate::parser::Parser::new(text, line as u32, source.into());
        parser.extglob = true;
        if let Ok(list) = parser.whole()
            && let Some(crate::ast::Kind::Function(function)) = list.items.first().map(|item| &item.and_or.first.commands[0].kind)
        {
            Rc::make_mut(&mut shell.functions).insert(function.name.to_vec(), function.clone());
        }
    }
    shell.exported_functions = Rc::new(input.list(Reader::bytes)?);
    for (name, attrs, value) in input.list(|input| Some((input.bytes()?, input.number()?, read_value(input)?)))? {
        shell.vars.put(intern(&name), Var { value, attrs: Attrs(attrs as u16) });
    }
    if in_function {
        shell.vars.push_scope(true);
    }
    Some((text, line))
}

//! Filters that reach beyond their input: more input, messages, the environment, the end.

use super::{Entry, Run, take};
use crate::json::{Map, Style, Val, print, type_error};
use crate::run::{Context, Error};
use std::io::Write;
use std::rc::Rc;

pub(super) const TABLE: &[Entry] = &[
    ("input", 0, input),
    ("input_filename", 0, |context, _, _| Ok(context.inputs.file())),
    ("input_line_number", 0, |context, _, _| Ok(Val::Num(context.inputs.line() as f64))),
    ("debug", 0, debug),
    ("stderr", 0, stderr),
    ("env", 0, env),
    ("halt", 0, |_, _, _| Err(Error::Halt(0, None))),
    ("halt_error", 1, halt_error),
    ("get_search_list", 0, search_list),
    ("modulemeta", 0, module_meta),
];

fn input(context: &mut Context, _: Val, _: Vec<Val>) -> Run {
    match context.inputs.next() {
        Some(Ok(val)) => Ok(val),
        Some(Err(message)) => Err(message.into()),
        None => Err("break".into()),
    }
}

/// Prints to standard error; what cannot be printed there cannot be told either.
fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn debug(context: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let style = Style { indent: None, ..context.style.clone() };
    complain(&(print(&Val::arr(vec![Val::str("DEBUG:"), val.clone()]), &style) + "\n"));
    Ok(val)
}

fn stderr(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    complain(&val.text());
    Ok(val)
}

/// Returns the environment, without what is not UTF-8.
pub(super) fn env(_: &mut Context, _: Val, _: Vec<Val>) -> Run {
    let pairs = std::env::vars_os().map(|(k, v)| (k.to_string_lossy().into_owned(), v.to_string_lossy().into_owned()));
    Ok(Val::obj(pairs.map(|(k, v)| (Rc::new(k), Val::str(v))).collect::<Map>()))
}

fn halt_error(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [status] = take(args)?;
    match status.number() {
        Some(status) => Err(Error::Halt(status as i32, Some(val))),
        None => Err(type_error(&val, "halt_error/1: number required").into()),
    }
}

fn search_list(context: &mut Context, _: Val, _: Vec<Val>) -> Run {
    Ok(Val::arr(context.library.paths.iter().cloned().map(Val::str).collect()))
}

fn module_meta(context: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match val.as_str() {
        Some(name) => Ok(context.library.describe(name)?),
        None => Err("modulemeta input module name must be a string".into()),
    }
}

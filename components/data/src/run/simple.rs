//! Nodes that give exactly one value are computed directly, when no path is tracked.

use super::arith::{binary, negate};
use super::env::{Entry, Env};
use super::natives::format_value;
use super::{Context, Error};
use crate::json::{Map, Val, get, get_path, type_error};
use crate::lang::{Node, NodeKind, Part};
use std::rc::Rc;

/// Returns the value of a simple node.
pub(super) fn simple(context: &mut Context, node: &'static Node, val: Val, env: &Env) -> Result<Val, Error> {
    match &node.kind {
        NodeKind::Identity => Ok(val),
        NodeKind::Const(constant) => Ok(constant.clone()),
        NodeKind::Var(place) => Ok(variable(env, *place)),
        NodeKind::Index(term, key, _) => {
            if let (NodeKind::Identity, NodeKind::Const(key)) = (&term.kind, &key.kind) {
                return Ok(get(&val, key)?);
            }
            let key = simple(context, key, val.clone(), env)?;
            let term = simple(context, term, val, env)?;
            Ok(get(&term, &key)?)
        }
        NodeKind::Slice(term, start, end, _) => {
            let mut bound = |part: &Option<&'static Node>| part.map_or(Ok(Val::Null), |part| simple(context, part, val.clone(), env));
            let (start, end) = (bound(start)?, bound(end)?);
            let term = simple(context, term, val, env)?;
            Ok(get(&term, &slice_key(start, end))?)
        }
        NodeKind::Pipe(a, b) => {
            let val = simple(context, a, val, env)?;
            simple(context, b, val, env)
        }
        NodeKind::Binary(op, a, b) => {
            let right = simple(context, b, val.clone(), env)?;
            let left = simple(context, a, val, env)?;
            binary(*op, left, right)
        }
        NodeKind::Negate(a) => negate(&simple(context, a, val, env)?),
        NodeKind::And(a, b) => {
            let holds = simple(context, a, val.clone(), env)?.is_true() && simple(context, b, val, env)?.is_true();
            Ok(Val::Bool(holds))
        }
        NodeKind::Or(a, b) => {
            let holds = simple(context, a, val.clone(), env)?.is_true() || simple(context, b, val, env)?.is_true();
            Ok(Val::Bool(holds))
        }
        NodeKind::If(condition, then, otherwise) => {
            let holds = simple(context, condition, val.clone(), env)?.is_true();
            simple(context, if holds { then } else { otherwise }, val, env)
        }
        NodeKind::GetPath(path) => {
            let path = simple(context, path, val.clone(), env)?;
            get_path_leniently(&val, &path)
        }
        NodeKind::Native(native, args) => {
            // The last argument is the first to be computed, as its values vary slowest.
            let mut values = vec![Val::Null; args.len()];
            for (at, arg) in args.iter().enumerate().rev() {
                values[at] = simple(context, arg, val.clone(), env)?;
            }
            native(context, val, values)
        }
        NodeKind::Text(format, parts) => {
            let mut values = Vec::new();
            for part in parts.iter().rev() {
                if let Part::Code(code) = part {
                    values.push(simple(context, code, val.clone(), env)?);
                }
            }
            interpolate(format.as_deref(), parts, values)
        }
        NodeKind::Object(pairs) => {
            let mut map = Map::with_capacity_and_hasher(pairs.len(), Default::default());
            for (key, value) in pairs {
                let key = simple(context, key, val.clone(), env)?;
                let value = simple(context, value, val.clone(), env)?;
                insert(&mut map, key, value)?;
            }
            Ok(Val::obj(map))
        }
        // `NodeKind::simple` is false for all others.
        _ => Ok(Val::Null),
    }
}

/// Returns a variable's value.
pub(super) fn variable(env: &Env, place: usize) -> Val {
    match env.at(place) {
        Some(Entry::Val(val)) => val.clone(),
        _ => Val::Null,
    }
}

/// Returns the key of a slice.
pub(super) fn slice_key(start: Val, end: Val) -> Val {
    Val::fields([("start", start), ("end", end)])
}

/// Implements `getpath`, for which everything that is missing is null.
pub(super) fn get_path_leniently(val: &Val, path: &Val) -> Result<Val, Error> {
    Ok(get_path(val, path)?)
}

/// Sets a member whose key was computed.
pub(super) fn insert(map: &mut Map, key: Val, value: Val) -> Result<(), Error> {
    match key {
        Val::Str(name) => {
            map.insert(name, value);
            Ok(())
        }
        other => Err(format!("Cannot use {} as object key", type_error(&other, "").trim_end()).into()),
    }
}

/// Returns a string's parts put together; the values are those of the code parts, last first.
pub(super) fn interpolate(format: Option<&str>, parts: &[Part], mut values: Vec<Val>) -> Result<Val, Error> {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => out += text,
            Part::Code(_) => {
                let val = values.pop().unwrap_or(Val::Null);
                match format {
                    None => out += &val.text(),
                    Some(format) => out += &format_value(format, &val)?,
                }
            }
        }
    }
    Ok(Val::Str(Rc::new(out)))
}

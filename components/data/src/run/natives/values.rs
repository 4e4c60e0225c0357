//! Filters for any kind of value: what it is, what it has, what it becomes.

use super::{Entry, Run, take};
use crate::json::{
    Map, Val, contains, delete_paths, has, number_from_text, parse_one, set_path, sorted_keys, to_text, type_error, type_error2,
};
use crate::run::arith::negate;
use crate::run::{Context, Error};
use std::rc::Rc;

pub(super) const TABLE: &[Entry] = &[
    ("not", 0, |_, v, _| Ok(Val::Bool(!v.is_true()))),
    ("type", 0, |_, v, _| Ok(Val::str(v.kind()))),
    ("length", 0, length),
    ("utf8bytelength", 0, byte_length),
    ("keys", 0, keys),
    ("keys_unsorted", 0, keys_unsorted),
    ("has", 1, |_, v, args| Ok(Val::Bool(has(&v, &args[0])?))),
    ("contains", 1, contained),
    ("error", 0, |_, v, _| Err(Error::Value(v))),
    ("setpath", 2, set_at),
    ("delpaths", 1, |_, v, args| Ok(delete_paths(v, &args[0])?)),
    ("tojson", 0, |_, v, _| Ok(Val::str(to_text(&v)))),
    ("fromjson", 0, from_json),
    ("tostring", 0, |_, v, _| Ok(Val::Str(v.text()))),
    ("tonumber", 0, to_number),
    ("toboolean", 0, to_boolean),
    ("toarray", 0, |_, v, _| Ok(if matches!(v, Val::Arr(_)) { v } else { Val::arr(vec![v]) })),
    ("abs", 0, abs),
    ("_negate", 0, |_, v, _| negate(&v)),
    ("to_entries", 0, to_entries),
    ("from_entries", 0, from_entries),
    ("_events", 0, events),
    ("_build", 1, build),
    ("have_decnum", 0, |_, _, _| Ok(Val::Bool(true))),
    ("have_literal_numbers", 0, |_, _, _| Ok(Val::Bool(true))),
];

fn length(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    Ok(match &val {
        Val::Null => Val::Num(0.0),
        Val::Bool(_) => return Err(type_error(&val, "has no length").into()),
        Val::Num(n) => Val::Num(n.abs()),
        Val::Lit(l) => Val::Num(l.value.abs()),
        Val::Str(s) => Val::Num(s.chars().count() as f64),
        Val::Arr(items) => Val::Num(items.0.len() as f64),
        Val::Obj(fields) => Val::Num(fields.0.len() as f64),
    })
}

fn byte_length(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Str(s) => Ok(Val::Num(s.len() as f64)),
        other => Err(type_error(other, "only strings have UTF-8 byte length").into()),
    }
}

fn indices(len: usize) -> Val {
    Val::arr((0..len).map(|at| Val::Num(at as f64)).collect())
}

fn keys(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Obj(fields) => Ok(Val::arr(sorted_keys(&fields.0).into_iter().map(Val::Str).collect())),
        Val::Arr(items) => Ok(indices(items.0.len())),
        other => Err(type_error(other, "has no keys").into()),
    }
}

fn keys_unsorted(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Obj(fields) => Ok(Val::arr(fields.0.keys().cloned().map(Val::Str).collect())),
        Val::Arr(items) => Ok(indices(items.0.len())),
        other => Err(type_error(other, "has no keys").into()),
    }
}

fn contained(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [part] = take(args)?;
    let boolean = |v: &Val| matches!(v, Val::Bool(_));
    if val.kind() != part.kind() && !(boolean(&val) && boolean(&part)) {
        return Err(type_error2(&val, &part, "cannot have their containment checked").into());
    }
    Ok(Val::Bool(contains(&val, &part)?))
}

fn set_at(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [path, new] = take(args)?;
    Ok(set_path(val, &path, new)?)
}

fn from_json(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Str(text) => Ok(parse_one(text)?),
        other => Err(type_error(other, "only strings can be parsed").into()),
    }
}

fn to_number(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Num(_) | Val::Lit(_) => Ok(val),
        Val::Str(text) => {
            if let Some(number) = number_from_text(text) {
                return Ok(number);
            }
            match parse_one(text)? {
                number @ (Val::Num(_) | Val::Lit(_)) => Ok(number),
                _ => Err(type_error(&val, "cannot be parsed as a number").into()),
            }
        }
        other => Err(type_error(other, "cannot be parsed as a number").into()),
    }
}

fn to_boolean(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match (&val, val.as_str()) {
        (Val::Bool(_), _) => Ok(val),
        (_, Some("true")) => Ok(Val::Bool(true)),
        (_, Some("false")) => Ok(Val::Bool(false)),
        _ => Err(type_error(&val, "cannot be parsed as a boolean").into()),
    }
}

fn abs(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Null | Val::Bool(_) => Err(type_error(&val, "cannot be negated").into()),
        _ => match val.number() {
            Some(n) if n <= 0.0 => Ok(Val::Num(if n == 0.0 { 0.0 } else { -n })),
            _ => Ok(val),
        },
    }
}

fn to_entries(context: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let entry = |key: Val, value: &Val| Val::fields([("key", key), ("value", value.clone())]);
    match &val {
        Val::Obj(fields) => Ok(Val::arr(fields.0.iter().map(|(k, v)| entry(Val::Str(k.clone()), v)).collect())),
        Val::Arr(items) => Ok(Val::arr(items.0.iter().enumerate().map(|(k, v)| entry(Val::Num(k as f64), v)).collect())),
        _ => keys_unsorted(context, val, Vec::new()),
    }
}

/// Returns the first of several members that is neither null nor false.
fn member(entry: &Map, names: &[&str]) -> Val {
    let found = names.iter().filter_map(|name| entry.get(&(*name).to_owned())).find(|v| v.is_true());
    found.cloned().unwrap_or(Val::Null)
}

fn from_entries(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let entries: Vec<Val> = match &val {
        Val::Arr(items) => items.0.clone(),
        Val::Obj(fields) => fields.0.values().cloned().collect(),
        other => return Err(format!("Cannot iterate over {}", type_error(other, "").trim_end()).into()),
    };
    let mut map = Map::with_capacity_and_hasher(entries.len(), Default::default());
    for entry in &entries {
        let Val::Obj(entry) = entry else {
            return Err(format!("Cannot index {} with string \"key\"", entry.kind()).into());
        };
        let key = member(&entry.0, &["key", "Key", "k", "K", "name", "Name"]);
        let exact = ["value", "v"].iter().find_map(|name| entry.0.get(&(*name).to_owned())).cloned();
        let value = exact.unwrap_or_else(|| member(&entry.0, &["Value", "V"]));
        super::super::simple::insert(&mut map, key, value)?;
    }
    Ok(Val::obj(map))
}

/// Returns all leaves with their paths, and the ends of containers.
fn events(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let mut out = Vec::new();
    // What is still to be visited: a path with its value, or the end of a container.
    let mut todo: Vec<(Vec<Val>, Option<Val>)> = vec![(Vec::new(), Some(val))];
    while let Some((path, val)) = todo.pop() {
        let Some(val) = val else {
            out.push(Val::arr(vec![Val::arr(path)]));
            continue;
        };
        let children: Vec<(Val, Val)> = match &val {
            Val::Arr(items) => items.0.iter().enumerate().map(|(k, v)| (Val::Num(k as f64), v.clone())).collect(),
            Val::Obj(fields) => fields.0.iter().map(|(k, v)| (Val::Str(k.clone()), v.clone())).collect(),
            _ => Vec::new(),
        };
        let below = |key: &Val| path.iter().chain([key]).cloned().collect::<Vec<Val>>();
        match children.last() {
            None => out.push(Val::arr(vec![Val::arr(path), val])),
            Some((last, _)) => {
                todo.push((below(last), None));
                for (key, child) in children.iter().rev() {
                    todo.push((below(key), Some(child.clone())));
                }
            }
        }
    }
    Ok(Val::arr(out))
}

/// Handles one event for `fromstream`: the state is `[value, complete]`.
fn build(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [event] = take(args)?;
    let (Val::Arr(mut state), Val::Arr(event)) = (val, event) else {
        return Err("a stream is made of arrays: [path, value] and [path]".into());
    };
    let pair = &mut Rc::make_mut(&mut state).0;
    let done = pair.get(1).is_some_and(Val::is_true);
    let mut value = if done { Val::Null } else { std::mem::replace(&mut pair[0], Val::Null) };
    let path = event.0.first().cloned().unwrap_or(Val::Null);
    let depth = match &path {
        Val::Arr(keys) => keys.0.len(),
        _ => return Err(Error::from("Path must be specified as an array")),
    };
    let complete = match event.0.get(1) {
        Some(leaf) => {
            value = set_path(value, &path, leaf.clone())?;
            depth == 0
        }
        None => depth == 1,
    };
    pair[0] = value;
    pair[1] = Val::Bool(complete);
    Ok(Val::Arr(state))
}

//! Filters for arrays: sorting, grouping, searching.

use super::{Entry, Run, take};
use crate::json::{Items, Val, compare, equal, extreme, get, sort_values, type_error, type_error2};
use crate::run::arith::{add, flatten};
use crate::run::{Context, Error};
use std::rc::Rc;

pub(super) const TABLE: &[Entry] = &[
    ("add", 0, sum),
    ("sort", 0, sort),
    ("reverse", 0, reverse),
    ("min", 0, |_, v, _| extremes(&v, &v, true)),
    ("max", 0, |_, v, _| extremes(&v, &v, false)),
    ("_min_by", 1, |_, v, args| extremes(&v, &args[0], true)),
    ("_max_by", 1, |_, v, args| extremes(&v, &args[0], false)),
    ("_sort_by", 1, |_, v, args| Ok(Val::arr(keyed(&v, &args[0], "sorted")?.into_iter().map(|(_, v)| v).collect()))),
    ("_group_by", 1, |_, v, args| Ok(Val::arr(groups(&v, &args[0])?.into_iter().map(Val::arr).collect()))),
    ("_unique_by", 1, |_, v, args| Ok(Val::arr(groups(&v, &args[0])?.into_iter().map(|mut g| g.swap_remove(0)).collect()))),
    ("flatten", 0, |_, v, _| flat(&v, -1.0)),
    ("flatten", 1, flatten_to),
    ("indices", 1, indices),
    ("_bsearch", 1, search),
    ("_steps", 3, steps),
    ("join", 1, join),
];

fn elements(val: &Val) -> Result<Vec<Val>, Error> {
    match val {
        Val::Arr(items) => Ok(items.0.clone()),
        Val::Obj(fields) => Ok(fields.0.values().cloned().collect()),
        other => Err(format!("Cannot iterate over {}", type_error(other, "").trim_end()).into()),
    }
}

fn sum(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let mut total = Val::Null;
    for item in elements(&val)? {
        total = add(total, item)?;
    }
    Ok(total)
}

fn sort(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let Val::Arr(mut items) = val else { return Err(type_error(&val, "cannot be sorted, as it is not an array").into()) };
    sort_values(&mut Rc::make_mut(&mut items).0, |v| v)?;
    Ok(Val::Arr(items))
}

fn reverse(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match val {
        Val::Str(text) => Ok(Val::str(text.chars().rev().collect::<String>())),
        Val::Null => Ok(Val::arr(Vec::new())),
        Val::Obj(fields) if fields.0.is_empty() => Ok(Val::arr(Vec::new())),
        Val::Arr(mut items) => {
            Rc::make_mut(&mut items).0.reverse();
            Ok(Val::Arr(items))
        }
        other => Err(format!("Cannot index {} with number", other.kind()).into()),
    }
}

fn both<'a>(val: &'a Val, keys: &'a Val, what: &str) -> Result<(&'a Rc<Items>, &'a Rc<Items>), Error> {
    match (val, keys) {
        (Val::Arr(items), Val::Arr(keys)) if items.0.len() == keys.0.len() => Ok((items, keys)),
        (Val::Arr(_), Val::Arr(_)) => Err(type_error2(val, keys, "have wrong length").into()),
        _ => Err(type_error2(val, keys, &format!("cannot be {what}")).into()),
    }
}

fn extremes(val: &Val, keys: &Val, smallest: bool) -> Run {
    let (items, keys) = both(val, keys, "iterated over")?;
    Ok(extreme(&items.0, &keys.0, smallest)?)
}

/// Returns the elements with their keys, sorted by these.
fn keyed(val: &Val, keys: &Val, what: &str) -> Result<Vec<(Val, Val)>, Error> {
    let Val::Arr(_) = val else { return Err(type_error(val, &format!("cannot be {what}, as it is not an array")).into()) };
    let (items, keys) = both(val, keys, what)?;
    let mut pairs: Vec<(Val, Val)> = keys.0.iter().cloned().zip(items.0.iter().cloned()).collect();
    sort_values(&mut pairs, |(key, _)| key)?;
    Ok(pairs)
}

fn groups(val: &Val, keys: &Val) -> Result<Vec<Vec<Val>>, Error> {
    let mut groups: Vec<Vec<Val>> = Vec::new();
    let mut last = None;
    for (key, item) in keyed(val, keys, "grouped")? {
        match (&last, groups.last_mut()) {
            (Some(before), Some(group)) if equal(before, &key)? => group.push(item),
            _ => groups.push(vec![item]),
        }
        last = Some(key);
    }
    Ok(groups)
}

fn flat(val: &Val, depth: f64) -> Run {
    let mut out = Vec::new();
    flatten(val, depth, &mut out, 0)?;
    Ok(Val::arr(out))
}

fn flatten_to(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let depth = args[0].number().unwrap_or(-1.0);
    if depth < 0.0 {
        return Err("flatten depth must not be negative".into());
    }
    flat(&val, depth)
}

fn indices(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [part] = take(args)?;
    match (&val, &part) {
        (Val::Str(text), Val::Str(part)) => Ok(super::strings::positions(text, part)),
        (Val::Arr(_), Val::Arr(_)) => Ok(get(&val, &part)?),
        (Val::Arr(_), _) => Ok(get(&val, &Val::arr(vec![part]))?),
        _ => Ok(get(&val, &part)?),
    }
}

/// Finds where a value is in a sorted array, or `-1 - n` where it would be.
fn search(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [wanted] = take(args)?;
    let items = elements(&val)?;
    let (mut low, mut high) = (0, items.len());
    while low < high {
        let middle = low.midpoint(high);
        match compare(&items[middle], &wanted)? {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Ok(Val::Num(middle as f64)),
        }
    }
    Ok(Val::Num(-1.0 - low as f64))
}

/// Implements `range/3`.
fn steps(_: &mut Context, _: Val, args: Vec<Val>) -> Run {
    let [from, upto, by] = take(args)?;
    let (Some(mut at), Some(upto), Some(by)) = (from.number(), upto.number(), by.number()) else {
        return Err("Range bounds must be numeric".into());
    };
    let mut out = Vec::new();
    while (by > 0.0 && at < upto) || (by < 0.0 && at > upto) {
        out.push(Val::Num(at));
        at += by;
    }
    Ok(Val::arr(out))
}

fn join(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [separator] = take(args)?;
    let mut text = Val::Null;
    for item in elements(&val)? {
        text = if matches!(text, Val::Null) { Val::str("") } else { add(text, separator.clone())? };
        let part = match item {
            Val::Null => Val::str(""),
            Val::Bool(_) | Val::Num(_) | Val::Lit(_) => Val::Str(item.text()),
            other => other,
        };
        text = add(text, part)?;
    }
    Ok(if matches!(text, Val::Null) { Val::str("") } else { text })
}

//! Reading, setting and deleting what a path names.

use super::{Fields, MAX_DEPTH, Map, Val, brief, compare, equal, sort_values};
use std::rc::Rc;

/// The largest index that can be set.
const MAX_INDEX: usize = (1 << 29) - 1;

/// Returns the bounds of a slice `{"start":…,"end":…}` of something `len` long.
pub(super) fn slice_bounds(slice: &Map, len: usize) -> Result<(usize, usize), String> {
    let part = |name: &str| slice.get(&name.to_owned()).unwrap_or(&Val::Null).clone();
    let (start, end) = (part("start"), part("end"));
    let number = |val: &Val, default: f64| match val {
        Val::Null => Ok(default),
        other => other.number().ok_or("Start and end indices of an array slice must be numbers"),
    };
    if !slice.contains_key(&"start".to_owned()) && !slice.contains_key(&"end".to_owned()) {
        return Err("Array/string slice indices must be integers".into());
    }
    let size = len as f64;
    let mut from = number(&start, 0.0)?;
    let mut to = number(&end, size)?;
    from = if from.is_nan() {
        0.0
    } else if from < 0.0 {
        from + size
    } else {
        from
    };
    to = if to.is_nan() {
        size
    } else if to < 0.0 {
        to + size
    } else {
        to
    };
    let from = from.clamp(0.0, size).floor() as usize;
    let to = to.clamp(0.0, size).ceil() as usize;
    Ok((from, to.max(from)))
}

/// Returns the part of a string between two positions counted in characters.
fn substring(text: &str, slice: &Map) -> Result<Val, String> {
    let (from, to) = slice_bounds(slice, text.chars().count())?;
    let at = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(at, _)| at);
    Ok(Val::str(&text[at(from)..at(to)]))
}

fn cannot_index(val: &Val, key: &Val) -> String {
    match key {
        Val::Str(name) => format!("Cannot index {} with string \"{name}\"", val.kind()),
        other => format!("Cannot index {} with {}", val.kind(), other.kind()),
    }
}

/// Returns where `n` points in an array of `len` elements; negative numbers count from its end.
fn position(n: f64, len: usize) -> Option<usize> {
    if n.is_nan() {
        return None;
    }
    let n = n.trunc();
    let at = if n < 0.0 { n + len as f64 } else { n };
    (at >= 0.0 && at < len as f64).then_some(at as usize)
}

/// Implements `.[key]`.
pub(crate) fn get(val: &Val, key: &Val) -> Result<Val, String> {
    match (val, key) {
        (Val::Obj(fields), Val::Str(name)) => Ok(fields.0.get(name).cloned().unwrap_or(Val::Null)),
        (Val::Arr(items), Val::Num(_) | Val::Lit(_)) => {
            Ok(position(key.number().unwrap_or(f64::NAN), items.0.len()).map_or(Val::Null, |at| items.0[at].clone()))
        }
        (Val::Null, Val::Str(_) | Val::Num(_) | Val::Lit(_)) => Ok(Val::Null),
        (Val::Null, Val::Obj(slice)) => slice_bounds(&slice.0, 0).map(|_| Val::Null),
        (Val::Arr(items), Val::Obj(slice)) => {
            let (from, to) = slice_bounds(&slice.0, items.0.len())?;
            Ok(Val::arr(items.0[from..to].to_vec()))
        }
        (Val::Str(text), Val::Obj(slice)) => substring(text, &slice.0),
        (Val::Arr(items), Val::Arr(wanted)) => indices(&items.0, &wanted.0),
        _ => Err(cannot_index(val, key)),
    }
}

/// Returns where an array occurs in another one.
fn indices(items: &[Val], wanted: &[Val]) -> Result<Val, String> {
    let mut found = Vec::new();
    if !wanted.is_empty() {
        'at: for (at, window) in items.windows(wanted.len()).enumerate() {
            for (a, b) in window.iter().zip(wanted) {
                if !equal(a, b)? {
                    continue 'at;
                }
            }
            found.push(Val::Num(at as f64));
        }
    }
    Ok(Val::arr(found))
}

/// Implements `.[key] = new`, in place if the value is not shared.
pub(super) fn set(val: Val, key: &Val, new: Val) -> Result<Val, String> {
    match (val, key) {
        (Val::Obj(mut fields), Val::Str(name)) => {
            Rc::make_mut(&mut fields).0.insert(name.clone(), new);
            Ok(Val::Obj(fields))
        }
        (Val::Null, Val::Str(name)) => Ok(Val::Obj(Rc::new(Fields(Map::from_iter([(name.clone(), new)]))))),
        (Val::Null, Val::Num(_) | Val::Lit(_) | Val::Obj(_)) => set(Val::arr(Vec::new()), key, new),
        (Val::Arr(mut items), Val::Num(_) | Val::Lit(_)) => {
            let n = key.number().unwrap_or(f64::NAN);
            if n.is_nan() {
                return Err("Cannot set array element at NaN index".into());
            }
            let n = n.trunc();
            let at = if n < 0.0 { n + items.0.len() as f64 } else { n };
            if at < 0.0 {
                return Err("Out of bounds negative array index".into());
            }
            if at > MAX_INDEX as f64 {
                return Err("Array index too large".into());
            }
            let at = at as usize;
            let list = &mut Rc::make_mut(&mut items).0;
            if at >= list.len() {
                list.resize(at + 1, Val::Null);
            }
            list[at] = new;
            Ok(Val::Arr(items))
        }
        (Val::Arr(mut items), Val::Obj(slice)) => {
            let (from, to) = slice_bounds(&slice.0, items.0.len())?;
            let Val::Arr(new) = new else { return Err("A slice of an array can only be assigned another array".into()) };
            Rc::make_mut(&mut items).0.splice(from..to, new.0.iter().cloned());
            Ok(Val::Arr(items))
        }
        (Val::Str(_), Val::Obj(_)) => Err("Cannot update string slices".into()),
        (val, key) => Err(format!("Cannot update field at {} index of {}", key.kind(), val.kind())),
    }
}

fn checked(path: &Val) -> Result<&[Val], String> {
    let Val::Arr(keys) = path else { return Err("Path must be specified as an array".into()) };
    if keys.0.len() > MAX_DEPTH { Err("Path too deep".into()) } else { Ok(&keys.0) }
}

/// Implements `getpath`.
pub(crate) fn get_path(val: &Val, path: &Val) -> Result<Val, String> {
    let mut val = val.clone();
    for key in checked(path)? {
        val = get(&val, key)?;
    }
    Ok(val)
}

/// Implements `setpath`.
pub(crate) fn set_path(val: Val, path: &Val, new: Val) -> Result<Val, String> {
    update(val, checked(path)?, &mut |_| Ok(new.clone()))
}

/// Replaces what `keys` name by what `change` makes of it. Containers are emptied on the way down, so that they are
/// changed in place.
pub(super) fn update(val: Val, keys: &[Val], change: &mut dyn FnMut(Val) -> Result<Val, String>) -> Result<Val, String> {
    let mut parents: Vec<(Val, &Val)> = Vec::with_capacity(keys.len());
    let mut val = val;
    for key in keys {
        let inner = take(&mut val, key)?;
        parents.push((val, key));
        val = inner;
    }
    val = change(val)?;
    while let Some((parent, key)) = parents.pop() {
        val = set(parent, key, val)?;
    }
    Ok(val)
}

/// Moves what a path names into `inner`, so that it can be changed in place; null, or a shared copy, remains.
pub(crate) fn take_path(val: Val, path: &Val, inner: &mut Val) -> Result<Val, String> {
    let keys = checked(path)?;
    let found = get_path(&val, path)?;
    let scalar = !matches!(found, Val::Arr(_) | Val::Obj(_) | Val::Str(_));
    if scalar || keys.iter().any(|key| matches!(key, Val::Obj(_) | Val::Arr(_))) {
        *inner = found;
        return Ok(val);
    }
    drop(found);
    update(val, keys, &mut |val| {
        *inner = val;
        Ok(Val::Null)
    })
}

/// Returns what `key` names, leaving null in its place where that is possible.
fn take(val: &mut Val, key: &Val) -> Result<Val, String> {
    match (val, key) {
        (Val::Obj(fields), Val::Str(name)) => {
            let slot = Rc::get_mut(fields).and_then(|f| f.0.get_mut(name));
            match slot {
                Some(slot) => Ok(std::mem::replace(slot, Val::Null)),
                None => Ok(fields.0.get(name).cloned().unwrap_or(Val::Null)),
            }
        }
        (Val::Arr(items), Val::Num(_) | Val::Lit(_)) => {
            let Some(at) = position(key.number().unwrap_or(f64::NAN), items.0.len()) else { return Ok(Val::Null) };
            match Rc::get_mut(items) {
                Some(list) => Ok(std::mem::replace(&mut list.0[at], Val::Null)),
                None => Ok(items.0[at].clone()),
            }
        }
        (val, key) => get(val, key),
    }
}

/// Implements `delpaths`: deletes all of them at once, so that one deletion does not move what another one names.
pub(crate) fn delete_paths(val: Val, paths: &Val) -> Result<Val, String> {
    let Val::Arr(paths) = paths else { return Err("Paths must be specified as an array".into()) };
    let mut list: Vec<&Val> = paths.0.iter().collect();
    sort_values(&mut list, |v| v)?;
    let mut keys = Vec::new();
    for path in &list {
        if !matches!(path, Val::Arr(_)) {
            return Err(format!("Path must be specified as array, not {}", path.kind()));
        }
        keys.push(checked(path)?);
    }
    match keys.first() {
        None => Ok(val),
        Some([]) => Ok(Val::Null),
        Some(_) => delete_sorted(val, &keys, 0),
    }
}

fn delete_sorted(mut val: Val, paths: &[&[Val]], depth: usize) -> Result<Val, String> {
    let mut whole = Vec::new();
    let mut end = paths.len();
    while end > 0 {
        let key = &paths[end - 1][depth];
        let mut start = end - 1;
        while start > 0 && equal(&paths[start - 1][depth], key)? {
            start -= 1;
        }
        let group = &paths[start..end];
        end = start;
        if group.iter().any(|path| path.len() == depth + 1) {
            whole.push(key);
            continue;
        }
        let inner = get(&val, key)?;
        if !matches!(inner, Val::Null) {
            drop(inner);
            let inner = take(&mut val, key)?;
            let inner = delete_sorted(inner, group, depth + 1)?;
            val = set(val, key, inner)?;
        }
    }
    delete_keys(val, &whole)
}

fn delete_keys(val: Val, keys: &[&Val]) -> Result<Val, String> {
    if keys.is_empty() {
        return Ok(val);
    }
    match val {
        Val::Null => Ok(Val::Null),
        Val::Arr(mut items) => {
            let len = items.0.len();
            let mut gone = vec![false; len];
            for key in keys {
                match key {
                    Val::Num(_) | Val::Lit(_) => {
                        if let Some(at) = position(key.number().unwrap_or(f64::NAN), len) {
                            gone[at] = true;
                        }
                    }
                    Val::Obj(slice) => {
                        let (from, to) = slice_bounds(&slice.0, len)?;
                        gone[from..to].fill(true);
                    }
                    other => return Err(format!("Cannot delete {} element of array", other.kind())),
                }
            }
            let mut at = 0;
            Rc::make_mut(&mut items).0.retain(|_| {
                at += 1;
                !gone[at - 1]
            });
            Ok(Val::Arr(items))
        }
        Val::Obj(mut fields) => {
            for key in keys {
                let Val::Str(name) = key else { return Err(format!("Cannot delete {} field of object", key.kind())) };
                Rc::make_mut(&mut fields).0.shift_remove(name);
            }
            Ok(Val::Obj(fields))
        }
        other => Err(format!("Cannot delete fields from {}", other.kind())),
    }
}

/// Implements `has`.
pub(crate) fn has(val: &Val, key: &Val) -> Result<bool, String> {
    match (val, key) {
        (Val::Null, _) => Ok(false),
        (Val::Obj(fields), Val::Str(name)) => Ok(fields.0.contains_key(name)),
        (Val::Arr(items), Val::Num(_) | Val::Lit(_)) => {
            let n = key.number().unwrap_or(f64::NAN).trunc();
            Ok(n >= 0.0 && n < items.0.len() as f64)
        }
        _ => Err(format!("Cannot check whether {} has a {} key", val.kind(), key.kind())),
    }
}

/// Implements `a - b` for arrays.
pub(crate) fn without(items: &[Val], gone: &[Val]) -> Result<Vec<Val>, String> {
    let mut left = Vec::new();
    'item: for item in items {
        for other in gone {
            if equal(item, other)? {
                continue 'item;
            }
        }
        left.push(item.clone());
    }
    Ok(left)
}

/// Implements `a * b` for objects: merged all the way down.
pub(crate) fn merge(a: Rc<Fields>, b: &Rc<Fields>, depth: usize) -> Result<Rc<Fields>, String> {
    if depth > MAX_DEPTH {
        return Err("Object merge too deep".into());
    }
    let mut a = a;
    let target = &mut Rc::make_mut(&mut a).0;
    for (key, value) in &b.0 {
        let merged = match (target.get_mut(key), value) {
            (Some(Val::Obj(mine)), Val::Obj(theirs)) => Val::Obj(merge(std::mem::take(mine), theirs, depth + 1)?),
            _ => value.clone(),
        };
        target.insert(key.clone(), merged);
    }
    Ok(a)
}

/// Returns the message for a value that a filter cannot use.
pub(crate) fn type_error(val: &Val, message: &str) -> String {
    format!("{} ({}) {message}", val.kind(), brief(val, 15))
}

/// Returns the same for two.
pub(crate) fn type_error2(a: &Val, b: &Val, message: &str) -> String {
    format!("{} ({}) and {} ({}) {message}", a.kind(), brief(a, 15), b.kind(), brief(b, 15))
}

/// Returns the smaller (`sign` < 0) or larger of many, by keys; of equals the first smallest and the last largest.
pub(crate) fn extreme(values: &[Val], keys: &[Val], smallest: bool) -> Result<Val, String> {
    let Some(mut best) = (!values.is_empty()).then_some(0) else { return Ok(Val::Null) };
    for at in 1..values.len() {
        let less = compare(&keys[at], &keys[best])?.is_lt();
        if less == smallest {
            best = at;
        }
    }
    Ok(values[best].clone())
}

#[cfg(test)]
mod tests {
    use super::super::{parse_one, to_text};
    use super::*;

    fn val(text: &str) -> Val {
        parse_one(text).unwrap()
    }

    #[test]
    fn deletions_do_not_move_each_other() {
        let paths = val(r#"[[1],[-6],[2],[{"start":-3,"end":9}]]"#);
        let left = delete_paths(val("[0,1,2,3,4,5,6,7,8,9]"), &paths).unwrap();
        assert_eq!(to_text(&left), "[0,3,5,6,9]");
    }

    #[test]
    fn paths_are_made_on_the_way() {
        let made = set_path(Val::Null, &val(r#"["a",1,"b"]"#), Val::Num(1.0)).unwrap();
        assert_eq!(to_text(&made), r#"{"a":[null,{"b":1}]}"#);
        assert!(set_path(val("[0]"), &val("[-2]"), Val::Null).is_err());
    }

    #[test]
    fn slices_round_outward() {
        let slice = val(r#"{"start":1.7,"end":3.5}"#);
        assert_eq!(to_text(&get(&val("[0,1,2,3,4]"), &slice).unwrap()), "[1,2,3]");
        assert_eq!(to_text(&get(&val("\"añb\""), &val(r#"{"start":-2,"end":null}"#)).unwrap()), "\"ñb\"");
    }
}

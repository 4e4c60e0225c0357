//! Equality, order and containment.

use super::{MAX_DEPTH, Map, Str, Val};
use std::cmp::Ordering;

/// Returns the place of its type among the types, in jq's order.
pub(super) fn rank(val: &Val) -> u8 {
    match val {
        Val::Null => 0,
        Val::Bool(false) => 1,
        Val::Bool(true) => 2,
        Val::Num(_) | Val::Lit(_) => 3,
        Val::Str(_) => 4,
        Val::Arr(_) => 5,
        Val::Obj(_) => 6,
    }
}

/// Compares numbers in jq's order: NaN is below every number, itself included.
fn numbers(a: &Val, b: &Val) -> Ordering {
    if let (Val::Lit(x), Val::Lit(y)) = (a, b) {
        return x.compare(y);
    }
    let (x, y) = (a.number().unwrap_or(0.0), b.number().unwrap_or(0.0));
    if x.is_nan() { Ordering::Less } else { x.partial_cmp(&y).unwrap_or(Ordering::Greater) }
}

/// Returns the keys of an object, sorted by code points.
pub(crate) fn sorted_keys(map: &Map) -> Vec<Str> {
    let mut keys: Vec<Str> = map.keys().cloned().collect();
    keys.sort_unstable();
    keys
}

/// Compares any two values in jq's order.
pub(crate) fn compare(a: &Val, b: &Val) -> Result<Ordering, String> {
    compare_at(a, b, 0)
}

fn compare_at(a: &Val, b: &Val, depth: usize) -> Result<Ordering, String> {
    if depth > MAX_DEPTH {
        return Err("Comparison too deep".into());
    }
    Ok(match (a, b) {
        (Val::Num(_) | Val::Lit(_), Val::Num(_) | Val::Lit(_)) => numbers(a, b),
        (Val::Str(x), Val::Str(y)) => x.cmp(y),
        (Val::Arr(x), Val::Arr(y)) => {
            for (x, y) in x.0.iter().zip(&y.0) {
                match compare_at(x, y, depth + 1)? {
                    Ordering::Equal => {}
                    other => return Ok(other),
                }
            }
            x.0.len().cmp(&y.0.len())
        }
        (Val::Obj(x), Val::Obj(y)) => {
            let (keys, others) = (sorted_keys(&x.0), sorted_keys(&y.0));
            match keys.cmp(&others) {
                Ordering::Equal => {}
                other => return Ok(other),
            }
            for key in keys {
                match compare_at(&x.0[&key], &y.0[&key], depth + 1)? {
                    Ordering::Equal => {}
                    other => return Ok(other),
                }
            }
            Ordering::Equal
        }
        _ => rank(a).cmp(&rank(b)),
    })
}

/// Returns whether two values are equal; the order of members does not count.
pub(crate) fn equal(a: &Val, b: &Val) -> Result<bool, String> {
    equal_at(a, b, 0)
}

fn equal_at(a: &Val, b: &Val, depth: usize) -> Result<bool, String> {
    // What is the same storage needs no look inside; only a number may differ from itself.
    if matches!(a, Val::Arr(_) | Val::Obj(_)) && a.same(b) {
        return Ok(true);
    }
    if depth > MAX_DEPTH {
        return Err("Equality check too deep".into());
    }
    Ok(match (a, b) {
        (Val::Num(_) | Val::Lit(_), Val::Num(_) | Val::Lit(_)) => numbers(a, b) == Ordering::Equal,
        (Val::Arr(x), Val::Arr(y)) => {
            if x.0.len() != y.0.len() {
                return Ok(false);
            }
            for (x, y) in x.0.iter().zip(&y.0) {
                if !equal_at(x, y, depth + 1)? {
                    return Ok(false);
                }
            }
            true
        }
        (Val::Obj(x), Val::Obj(y)) => {
            if x.0.len() != y.0.len() {
                return Ok(false);
            }
            for (key, x) in &x.0 {
                match y.0.get(key) {
                    Some(y) if equal_at(x, y, depth + 1)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Val::Str(x), Val::Str(y)) => x == y,
        _ => rank(a) == rank(b),
    })
}

/// Returns whether `b` is contained in `a`, as the filter `contains` has it.
pub(crate) fn contains(a: &Val, b: &Val) -> Result<bool, String> {
    contains_at(a, b, 0)
}

fn contains_at(a: &Val, b: &Val, depth: usize) -> Result<bool, String> {
    if depth > MAX_DEPTH {
        return Err("Containment check too deep".into());
    }
    Ok(match (a, b) {
        (Val::Obj(x), Val::Obj(y)) => {
            for (key, want) in &y.0 {
                match x.0.get(key) {
                    Some(has) if contains_at(has, want, depth + 1)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Val::Arr(x), Val::Arr(y)) => {
            for want in &y.0 {
                let mut found = false;
                for has in &x.0 {
                    found = contains_at(has, want, depth + 1)?;
                    if found {
                        break;
                    }
                }
                if !found {
                    return Ok(false);
                }
            }
            true
        }
        (Val::Str(x), Val::Str(y)) => x.contains(y.as_str()),
        _ => equal(a, b)?,
    })
}

/// Returns the order with NaN equal to itself, without which sorting has no meaning.
fn total(a: &Val, b: &Val) -> Result<Ordering, String> {
    let order = compare(a, b)?;
    if order.is_lt() && compare(b, a)?.is_lt() { Ok(Ordering::Equal) } else { Ok(order) }
}

/// Sorts by keys that belong to the values, keeping the order of equals.
pub(crate) fn sort_values<T>(items: &mut [T], key: impl Fn(&T) -> &Val) -> Result<(), String> {
    let mut failure = None;
    items.sort_by(|a, b| {
        total(key(a), key(b)).unwrap_or_else(|error| {
            failure = Some(error);
            Ordering::Equal
        })
    });
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::super::parse_one;
    use super::*;

    fn val(text: &str) -> Val {
        parse_one(text).unwrap()
    }

    #[test]
    fn kinds_are_ordered() {
        let kinds = ["null", "false", "true", "-1", "2", "\"a\"", "\"b\"", "[]", "[0]", "{}", "{\"a\":1}", "{\"a\":2}", "{\"b\":0}"];
        for pair in kinds.windows(2) {
            assert_eq!(compare(&val(pair[0]), &val(pair[1])).unwrap(), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn literals_compare_to_the_last_digit() {
        assert!(!equal(&val("13911860366432393"), &val("13911860366432392")).unwrap());
        assert!(equal(&val("1.000"), &val("100e-2")).unwrap());
        assert_eq!(compare(&val("100000000000000000"), &val("100000000000000001")).unwrap(), Ordering::Less);
    }

    #[test]
    fn containment_looks_inside() {
        assert!(contains(&val(r#"["foobar","baz"]"#), &val(r#"["bar"]"#)).unwrap());
        assert!(!contains(&val(r#"{"a":[1]}"#), &val(r#"{"a":[2]}"#)).unwrap());
    }
}

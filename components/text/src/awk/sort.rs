//! The order of keys: PROCINFO["sorted_in"], `asort`, `asorti`.

use super::array::{ArrayRef, Key, Table};
use super::machine::{Machine, Run, Stop, fatal};
use super::special as sp;
use super::value::{Value, compare};
use std::cmp::Ordering;

type Pair = (Key, Value);
type Compare = Box<dyn Fn(&Pair, &Pair) -> Ordering>;

impl Machine {
    /// Returns the keys of an array in the order PROCINFO asks for.
    pub(super) fn sorted_keys(&mut self, array: &ArrayRef) -> Run<Vec<Key>> {
        let how = match &self.globals[sp::PROCINFO] {
            Value::Array(info) => info.table.borrow().get(&Key::Str(std::rc::Rc::new(b"sorted_in".to_vec()))).map(|v| v.text(b"%.6g")),
            _ => None,
        };
        let Some(how) = how.filter(|h| !h.is_empty() && &***h != b"@unsorted") else {
            return Ok(array.table.borrow().usual_order());
        };
        let mut pairs: Vec<Pair> = array.table.borrow().iter().map(|(k, v)| (k, v.clone())).collect();
        self.order(&mut pairs, &how)?;
        Ok(pairs.into_iter().map(|(k, _)| k).collect())
    }

    fn order(&mut self, pairs: &mut Vec<Pair>, how: &[u8]) -> Run<()> {
        let how = String::from_utf8_lossy(how).into_owned();
        let Some(rest) = how.strip_prefix('@') else { return self.order_by_function(pairs, &how) };
        let (by, descending) = match (rest.strip_suffix("_asc"), rest.strip_suffix("_desc")) {
            (Some(by), _) => (by, false),
            (_, Some(by)) => (by, true),
            _ => (rest, false),
        };
        let fold = self.fold;
        let text = move |v: &Value| {
            let text = v.text(b"%.6g");
            if fold { text.to_ascii_lowercase() } else { text.to_vec() }
        };
        let index = move |a: &Key, b: &Key| {
            let (a, b) = (a.to_text(), b.to_text());
            if fold { a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase()).then_with(|| a.cmp(&b)) } else { a.cmp(&b) }
        };
        // Of texts that differ only in case, upper case comes first.
        let bytes = |a: &Value, b: &Value| a.text(b"%.6g").cmp(&b.text(b"%.6g"));
        let order: Compare = match by {
            "ind_str" => Box::new(move |a, b| index(&a.0, &b.0)),
            "ind_num" => Box::new(|a, b| number(&a.0).total_cmp(&number(&b.0)).then_with(|| a.0.to_text().cmp(&b.0.to_text()))),
            "val_str" => Box::new(move |a, b| {
                arrays_last(&a.1, &b.1)
                    .unwrap_or_else(|| text(&a.1).cmp(&text(&b.1)))
                    .then_with(|| bytes(&a.1, &b.1))
                    .then_with(|| index(&a.0, &b.0))
            }),
            "val_num" => Box::new(move |a, b| {
                let values = arrays_last(&a.1, &b.1).unwrap_or_else(|| a.1.num().total_cmp(&b.1.num()));
                values.then_with(|| text(&a.1).cmp(&text(&b.1))).then_with(|| bytes(&a.1, &b.1)).then_with(|| index(&a.0, &b.0))
            }),
            "val_type" => Box::new(move |a, b| by_type(&a.1, &b.1, fold).then_with(|| index(&a.0, &b.0))),
            "unsorted" => return Ok(()),
            _ => return fatal(format!("PROCINFO[\"sorted_in\"]: `{how}' is not a known order")),
        };
        pairs.sort_by(|a, b| if descending { order(b, a) } else { order(a, b) });
        Ok(())
    }

    /// Sorts by a function of the program. The function may be inconsistent, so this is a merge sort, which compares no pair twice.
    fn order_by_function(&mut self, pairs: &mut Vec<Pair>, name: &str) -> Run<()> {
        let Some(function) = self.code.functions.iter().position(|f| f.name == name) else {
            return fatal(format!("sort comparison function `{name}' is not defined"));
        };
        if pairs.len() < 2 {
            return Ok(());
        }
        let mut right = pairs.split_off(pairs.len() / 2);
        self.order_by_function(pairs, name)?;
        self.order_by_function(&mut right, name)?;
        let mut merged = Vec::with_capacity(pairs.len() + right.len());
        let (mut left, mut right) = (std::mem::take(pairs).into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let value = |k: &Key| Value::Str(k.to_text());
            let args = vec![value(&a.0), a.1.clone(), value(&b.0), b.1.clone()];
            let args = args.into_iter().take(self.code.functions[function].params.len()).collect();
            let result = self.call(function as u32, args)?;
            let next = if result.num() <= 0.0 { left.next() } else { right.next() };
            merged.extend(next);
        }
        merged.extend(left);
        merged.extend(right);
        *pairs = merged;
        Ok(())
    }

    /// Implements `asort` and `asorti`.
    pub(super) fn asort(&mut self, args: &[Value], keys: bool) -> Run<Value> {
        let Some(Value::Array(source)) = args.first() else { return Err(Stop::Fatal("asort: first argument is not an array".into())) };
        let mut pairs: Vec<Pair> = source.table.borrow().iter().map(|(k, v)| (k, v.clone())).collect();
        let how = args.get(2).map(|h| h.text(&self.convfmt).to_vec());
        let how = how.unwrap_or_else(|| if keys { b"@ind_str_asc".to_vec() } else { b"@val_type_asc".to_vec() });
        self.order(&mut pairs, &how)?;
        let target = match args.get(1) {
            Some(Value::Array(target)) => target,
            _ => source,
        };
        let mut table = Table::default();
        for (n, (key, value)) in pairs.into_iter().enumerate() {
            table.set(Key::Int(n as i64 + 1), if keys { Value::Str(key.to_text()) } else { value });
        }
        let count = table.len();
        *target.table.borrow_mut() = table;
        Ok(Value::Num(count as f64))
    }
}

fn number(key: &Key) -> f64 {
    match key {
        Key::Int(n) => *n as f64,
        Key::Str(s) => super::number::parse(s),
    }
}

fn arrays_last(a: &Value, b: &Value) -> Option<Ordering> {
    let array = |v: &Value| matches!(v, Value::Array(array) if array.real.get());
    match (array(a), array(b)) {
        (true, true) => Some(Ordering::Equal),
        (true, false) => Some(Ordering::Greater),
        (false, true) => Some(Ordering::Less),
        (false, false) => None,
    }
}

/// Orders numbers before strings before arrays.
fn by_type(a: &Value, b: &Value, fold: bool) -> Ordering {
    if let Some(order) = arrays_last(a, b) {
        return order;
    }
    match (a.numeric(), b.numeric()) {
        (Some(x), Some(y)) => x.total_cmp(&y),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) if fold => {
            let lower = |v: &Value| v.text(b"%.6g").to_ascii_lowercase();
            lower(a).cmp(&lower(b)).then_with(|| a.text(b"%.6g").cmp(&b.text(b"%.6g")))
        }
        (None, None) => compare(a, b, b"%.6g").unwrap_or(Ordering::Equal),
    }
}

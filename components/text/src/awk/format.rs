//! `printf`.

use super::number::{not_finite, prefix};
use super::value::Value;
use crate::text::first_char;

/// One conversion's flags and sizes.
#[derive(Default, Clone, Copy)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// The largest width; a wider one is truncated, because memory is limited.
const WIDEST: usize = 1 << 24;

/// Appends the values in a format. The error is the fatal message.
pub(super) fn format(format: &[u8], values: &[Value], convfmt: &[u8], utf8: bool, out: &mut Vec<u8>) -> Result<(), String> {
    let mut next = 0;
    let mut at = 0;
    let (mut by_number, mut mixed) = (None, false);
    while at < format.len() {
        let Some(percent) = memchr::memchr(b'%', &format[at..]) else {
            out.extend_from_slice(&format[at..]);
            break;
        };
        out.extend_from_slice(&format[at..at + percent]);
        let start = at + percent;
        at = start + 1;
        if format.get(at) == Some(&b'%') {
            out.push(b'%');
            at += 1;
            continue;
        }
        let mut spec = Spec::default();
        // `%2$s`: an argument by number.
        let position = numbered(format, &mut at, values)?;
        let mut missing = None;
        let mut take = |position: Option<usize>, at: usize, missing: &mut Option<usize>| {
            let place = position.unwrap_or(next);
            next += usize::from(position.is_none());
            if values.get(place).is_none() {
                missing.get_or_insert(at);
            }
            values.get(place).cloned().unwrap_or(Value::Unset)
        };
        while let Some(b) = format.get(at) {
            match b {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                b'\'' => {}
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let number = numbered(format, &mut at, values)?;
            mixed |= number.is_some() != position.is_some();
            let width = take(number, at, &mut missing).num();
            spec.left |= width < 0.0;
            spec.width = (width.abs() as usize).min(WIDEST);
        } else {
            spec.width = size(format, &mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                at += 1;
                let number = numbered(format, &mut at, values)?;
                mixed |= number.is_some() != position.is_some();
                let precision = take(number, at, &mut missing).num();
                spec.precision = (precision >= 0.0).then_some((precision as usize).min(WIDEST));
            } else {
                spec.precision = Some(size(format, &mut at));
            }
        }
        while matches!(format.get(at), Some(b'l' | b'h' | b'L' | b'q' | b'j' | b'z' | b't' | b' ')) && at + 1 < format.len() {
            at += 1;
        }
        let Some(&kind) = format.get(at) else {
            out.extend_from_slice(&format[start..]);
            break;
        };
        if kind == b'%' {
            out.push(b'%');
            at += 1;
            continue;
        }
        if !b"diouxXeEfFgGaAcs".contains(&kind) {
            // It is not a conversion: print it as it is.
            out.extend_from_slice(&format[start..=at]);
            at += 1;
            continue;
        }
        at += 1;
        mixed |= *by_number.get_or_insert(position.is_some()) != position.is_some();
        if mixed {
            return Err("must use `count$' on all formats or none".into());
        }
        let value = take(position, at, &mut missing);
        if let Some(at) = missing {
            let shown = String::from_utf8_lossy(format);
            return Err(format!(
                "not enough arguments to satisfy format string\n\t`{shown}'\n\t{}^ ran out for this one",
                " ".repeat(at - 1)
            ));
        }
        convert(kind, spec, &value, convfmt, utf8, out);
    }
    Ok(())
}

/// Parses `2$`, the number of an argument, from 0.
fn numbered(format: &[u8], at: &mut usize, values: &[Value]) -> Result<Option<usize>, String> {
    let digits = format[*at..].iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || format.get(*at + digits) != Some(&b'$') {
        return Ok(None);
    }
    let number = prefix(&format[*at..*at + digits]).map_or(1, |(n, _)| n as usize);
    *at += digits + 1;
    match number {
        0 => Err("argument index with `$' must be > 0".into()),
        number if number > values.len() => Err(format!("argument index {number} greater than total number of supplied arguments")),
        number => Ok(Some(number - 1)),
    }
}

fn size(format: &[u8], at: &mut usize) -> usize {
    let mut value: usize = 0;
    while let Some(b @ b'0'..=b'9') = format.get(*at) {
        value = value.saturating_mul(10).saturating_add(usize::from(b - b'0'));
        *at += 1;
    }
    value.min(WIDEST)
}

/// Writes a number in a format such as CONVFMT.
pub(super) fn number(n: f64, by: &[u8], out: &mut Vec<u8>) {
    // A format that needs no argument, or several, is printed as it is.
    if format(by, &[Value::Num(n)], b"%.6g", true, out).is_err() {
        out.extend_from_slice(by);
    }
}

fn convert(kind: u8, spec: Spec, value: &Value, convfmt: &[u8], utf8: bool, out: &mut Vec<u8>) {
    match kind {
        b'c' => {
            let text = character(value, utf8);
            pad(&text, spec, utf8, out);
        }
        b's' => {
            let text = value.text(convfmt);
            let text = match spec.precision {
                Some(most) => &text[..chars(&text, most, utf8)],
                None => &text[..],
            };
            if spec.width == 0 { out.extend_from_slice(text) } else { pad(text, spec, utf8, out) }
        }
        b'd' | b'i' => {
            let n = value.num();
            if !n.is_finite() {
                return pad(not_finite(n).as_bytes(), Spec { zero: false, ..spec }, utf8, out);
            }
            let n = n.trunc();
            let digits = if n == 0.0 { "0".to_owned() } else { format!("{:.0}", n.abs()) };
            integer(&digits, n < 0.0, "", spec, out);
        }
        b'o' | b'x' | b'X' | b'u' => unsigned(kind, spec, value.num(), out),
        _ => {
            let n = value.num();
            if !n.is_finite() {
                return pad(not_finite(n).as_bytes(), Spec { zero: false, ..spec }, utf8, out);
            }
            let mut text = Vec::new();
            let precision = spec.precision.unwrap_or(6);
            match kind {
                b'f' | b'F' => {
                    text.extend(format!("{:.*}", precision, n.abs()).into_bytes());
                    if spec.alternate && precision == 0 {
                        text.push(b'.');
                    }
                }
                b'e' | b'E' => scientific(n.abs(), precision, kind == b'E', spec.alternate, &mut text),
                b'a' | b'A' => text.extend(hexadecimal(n.abs(), spec.precision, kind == b'A').into_bytes()),
                _ => general(n.abs(), precision, kind == b'G', spec.alternate, &mut text),
            }
            let sign = sign(n.is_sign_negative(), spec);
            place(sign, &text, spec, spec.zero, out);
        }
    }
}

fn sign(negative: bool, spec: Spec) -> &'static str {
    match () {
        () if negative => "-",
        () if spec.plus => "+",
        () if spec.space => " ",
        () => "",
    }
}

fn integer(digits: &str, negative: bool, mark: &str, spec: Spec, out: &mut Vec<u8>) {
    let mut text = String::new();
    if let Some(least) = spec.precision {
        text.extend(std::iter::repeat_n('0', least.saturating_sub(digits.len())));
    }
    // Zero with a precision of 0 has no digits, except with `%#.0o` and `%#.0x`.
    if !(spec.precision == Some(0) && digits == "0" && !spec.alternate) {
        text += digits;
    }
    let sign = format!("{}{mark}", sign(negative, spec));
    place(&sign, text.as_bytes(), spec, spec.zero && spec.precision.is_none(), out);
}

fn unsigned(kind: u8, spec: Spec, n: f64, out: &mut Vec<u8>) {
    if !n.is_finite() {
        return pad(not_finite(n).as_bytes(), spec, false, out);
    }
    let n = n.trunc();
    if !(-9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0).contains(&n) {
        let mut text = Vec::new();
        if kind == b'u' {
            text.extend(format!("{n:.0}").into_bytes());
        } else {
            general(n, spec.precision.unwrap_or(6), false, false, &mut text);
        }
        return pad(&text, spec, false, out);
    }
    let bits = if n < 0.0 { n as i64 as u64 } else { n as u64 };
    let (digits, mark) = match kind {
        b'o' => (format!("{bits:o}"), "0"),
        b'x' => (format!("{bits:x}"), "0x"),
        b'X' => (format!("{bits:X}"), "0X"),
        _ => (bits.to_string(), ""),
    };
    let mark = if spec.alternate && bits != 0 { mark } else { "" };
    integer(&digits, false, mark, Spec { plus: false, space: false, ..spec }, out);
}

/// Puts sign, zeros and text into the width.
fn place(sign: &str, text: &[u8], spec: Spec, zero: bool, out: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(sign.len() + text.len());
    if !spec.left && !zero {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
    out.extend_from_slice(sign.as_bytes());
    if !spec.left && zero {
        out.extend(std::iter::repeat_n(b'0', missing));
    }
    out.extend_from_slice(text);
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
}

fn pad(text: &[u8], spec: Spec, utf8: bool, out: &mut Vec<u8>) {
    let length = if utf8 { count(text) } else { text.len() };
    let missing = spec.width.saturating_sub(length);
    if !spec.left {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
    out.extend_from_slice(text);
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
}

/// Returns how many characters a text has; an invalid byte counts as one.
pub(super) fn count(text: &[u8]) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        at += first_char(&text[at..]).1;
        count += 1;
    }
    count
}

/// Returns the length of the first `most` characters.
pub(super) fn chars(text: &[u8], most: usize, utf8: bool) -> usize {
    if !utf8 || text.is_ascii() {
        return most.min(text.len());
    }
    let mut at = 0;
    for _ in 0..most {
        if at >= text.len() {
            break;
        }
        at += first_char(&text[at..]).1;
    }
    at
}

fn character(value: &Value, utf8: bool) -> Vec<u8> {
    if let (Value::Num(_) | Value::Input(_), Some(n)) = (value, value.numeric()) {
        return match char::from_u32(n as u32) {
            Some(c) if utf8 => c.to_string().into_bytes(),
            _ => vec![n as i64 as u8],
        };
    }
    let text = value.text(b"%.6g");
    if text.is_empty() {
        return vec![0];
    }
    text[..if utf8 { first_char(&text).1 } else { 1 }].to_vec()
}

fn scientific(n: f64, precision: usize, upper: bool, alternate: bool, out: &mut Vec<u8>) {
    let text = format!("{n:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    out.extend_from_slice(mantissa.as_bytes());
    if alternate && precision == 0 {
        out.push(b'.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    out.extend(format!("{}{sign}{:02}", if upper { 'E' } else { 'e' }, exponent.abs()).into_bytes());
}

/// Writes `%g`, with the sign of a negative number.
pub(super) fn general(n: f64, precision: usize, upper: bool, alternate: bool, out: &mut Vec<u8>) {
    if n.is_sign_negative() {
        out.push(b'-');
    }
    let n = n.abs();
    let precision = precision.max(1);
    let probe = format!("{:.*e}", precision - 1, n);
    let exponent: i32 = probe.split_once('e').map_or(0, |(_, e)| e.parse().unwrap_or(0));
    let mut text = Vec::new();
    let fixed = exponent >= -4 && (exponent as i64) < precision as i64;
    if fixed {
        let decimals = (precision as i64 - 1 - i64::from(exponent)).max(0) as usize;
        text.extend(format!("{n:.decimals$}").into_bytes());
    } else {
        text.extend_from_slice(probe.split_once('e').map_or("", |(m, _)| m).as_bytes());
    }
    if alternate && !text.contains(&b'.') {
        text.push(b'.');
    }
    if !alternate && text.contains(&b'.') {
        while text.last() == Some(&b'0') {
            text.pop();
        }
        if text.last() == Some(&b'.') {
            text.pop();
        }
    }
    out.extend(text);
    if !fixed {
        let sign = if exponent < 0 { '-' } else { '+' };
        out.extend(format!("{}{sign}{:02}", if upper { 'E' } else { 'e' }, exponent.abs()).into_bytes());
    }
}

fn hexadecimal(n: f64, precision: Option<usize>, upper: bool) -> String {
    let bits = n.to_bits();
    let (mut exponent, fraction) = (((bits >> 52) & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let mut lead = u64::from(exponent > 0);
    exponent = if bits << 1 == 0 {
        0
    } else if exponent == 0 {
        -1022
    } else {
        exponent - 1023
    };
    let mut digits = format!("{fraction:013x}");
    match precision {
        Some(p) if p < 13 => {
            let shift = 4 * (13 - p);
            let full = (lead << 52) | fraction;
            let rounded = (full + (1 << (shift - 1))) >> shift;
            lead = rounded >> (4 * p);
            digits = if p == 0 { String::new() } else { format!("{:0p$x}", rounded & ((1 << (4 * p)) - 1)) };
        }
        Some(p) => digits.extend(std::iter::repeat_n('0', p - 13)),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let point = if digits.is_empty() { "" } else { "." };
    let text = format!("0x{lead}{point}{digits}p{exponent:+}");
    if upper { text.to_uppercase() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(by: &str, values: &[Value]) -> String {
        let mut out = Vec::new();
        match format(by.as_bytes(), values, b"%.6g", true, &mut out) {
            Ok(()) => String::from_utf8(out).unwrap(),
            Err(error) => error,
        }
    }

    #[test]
    fn conversions() {
        let n = |n: f64| vec![Value::Num(n)];
        assert_eq!(show("%5d|%-5d|%05d|%+d", &[3.9, 3.0, -3.0, 3.0].map(Value::Num)), "    3|3    |-0003|+3");
        assert_eq!(show("%d", &n(1e30)), "1000000000000000019884624838656");
        assert_eq!(show("%x", &n(-1.0)), "ffffffffffffffff");
        assert_eq!(show("%#x %#o", &[255.0, 8.0].map(Value::Num)), "0xff 010");
        assert_eq!(show("%e", &n(12345.678)), "1.234568e+04");
        assert_eq!(show("%G", &n(1e20)), "1E+20");
        assert_eq!(show("%a", &n(1.0)), "0x1p+0");
        assert_eq!(show("%.3d", &n(5.0)), "005");
        assert_eq!(show("%5.2s|", &[Value::str("abc")]), "   ab|");
        assert_eq!(show("%*d|%-*d", &[5.0, 3.0, 5.0, 3.0].map(Value::Num)), "    3|3    ");
        assert_eq!(show("%2$s %1$s", &[Value::str("a"), Value::str("b")]), "b a");
        assert_eq!(show("%c%c", &[Value::Num(228.0), Value::str("éa")]), "äé");
        assert_eq!(show("%.0f %.1f", &[0.5, 2.25].map(Value::Num)), "0 2.2");
        assert_eq!(show("%4s|", &[Value::str("é")]), "   é|");
        assert!(show("%s %s", &[Value::Unset]).starts_with("not enough arguments"));
    }
}

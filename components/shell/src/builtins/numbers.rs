//! Numbers of `printf`.

use super::printf::{Job, Spec};
use super::text;
use crate::shell::Shell;

impl Shell {
    pub(super) fn integer(&mut self, arg: &[u8], job: &mut Job<'_>, unsigned: bool) -> i64 {
        if let [b'"' | b'\'', rest @ ..] = arg {
            let Some(first) = rest.first() else { return 0 };
            // A byte that is no character is itself.
            let (character, len) = crate::pattern::char_at(rest, 0);
            return if len == 1 { i64::from(*first) } else { i64::from(character) };
        }
        let trimmed = arg.trim_ascii_start();
        if trimmed.is_empty() {
            if !arg.is_empty() {
                self.printf_error(job, format!("printf: {}: invalid number", text(arg)));
                job.status = 1;
            }
            return 0;
        }
        let (negative, digits) = match trimmed {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, trimmed),
        };
        let (radix, digits) = match digits {
            [b'0', b'x' | b'X', rest @ ..] => (16, rest),
            [b'0', rest @ ..] if !rest.is_empty() => (8, rest),
            _ => (10, digits),
        };
        let len = digits.iter().take_while(|b| (**b as char).is_digit(radix)).count();
        let parsed = i128::from_str_radix(&text(&digits[..len]), radix).unwrap_or(0);
        if len < digits.len() || len == 0 {
            let kind = match arg {
                [b'0', b'0'..=b'9', ..] => "octal ",
                [b'0', b'x', ..] => "hex ",
                _ => "",
            };
            self.printf_error(job, format!("printf: {}: invalid {kind}number", text(arg)));
            job.status = 1;
        }
        let value = if negative { -parsed } else { parsed };
        if value > if unsigned { i128::from(u64::MAX) } else { i128::from(i64::MAX) }
            || value < i128::from(i64::MIN)
            || (value > i128::from(i64::MAX) && negative)
        {
            self.printf_error(job, format!("printf: warning: {}: Numerical result out of range", text(arg)));
            return if unsigned {
                -1
            } else if negative {
                i64::MIN
            } else {
                i64::MAX
            };
        }
        value as i64
    }

    pub(super) fn float(&mut self, arg: &[u8], job: &mut Job<'_>) -> f64 {
        if let [b'"' | b'\'', ..] = arg {
            return self.integer(arg, job, false) as f64;
        }
        let shown = text(arg);
        let trimmed = shown.trim();
        if trimmed.is_empty() {
            return 0.0;
        }
        if trimmed.starts_with("0x") || trimmed.starts_with("-0x") {
            return self.integer(arg, job, false) as f64;
        }
        let mut end = trimmed.len();
        loop {
            if let Ok(value) = trimmed[..end].parse::<f64>() {
                if end < trimmed.len() {
                    self.printf_error(job, format!("printf: {shown}: invalid number"));
                    job.status = 1;
                }
                return value;
            }
            if end == 0 {
                self.printf_error(job, format!("printf: {shown}: invalid number"));
                job.status = 1;
                return 0.0;
            }
            end -= 1;
            while !trimmed.is_char_boundary(end) {
                end -= 1;
            }
        }
    }
}

/// A number that is not negative, in the form of `letter`.
pub(super) fn float_text(value: f64, letter: u8, spec: &Spec) -> String {
    let upper = letter.is_ascii_uppercase();
    let body = if value.is_infinite() {
        "inf".to_owned()
    } else if value.is_nan() {
        "nan".to_owned()
    } else {
        let precision = spec.precision.unwrap_or(6);
        match letter.to_ascii_lowercase() {
            b'f' if spec.alternate && precision == 0 => format!("{value:.0}."),
            b'f' => format!("{value:.precision$}"),
            b'e' if spec.alternate && precision == 0 => exponent(value, 0).replacen('e', ".e", 1),
            b'e' => exponent(value, precision),
            b'a' => hexadecimal(value, spec.precision, spec.alternate),
            _ => {
                let precision = precision.max(1);
                let shown = exponent(value, precision - 1);
                let power: i32 = shown.split('e').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
                let body = if power < -4 || power >= precision as i32 {
                    shown
                } else {
                    format!("{value:.*}", (precision as i32 - 1 - power).max(0) as usize)
                };
                if spec.alternate { body } else { trim_zeros(&body) }
            }
        }
    };
    if upper { body.to_uppercase() } else { body }
}

/// `0x8.cp-3`: four bits before the point, as a long double has them.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let (fraction, biased) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
    let mut digits = if biased == 0 { fraction } else { fraction | 1 << 52 };
    if digits == 0 {
        let zeros = "0".repeat(precision.unwrap_or(0));
        return format!("0x0{}{zeros}p+0", if zeros.is_empty() && !alternate { "" } else { "." });
    }
    let shift = digits.leading_zeros();
    digits <<= shift;
    // The value is `digits` times two to this power.
    let mut power = biased.max(1) - 1075 - shift as i32 + 60;
    if let Some(keep) = precision.filter(|keep| *keep < 15) {
        // Rounded to even at the digit behind the last that is kept.
        let unit = 1u64 << (60 - 4 * keep as u32);
        let rest = digits & (unit - 1);
        let up = rest > unit / 2 || (rest == unit / 2 && digits & unit != 0);
        digits = match (digits - rest).checked_add(if up { unit } else { 0 }) {
            Some(digits) => digits,
            None => {
                power += 4;
                1 << 60
            }
        };
    }
    let mut tail = format!("{:015x}", digits & ((1 << 60) - 1));
    match precision {
        Some(precision) => {
            tail.truncate(precision);
            tail.extend(std::iter::repeat_n('0', precision.saturating_sub(tail.len())));
        }
        None => tail.truncate(tail.trim_end_matches('0').len()),
    }
    format!("0x{:x}{}{tail}p{power:+}", digits >> 60, if tail.is_empty() && !alternate { "" } else { "." })
}

fn exponent(value: f64, precision: usize) -> String {
    let shown = format!("{value:.precision$e}");
    match shown.split_once('e') {
        Some((digits, power)) => {
            let power: i32 = power.parse().unwrap_or(0);
            format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
        }
        None => shown,
    }
}

fn trim_zeros(text: &str) -> String {
    let (digits, power) = text.split_once('e').map_or((text, String::new()), |(digits, power)| (digits, format!("e{power}")));
    if digits.contains('.') {
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return format!("{digits}{power}");
    }
    text.to_owned()
}

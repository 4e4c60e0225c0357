//! Floating point numbers in the formats of C's printf and scanf.

/// Formats a number that is not negative, in the form of `letter`. `alternate` is printf's `#`.
pub fn text(value: f64, letter: u8, precision: Option<usize>, alternate: bool) -> String {
    let upper = letter.is_ascii_uppercase();
    let body = if value.is_infinite() {
        "inf".to_owned()
    } else if value.is_nan() {
        "nan".to_owned()
    } else {
        // Rust formats no more digits than this.
        let digits = precision.unwrap_or(6).min(usize::from(u16::MAX));
        match letter.to_ascii_lowercase() {
            b'f' if alternate && digits == 0 => format!("{value:.0}."),
            b'f' => format!("{value:.digits$}"),
            b'e' if alternate && digits == 0 => exponent(value, 0).replacen('e', ".e", 1),
            b'e' => exponent(value, digits),
            b'a' => in_sixteens(value, precision, alternate),
            _ => {
                let digits = digits.max(1);
                let shown = exponent(value, digits - 1);
                let power: i32 = shown.split('e').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
                let body = if power < -4 || power >= digits as i32 {
                    shown
                } else {
                    format!("{value:.*}", (digits as i32 - 1 - power).max(0) as usize)
                };
                match alternate {
                    true if body.contains('.') => body,
                    // `#` keeps the point.
                    true => body.split_once('e').map_or(format!("{body}."), |(digits, power)| format!("{digits}.e{power}")),
                    false => trim_zeros(&body),
                }
            }
        }
    };
    if upper { body.to_uppercase() } else { body }
}

/// Returns `0x8.cp-3`: four bits before the point, as a long double has them.
fn in_sixteens(value: f64, precision: Option<usize>, alternate: bool) -> String {
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
        // Rounded to even at the digit after the last that is kept.
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

/// Parses a number in base sixteen, after its `0x`: digits, a point, and a power of two after `p`.
pub fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, power) = text.split_once(['p', 'P']).map_or((text, Some(0)), |(digits, power)| (digits, power.parse::<i32>().ok()));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(part.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    Some(value * f64::from(power?.checked_sub(4 * i32::try_from(part.len()).ok()?)?).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_printf_does() {
        for (value, letter, precision, alternate, want) in [
            (0.5, b'f', None, false, "0.500000"),
            (2.0, b'f', Some(0), true, "2."),
            (1e6, b'g', None, false, "1e+06"),
            (1e5, b'g', None, true, "100000."),
            (0.0001, b'G', Some(3), false, "0.0001"),
            (12_345.678, b'E', Some(2), false, "1.23E+04"),
            (1.0, b'a', None, false, "0x8p-3"),
            (f64::INFINITY, b'F', None, false, "INF"),
        ] {
            assert_eq!(text(value, letter, precision, alternate), want);
        }
    }

    #[test]
    fn numbers_in_base_sixteen_are_read() {
        assert_eq!([hexadecimal("1p-3"), hexadecimal("1.8"), hexadecimal("a.A9p+1")], [Some(0.125), Some(1.5), Some(21.3203125)]);
        assert_eq!([hexadecimal(""), hexadecimal("g"), hexadecimal("1p"), hexadecimal("1p2147483648")], [None; 4]);
    }
}

//! Numbers of `printf`.

use super::printf::Job;
use super::text;
use crate::shell::Shell;

impl Shell {
    pub(super) fn integer(&mut self, arg: &[u8], job: &mut Job<'_>, unsigned: bool) -> i64 {
        if let [b'"' | b'\'', rest @ ..] = arg {
            let Some(first) = rest.first() else { return 0 };
            // A byte that is not a character represents itself.
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

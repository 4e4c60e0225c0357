//! `printf`.

use super::echo::decode;
use super::text;
use crate::lexer::escape;
use crate::quote;
use crate::shell::{Run, Shell};

const USAGE: &[u8] = b"printf: usage: printf [-v var] format [arguments]\n";

/// A conversion: flags, width, precision, letter.
#[derive(Default, Clone)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

struct Job<'a> {
    args: &'a [Vec<u8>],
    next: usize,
    out: Vec<u8>,
    status: i32,
    stop: bool,
}

pub(super) fn printf(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut at = 1;
    let mut into = None;
    while let Some(arg) = args.get(at) {
        match &arg[..] {
            b"-v" => {
                into = args.get(at + 1).cloned();
                if into.is_none() {
                    shell.error("printf: -v: option requires an argument");
                    shell.warn_raw(USAGE);
                    return Ok(2);
                }
                at += 2;
            }
            [b'-', b'v', name @ ..] => {
                into = Some(name.to_vec());
                at += 1;
            }
            b"--" => {
                at += 1;
                break;
            }
            [b'-', letter, ..] => {
                shell.error(format!("printf: -{}: invalid option", *letter as char));
                shell.warn_raw(USAGE);
                return Ok(2);
            }
            _ => break,
        }
    }
    if let Some(name) = into.as_ref().filter(|name| !crate::builtins::is_reference(name)) {
        shell.error(format!("printf: `{}': not a valid identifier", text(name)));
        return Ok(2);
    }
    let Some(format) = args.get(at) else {
        shell.warn_raw(USAGE);
        return Ok(2);
    };
    let mut job = Job { args: &args[at + 1..], next: 0, out: Vec::new(), status: 0, stop: false };
    loop {
        let before = job.next;
        shell.format_once(format, &mut job);
        if job.stop || job.next >= job.args.len() || job.next == before {
            break;
        }
    }
    if let Some(name) = into {
        let out = std::mem::take(&mut job.out);
        return match shell.set_named(&name, out) {
            Ok(()) => Ok(job.status),
            Err(crate::shell::Flow::Discard(_)) => Ok(1),
            Err(flow) => Err(flow),
        };
    }
    let status = shell.print("printf", &job.out)?;
    Ok(status.max(job.status))
}

impl Shell {
    fn format_once(&mut self, format: &[u8], job: &mut Job<'_>) {
        let mut at = 0;
        while at < format.len() && !job.stop {
            match format[at] {
                b'\\' => {
                    if let Some(quote @ (b'"' | b'\'')) = format.get(at + 1) {
                        job.out.push(*quote);
                        at += 2;
                    } else {
                        at = escape(format, at + 1, &mut job.out, false);
                    }
                }
                b'%' if format.get(at + 1) == Some(&b'%') => {
                    job.out.push(b'%');
                    at += 2;
                }
                b'%' => at = self.conversion(format, at + 1, job),
                byte => {
                    job.out.push(byte);
                    at += 1;
                }
            }
        }
    }

    /// One conversion; the position is behind `%`. Answers where it ends.
    fn conversion(&mut self, format: &[u8], start: usize, job: &mut Job<'_>) -> usize {
        let mut spec = Spec::default();
        let mut at = start;
        while let Some(byte) = format.get(at) {
            match byte {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                // Groups of digits are a locale's, and this one has none.
                b'\'' => {}
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        let number = |shell: &mut Shell, at: &mut usize, job: &mut Job<'_>| -> i64 {
            if format.get(*at) == Some(&b'*') {
                *at += 1;
                let arg = take(job);
                return shell.integer(&arg, job, false);
            }
            let mut value = 0i64;
            while let Some(digit) = format.get(*at).filter(|b| b.is_ascii_digit()) {
                value = (value * 10 + i64::from(digit - b'0')).min(1 << 24);
                *at += 1;
            }
            value
        };
        let width = number(self, &mut at, job);
        if width < 0 {
            spec.left = true;
        }
        spec.width = width.unsigned_abs().min(1 << 24) as usize;
        if format.get(at) == Some(&b'.') {
            at += 1;
            let precision = number(self, &mut at, job);
            spec.precision = usize::try_from(precision).ok();
        }
        while format.get(at).is_some_and(|b| matches!(b, b'l' | b'h' | b'L' | b'j' | b'z' | b't')) {
            at += 1;
        }
        let Some(letter) = format.get(at).copied() else {
            self.error(format!("printf: `{}': missing format character", text(&format[start - 1..])));
            job.status = 1;
            job.stop = true;
            return format.len();
        };
        at += 1;
        match letter {
            b's' => {
                let arg = take(job);
                job.text(&spec, &arg);
            }
            b'b' => {
                let arg = take(job);
                let mut decoded = Vec::new();
                if !decode(&arg, &mut decoded, true) {
                    job.stop = true;
                }
                job.text(&spec, &decoded);
            }
            b'q' => {
                let arg = take(job);
                job.text(&spec, &quote::backslash(&arg));
            }
            b'Q' => {
                let arg = take(job);
                let most = spec.precision.take().unwrap_or(usize::MAX).min(arg.len());
                job.text(&spec, &quote::backslash(&arg[..most]));
            }
            b'c' => {
                let arg = take(job);
                job.text(&spec, arg.get(..1).unwrap_or_default());
            }
            b'd' | b'i' => {
                let arg = take(job);
                let value = self.integer(&arg, job, false);
                let digits = value.unsigned_abs().to_string();
                let sign = if value < 0 {
                    "-"
                } else if spec.plus {
                    "+"
                } else if spec.space {
                    " "
                } else {
                    ""
                };
                job.number(&spec, sign, &digits);
            }
            b'u' => {
                let arg = take(job);
                let value = self.integer(&arg, job, true) as u64;
                job.number(&spec, "", &value.to_string());
            }
            b'o' | b'x' | b'X' => {
                let arg = take(job);
                let value = self.integer(&arg, job, true) as u64;
                let (digits, prefix) = match letter {
                    b'o' => (format!("{value:o}"), "0"),
                    b'x' => (format!("{value:x}"), "0x"),
                    _ => (format!("{value:X}"), "0X"),
                };
                let zero = letter == b'o' && spec.precision == Some(0);
                let prefix = if spec.alternate && (value != 0 || zero) { prefix } else { "" };
                job.number(&spec, prefix, &digits);
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let arg = take(job);
                let value = self.float(&arg, job);
                let sign = if value.is_sign_negative() {
                    "-"
                } else if spec.plus {
                    "+"
                } else if spec.space {
                    " "
                } else {
                    ""
                };
                let digits = float_text(value.abs(), letter, &spec);
                let plain = Spec { precision: None, zero: spec.zero && value.is_finite(), ..spec.clone() };
                job.number(&plain, sign, &digits);
            }
            b'n' => {}
            b'(' => {
                let Some(close) = format[at..].iter().position(|b| *b == b')') else {
                    job.out.extend_from_slice(&format[start - 1..]);
                    return format.len();
                };
                let pattern = &format[at..at + close];
                at += close + 1;
                if format.get(at) == Some(&b'T') {
                    at += 1;
                }
                let arg = if job.next < job.args.len() { Some(take(job)) } else { None };
                let now = (crate::sys::now() / 1_000_000_000) as i64;
                let seconds = match arg.as_deref() {
                    None | Some(b"-1") => now,
                    Some(b"-2") => self.started as i64,
                    Some(arg) => self.integer(arg, job, false),
                };
                let shown = crate::time::format(pattern, seconds);
                job.text(&spec, &shown);
            }
            other => {
                self.error(format!("printf: `{}': invalid format character", other as char));
                job.status = 1;
                job.stop = true;
            }
        }
        at
    }

    fn integer(&mut self, arg: &[u8], job: &mut Job<'_>, unsigned: bool) -> i64 {
        if let [b'"' | b'\'', rest @ ..] = arg {
            return if rest.is_empty() { 0 } else { i64::from(crate::pattern::char_at(rest, 0).0) };
        }
        let trimmed = arg.trim_ascii_start();
        if trimmed.is_empty() {
            if !arg.is_empty() {
                self.error(format!("printf: {}: invalid number", text(arg)));
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
            self.error(format!("printf: {}: invalid {}number", text(arg), if radix == 8 { "octal " } else { "" }));
            job.status = 1;
        }
        let value = if negative { -parsed } else { parsed };
        if value > if unsigned { i128::from(u64::MAX) } else { i128::from(i64::MAX) } || value < i128::from(i64::MIN) || (value > i128::from(i64::MAX) && negative) {
            self.error(format!("printf: warning: {}: Numerical result out of range", text(arg)));
            return if negative {
                i64::MIN
            } else if unsigned {
                -1
            } else {
                i64::MAX
            };
        }
        value as i64
    }

    fn float(&mut self, arg: &[u8], job: &mut Job<'_>) -> f64 {
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
                    self.error(format!("printf: {shown}: invalid number"));
                    job.status = 1;
                }
                return value;
            }
            if end == 0 {
                self.error(format!("printf: {shown}: invalid number"));
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

fn take(job: &mut Job<'_>) -> Vec<u8> {
    let arg = job.args.get(job.next).cloned().unwrap_or_default();
    job.next += 1;
    arg
}

impl Job<'_> {
    fn pad(&mut self, spec: &Spec, used: usize, body: &[u8]) {
        let fill = spec.width.saturating_sub(used);
        if !spec.left {
            self.out.extend(std::iter::repeat_n(b' ', fill));
        }
        self.out.extend_from_slice(body);
        if spec.left {
            self.out.extend(std::iter::repeat_n(b' ', fill));
        }
    }

    /// Text, its precision and width counted in bytes as bash's printf does.
    fn text(&mut self, spec: &Spec, body: &[u8]) {
        let body = match spec.precision {
            Some(precision) => &body[..precision.min(body.len())],
            None => body,
        };
        self.pad(spec, body.len(), body);
    }

    fn number(&mut self, spec: &Spec, sign: &str, digits: &str) {
        let mut digits = digits.to_owned();
        if let Some(precision) = spec.precision {
            if precision == 0 && digits == "0" {
                digits.clear();
            }
            while digits.len() < precision {
                digits.insert(0, '0');
            }
        } else if spec.zero && !spec.left {
            while digits.len() + sign.len() < spec.width {
                digits.insert(0, '0');
            }
        }
        let body = format!("{sign}{digits}");
        self.pad(spec, body.len(), body.as_bytes());
    }
}

/// A number that is not negative, in the form of `letter`.
fn float_text(value: f64, letter: u8, spec: &Spec) -> String {
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

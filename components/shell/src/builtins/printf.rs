//! `printf`.

use super::echo::decode;
use super::getopt::Options;
use super::text;
use crate::lexer::escape;
use crate::quote;
use crate::shell::{Run, Shell};
use wisp_tool::float;

const USAGE: &str = "[-v var] format [arguments]";

/// The output of `%(…)T` must be shorter than this; bash prints nothing if it is longer.
const LONGEST_TIME: usize = 128;

/// A conversion: flags, width, precision, letter.
#[derive(Default, Clone)]
pub(super) struct Spec {
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) alternate: bool,
    pub(super) zero: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

impl Spec {
    /// Returns what stands before a number's digits.
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

pub(super) struct Job<'a> {
    pub(super) args: &'a [Vec<u8>],
    pub(super) next: usize,
    pub(super) out: Vec<u8>,
    pub(super) status: i32,
    pub(super) stop: bool,
    /// The output goes into a variable.
    pub(super) kept: bool,
}

impl Shell {
    /// Reports an error after the output so far.
    pub(super) fn printf_error(&mut self, job: &mut Job<'_>, message: String) {
        if !job.kept {
            // Write whole lines, as bash buffers them. If the pipe has no reader, the end of the builtin detects that
            // too.
            let lines = job.out.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            let _ = self.print("printf", &job.out.drain(..lines).collect::<Vec<u8>>());
        }
        self.error(message);
    }
}

pub(super) fn printf(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut into = None;
    let mut options = Options::new(args, "v:", USAGE);
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'v' => into = Some(options.value()),
            _ => return Ok(2),
        }
    }
    if let Some(name) = into.filter(|name| !crate::builtins::is_reference(name)) {
        shell.error(format!("printf: `{}': not a valid identifier", text(name)));
        return Ok(2);
    }
    let Some((format, args)) = options.rest().split_first() else {
        shell.warn_raw(format!("printf: usage: printf {USAGE}\n").as_bytes());
        return Ok(2);
    };
    let mut job = Job { args, next: 0, out: Vec::new(), status: 0, stop: false, kept: into.is_some() };
    loop {
        let before = job.next;
        shell.format_once(format, &mut job);
        if job.stop || job.next >= job.args.len() || job.next == before {
            break;
        }
    }
    if let Some(name) = into {
        // A variable cannot hold a NUL or the text after it.
        let end = job.out.iter().position(|b| *b == 0).unwrap_or(job.out.len());
        job.out.truncate(end);
        let out = std::mem::take(&mut job.out);
        return match shell.set_named(name, out) {
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
                    if let Some(quote @ (b'"' | b'\'' | b'?')) = format.get(at + 1) {
                        job.out.push(*quote);
                        at += 2;
                    } else {
                        self.missing_digits(&format[at + 1..], job);
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

    /// Reports a `\\x` or `\\u` without digits.
    fn missing_digits(&mut self, escape: &[u8], job: &mut Job<'_>) {
        let (Some(letter @ (b'x' | b'u' | b'U')), false) = (escape.first(), escape.get(1).is_some_and(u8::is_ascii_hexdigit)) else {
            return;
        };
        let what = if *letter == b'x' { "hex" } else { "unicode" };
        self.printf_error(job, format!("printf: missing {what} digit for \\{}", *letter as char));
    }

    /// Returns a width or a precision at `at`: digits, or `*` for an argument. Moves `at` past it.
    fn conversion_number(&mut self, format: &[u8], at: &mut usize, job: &mut Job<'_>) -> i64 {
        if format.get(*at) == Some(&b'*') {
            *at += 1;
            let arg = take(job);
            return self.integer(&arg, job, false);
        }
        let mut value = 0i64;
        while let Some(digit) = format.get(*at).filter(|b| b.is_ascii_digit()) {
            value = (value * 10 + i64::from(digit - b'0')).min(1 << 24);
            *at += 1;
        }
        value
    }

    /// Handles one conversion; `start` is after `%`. Returns where the conversion ends.
    fn conversion(&mut self, format: &[u8], start: usize, job: &mut Job<'_>) -> usize {
        let mut spec = Spec::default();
        let mut at = start;
        while let Some(byte) = format.get(at) {
            match byte {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                // Digit grouping depends on the locale, and this one has none.
                b'\'' => {}
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        let width = self.conversion_number(format, &mut at, job);
        if width < 0 {
            spec.left = true;
        }
        spec.width = width.unsigned_abs().min(1 << 24) as usize;
        if format.get(at) == Some(&b'.') {
            at += 1;
            let precision = self.conversion_number(format, &mut at, job);
            spec.precision = usize::try_from(precision).ok();
        }
        while format.get(at).is_some_and(|b| matches!(b, b'l' | b'h' | b'L' | b'j' | b'z' | b't')) {
            at += 1;
        }
        let Some(letter) = format.get(at).copied() else {
            self.printf_error(job, format!("printf: `{}': missing format character", text(&format[start - 1..])));
            job.status = 1;
            job.stop = true;
            return format.len();
        };
        at += 1;
        match letter {
            b'(' => return self.convert_time(format, start, at, &spec, job),
            b's' | b'b' | b'q' | b'Q' | b'c' => self.convert_text(letter, spec, job),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => self.convert_integer(letter, &spec, job),
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let arg = take(job);
                let value = self.float(&arg, job);
                let sign = spec.sign(value.is_sign_negative());
                let digits = float::text(value.abs(), letter, spec.precision, spec.alternate);
                let plain = Spec { precision: None, zero: spec.zero && value.is_finite(), ..spec };
                job.number(&plain, sign, &digits);
            }
            b'n' => {
                // The variable receives the number of bytes so far.
                let (name, count) = (take(job), job.out.len() as i64);
                if crate::builtins::is_reference(&name) && self.set_named(&name, crate::vars::format_int(count)).is_err() {
                    job.status = 1;
                }
            }
            other => {
                self.printf_error(job, format!("printf: `{}': invalid format character", other as char));
                job.status = 1;
                job.stop = true;
            }
        }
        at
    }

    /// Converts `%s %b %q %Q %c`
    fn convert_text(&mut self, letter: u8, mut spec: Spec, job: &mut Job<'_>) {
        let arg = take(job);
        match letter {
            b's' => job.text(&spec, &arg),
            b'b' => {
                let mut decoded = Vec::new();
                let mut rest = &arg[..];
                while let Some(place) = rest.iter().position(|b| *b == b'\\') {
                    self.missing_digits(&rest[place + 1..], job);
                    rest = rest.get(place + 2..).unwrap_or_default();
                }
                if !decode(&arg, &mut decoded, true) {
                    job.stop = true;
                }
                job.text(&spec, &decoded);
            }
            b'q' => job.text(&spec, &quote::backslash(&arg)),
            b'Q' => {
                let most = spec.precision.take().unwrap_or(usize::MAX).min(arg.len());
                job.text(&spec, &quote::backslash(&arg[..most]));
            }
            // `%c`. For an empty argument, bash writes the byte that ends it.
            _ => job.text(&spec, arg.get(..1).unwrap_or(b"\0")),
        }
    }

    /// Converts `%d %i %u %o %x %X`
    fn convert_integer(&mut self, letter: u8, spec: &Spec, job: &mut Job<'_>) {
        let arg = take(job);
        let signed = matches!(letter, b'd' | b'i');
        let value = self.integer(&arg, job, !signed);
        if signed {
            job.number(spec, spec.sign(value < 0), &value.unsigned_abs().to_string());
            return;
        }
        let value = value as u64;
        let (digits, prefix) = match letter {
            b'u' => (value.to_string(), ""),
            b'o' => (format!("{value:o}"), "0"),
            b'x' => (format!("{value:x}"), "0x"),
            _ => (format!("{value:X}"), "0X"),
        };
        let zero = letter == b'o' && spec.precision == Some(0);
        let prefix = if spec.alternate && (value != 0 || zero) { prefix } else { "" };
        job.number(spec, prefix, &digits);
    }

    /// Converts `%(…)T`; `start` is after `%`, `at` after the parenthesis. Returns where the conversion ends.
    fn convert_time(&mut self, format: &[u8], start: usize, at: usize, spec: &Spec, job: &mut Job<'_>) -> usize {
        // Formats may have pairs of parentheses in them.
        let mut open = 1;
        let close = format[at..].iter().position(|byte| {
            open += i32::from(*byte == b'(') - i32::from(*byte == b')');
            open == 0
        });
        let end = close.map_or(format.len(), |close| at + close);
        if close.is_none() || format.get(end + 1) != Some(&b'T') {
            let letter = format.get(end + 1).map(|letter| (*letter as char).to_string()).unwrap_or_default();
            self.printf_error(job, format!("printf: warning: `{letter}': invalid time format specification"));
            job.out.extend_from_slice(&format[start - 1..at]);
            return at;
        }
        let arg = (job.next < job.args.len()).then(|| take(job));
        let seconds = match arg.map_or(-1, |arg| self.integer(&arg, job, false)) {
            -1 => (crate::sys::now() / 1_000_000_000) as i64,
            -2 => self.invocation.started as i64,
            seconds => seconds,
        };
        let mut shown = self.format_time(&format[at..end], seconds);
        if shown.len() >= LONGEST_TIME {
            shown.clear();
        }
        job.text(spec, &shown);
        end + 2
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

    /// Writes text, its precision and width counted in bytes as bash's printf does.
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

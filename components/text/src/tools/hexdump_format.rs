//! Formats of `hexdump`: `8/2 "%04x " "\n"`.

use std::io::{Result, Write};

/// A part of a format.
pub(super) enum Unit {
    /// Text as it is.
    Text(Vec<u8>),
    /// The address at the end of the input: its base, and the format around it.
    End(u8, String),
    /// The address: its base, and the format around it.
    Address(u8, String),
    /// A conversion: how many times, of how many bytes; text before and after it.
    Data { times: usize, size: usize, spec: String, kind: u8, before: Vec<u8>, after: Vec<u8> },
}

/// A format.
pub(super) struct Format {
    /// Its parts.
    pub units: Vec<Unit>,
}

fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        match b {
            b'\\' => out.push(match bytes.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(b'0') => 0,
                Some(b'a') => 7,
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b'r') => 13,
                Some(b'v') => 11,
                Some(other) => other,
                None => b'\\',
            }),
            b => out.push(b),
        }
    }
    out
}

impl Format {
    /// Reads a format.
    pub(super) fn parse(source: &str) -> std::result::Result<Self, String> {
        let bad = || format!("bad format {{{source}}}");
        let mut units = Vec::new();
        let mut rest = source.trim_start();
        while !rest.is_empty() {
            let (mut times, mut size) = (None, None);
            let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                let end = digits(rest);
                times = rest[..end].parse().ok();
                rest = rest[end..].trim_start();
            }
            if let Some(after) = rest.strip_prefix('/') {
                let after = after.trim_start();
                let end = digits(after);
                size = Some(after[..end].parse::<usize>().map_err(|_| bad())?);
                rest = after[end..].trim_start();
            }
            let inner = rest.strip_prefix('"').ok_or_else(bad)?;
            let end = inner.find('"').ok_or_else(bad)?;
            add(&mut units, &inner[..end], times, size)?;
            rest = inner[end + 1..].trim_start();
        }
        Ok(Self { units })
    }

    /// Returns how many bytes one round takes.
    pub(super) fn size(&self) -> usize {
        self.units.iter().map(|u| if let Unit::Data { times, size, .. } = u { times * size } else { 0 }).sum()
    }

    /// Prints one block at an address; `block` is what the largest format takes, `end` the end of the input.
    pub(super) fn print(&self, part: &[u8], start: u64, block: usize, _end: u64, out: &mut dyn Write) -> Result<()> {
        if self.units.iter().all(|u| matches!(u, Unit::End(..))) {
            return Ok(());
        }
        let mut at = 0;
        // A format that takes less than the block repeats its last conversion.
        let own = self.size();
        let last = self.units.iter().rposition(|u| matches!(u, Unit::Data { .. }));
        for (n, unit) in self.units.iter().enumerate() {
            match unit {
                Unit::Text(text) => out.write_all(text)?,
                Unit::Address(base, format) => out.write_all(&address(format, *base, start + at as u64))?,
                Unit::End(..) => {}
                Unit::Data { times, size, spec, kind, before, after } => {
                    let more = if Some(n) == last && own > 0 && *size > 0 { (block - own.min(block)) / size } else { 0 };
                    let rounds = times + more;
                    for round in 0..rounds {
                        let bytes = part.get(at..(at + size).min(part.len())).unwrap_or_default();
                        let mut text = before.clone();
                        if bytes.is_empty() {
                            // After the end, print blanks instead of the conversion, in its width.
                            text = vec![b' '; text.len()];
                            let flags = spec.find(|c: char| !"#-+ 0".contains(c)).unwrap_or(spec.len());
                            let width = spec[flags..].split('.').next().and_then(|w| w.parse().ok()).unwrap_or(0);
                            text.extend(std::iter::repeat_n(b' ', width));
                        } else {
                            let mut padded = bytes.to_vec();
                            padded.resize(*size, 0);
                            text.extend(convert(spec, *kind, &padded, start + at as u64));
                        }
                        // Drop the blanks after the last conversion of a group, because the next text has its own.
                        let mut after = after.clone();
                        if round + 1 == rounds && rounds > 1 {
                            while after.last().is_some_and(|b| *b == b' ' || *b == b'\t') {
                                after.pop();
                            }
                        }
                        out.write_all(&text)?;
                        out.write_all(&after)?;
                        at += size;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Adds the parts of one quoted text.
fn add(units: &mut Vec<Unit>, text: &str, times: Option<usize>, size: Option<usize>) -> std::result::Result<(), String> {
    let mut conversions = Vec::new();
    let mut rest = text;
    let mut before = String::new();
    while let Some(percent) = rest.find('%') {
        before += &rest[..percent];
        let tail = &rest[percent..];
        if let Some(after) = tail.strip_prefix("%%") {
            before.push('%');
            rest = after;
            continue;
        }
        let end =
            tail[1..].find(|c: char| !"#-+ .0123456789".contains(c)).map(|n| n + 1).ok_or(format!("bad conversion character %{tail}"))?;
        let spec = tail[1..end].to_owned();
        let mut kind = tail.as_bytes()[end];
        let mut used = end + 1;
        if kind == b'_' {
            kind = match (tail.as_bytes().get(end + 1), tail.as_bytes().get(end + 2)) {
                (Some(b'a' | b'A'), Some(base @ (b'd' | b'o' | b'x'))) => {
                    let unit = if tail.as_bytes()[end + 1] == b'a' {
                        Unit::Address(*base, format!("%{spec}"))
                    } else {
                        Unit::End(*base, format!("%{spec}"))
                    };
                    // The text around an address belongs to it.
                    let after_at = end + 3;
                    let next = tail[after_at..].find('%').map_or(tail.len(), |n| after_at + n);
                    let (lead, trail) = (unescape(&std::mem::take(&mut before)), &tail[after_at..next]);
                    match unit {
                        Unit::End(base, format) => units.push(Unit::End(
                            base,
                            format!("{}{format}\u{1}{}", String::from_utf8_lossy(&lead), String::from_utf8_lossy(&unescape(trail))),
                        )),
                        Unit::Address(base, format) => units.push(Unit::Address(
                            base,
                            format!("{}{format}\u{1}{}", String::from_utf8_lossy(&lead), String::from_utf8_lossy(&unescape(trail))),
                        )),
                        other => units.push(other),
                    }
                    rest = &tail[next..];
                    continue;
                }
                (Some(b'c'), _) => b'C',
                (Some(b'p'), _) => b'P',
                (Some(b'u'), _) => b'U',
                _ => return Err(format!("bad conversion character %_{}", &tail[end + 1..])),
            };
            used = end + 2;
        }
        if !b"diouxXcsCPUeEfgG".contains(&kind) {
            return Err(format!("bad conversion character %{}", char::from(kind)));
        }
        conversions.push((std::mem::take(&mut before), spec, kind));
        rest = &tail[used..];
    }
    before += rest;
    if conversions.is_empty() {
        (0..times.unwrap_or(1)).for_each(|_| units.push(Unit::Text(unescape(&before))));
        return Ok(());
    }
    let count = conversions.len();
    for (n, (lead, spec, kind)) in conversions.into_iter().enumerate() {
        if kind == b's' && size.is_none() && !spec.contains('.') {
            return Err("%s requires a precision or a byte count".into());
        }
        let allowed: &[usize] = match kind {
            b's' => &[],
            b'c' | b'C' | b'P' | b'U' => &[1],
            b'e' | b'E' | b'f' | b'g' | b'G' => &[4, 8],
            _ => &[1, 2, 4, 8],
        };
        if size.is_some_and(|size| !allowed.is_empty() && !allowed.contains(&size)) {
            return Err(format!("bad byte count for conversion character {}", char::from(kind)));
        }
        let default = match kind {
            b'c' | b'C' | b'P' | b'U' => 1,
            b's' => spec.split('.').nth(1).and_then(|p| p.parse().ok()).unwrap_or(1),
            b'e' | b'E' | b'f' | b'g' | b'G' => 8,
            _ => 4,
        };
        let after = if n + 1 == count { unescape(&before) } else { Vec::new() };
        units.push(Unit::Data { times: times.unwrap_or(1), size: size.unwrap_or(default), spec, kind, before: unescape(&lead), after });
    }
    Ok(())
}

/// Returns an address in its format; `\u{1}` separates the text before it from the text after it.
pub(super) fn address(format: &str, base: u8, value: u64) -> Vec<u8> {
    let (head, tail) = format.split_once('\u{1}').unwrap_or((format, ""));
    let at = head.rfind('%').unwrap_or(0);
    let (lead, spec) = (&head[..at], &head[(at + 1).min(head.len())..]);
    let mut out = lead.as_bytes().to_vec();
    let digits = match base {
        b'd' => value.to_string(),
        b'o' => format!("{value:o}"),
        _ => format!("{value:x}"),
    };
    out.extend(pad(spec, &digits, true));
    out.extend_from_slice(tail.as_bytes());
    out
}

/// Applies the flags, width and precision of a conversion to digits or text.
fn pad(spec: &str, text: &str, digits: bool) -> Vec<u8> {
    let flags: String = spec.chars().take_while(|c| "#-+ 0".contains(*c)).collect();
    let numbers = &spec[flags.len()..];
    let (width, precision) = numbers.split_once('.').map_or((numbers, None), |(w, p)| (w, Some(p)));
    let width: usize = width.parse().unwrap_or(0);
    let mut text = text.to_owned();
    if let Some(precision) = precision.and_then(|p| p.parse::<usize>().ok()) {
        if digits {
            let (sign, body) = text.strip_prefix('-').map_or(("", text.as_str()), |b| ("-", b));
            text = format!("{sign}{body:0>precision$}");
        } else {
            text.truncate(precision);
        }
    }
    if flags.contains('-') {
        format!("{text:<width$}").into_bytes()
    } else if flags.contains('0') && digits && precision.is_none() {
        let (sign, body) = text.strip_prefix('-').map_or(("", text.as_str()), |b| ("-", b));
        format!("{sign}{body:0>0$}", width - sign.len().min(width)).into_bytes()
    } else {
        format!("{text:>width$}").into_bytes()
    }
}

const NAMES: [&str; 33] = [
    "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf", "vt", "ff", "cr", "so", "si", "dle", "dc1", "dc2", "dc3",
    "dc4", "nak", "syn", "etb", "can", "em", "sub", "esc", "fs", "gs", "rs", "us", "sp",
];

fn convert(spec: &str, kind: u8, bytes: &[u8], _at: u64) -> Vec<u8> {
    let mut wide = [0_u8; 8];
    let length = bytes.len().min(8);
    wide[..length].copy_from_slice(&bytes[..length]);
    let unsigned = u64::from_le_bytes(wide);
    let shift = 64 - 8 * length.max(1) as u32;
    let signed = ((unsigned << shift) as i64) >> shift;
    let b = bytes.first().copied().unwrap_or(0);
    match kind {
        b'd' | b'i' => pad(spec, &signed.to_string(), true),
        b'u' => pad(spec, &unsigned.to_string(), true),
        b'o' => pad(spec, &format!("{}{unsigned:o}", if spec.contains('#') { "0" } else { "" }), true),
        b'x' => pad(spec, &format!("{}{unsigned:x}", if spec.contains('#') { "0x" } else { "" }), true),
        b'X' => pad(spec, &format!("{}{unsigned:X}", if spec.contains('#') { "0X" } else { "" }), true),
        b'e' | b'E' | b'f' | b'g' | b'G' => {
            let value =
                if length == 4 { f64::from(f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]])) } else { f64::from_bits(unsigned) };
            crate::awk::printf(&format!("%{spec}{}", char::from(kind)), value)
        }
        b'c' if b >= 0x80 => vec![b],
        b'c' => pad(spec, &char::from(b).to_string(), false),
        b's' => pad(spec, &String::from_utf8_lossy(bytes.split(|b| *b == 0).next().unwrap_or_default()), false),
        b'P' => pad(spec, if (0x20..0x7f).contains(&b) { std::str::from_utf8(&bytes[..1]).unwrap_or(".") } else { "." }, false),
        b'U' => {
            let text = match b {
                0..=0x1f => NAMES[usize::from(b)].to_owned(),
                0x7f => "del".to_owned(),
                0x20..=0x7e => char::from(b).to_string(),
                _ => format!("{b:02x}"),
            };
            pad(spec, &text, false)
        }
        _ => {
            let text = match b {
                0 => "\\0".to_owned(),
                7 => "\\a".to_owned(),
                8 => "\\b".to_owned(),
                9 => "\\t".to_owned(),
                10 => "\\n".to_owned(),
                11 => "\\v".to_owned(),
                12 => "\\f".to_owned(),
                13 => "\\r".to_owned(),
                0x20..=0x7e => char::from(b).to_string(),
                _ => format!("{b:03o}"),
            };
            pad(spec, &text, false)
        }
    }
}

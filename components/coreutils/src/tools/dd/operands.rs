//! The operands of `dd`.

use super::Dd;
use crate::{sys, text};
use std::ffi::OsString;

/// The largest block; its buffer must fit into memory.
const LARGEST_BLOCK: u64 = 256 << 20;

const CONVERSIONS: [&str; 16] = [
    "ascii",
    "ebcdic",
    "ibm",
    "block",
    "unblock",
    "notrunc",
    "ucase",
    "lcase",
    "swab",
    "sync",
    "noerror",
    "excl",
    "nocreat",
    "fsync",
    "fdatasync",
    "sparse",
];

const FLAGS: [&str; 14] = [
    "fullblock",
    "count_bytes",
    "skip_bytes",
    "seek_bytes",
    "append",
    "direct",
    "directory",
    "dsync",
    "sync",
    "nonblock",
    "noatime",
    "nocache",
    "noctty",
    "nofollow",
];

/// An error in the command line: the message, and whether the hint at `--help` follows.
pub(super) type Wrong = (String, bool);

fn hinted<T>(message: String) -> Result<T, Wrong> {
    Err((message, true))
}

fn plain<T>(message: String) -> Result<T, Wrong> {
    Err((message, false))
}

/// Returns a number such as `2x80`, `1K`, `4MB`, `10b`, `3w` or `5B`, and whether a `B` says that it counts bytes.
pub(super) fn number(text: &str) -> Result<(u64, bool), String> {
    let wrong = || format!("invalid number: {}", text::quote(text));
    let large = || format!("{}: Value too large for defined data type", wrong());
    let (mut product, mut bytes) = (1u64, false);
    let last = text.matches('x').count();
    for (at, part) in text.split('x').enumerate() {
        if !part.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(wrong());
        }
        let part = match part.strip_suffix('B') {
            Some(rest) if rest.ends_with(|c: char| c.is_ascii_digit()) => {
                bytes = true;
                rest
            }
            _ => part,
        };
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        let value: u64 = digits.parse().map_err(|_| if digits.bytes().all(|b| b.is_ascii_digit()) { large() } else { wrong() })?;
        let unit = match &part[digits.len()..] {
            "" | "c" => 1,
            "w" => 2,
            unit => text::size(&format!("1{unit}")).ok_or_else(wrong)?,
        };
        if unit == u64::MAX && value > 0 {
            return Err(large());
        }
        product = value.checked_mul(unit).and_then(|value| value.checked_mul(product)).ok_or_else(large)?;
        if part == "0" && at < last {
            text::complain("dd", "warning: '0x' is a zero multiplier; use '00x' if that is intended");
        }
    }
    if product > i64::MAX as u64 { Err(large()) } else { Ok((product, bytes)) }
}

/// Returns the name of a file, which an operand has as `text::show` writes it.
fn file(name: &str) -> OsString {
    sys::path_from_bytes(&text::written(name)).into_os_string()
}

impl Dd {
    /// Applies one operand.
    pub(super) fn operand(&mut self, arg: &str) -> Result<(), Wrong> {
        let Some((key, value)) = arg.split_once('=') else {
            return hinted(format!("unrecognized operand {}", text::quote(arg)));
        };
        let amount = || number(value).or_else(plain);
        let block = |which: &str| match amount()?.0 {
            0 => plain(format!("invalid number: {}", text::quote(value))),
            n if n > i64::MAX as u64 - (1 << 20) => {
                plain(format!("invalid number: {}: Value too large for defined data type", text::quote(value)))
            }
            n if n > LARGEST_BLOCK => {
                let human = text::human(n, 1024).replace(|c: char| c.is_ascii_uppercase(), "");
                let unit = text::human(n, 1024).trim_start_matches(|c: char| !c.is_ascii_uppercase()).to_owned();
                plain(format!("memory exhausted by {which} buffer of size {n} bytes ({human} {unit}iB)"))
            }
            n => Ok(n as usize),
        };
        match key {
            "if" => self.input = Some(file(value)),
            "of" => self.output = Some(file(value)),
            "bs" => (self.ibs, self.obs, self.direct) = (block("input")?, block("input")?, true),
            "ibs" if !self.direct => self.ibs = block("input")?,
            "obs" if !self.direct => self.obs = block("output")?,
            "ibs" | "obs" => drop(block("input")?),
            "cbs" => self.cbs = block("input")?,
            "count" => self.count = Some(self.amount("count_bytes", amount()?)),
            "skip" | "iseek" => self.skip = self.amount("skip_bytes", amount()?),
            "seek" | "oseek" => self.seek = self.amount("seek_bytes", amount()?),
            "conv" => self.words(value, &CONVERSIONS, "conversion")?,
            "iflag" | "oflag" => {
                let kind = if key == "iflag" { "input flag" } else { "output flag" };
                if key == "oflag" && value.split(',').any(|w| w == "fullblock") {
                    return hinted(format!("invalid output flag: {}", text::quote("fullblock")));
                }
                self.words(value, &FLAGS, kind)?;
            }
            "status" if ["none", "noxfer", "progress"].contains(&value) => value.clone_into(&mut self.status),
            "status" => return hinted(format!("invalid status level: {}", text::quote(value))),
            _ => return hinted(format!("unrecognized operand {}", text::quote(arg))),
        }
        Ok(())
    }

    /// Returns a number of blocks or of bytes. The last one of its kind counts.
    fn amount(&mut self, flag: &'static str, (number, bytes): (u64, bool)) -> u64 {
        self.by_bytes.retain(|given| *given != flag);
        if bytes {
            self.by_bytes.push(flag);
        }
        number
    }

    fn words(&mut self, value: &str, known: &[&str], kind: &str) -> Result<(), Wrong> {
        for word in value.split(',') {
            if !known.contains(&word) {
                return hinted(format!("invalid {kind}: {}", text::quote(word)));
            }
            let list = match kind {
                "conversion" => &mut self.conv,
                "input flag" => &mut self.iflags,
                _ => &mut self.oflags,
            };
            list.push(word.to_owned());
        }
        Ok(())
    }

    /// Refuses operands that contradict each other.
    pub(super) fn check(&self) -> Result<(), Wrong> {
        let count = |words: &[&str]| words.iter().filter(|word| self.conv(word)).count();
        let records = self.cbs > 0;
        let blocks = self.conv("block") || self.conv("ebcdic") || self.conv("ibm");
        if count(&["ascii", "ebcdic", "ibm"]) > 1 {
            return plain("cannot combine any two of {ascii,ebcdic,ibm}".into());
        }
        if records && blocks && (self.conv("unblock") || self.conv("ascii")) {
            return plain("cannot combine block and unblock".into());
        }
        for (one, other) in [("lcase", "ucase"), ("excl", "nocreat")] {
            if self.conv(one) && self.conv(other) {
                return plain(format!("cannot combine {one} and {other}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_read() {
        assert_eq!(number("2x80"), Ok((160, false)));
        assert_eq!(number("1K"), Ok((1024, false)));
        assert_eq!(number("3w"), Ok((6, false)));
        assert_eq!(number("2b"), Ok((1024, false)));
        assert_eq!(number("2kB"), Ok((2000, false)));
        assert_eq!(number("2Bx2"), Ok((4, true)));
        assert_eq!(number("0"), Ok((0, false)));
        for wrong in ["q", "", "B", "3x", "x3", "-5", "1kx"] {
            assert_eq!(number(wrong), Err(format!("invalid number: '{wrong}'")));
        }
        for large in ["99999999999999999999", "9223372036854775808", "1Y", "4Ex4"] {
            assert_eq!(number(large), Err(format!("invalid number: '{large}': Value too large for defined data type")));
        }
    }
}

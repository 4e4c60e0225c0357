//! The escapes of `echo -e`, `printf` and their kind.

/// How a number in base eight is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Octal {
    /// `\NNN`, and `\0NNN`: `echo -e` and `%b`.
    Either,
    /// `\NNN`: a format of `printf`.
    Plain,
}

/// Why a text with escapes ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// `\c`: nothing more is written.
    Silent,
    /// An escape that `printf` refuses.
    Wrong(String),
}

/// Write a text with its escapes decoded. `echo` writes what it does not know as it is.
pub fn decode(text: &[u8], octal: Octal, out: &mut Vec<u8>) -> Result<(), Stop> {
    let mut at = 0;
    while at < text.len() {
        let next = memchr::memchr(b'\\', &text[at..]).map_or(text.len(), |hit| at + hit);
        out.extend_from_slice(&text[at..next]);
        at = next + 1;
        if next < text.len() {
            at += one(&text[at..], octal, out)?;
        }
    }
    Ok(())
}

/// Decode what stands behind a backslash; how many bytes it takes.
pub fn one(rest: &[u8], octal: Octal, out: &mut Vec<u8>) -> Result<usize, Stop> {
    let Some(&letter) = rest.first() else {
        out.push(b'\\');
        return Ok(0);
    };
    let byte = match letter {
        b'a' => 7,
        b'b' => 8,
        b'c' => return Err(Stop::Silent),
        b'e' => 27,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'\\' => b'\\',
        b'x' => {
            let (value, digits) = number(&rest[1..], 16, 2);
            if digits == 0 {
                out.extend_from_slice(b"\\x");
                return Ok(1);
            }
            out.push(value as u8);
            return Ok(1 + digits);
        }
        b'0'..=b'7' => {
            let zero = usize::from(letter == b'0' && octal == Octal::Either);
            let (value, digits) = number(&rest[zero..], 8, 3);
            out.push(value as u8);
            return Ok(zero + digits);
        }
        other => {
            out.extend_from_slice(&[b'\\', other]);
            return Ok(1);
        }
    };
    out.push(byte);
    Ok(1)
}

/// The number that so many digits at the most say, and how many there are.
pub fn number(text: &[u8], radix: u32, most: usize) -> (u32, usize) {
    let digits = text.iter().take(most).map_while(|byte| char::from(*byte).to_digit(radix));
    digits.fold((0, 0), |(value, count), digit| (value.wrapping_mul(radix).wrapping_add(digit), count + 1))
}

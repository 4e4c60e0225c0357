//! The escapes of `echo -e`, and the numbers in those of `tr`.

/// `\c`: the output ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop;

/// Writes a text with its escapes decoded. Unknown escapes stay unchanged.
pub(crate) fn decode(text: &[u8], out: &mut Vec<u8>) -> Result<(), Stop> {
    let mut at = 0;
    while at < text.len() {
        let next = memchr::memchr(b'\\', &text[at..]).map_or(text.len(), |hit| at + hit);
        out.extend_from_slice(&text[at..next]);
        at = next + 1;
        if next < text.len() {
            at += one(&text[at..], out)?;
        }
    }
    Ok(())
}

/// Decodes the text after a backslash. Returns its length in bytes.
fn one(rest: &[u8], out: &mut Vec<u8>) -> Result<usize, Stop> {
    let Some(&letter) = rest.first() else {
        out.push(b'\\');
        return Ok(0);
    };
    let byte = match letter {
        b'a' => 7,
        b'b' => 8,
        b'c' => return Err(Stop),
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
        // `\NNN`, and `\0NNN`.
        b'0'..=b'7' => {
            let zero = usize::from(letter == b'0');
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

/// Returns the number at the start of a text, of at most `most` digits, and how many digits it has.
pub(crate) fn number(text: &[u8], radix: u32, most: usize) -> (u32, usize) {
    let digits = text.iter().take(most).map_while(|byte| char::from(*byte).to_digit(radix));
    digits.fold((0, 0), |(value, count), digit| (value.wrapping_mul(radix).wrapping_add(digit), count + 1))
}

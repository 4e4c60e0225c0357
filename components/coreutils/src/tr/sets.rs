//! The sets of `tr`: their notation, and the translation from one to the other.

use crate::text;

/// Bytes 0 to 255.
const BYTES: usize = 256;

/// A set as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set(Vec<Part>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Byte(u8),
    Range(u8, u8),
    Class(Class),
    Equal(u8),
    /// A repeated byte; 0 means as often as needed.
    Repeat(u8, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Other(&'static str),
}

/// The classes other than upper and lower case.
const CLASSES: [&str; 10] = ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "print", "punct", "space", "xdigit"];

impl Class {
    fn of(name: &[u8]) -> Option<Self> {
        match name {
            b"upper" => Some(Self::Upper),
            b"lower" => Some(Self::Lower),
            name => CLASSES.into_iter().find(|class| class.as_bytes() == name).map(Class::Other),
        }
    }

    fn has(self, byte: u8) -> bool {
        match self {
            Self::Upper => byte.is_ascii_uppercase(),
            Self::Lower => byte.is_ascii_lowercase(),
            Self::Other(name) => match name {
                "alnum" => byte.is_ascii_alphanumeric(),
                "alpha" => byte.is_ascii_alphabetic(),
                "blank" => matches!(byte, b' ' | b'\t'),
                "cntrl" => byte.is_ascii_control(),
                "digit" => byte.is_ascii_digit(),
                "graph" => byte.is_ascii_graphic(),
                "print" => byte.is_ascii_graphic() || byte == b' ',
                "punct" => byte.is_ascii_punctuation(),
                "space" => matches!(byte, b' ' | b'\t'..=b'\r'),
                _ => byte.is_ascii_hexdigit(),
            },
        }
    }
}

/// A byte, and whether it follows a backslash.
type Letter = (u8, bool);

fn unquoted(text: &[u8]) -> Vec<Letter> {
    let mut letters = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' {
            letters.push((byte, false));
            continue;
        }
        let Some(&next) = text.get(at) else {
            text::complain("tr", "warning: an unescaped backslash at end of string is not portable");
            letters.push((b'\\', false));
            break;
        };
        at += 1;
        let byte = match next {
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'0'..=b'7' => {
                let digits = &text[at - 1..];
                let (mut value, mut count) = crate::tools::escapes::number(digits, 8, 3);
                if value > 0o377 {
                    (value, count) = crate::tools::escapes::number(digits, 8, 2);
                    let [a, b, c] = [0, 1, 2].map(|place| char::from(digits[place]));
                    let message = format!(
                        "warning: the ambiguous octal escape \\{a}{b}{c} is being\n\tinterpreted as the 2-byte sequence \\0{a}{b}, {c}"
                    );
                    text::complain("tr", message);
                }
                at += count - 1;
                value as u8
            }
            other => other,
        };
        letters.push((byte, true));
    }
    letters
}

/// Returns a byte as messages show it.
fn printable(byte: u8) -> String {
    if byte.is_ascii_graphic() || byte == b' ' { char::from(byte).to_string() } else { format!("\\{byte:03o}") }
}

impl Set {
    /// Reads a set. The error is GNU's message.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let letters = unquoted(text);
        let is = |at: usize, byte: u8| letters.get(at) == Some(&(byte, false));
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < letters.len() {
            if at + 2 >= letters.len() {
                parts.push(Part::Byte(letters[at].0));
                at += 1;
                continue;
            }
            if is(at, b'[') {
                let found = match bracket(&letters, at)? {
                    Some(found) => Some(found),
                    None => repeat(&letters, at)?,
                };
                if let Some((part, end)) = found {
                    parts.push(part);
                    at = end;
                    continue;
                }
            }
            if is(at + 1, b'-') {
                let (low, high) = (letters[at].0, letters[at + 2].0);
                if low > high {
                    let [low, high] = [low, high].map(printable);
                    return Err(format!("range-endpoints of '{low}-{high}' are in reverse collating sequence order"));
                }
                parts.push(Part::Range(low, high));
                at += 3;
            } else {
                parts.push(Part::Byte(letters[at].0));
                at += 1;
            }
        }
        Ok(Self(parts))
    }

    fn expanded(&self, indefinite: usize) -> Vec<u8> {
        self.0.iter().flat_map(|part| part.bytes(indefinite)).collect()
    }

    fn indefinite(&self) -> usize {
        self.0.iter().filter(|part| matches!(part, Part::Repeat(_, 0))).count()
    }

    /// Returns the bytes of a first set, or with `complement` all others.
    pub(super) fn alone(&self, complement: bool) -> Result<Vec<u8>, String> {
        if self.indefinite() > 0 {
            return Err("the [c*] repeat construct may not appear in string1".into());
        }
        let bytes = self.expanded(0);
        if !complement {
            return Ok(bytes);
        }
        let mut has = [false; BYTES];
        bytes.iter().for_each(|byte| has[usize::from(*byte)] = true);
        Ok((0..=u8::MAX).filter(|byte| !has[usize::from(*byte)]).collect())
    }

    /// Returns the bytes of a second set whose first set has this length; 0 if nothing is translated.
    pub(super) fn second(&self, first: usize) -> Result<Vec<u8>, String> {
        match self.indefinite() {
            0 => Ok(self.expanded(0)),
            _ if first == 0 => Err("the [c*] construct may appear in string2 only when translating".into()),
            1 => Ok(self.expanded(first.saturating_sub(self.expanded(0).len()))),
            _ => Err("only one [c*] repeat construct may appear in string2".into()),
        }
    }
}

impl Part {
    fn bytes(self, indefinite: usize) -> Vec<u8> {
        match self {
            Self::Byte(byte) | Self::Equal(byte) => vec![byte],
            Self::Range(low, high) => (low..=high).collect(),
            Self::Class(class) => (0..=u8::MAX).filter(|byte| class.has(*byte)).collect(),
            // A number above that of all bytes makes no difference.
            Self::Repeat(byte, 0) => vec![byte; indefinite],
            Self::Repeat(byte, count) => vec![byte; count.min(2 * BYTES)],
        }
    }

    fn case(self) -> Option<Class> {
        match self {
            Self::Class(class @ (Class::Upper | Class::Lower)) => Some(class),
            _ => None,
        }
    }
}

/// Reads `[:class:]` or `[=c=]`, and its end.
fn bracket(letters: &[Letter], start: usize) -> Result<Option<(Part, usize)>, String> {
    let Some(mark) = letters.get(start + 1).filter(|letter| !letter.1 && matches!(letter.0, b':' | b'=')) else { return Ok(None) };
    let close = (start + 2..letters.len() - 1).find(|at| letters[*at] == *mark && letters[at + 1] == (b']', false));
    let Some(close) = close else { return Ok(None) };
    let name: Vec<u8> = letters[start + 2..close].iter().map(|letter| letter.0).collect();
    let part = match (mark.0, name.as_slice()) {
        (b':', []) => return Err("missing character class name '[::]'".into()),
        (_, []) => return Err("missing equivalence class character '[==]'".into()),
        (b':', name) => Class::of(name).map(Part::Class),
        (_, [byte]) => Some(Part::Equal(*byte)),
        _ => None,
    };
    if let Some(part) = part {
        return Ok(Some((part, close + 2)));
    }
    // `[:*]` may be a repeated colon.
    if let Some(rest) = letters.get(start + 2..).filter(|rest| rest.first() == Some(&(b'*', false))) {
        let digits = rest[1..].iter().take_while(|letter| !letter.1 && letter.0.is_ascii_digit()).count();
        if rest.get(1 + digits) == Some(&(b']', false)) {
            return Ok(None);
        }
    }
    let shown: String = name.iter().map(|byte| printable(*byte)).collect();
    Err(match mark.0 {
        b':' => format!("invalid character class {}", text::quote(&shown)),
        _ => format!("{shown}: equivalence class operand must be a single character"),
    })
}

/// Reads `[c*]` or `[c*3]`, and its end.
fn repeat(letters: &[Letter], start: usize) -> Result<Option<(Part, usize)>, String> {
    if letters.get(start + 2) != Some(&(b'*', false)) {
        return Ok(None);
    }
    let rest = &letters[start + 3..];
    let plain = rest.iter().take_while(|letter| !letter.1).count();
    let Some(end) = rest[..plain].iter().position(|letter| letter.0 == b']') else { return Ok(None) };
    let digits: String = rest[..end].iter().map(|letter| char::from(letter.0)).collect();
    let radix = if digits.starts_with('0') { 8 } else { 10 };
    let count = match digits.as_str() {
        "" => Some(0),
        digits if digits.bytes().all(|byte| char::from(byte).is_digit(radix)) => {
            u64::from_str_radix(digits, radix).ok().map(|count| usize::try_from(count).unwrap_or(usize::MAX))
        }
        _ => None,
    };
    match count {
        Some(count) => Ok(Some((Part::Repeat(letters[start + 1].0, count), start + 3 + end + 1))),
        None => Err(format!("invalid repeat count {} in [c*n] construct", text::quote(&digits))),
    }
}

/// Returns the pairs of bytes to translate. `one` has the bytes of the first set, or of its complement.
pub(super) fn pairs(first: &Set, one: &[u8], second: &Set, complement: bool, truncate: bool) -> Result<Vec<(u8, u8)>, String> {
    let two = second.second(one.len().max(1))?;
    if second.0.iter().any(|part| matches!(part, Part::Equal(_))) {
        return Err("[=c=] expressions may not appear in string2 when translating".into());
    }
    if second.0.iter().any(|part| matches!(part, Part::Class(Class::Other(_)))) {
        return Err("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'".into());
    }
    let cased = !complement && second.0.iter().any(|part| part.case().is_some());
    let (from, to) = if cased { aligned(first, second, one.len())? } else { (one.to_vec(), two) };
    let last = to.last().copied();
    if from.len() > to.len() && !truncate {
        if to.is_empty() {
            return Err("when not truncating set1, string2 must be non-empty".into());
        }
        if matches!(second.0.last(), Some(Part::Class(_))) {
            let why = "when translating with string1 longer than string2,\nthe latter string must not end with a character class";
            return Err(why.into());
        }
    }
    let classes = first.0.iter().any(|part| matches!(part, Part::Class(_)));
    let filled = to.len() == from.len() || to.len() < from.len() && !truncate;
    if complement && classes && !(filled && to.iter().all(|byte| Some(*byte) == last)) {
        let why = "when translating with complemented character classes,\nstring2 must map all characters in the domain to one";
        return Err(why.into());
    }
    let fill = last.filter(|_| !truncate);
    let to = to.into_iter().map(Some).chain(std::iter::repeat(fill));
    Ok(from.into_iter().zip(to).map_while(|(from, to)| Some((from, to?))).collect())
}

/// Aligns `[:upper:]` and `[:lower:]` of both sets: if the second has one, the first must have one at the same place.
fn aligned(first: &Set, second: &Set, length: usize) -> Result<(Vec<u8>, Vec<u8>), String> {
    let known = second.expanded(0).len();
    let indefinite = length.saturating_sub(known);
    let (mut from, mut to) = (Vec::new(), Vec::new());
    // The rest of a part of the first set.
    let mut left: Vec<u8> = Vec::new();
    let mut parts = first.0.iter();
    for part in &second.0 {
        let Some(case) = part.case() else {
            for byte in part.bytes(indefinite) {
                while left.is_empty() {
                    let Some(next) = parts.next() else { break };
                    left = next.bytes(0);
                }
                if !left.is_empty() {
                    from.push(left.remove(0));
                }
                to.push(byte);
            }
            continue;
        };
        let other = match (left.is_empty(), parts.next().map(|part| part.case())) {
            (true, None) => break,
            (true, Some(Some(other))) => other,
            _ => return Err("misaligned [:upper:] and/or [:lower:] construct".into()),
        };
        for byte in (b'a'..=b'z').chain(b'A'..=b'Z').filter(|byte| other.has(*byte)) {
            from.push(byte);
            to.push(if case == Class::Upper { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() });
        }
    }
    from.extend(left);
    from.extend(parts.flat_map(|part| part.bytes(0)));
    Ok((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read() {
        let read = |text: &str| Set::read(text.as_bytes()).map(|set| set.expanded(2)).map(|bytes| String::from_utf8(bytes).unwrap());
        for (text, want) in [
            ("a-c", "abc"),
            ("a-", "a-"),
            ("-a", "-a"),
            ("a\\-z", "a-z"),
            ("[a", "[a"),
            ("[a-c]", "[abc]"),
            ("[:digit:]", "0123456789"),
            ("[:alpha:", "[:alpha:"),
            ("[=a=]", "a"),
            ("[=a", "[=a"),
            ("[b*]", "bb"),
            ("[b*3]", "bbb"),
            ("[b*010]", "bbbbbbbb"),
            ("[b*\\3]", "[b*\u{3}]"),
            ("[*]", "[*]"),
            ("[:*]", "::"),
            ("\\055a", "-a"),
            ("\\x\\\\", "x\\"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(want), "{text}");
        }
        assert_eq!(read("[a*08]"), Err("invalid repeat count '08' in [c*n] construct".into()));
        assert_eq!(read("[=ab=]"), Err("ab: equivalence class operand must be a single character".into()));
        assert_eq!(read("z-a"), Err("range-endpoints of 'z-a' are in reverse collating sequence order".into()));
    }

    #[test]
    fn what_cannot_be_paired_is_refused() {
        let refused = |a: &str, b: &str, complement| {
            let [a, b] = [a, b].map(|text| Set::read(text.as_bytes()).unwrap());
            let one = a.alone(complement).unwrap();
            pairs(&a, &one, &b, complement, false).unwrap_err()
        };
        assert!(refused("a", "[:upper:]", false).starts_with("misaligned"));
        assert!(refused("[:upper:]", "[:digit:]", false).contains("the only character classes"));
        assert!(refused("a", "[:upper:]", true).contains("must not end with a character class"));
        assert!(refused("[:lower:]a", "[:upper:]", false).contains("must not end with a character class"));
        assert!(refused("[:upper:]", "ab", true).contains("must map all characters"));
        let [digits, one] = ["[:digit:]", "X"].map(|text| Set::read(text.as_bytes()).unwrap());
        let rest = digits.alone(true).unwrap();
        assert!(pairs(&digits, &rest, &one, true, true).is_err() && pairs(&digits, &rest, &one, true, false).is_ok());
        assert!(refused("a", "[=b=]", false).starts_with("[=c=]"));
        assert!(refused("a", "", false).contains("must be non-empty"));
    }
}

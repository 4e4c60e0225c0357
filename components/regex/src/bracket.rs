//! Bracket expressions: `[a-z]`, `[^]x]`, `[[:alpha:]_]`, `[[.-.]]`, `[[=e=]]`.

use crate::ast::{Node, Set};
use crate::classes::class;
use crate::parse::{Flavor, Options};
use wisp_tool::text::first_char;

const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";

/// Returns where a bracket expression that begins at `start` ends, for a caller that looks for what delimits the expression.
pub fn end(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    at += usize::from(source.get(at) == Some(&b'^'));
    at += usize::from(source.get(at) == Some(&b']'));
    loop {
        match source.get(at)? {
            b']' => return Some(at + 1),
            b'[' => match source.get(at + 1) {
                Some(kind @ (b':' | b'.' | b'=')) => {
                    let close = source[at + 2..].windows(2).position(|w| w == [*kind, b']']);
                    at = match close {
                        Some(found) => at + 2 + found + 2,
                        None => at + 1,
                    };
                }
                _ => at += 1,
            },
            _ => at += 1,
        }
    }
}

/// Reads the bracket expression at `start`: the set, and where it ends.
pub(crate) fn parse(source: &[u8], start: usize, options: Options) -> Result<(Node, usize), String> {
    let mut reader = Reader { source, at: start + 1, options, raw: Vec::new() };
    let negated = reader.source.get(reader.at) == Some(&b'^');
    reader.at += usize::from(negated);
    let first = reader.at;
    // Classes need no other cases: those of letters hold both.
    let (mut set, mut classes) = (Set::default(), Set::default());
    loop {
        let b = *reader.source.get(reader.at).ok_or(UNMATCHED)?;
        if b == b']' && reader.at > first {
            reader.at += 1;
            break;
        }
        if b == b'[' && reader.source.get(reader.at + 1) == Some(&b':') {
            let name = reader.name(b':')?;
            let members = match (&name[..], options.fold) {
                (b"upper" | b"lower", true) => class(b"alpha", options.utf8),
                _ => class(&name, options.utf8),
            };
            classes.ranges.extend(members.ok_or("Invalid character class name")?.ranges);
            continue;
        }
        // awk: three minus signs are one.
        let minus = |at: usize| options.flavor == Flavor::Awk && source[at..].starts_with(b"---");
        if minus(reader.at) {
            reader.at += 3;
            set.add(u32::from(b'-'), u32::from(b'-'));
            continue;
        }
        let low = reader.member()?;
        let next = reader.source.get(reader.at + 1);
        if !minus(reader.at) && reader.source.get(reader.at) == Some(&b'-') && next.is_some_and(|b| *b != b']') {
            reader.at += 1;
            let high = reader.member()?;
            if high < low {
                return Err("Invalid range end".into());
            }
            set.add(low, high);
        } else {
            set.add(low, low);
        }
    }
    let inner = &source[start + 1..reader.at - 1];
    if let (true, [b':', name @ .., b':']) = (options.flavor.is_greps(), inner)
        && class(name, false).is_some()
    {
        return Err("character class syntax is [[:space:]], not [:space:]".into());
    }
    if options.fold {
        set.fold(options.utf8);
    }
    classes.normalize();
    set.ranges.extend(options.within_lines(classes).ranges);
    set.normalize();
    if negated {
        set.negate(options.utf8);
        set = options.within_lines(set);
    }
    let node = Node::Set(set);
    if reader.raw.is_empty() || negated {
        return Ok((node, reader.at));
    }
    // Bytes that are no characters are alternatives beside the set.
    let mut all = vec![node];
    all.extend(reader.raw.iter().map(|b| Node::Literal(vec![*b])));
    Ok((Node::Alt(all), reader.at))
}

struct Reader<'a> {
    source: &'a [u8],
    at: usize,
    options: Options,
    raw: Vec<u8>,
}

impl Reader<'_> {
    /// Reads the name in `[:name:]`.
    fn name(&mut self, kind: u8) -> Result<Vec<u8>, String> {
        let start = self.at + 2;
        let length = self.source.get(start..).and_then(|s| s.windows(2).position(|w| w == [kind, b']'])).ok_or(UNMATCHED)?;
        self.at = start + length + 2;
        Ok(self.source[start..start + length].to_vec())
    }

    /// Parses one member, as a number.
    fn member(&mut self) -> Result<u32, String> {
        let b = *self.source.get(self.at).ok_or(UNMATCHED)?;
        if b == b'['
            && let Some(kind @ (b'.' | b'=')) = self.source.get(self.at + 1).copied()
        {
            let name = self.name(kind)?;
            return match first_char(&name) {
                (Some(c), len) if len == name.len() => Ok(c as u32),
                _ => Err("Invalid collation character".into()),
            };
        }
        if b == b'\\' && !self.options.posix {
            let awk = self.options.flavor == Flavor::Awk;
            let after = &self.source[self.at + 1..];
            if let Some((byte, len)) = crate::escapes::decode(after, self.options.flavor) {
                self.at += 1 + len;
                return Ok(self.byte(byte));
            }
            // awk: a backslash quotes in brackets too.
            if awk && !after.is_empty() {
                self.at += 1;
            }
        }
        let (c, len) = if self.options.utf8 { first_char(&self.source[self.at..]) } else { (None, 1) };
        let byte = self.source[self.at];
        self.at += len;
        Ok(c.map_or_else(|| self.byte(byte), |c| c as u32))
    }

    fn byte(&mut self, byte: u8) -> u32 {
        if self.options.utf8 && byte >= 0x80 {
            self.raw.push(byte);
            // Returns a surrogate, which no set contains; `raw` has the byte.
            return 0xd800;
        }
        u32::from(byte)
    }
}

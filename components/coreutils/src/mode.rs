//! Permission bits: `u=rwx,g+w`, `755`, and their form in `ls -l`.

use crate::sys::Kind;

/// A change of mode in the notation of chmod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// `755`: sets all bits. For a directory, a number of up to four digits keeps the set-id bits.
    Octal(u32, bool),
    /// Clauses, applied from left to right.
    Symbolic(Vec<Clause>),
}

/// One action of a clause: `u+x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Clause {
    who: u32,
    op: char,
    perms: Vec<char>,
    umask: bool,
}

impl Change {
    /// Reads a mode; `None` if it is not one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        if text.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
            let bits = u32::from_str_radix(text, 8).ok()?;
            return (bits <= 0o7777).then_some(Self::Octal(bits, text.len() > 4));
        }
        let mut clauses = Vec::new();
        for clause in text.split(',') {
            let mut rest = clause.chars().peekable();
            let mut who = 0;
            while let Some(c) = rest.next_if(|c| "ugoa".contains(*c)) {
                who |= match c {
                    'u' => 0o4700,
                    'g' => 0o2070,
                    'o' => 0o1007,
                    _ => 0o7777,
                };
            }
            let umask = who == 0;
            rest.peek()?;
            while let Some(op) = rest.next() {
                if !"+-=".contains(op) {
                    return None;
                }
                let mut perms = Vec::new();
                while let Some(c) = rest.next_if(|c| !"+-=".contains(*c)) {
                    if !"rwxXstugo".contains(c) && !('0'..='7').contains(&c) {
                        return None;
                    }
                    perms.push(c);
                }
                // The bits copied from user, group or others allow no further letters.
                if perms.len() > 1 && perms.iter().any(|c| "ugo".contains(*c)) {
                    return None;
                }
                clauses.push(Clause { who: if umask { 0o7777 } else { who }, op, perms, umask });
            }
        }
        Some(Self::Symbolic(clauses))
    }

    /// Returns the same change, without the umask.
    pub(crate) fn without_umask(&self) -> Self {
        match self {
            Self::Octal(bits, exact) => Self::Octal(*bits, *exact),
            Self::Symbolic(clauses) => Self::Symbolic(clauses.iter().map(|c| Clause { umask: false, ..c.clone() }).collect()),
        }
    }

    /// Returns the mode after the change.
    pub(crate) fn apply(&self, mode: u32, directory: bool) -> u32 {
        match self {
            Self::Octal(bits, false) if directory => bits | (mode & 0o6000),
            Self::Octal(bits, _) => *bits,
            Self::Symbolic(clauses) => clauses.iter().fold(mode, |mode, clause| clause.apply(mode, directory)),
        }
    }
}

impl Clause {
    fn apply(&self, mode: u32, directory: bool) -> u32 {
        let mut bits = 0;
        if self.perms.first().is_some_and(char::is_ascii_digit) {
            // `-0700`: these bits, without the umask.
            let digits: String = self.perms.iter().collect();
            let bits = u32::from_str_radix(&digits, 8).unwrap_or(0) & 0o7777;
            return match self.op {
                '+' => mode | bits,
                '-' => mode & !bits,
                _ => bits,
            };
        }
        for perm in &self.perms {
            bits |= match perm {
                'r' => 0o444,
                'w' => 0o222,
                'x' => 0o111,
                'X' if directory || mode & 0o111 != 0 => 0o111,
                's' => 0o6000,
                't' => 0o1000,
                'u' => spread(mode >> 6),
                'g' => spread(mode >> 3),
                'o' => spread(mode),
                _ => 0,
            };
        }
        bits &= self.who & if self.umask { !crate::sys::umask() } else { !0 };
        match self.op {
            '+' => mode | bits,
            '-' => mode & !bits,
            _ => {
                let keep = if directory { 0o6000 } else { 0 };
                (mode & !(self.who & !keep)) | bits
            }
        }
    }
}

fn spread(three: u32) -> u32 {
    (three & 7) * 0o111
}

/// Returns the ten characters of `ls -l`.
pub(crate) fn letters(kind: Kind, mode: u32) -> String {
    let mut text = String::with_capacity(10);
    text.push(letter(kind));
    for (shift, special, mark) in [(6, 0o4000, 's'), (3, 0o2000, 's'), (0, 0o1000, 't')] {
        let three = mode >> shift;
        text.push(if three & 4 != 0 { 'r' } else { '-' });
        text.push(if three & 2 != 0 { 'w' } else { '-' });
        text.push(match (three & 1 != 0, mode & special != 0) {
            (true, true) => mark,
            (false, true) => mark.to_ascii_uppercase(),
            (true, false) => 'x',
            (false, false) => '-',
        });
    }
    text
}

/// Returns the first character of `ls -l`.
pub(crate) fn letter(kind: Kind) -> char {
    match kind {
        Kind::File => '-',
        Kind::Dir => 'd',
        Kind::Link => 'l',
        Kind::Char => 'c',
        Kind::Block => 'b',
        Kind::Fifo => 'p',
        Kind::Socket => 's',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(text: &str, mode: u32) -> u32 {
        Change::parse(text).unwrap().apply(mode, false)
    }

    #[test]
    fn modes_are_applied() {
        assert_eq!(change("755", 0o644), 0o755);
        assert_eq!(change("u+x", 0o644), 0o744);
        assert_eq!(change("+x", 0o644), 0o755);
        assert_eq!(change("+w", 0o444), 0o644);
        assert_eq!(change("go=", 0o755), 0o700);
        assert_eq!(change("a=r,u+w", 0), 0o644);
        assert_eq!(change("g=u", 0o640), 0o660);
        assert_eq!(change("o+X", 0o644), 0o644);
        assert_eq!(change("u+s", 0o755), 0o4755);
        assert_eq!(change("u=rw-w", 0o755), 0o455);
        assert_eq!((change("-0700", 0o744), change("+0111", 0o644), change("=0600", 0o777)), (0o044, 0o755, 0o600));
        assert!(Change::parse("u").is_none());
        assert!(Change::parse("888").is_none());
        assert!(Change::parse("u~x").is_none());
        assert!(Change::parse("u+gr").is_none());
    }

    #[test]
    fn modes_are_drawn() {
        assert_eq!(letters(Kind::Dir, 0o1777), "drwxrwxrwt");
        assert_eq!(letters(Kind::File, 0o4644), "-rwSr--r--");
    }
}

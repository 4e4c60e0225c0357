//! Headers of members: ustar, GNU's and pax's, 512 bytes each.

use crate::text;

/// Bytes in a block.
pub(super) const BLOCK: usize = 512;

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Dir,
    Symlink,
    Hardlink,
    Fifo,
    /// A device or something else that cannot be made here: its letter.
    Other(u8),
}

/// One member.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub name: Vec<u8>,
    pub link: Vec<u8>,
    pub kind: Kind,
    pub mode: u32,
    pub uid: u64,
    pub gid: u64,
    pub user: Vec<u8>,
    pub group: Vec<u8>,
    pub size: u64,
    pub mtime: i64,
    /// Nanoseconds beyond `mtime`.
    pub nanos: u32,
}

/// How archives are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    #[default]
    Gnu,
    Ustar,
    Pax,
    V7,
}

fn put(block: &mut [u8; BLOCK], at: usize, bytes: &[u8]) {
    block[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Writes a number as octal digits, or, where they do not fit, in base 256.
fn number(block: &mut [u8; BLOCK], at: usize, width: usize, value: i128) {
    let digits = width - 1;
    if value >= 0 && value < 1i128 << (3 * digits) {
        put(block, at, format!("{value:0digits$o}").as_bytes());
        return;
    }
    for (n, byte) in block[at..at + width].iter_mut().rev().enumerate() {
        *byte = (value >> (8 * n).min(120)) as u8;
    }
    block[at] = if value < 0 { 0xff } else { block[at] | 0x80 };
}

/// Reads a number: octal digits, or base 256.
pub(super) fn read_number(field: &[u8]) -> i128 {
    if field[0] & 0x80 != 0 {
        let start = if field[0] & 0x40 != 0 { -1 } else { 0 };
        let first = if start < 0 { i128::from(field[0]) - 256 } else { i128::from(field[0] & 0x7f) };
        return field[1..].iter().fold(first, |n, b| (n << 8) | i128::from(*b));
    }
    let digits = field.iter().skip_while(|b| **b == b' ').take_while(|b| (b'0'..=b'7').contains(b));
    digits.fold(0, |n, b| n * 8 + i128::from(b - b'0'))
}

/// Returns text up to the first NUL.
pub(super) fn text(field: &[u8]) -> &[u8] {
    &field[..field.iter().position(|b| *b == 0).unwrap_or(field.len())]
}

fn checksum(block: &[u8; BLOCK]) -> i128 {
    block.iter().enumerate().map(|(at, byte)| if (148..156).contains(&at) { 32 } else { i128::from(*byte) }).sum()
}

/// Returns whether a block is a header.
pub(super) fn is_header(block: &[u8; BLOCK]) -> bool {
    read_number(&block[148..156]) == checksum(block)
}

/// Returns the letter of a header.
pub(super) fn letter(block: &[u8; BLOCK]) -> u8 {
    block[156]
}

/// Reads a header whose checksum is right.
pub(super) fn parse(block: &[u8; BLOCK]) -> Member {
    let ustar = &block[257..263] == b"ustar\0";
    let mut name = text(&block[..100]).to_vec();
    if ustar && block[345] != 0 {
        let mut whole = text(&block[345..500]).to_vec();
        whole.push(b'/');
        whole.extend(&name);
        name = whole;
    }
    let kind = match block[156] {
        0 | b'0' | b'7' if name.ends_with(b"/") => Kind::Dir,
        0 | b'0' | b'7' => Kind::File,
        b'1' => Kind::Hardlink,
        b'2' => Kind::Symlink,
        b'5' => Kind::Dir,
        b'6' => Kind::Fifo,
        other => Kind::Other(other),
    };
    let names = &block[257..262] == b"ustar";
    let field = |from: usize, to: usize| if names { text(&block[from..to]).to_vec() } else { Vec::new() };
    Member {
        name,
        link: text(&block[157..257]).to_vec(),
        kind,
        mode: read_number(&block[100..108]) as u32 & 0o7777,
        uid: read_number(&block[108..116]) as u64,
        gid: read_number(&block[116..124]) as u64,
        user: field(265, 297),
        group: field(297, 329),
        size: read_number(&block[124..136]).max(0) as u64,
        mtime: read_number(&block[136..148]) as i64,
        nanos: 0,
    }
}

fn letter_of(kind: Kind) -> u8 {
    match kind {
        Kind::File => b'0',
        Kind::Hardlink => b'1',
        Kind::Symlink => b'2',
        Kind::Dir => b'5',
        Kind::Fifo => b'6',
        Kind::Other(letter) => letter,
    }
}

/// Returns where ustar cuts a long name in two.
fn cut(name: &[u8]) -> Option<usize> {
    if name.len() > 256 {
        return None;
    }
    let end = name.len() - usize::from(name.ends_with(b"/"));
    (0..end).rev().find(|at| name[*at] == b'/' && *at <= 155 && *at > 0 && name.len() - at - 1 <= 100)
}

/// Returns whether a style can hold a member's names.
pub(super) fn fits(member: &Member, style: Style) -> bool {
    let (name, link) = (member.name.len() <= 100, member.link.len() <= 100);
    match style {
        Style::Gnu | Style::Pax => true,
        Style::Ustar => link && (name || cut(&member.name).is_some()),
        Style::V7 => link && name,
    }
}

/// Writes the blocks of a member's header, with what its long names need before it.
pub(super) fn write(member: &Member, style: Style) -> Vec<u8> {
    let mut out = Vec::new();
    let (long_name, long_link) = (member.name.len() > 100, member.link.len() > 100);
    let mut prefix: Option<usize> = None;
    match style {
        Style::Gnu | Style::V7 => {
            if long_link {
                out.extend(long(b'K', &member.link));
            }
            if long_name {
                out.extend(long(b'L', &member.name));
            }
        }
        Style::Ustar | Style::Pax => {
            if long_name {
                prefix = cut(&member.name);
            }
            if style == Style::Pax {
                out.extend(pax(member, long_name && prefix.is_none(), long_link));
            }
        }
    }
    let mut block = [0; BLOCK];
    let (first, name) = match prefix {
        Some(at) => (&member.name[..at], &member.name[at + 1..]),
        None => (&[][..], &member.name[..member.name.len().min(100)]),
    };
    put(&mut block, 0, name);
    number(&mut block, 100, 8, i128::from(member.mode));
    number(&mut block, 108, 8, i128::from(member.uid));
    number(&mut block, 116, 8, i128::from(member.gid));
    number(&mut block, 124, 12, i128::from(member.size));
    number(&mut block, 136, 12, i128::from(member.mtime));
    block[156] = letter_of(member.kind);
    put(&mut block, 157, &member.link[..member.link.len().min(100)]);
    if style != Style::V7 {
        put(&mut block, 257, if style == Style::Gnu { b"ustar  \0" } else { b"ustar\x0000" });
        put(&mut block, 265, &member.user[..member.user.len().min(31)]);
        put(&mut block, 297, &member.group[..member.group.len().min(31)]);
        if style != Style::Gnu {
            put(&mut block, 329, b"0000000\x000000000\0");
            put(&mut block, 345, first);
        }
    }
    seal(&mut block);
    out.extend(block);
    out
}

fn seal(block: &mut [u8; BLOCK]) {
    let sum = checksum(block);
    put(block, 148, format!("{sum:06o}\0 ").as_bytes());
}

/// Writes GNU's member for a name that is too long for the header.
fn long(letter: u8, name: &[u8]) -> Vec<u8> {
    let mut block = [0; BLOCK];
    put(&mut block, 0, b"././@LongLink");
    number(&mut block, 100, 8, 0o644);
    number(&mut block, 108, 8, 0);
    number(&mut block, 116, 8, 0);
    number(&mut block, 124, 12, name.len() as i128 + 1);
    number(&mut block, 136, 12, 0);
    block[156] = letter;
    put(&mut block, 257, b"ustar  \0");
    put(&mut block, 265, b"root");
    put(&mut block, 297, b"root");
    seal(&mut block);
    let mut out = block.to_vec();
    out.extend(name);
    out.push(0);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
    out
}

/// Writes pax's member for what does not fit into the header.
fn pax(member: &Member, long_name: bool, long_link: bool) -> Vec<u8> {
    let mut records = Vec::new();
    let mut record = |key: &str, value: &[u8]| {
        // The length counts its own digits.
        let rest = key.len() + value.len() + 3;
        let mut length = rest + 1;
        while length != rest + length.to_string().len() {
            length = rest + length.to_string().len();
        }
        records.extend(format!("{length} {key}=").into_bytes());
        records.extend(value);
        records.push(b'\n');
    };
    if long_name || !member.name.is_ascii() {
        record("path", &member.name);
    }
    if long_link || !member.link.is_ascii() {
        record("linkpath", &member.link);
    }
    if member.nanos != 0 {
        let fraction = format!("{:09}", member.nanos);
        record("mtime", format!("{}.{}", member.mtime, fraction.trim_end_matches('0')).as_bytes());
    }
    if member.size >= 1 << 33 {
        record("size", member.size.to_string().as_bytes());
    }
    if records.is_empty() {
        return records;
    }
    let name = text::shown(&member.name);
    let (folder, base) = name.trim_end_matches('/').rsplit_once('/').unwrap_or((".", name.trim_end_matches('/')));
    let mut head = Member {
        name: text::written(&format!("{folder}/PaxHeaders/{base}")).into_owned(),
        link: Vec::new(),
        kind: Kind::Other(b'x'),
        mode: 0o644,
        uid: 0,
        gid: 0,
        user: Vec::new(),
        group: Vec::new(),
        size: records.len() as u64,
        mtime: member.mtime,
        nanos: 0,
    };
    head.name.truncate(100);
    let mut out = write(&head, Style::Ustar);
    out.extend(&records);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str) -> Member {
        Member {
            name: name.into(),
            link: Vec::new(),
            kind: Kind::File,
            mode: 0o644,
            uid: 1000,
            gid: 1000,
            user: b"u".to_vec(),
            group: b"g".to_vec(),
            size: 7,
            mtime: 1_700_000_000,
            nanos: 0,
        }
    }

    #[test]
    fn headers_return() {
        for style in [Style::Gnu, Style::Ustar] {
            let bytes = write(&member("a/b"), style);
            let block: [u8; BLOCK] = bytes[..].try_into().unwrap();
            assert!(is_header(&block));
            let back = parse(&block);
            assert_eq!((back.name.as_slice(), back.size, back.mode, back.mtime), (&b"a/b"[..], 7, 0o644, 1_700_000_000));
        }
    }

    #[test]
    fn numbers_may_be_large_or_negative() {
        let mut block = [0; BLOCK];
        for value in [0, 0o7777777, 1 << 40, -5] {
            number(&mut block, 124, 12, value);
            assert_eq!(read_number(&block[124..136]), value);
        }
    }

    #[test]
    fn ustar_cuts_long_names() {
        let name = format!("{}/{}", "d".repeat(90), "f".repeat(50));
        let bytes = write(&member(&name), Style::Ustar);
        let block: [u8; BLOCK] = bytes[..].try_into().unwrap();
        assert_eq!(parse(&block).name, name.as_bytes());
    }
}

//! The description of programs and libraries in the ELF format.

use super::magic_binary::number;

/// An ELF file's first bytes.
struct Elf<'a> {
    bytes: &'a [u8],
    wide: bool,
    big: bool,
}

/// A segment: its type, offset and length.
struct Segment {
    kind: u64,
    at: usize,
    length: usize,
}

impl Elf<'_> {
    fn at(&self, at: usize, length: usize) -> Option<u64> {
        number(self.bytes, at, length, self.big)
    }

    /// Returns a field whose place and size differ between 32 and 64 bits.
    fn either(&self, narrow: usize, wide: usize) -> Option<u64> {
        if self.wide { self.at(wide, 8) } else { self.at(narrow, 4) }
    }

    fn segments(&self) -> Option<Vec<Segment>> {
        let start = self.either(28, 32)? as usize;
        let (size, count) = if self.wide { (self.at(54, 2)?, self.at(56, 2)?) } else { (self.at(42, 2)?, self.at(44, 2)?) };
        let mut all = Vec::new();
        for n in 0..count.min(256) as usize {
            let entry = start.checked_add(n * size as usize)?;
            let field = |narrow, wide| entry.checked_add(if self.wide { wide } else { narrow });
            let (at, length) = (field(4, 8)?, field(16, 32)?);
            let width = if self.wide { 8 } else { 4 };
            all.push(Segment { kind: self.at(entry, 4)?, at: self.at(at, width)? as usize, length: self.at(length, width)? as usize });
        }
        Some(all)
    }

    /// Returns whether the dynamic section says that this is a program.
    fn position_independent(&self, dynamic: &Segment) -> bool {
        let width = if self.wide { 8 } else { 4 };
        let entries = (0..dynamic.length.min(1 << 16) / (2 * width)).map(|n| dynamic.at.saturating_add(n * 2 * width));
        let flags = |at: usize| Some((self.at(at, width)?, self.at(at.checked_add(width)?, width)?));
        entries.map_while(flags).any(|(tag, value)| tag == 0x6fff_fffb && value & 0x0800_0000 != 0)
    }

    /// Reads the notes: the build ID and the oldest system.
    fn notes(&self, segment: &Segment, id: &mut String, system: &mut String) -> Option<()> {
        let end = segment.at.checked_add(segment.length)?.min(self.bytes.len());
        let mut at = segment.at;
        while at.checked_add(12)? <= end {
            let (name, length, kind) = (self.at(at, 4)? as usize, self.at(at + 4, 4)? as usize, self.at(at + 8, 4)?);
            let body = at.checked_add(12)?.checked_add(name.checked_next_multiple_of(4)?)?;
            let text = self.bytes.get(body..body.checked_add(length)?)?;
            if self.bytes.get(at + 12..at + 16) == Some(b"GNU\0") {
                if kind == 3 {
                    let hash = if length == 20 { "sha1" } else { "md5/uuid" };
                    *id = format!(", BuildID[{hash}]={}", text.iter().map(|b| format!("{b:02x}")).collect::<String>());
                } else if kind == 1 && length >= 16 {
                    let part = |n: usize| number(text, n * 4, 4, self.big).unwrap_or(0);
                    *system = format!(", for GNU/Linux {}.{}.{}", part(1), part(2), part(3));
                }
            }
            at = body.checked_add(length.checked_next_multiple_of(4)?)?;
        }
        Some(())
    }

    /// Returns whether there is a symbol table; `None` if the sections are after the bytes that were read.
    fn symbols(&self) -> Option<bool> {
        let start = self.either(32, 40)? as usize;
        let (size, count) = if self.wide { (self.at(58, 2)?, self.at(60, 2)?) } else { (self.at(46, 2)?, self.at(48, 2)?) };
        let mut found = false;
        for n in 0..count as usize {
            found |= self.at(start.checked_add(n * size as usize)?.checked_add(4)?, 4)? == 2;
        }
        Some(found)
    }
}

/// Returns the description of an ELF file.
pub(super) fn elf(bytes: &[u8]) -> Option<(String, &'static str)> {
    let elf = Elf { bytes, wide: *bytes.get(4)? == 2, big: *bytes.get(5)? == 2 };
    let machine = match elf.at(18, 2)? {
        3 => "Intel 80386",
        8 => "MIPS",
        40 => "ARM, EABI5",
        62 => "x86-64",
        183 => "ARM aarch64",
        243 => "UCB RISC-V",
        _ => "unknown arch",
    };
    let segments = elf.segments().unwrap_or_default();
    let dynamic = segments.iter().find(|s| s.kind == 2);
    let pie = dynamic.is_some_and(|d| elf.position_independent(d));
    let (what, mime) = match (elf.at(16, 2)?, pie) {
        (1, _) => ("relocatable", "application/x-object"),
        (2, _) => ("executable", "application/x-executable"),
        (3, true) => ("pie executable", "application/x-pie-executable"),
        (3, false) => ("shared object", "application/x-sharedlib"),
        (4, _) => ("core file", "application/x-coredump"),
        _ => ("unknown", "application/octet-stream"),
    };
    let abi = match bytes.get(7)? {
        0 => "SYSV",
        3 => "GNU/Linux",
        9 => "FreeBSD",
        _ => "unknown",
    };
    let end = if elf.big { "MSB" } else { "LSB" };
    let mut text = format!("ELF {}-bit {end} {what}, {machine}, version 1 ({abi})", if elf.wide { 64 } else { 32 });
    if what != "relocatable" && what != "core file" {
        text += if dynamic.is_some() { ", dynamically linked" } else { ", statically linked" };
    }
    if let Some(path) = segments.iter().find(|s| s.kind == 3).and_then(|s| bytes.get(s.at..s.at.checked_add(s.length)?)) {
        text += &format!(", interpreter {}", String::from_utf8_lossy(path.strip_suffix(b"\0").unwrap_or(path)));
    }
    let (mut id, mut system) = (String::new(), String::new());
    for segment in segments.iter().filter(|s| s.kind == 4) {
        // Damaged notes are left out.
        let _ = elf.notes(segment, &mut id, &mut system);
    }
    text += &id;
    text += &system;
    text += match elf.symbols() {
        Some(true) => ", not stripped",
        Some(false) => ", stripped",
        None => "",
    };
    Some((text, mime))
}

#[cfg(test)]
mod tests {
    #[test]
    fn damaged_files_are_survived() {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(64, 0xff);
        assert!(super::elf(&bytes).is_some());
        assert!(super::elf(b"\x7fELF").is_none());
    }
}

//! The conversions of `dd`: `conv=`.

/// POSIX's table from ASCII to EBCDIC.
const EBCDIC: [u128; 16] = [
    0x0001_0203_372d_2e2f_1605_250b_0c0d_0e0f,
    0x1011_1213_3c3d_3226_1819_3f27_1c1d_1e1f,
    0x405a_7f7b_5b6c_507d_4d5d_5c4e_6b60_4b61,
    0xf0f1_f2f3_f4f5_f6f7_f8f9_7a5e_4c7e_6e6f,
    0x7cc1_c2c3_c4c5_c6c7_c8c9_d1d2_d3d4_d5d6,
    0xd7d8_d9e2_e3e4_e5e6_e7e8_e9ad_e0bd_9a6d,
    0x7981_8283_8485_8687_8889_9192_9394_9596,
    0x9798_99a2_a3a4_a5a6_a7a8_a9c0_4fd0_5f07,
    0x2021_2223_2415_0617_2829_2a2b_2c09_0a1b,
    0x3031_1a33_3435_3608_3839_3a3b_0414_3ee1,
    0x4142_4344_4546_4748_4951_5253_5455_5657,
    0x5859_6263_6465_6667_6869_7071_7273_7475,
    0x7677_7880_8a8b_8c8d_8e8f_906a_9b9c_9d9e,
    0x9fa0_aaab_ac4a_aeaf_b0b1_b2b3_b4b5_b6b7,
    0xb8b9_babb_bca1_bebf_cacb_cccd_cecf_dadb,
    0xdcdd_dedf_eaeb_eced_eeef_fafb_fcfd_feff,
];

/// The differences in the table that POSIX calls `ibm`.
const IBM: [(u8, u8); 5] = [(0x5e, 0x5f), (0x7e, 0xa1), (0xcb, 0x9a), (0xd5, 0xad), (0xe5, 0xbd)];

/// Records of a fixed size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Records {
    /// No records.
    None,
    /// Lines are padded with spaces or truncated to this size.
    Block(usize),
    /// Records of this many bytes become lines, without the spaces at their ends.
    Unblock(usize),
}

/// The conversion of a whole run.
pub(super) struct Converter {
    table: Option<[u8; 256]>,
    swab: bool,
    records: Records,
    newline: u8,
    space: u8,
    /// The bytes of the current record so far.
    column: usize,
    /// Pending spaces, which may be the end of a record.
    spaces: usize,
    /// The number of records that were truncated.
    pub truncated: u64,
}

fn ebcdic() -> [u8; 256] {
    let mut table = [0; 256];
    for (row, bytes) in EBCDIC.iter().enumerate() {
        table[row * 16..][..16].copy_from_slice(&bytes.to_be_bytes());
    }
    table
}

impl Converter {
    /// Creates a conversion for the words of `conv=` and the size of a record; 0 if there is none.
    pub(super) fn new(words: &[String], size: usize) -> Self {
        let has = |word: &str| words.iter().any(|w| w == word);
        let to = match (has("ebcdic"), has("ibm")) {
            (false, false) => None,
            (_, ibm) => {
                let mut table = ebcdic();
                if ibm {
                    IBM.iter().for_each(|(at, byte)| table[usize::from(*at)] = *byte);
                }
                Some(table)
            }
        };
        let mut from: [u8; 256] = std::array::from_fn(|at| at as u8);
        if has("ascii") {
            ebcdic().iter().enumerate().for_each(|(at, byte)| from[usize::from(*byte)] = at as u8);
        }
        let table = from.map(|byte| {
            let byte = match (has("ucase"), has("lcase")) {
                (true, _) => byte.to_ascii_uppercase(),
                (_, true) => byte.to_ascii_lowercase(),
                _ => byte,
            };
            to.map_or(byte, |to| to[usize::from(byte)])
        });
        let records = match size {
            0 => Records::None,
            _ if has("block") || to.is_some() => Records::Block(size),
            _ if has("unblock") || has("ascii") => Records::Unblock(size),
            _ => Records::None,
        };
        let shown = |byte: u8| to.map_or(byte, |to| to[usize::from(byte)]);
        Self {
            table: table.iter().enumerate().any(|(at, byte)| at != usize::from(*byte)).then_some(table),
            swab: has("swab"),
            records,
            newline: shown(b'\n'),
            space: shown(b' '),
            column: 0,
            spaces: 0,
            truncated: 0,
        }
    }

    /// Converts a block of the input, and appends it to the output.
    pub(super) fn push(&mut self, block: &mut [u8], out: &mut Vec<u8>) {
        if self.swab {
            block.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
        }
        if let Some(table) = &self.table {
            block.iter_mut().for_each(|byte| *byte = table[usize::from(*byte)]);
        }
        match self.records {
            Records::None => out.extend_from_slice(block),
            Records::Block(size) => block.iter().for_each(|byte| self.block(*byte, size, out)),
            Records::Unblock(size) => block.iter().for_each(|byte| self.unblock(*byte, size, out)),
        }
    }

    fn block(&mut self, byte: u8, size: usize, out: &mut Vec<u8>) {
        if byte == self.newline {
            out.resize(out.len() + size.saturating_sub(self.column), self.space);
            self.column = 0;
            return;
        }
        match self.column.cmp(&size) {
            std::cmp::Ordering::Less => out.push(byte),
            std::cmp::Ordering::Equal => self.truncated += 1,
            std::cmp::Ordering::Greater => {}
        }
        self.column += 1;
    }

    fn unblock(&mut self, byte: u8, size: usize, out: &mut Vec<u8>) {
        if self.column == size {
            self.end(out);
        }
        self.column += 1;
        if byte == self.space {
            self.spaces += 1;
        } else {
            out.resize(out.len() + std::mem::take(&mut self.spaces), self.space);
            out.push(byte);
        }
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.push(self.newline);
        (self.column, self.spaces) = (0, 0);
    }

    /// Ends the record at the end of the input.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        match self.records {
            Records::Block(_) if self.column > 0 => self.block(self.newline, self.size(), out),
            Records::Unblock(_) if self.column > 0 => self.end(out),
            _ => {}
        }
    }

    fn size(&self) -> usize {
        match self.records {
            Records::None => 0,
            Records::Block(size) | Records::Unblock(size) => size,
        }
    }

    /// Returns the byte with which `sync` fills a short block.
    pub(super) fn filler(words: &[String]) -> u8 {
        if words.iter().any(|w| w == "block" || w == "unblock") { b' ' } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(words: &str, size: usize, input: &[u8]) -> (Vec<u8>, u64) {
        let words: Vec<String> = words.split(',').map(str::to_owned).collect();
        let mut converter = Converter::new(&words, size);
        let mut out = Vec::new();
        for part in input.chunks(3) {
            converter.push(&mut part.to_vec(), &mut out);
        }
        converter.finish(&mut out);
        (out, converter.truncated)
    }

    #[test]
    fn records_as_gnu_makes_them() {
        assert_eq!(run("block", 5, b"abcdefghi\nab\n"), (b"abcdeab   ".to_vec(), 1));
        assert_eq!(run("unblock", 5, b"abc  de   fghij"), (b"abc\nde\nfghij\n".to_vec(), 0));
        assert_eq!(run("unblock", 4, b"abc  de   fghi "), (b"abc\n de\n  fg\nhi\n".to_vec(), 0));
        assert_eq!(run("ebcdic", 4, b"ab\n"), (b"\x81\x82@@".to_vec(), 0));
        assert_eq!(run("block", 0, b"ab\n"), (b"ab\n".to_vec(), 0));
    }

    #[test]
    fn tables_are_each_others_inverse() {
        let all: Vec<u8> = (0..=255).collect();
        let (there, _) = run("ebcdic", 0, &all);
        assert_eq!(run("ascii", 0, &there).0, all);
        assert_eq!(run("ibm,ucase", 0, b"a~").0, b"\xc1\xa1");
        assert_eq!(run("ascii,lcase", 0, b"\xc1").0, b"a");
    }
}

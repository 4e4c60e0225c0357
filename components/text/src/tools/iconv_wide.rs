//! Encodings with several bytes for a character, for `iconv`: those of `encoding_rs`, which are the web's, made to be the C library's.

use encoding_rs::{Decoder, DecoderResult, Encoder, EncoderResult, Encoding};

/// An encoding.
#[derive(Debug)]
pub(super) struct Wide {
    /// Its names.
    pub names: &'static str,
    encoding: &'static Encoding,
    /// Characters of the web's encoding, each with the one that this encoding has in its place.
    pairs: &'static [(char, char)],
    /// Returns whether this encoding has a character of the web's, which takes these bytes.
    has: fn(&[u8], char) -> bool,
}

const JIS: &[(char, char)] = &[('～', '〜'), ('∥', '‖'), ('－', '−'), ('￠', '¢'), ('￡', '£'), ('￢', '¬')];
const SHIFT_JIS: &[(char, char)] = &[('～', '〜'), ('∥', '‖'), ('－', '−'), ('￠', '¢'), ('￡', '£'), ('￢', '¬'), ('\\', '¥'), ('~', '‾')];
const HKSCS: &[(char, char)] = &[
    ('‧', '•'),
    ('﹑', '､'),
    ('¯', '‾'),
    ('～', '∼'),
    ('⊕', '♁'),
    ('⊙', '☉'),
    ('∕', '／'),
    ('﹨', '＼'),
    ('￥', '¥'),
    ('￠', '¢'),
    ('￡', '£'),
];

/// All of them. The statics of `encoding_rs` are named by their contents, since a static cannot read another.
pub(super) static TABLE: &[Wide] = &[
    Wide { names: "GBK CP936 MS936 WINDOWS-936", encoding: &encoding_rs::GBK_INIT, pairs: &[], has: in_gbk },
    Wide { names: "GB2312 EUC-CN EUCCN CN-GB", encoding: &encoding_rs::GBK_INIT, pairs: &[('·', '・'), ('—', '―')], has: in_gb2312 },
    Wide { names: "GB18030", encoding: &encoding_rs::GB18030_INIT, pairs: &[], has: |bytes, _| bytes != [0x80] },
    Wide { names: "BIG5 BIG-5 BIG-FIVE CN-BIG5 CP950", encoding: &encoding_rs::BIG5_INIT, pairs: &[], has: in_big5 },
    Wide { names: "BIG5-HKSCS BIG5HKSCS", encoding: &encoding_rs::BIG5_INIT, pairs: HKSCS, has: |_, _| true },
    Wide { names: "EUC-JP EUCJP UJIS", encoding: &encoding_rs::EUC_JP_INIT, pairs: JIS, has: in_euc_jp },
    Wide { names: "SHIFT-JIS SJIS SHIFTJIS MS-KANJI", encoding: &encoding_rs::SHIFT_JIS_INIT, pairs: SHIFT_JIS, has: in_shift_jis },
    Wide {
        names: "CP932 MS932 WINDOWS-31J CSWINDOWS31J IBM943",
        encoding: &encoding_rs::SHIFT_JIS_INIT,
        pairs: &[],
        has: |bytes, _| bytes != [0x80],
    },
    Wide { names: "ISO-2022-JP ISO2022JP CSISO2022JP", encoding: &encoding_rs::ISO_2022_JP_INIT, pairs: JIS, has: |_, _| true },
    Wide { names: "EUC-KR EUCKR", encoding: &encoding_rs::EUC_KR_INIT, pairs: &[], has: in_euc_kr },
    Wide { names: "UHC CP949 MSCP949", encoding: &encoding_rs::EUC_KR_INIT, pairs: &[], has: |_, _| true },
];

/// Returns whether GBK has it: the web's has four bytes, and places for private use.
fn in_gbk(bytes: &[u8], letter: char) -> bool {
    bytes.len() < 3 && !('\u{e000}'..='\u{f8ff}').contains(&letter)
}

fn in_gb2312(bytes: &[u8], letter: char) -> bool {
    matches!(bytes, [0..=0x7f] | [0xa1..=0xf7, 0xa1..=0xff]) && in_gbk(bytes, letter)
}

/// Returns whether Big5 has it, which is without Hong Kong's additions.
fn in_big5(bytes: &[u8], _: char) -> bool {
    matches!(bytes, [0..=0x7f] | [0xa1..=0xc5 | 0xc9..=0xf9, _] | [0xc6, 0..=0x7e])
}

/// Returns whether JIS X 0201, 0208 or 0212 has it: the web's has NEC's and IBM's rows.
fn in_euc_jp(bytes: &[u8], _: char) -> bool {
    matches!(bytes, [0..=0x7f] | [0x8f, _, _] | [0x8e | 0xa1..=0xac | 0xae..=0xf4, _])
}

fn in_shift_jis(bytes: &[u8], _: char) -> bool {
    matches!(bytes, [0..=0x7f | 0xa1..=0xdf] | [0x81..=0x86 | 0x88..=0x9f | 0xe0..=0xea, _])
}

/// Returns whether KS X 1001 has it: the web's is Microsoft's extension.
fn in_euc_kr(bytes: &[u8], _: char) -> bool {
    matches!(bytes, [0..=0x7f] | [0xa1..=0xff, 0xa1..=0xff])
}

/// What is at a place of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A character that begins there.
    Letter(usize, char),
    /// Bytes that are none.
    Bad(usize),
    /// The start of a character, at the end of the text.
    Cut,
}

impl Wide {
    /// Reads a text. `take` gets each piece and says whether to go on.
    pub(super) fn read(&self, input: &[u8], take: &mut dyn FnMut(Piece) -> bool) {
        let mut decoder: Decoder = self.encoding.new_decoder_without_bom_handling();
        let (mut fed, mut start, mut text) = (0, 0, [0; 32]);
        loop {
            // One byte at a time, so that it is known where each character begins.
            let next = &input[fed..input.len().min(fed + 1)];
            let (result, read, written) = decoder.decode_to_utf8_without_replacement(next, &mut text, next.is_empty());
            fed += read;
            for letter in String::from_utf8_lossy(&text[..written]).chars() {
                let own = self.pairs.iter().find(|(web, _)| *web == letter).map_or(letter, |(_, own)| *own);
                let piece = if (self.has)(&input[start..fed], letter) { Piece::Letter(start, own) } else { Piece::Bad(start) };
                if !take(piece) {
                    return;
                }
            }
            if written > 0 {
                start = fed;
            }
            match result {
                DecoderResult::Malformed(..) if next.is_empty() => {
                    take(Piece::Cut);
                    return;
                }
                DecoderResult::Malformed(bytes, after) => {
                    if !take(Piece::Bad(fed - usize::from(bytes) - usize::from(after))) {
                        return;
                    }
                    start = fed - usize::from(after);
                }
                DecoderResult::InputEmpty if next.is_empty() => return,
                DecoderResult::InputEmpty | DecoderResult::OutputFull => {}
            }
        }
    }

    /// Returns what writes characters one after the other.
    pub(super) fn encoder(&self) -> Encoder {
        self.encoding.new_encoder()
    }

    /// Writes a character; returns false if the encoding does not have it.
    pub(super) fn write(&self, letter: char, encoder: &mut Encoder, out: &mut Vec<u8>) -> bool {
        let web = self.pairs.iter().find(|(_, own)| *own == letter).map_or(letter, |(web, _)| *web);
        let (mut text, mut bytes) = ([0; 4], [0; 32]);
        let (result, _, written) = encoder.encode_from_utf8_without_replacement(web.encode_utf8(&mut text), &mut bytes, false);
        let written = &bytes[..written];
        if result == EncoderResult::InputEmpty && !(self.has)(written, web) {
            return false;
        }
        // Before a character that it does not have, ISO-2022-JP may go back to ASCII.
        out.extend_from_slice(written);
        result == EncoderResult::InputEmpty
    }

    /// Ends a text: ISO-2022-JP goes back to ASCII.
    pub(super) fn end(encoder: &mut Encoder, out: &mut Vec<u8>) {
        let mut bytes = [0; 32];
        let (_, _, written) = encoder.encode_from_utf8_without_replacement("", &mut bytes, true);
        out.extend_from_slice(&bytes[..written]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(name: &str, input: &[u8]) -> Vec<Piece> {
        let mut all = Vec::new();
        let wide = TABLE.iter().find(|wide| wide.names.split(' ').any(|known| known == name)).unwrap();
        wide.read(input, &mut |piece| {
            all.push(piece);
            true
        });
        all
    }

    #[test]
    fn places_are_those_of_the_input() {
        use Piece::{Bad, Cut, Letter};
        assert_eq!(pieces("GBK", b"a\xb1\xe0b"), [Letter(0, 'a'), Letter(1, '编'), Letter(3, 'b')]);
        assert_eq!(pieces("GBK", b"a\xb1"), [Letter(0, 'a'), Cut]);
        assert_eq!(pieces("GBK", b"\xff1"), [Bad(0), Letter(1, '1')]);
        assert_eq!(pieces("EUC-KR", b"\x81\x41"), [Bad(0)]);
        assert_eq!(pieces("UHC", b"\x81\x41"), [Letter(0, '갂')]);
        assert_eq!(pieces("SHIFT-JIS", b"\x81\x60\x5c"), [Letter(0, '〜'), Letter(2, '¥')]);
        assert_eq!(pieces("CP932", b"\x81\x60\x5c"), [Letter(0, '～'), Letter(2, '\\')]);
        assert_eq!(pieces("ISO-2022-JP", b"\x1b$BF|\x1b(Ba").len(), 2);
    }
}

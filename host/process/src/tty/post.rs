//! Output processing: from the bytes that programs write to those that a screen receives.

use bytes::{BufMut, BytesMut};

use super::settings::{Settings, flag};

/// Maximum bytes that one written byte becomes: a tab as spaces.
pub(super) const EXPANSION: usize = TAB;

/// Columns between two tab stops.
pub(super) const TAB: usize = 8;

/// Returns the column after a tab at `column`.
pub(super) fn after_tab(column: usize) -> usize {
    (column / TAB + 1) * TAB
}

/// Where the cursor is, as far as the bytes say. Control sequences and the screen's edge are not considered, and each
/// character has one column, as on Linux: only tabs and erasing depend on it.
#[derive(Default)]
pub(super) struct Cursor {
    pub(super) column: usize,
}

impl Cursor {
    /// Adds what `byte` becomes to `out`.
    pub(super) fn put(&mut self, settings: &Settings, byte: u8, out: &mut BytesMut) {
        let post = |bits| settings.output_has(flag::OPOST) && settings.output_has(bits);
        match byte {
            b'\n' if post(flag::ONLCR) => {
                self.column = 0;
                out.put_slice(b"\r\n");
            }
            b'\n' => {
                if post(flag::ONLRET) {
                    self.column = 0;
                }
                out.put_u8(byte);
            }
            b'\r' if post(flag::ONOCR) && self.column == 0 => {}
            b'\r' if post(flag::OCRNL) => {
                if post(flag::ONLRET) {
                    self.column = 0;
                }
                out.put_u8(b'\n');
            }
            b'\t' if settings.output_has(flag::OPOST) && settings.output & flag::TABDLY == flag::XTABS => {
                let next = after_tab(self.column);
                out.put_bytes(b' ', next - self.column);
                self.column = next;
            }
            _ => {
                self.advance(byte, settings.input_has(flag::IUTF8));
                out.put_u8(if post(flag::OLCUC) { byte.to_ascii_uppercase() } else { byte });
            }
        }
    }

    /// Records that these bytes go to the screen as they are.
    pub(super) fn pass(&mut self, settings: &Settings, bytes: &[u8]) {
        let utf8 = settings.input_has(flag::IUTF8);
        bytes.iter().for_each(|byte| self.advance(*byte, utf8));
    }

    fn advance(&mut self, byte: u8, utf8: bool) {
        match byte {
            b'\r' => self.column = 0,
            b'\t' => self.column = after_tab(self.column),
            b'\x08' => self.column = self.column.saturating_sub(1),
            _ if byte.is_ascii_control() || (utf8 && is_continuation(byte)) => {}
            _ => self.column += 1,
        }
    }
}

/// Returns whether `byte` is one of a character in UTF-8, but not its first.
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

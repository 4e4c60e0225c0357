//! The bytes of a script, read as they are needed: a script on standard input must not be read beyond the command that
//! runs next.

/// Returns the next line of a script that is read piece by piece.
pub type MoreLines = Box<dyn FnMut() -> Option<Vec<u8>>>;

/// A script with a position in it.
pub struct Source {
    /// What has been read so far.
    pub buf: Vec<u8>,
    /// The position.
    pub pos: usize,
    /// The line at the position.
    pub line: u32,
    /// Reads more.
    pub more: Option<MoreLines>,
}

impl Source {
    /// Creates a whole script.
    pub fn new(buf: Vec<u8>, line: u32) -> Self {
        Self { buf, pos: 0, line, more: None }
    }
    fn fill(&mut self, upto: usize) -> bool {
        while self.buf.len() <= upto {
            match self.more.as_mut().and_then(|more| more()) {
                Some(line) => self.buf.extend_from_slice(&line),
                None => return false,
            }
        }
        true
    }
    /// Returns the byte at the position.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.peek_at(0)
    }
    /// Returns the byte `ahead` of the position.
    #[inline]
    pub fn peek_at(&mut self, ahead: usize) -> Option<u8> {
        let at = self.pos + ahead;
        if at < self.buf.len() || self.fill(at) { Some(self.buf[at]) } else { None }
    }
    /// Takes a byte.
    #[inline]
    pub fn bump(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.pos += 1;
        if byte == b'\n' {
            self.line += 1;
        }
        Some(byte)
    }
    /// Takes `count` bytes that were peeked at.
    pub fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }
    /// Joins a continued line `ahead` of the position: skips a backslash and the newline after it.
    #[inline]
    pub fn join(&mut self, ahead: usize) {
        while self.peek_at(ahead) == Some(b'\\') && self.peek_at(ahead + 1) == Some(b'\n') {
            let at = self.pos + ahead;
            self.buf.drain(at..at + 2);
            self.line += 1;
        }
    }
    /// Returns whether the text at the position begins with `text`.
    pub fn looking_at(&mut self, text: &[u8]) -> bool {
        (0..text.len()).all(|i| self.peek_at(i) == Some(text[i]))
    }
    /// Returns the whole line around the position, without its newline.
    pub fn current_line(&self, at: usize) -> &[u8] {
        let at = at.min(self.buf.len());
        let start = self.buf[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let end = self.buf[at..].iter().position(|b| *b == b'\n').map_or(self.buf.len(), |i| at + i);
        &self.buf[start..end]
    }
}

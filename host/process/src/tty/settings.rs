//! The settings of a terminal, with the numbers that they have on Linux (termios(3)).

/// The number of control characters.
pub const CHARACTERS: usize = 19;

/// Flags of the four words of [`Settings`], by their names in termios(3). Flags that are not here are kept and have no
/// effect: a pseudo-terminal has no line whose speed, parity or delays they could set.
#[allow(missing_docs, reason = "their names in termios(3) are their documentation")]
pub mod flag {
    // Settings::input
    pub const PARMRK: u32 = 0o10;
    pub const ISTRIP: u32 = 0o40;
    pub const INLCR: u32 = 0o100;
    pub const IGNCR: u32 = 0o200;
    pub const ICRNL: u32 = 0o400;
    pub const IUCLC: u32 = 0o1000;
    pub const IXON: u32 = 0o2000;
    pub const IXANY: u32 = 0o4000;
    pub const IMAXBEL: u32 = 0o20000;
    pub const IUTF8: u32 = 0o40000;
    // Settings::output
    pub const OPOST: u32 = 0o1;
    pub const OLCUC: u32 = 0o2;
    pub const ONLCR: u32 = 0o4;
    pub const OCRNL: u32 = 0o10;
    pub const ONOCR: u32 = 0o20;
    pub const ONLRET: u32 = 0o40;
    /// The two bits that say what becomes of a tab; with both, it becomes spaces.
    pub const TABDLY: u32 = 0o14000;
    pub const XTABS: u32 = TABDLY;
    // Settings::control
    pub const B38400: u32 = 0o17;
    pub const CS8: u32 = 0o60;
    pub const CREAD: u32 = 0o200;
    pub const PARENB: u32 = 0o400;
    // Settings::local
    pub const ISIG: u32 = 0o1;
    pub const ICANON: u32 = 0o2;
    pub const ECHO: u32 = 0o10;
    pub const ECHOE: u32 = 0o20;
    pub const ECHOK: u32 = 0o40;
    pub const ECHONL: u32 = 0o100;
    pub const NOFLSH: u32 = 0o200;
    pub const TOSTOP: u32 = 0o400;
    pub const ECHOCTL: u32 = 0o1000;
    pub const ECHOKE: u32 = 0o4000;
    pub const IEXTEN: u32 = 0o100000;
}

/// Places of the control characters in [`Settings::characters`], by their names in termios(3).
#[allow(missing_docs, reason = "their names in termios(3) are their documentation")]
pub mod at {
    pub const VINTR: usize = 0;
    pub const VQUIT: usize = 1;
    pub const VERASE: usize = 2;
    pub const VKILL: usize = 3;
    pub const VEOF: usize = 4;
    pub const VTIME: usize = 5;
    pub const VMIN: usize = 6;
    pub const VSTART: usize = 8;
    pub const VSTOP: usize = 9;
    pub const VSUSP: usize = 10;
    pub const VEOL: usize = 11;
    pub const VREPRINT: usize = 12;
    pub const VDISCARD: usize = 13;
    pub const VWERASE: usize = 14;
    pub const VLNEXT: usize = 15;
    pub const VEOL2: usize = 16;
}

/// A control character with this value is switched off (_POSIX_VDISABLE).
pub const DISABLED: u8 = 0;

/// The settings of a terminal (struct termios).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What happens to typed bytes (c_iflag).
    pub input: u32,
    /// What happens to written bytes (c_oflag).
    pub output: u32,
    /// The line (c_cflag). It has no effect.
    pub control: u32,
    /// Editing, echo and signals (c_lflag).
    pub local: u32,
    /// The control characters (c_cc).
    pub characters: [u8; CHARACTERS],
}

impl Default for Settings {
    /// Returns the settings of a new terminal: lines with editing and echo, signals, UTF-8, and a carriage return before each newline.
    fn default() -> Self {
        use flag::*;
        let mut characters = [DISABLED; CHARACTERS];
        for (place, value) in [
            (at::VINTR, control(b'C')),
            (at::VQUIT, control(b'\\')),
            (at::VERASE, 0x7f),
            (at::VKILL, control(b'U')),
            (at::VEOF, control(b'D')),
            (at::VMIN, 1),
            (at::VSTART, control(b'Q')),
            (at::VSTOP, control(b'S')),
            (at::VSUSP, control(b'Z')),
            (at::VREPRINT, control(b'R')),
            (at::VDISCARD, control(b'O')),
            (at::VWERASE, control(b'W')),
            (at::VLNEXT, control(b'V')),
        ] {
            characters[place] = value;
        }
        Self {
            input: ICRNL | IXON | IUTF8,
            output: OPOST | ONLCR,
            control: B38400 | CS8 | CREAD,
            local: ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE | IEXTEN,
            characters,
        }
    }
}

/// Returns the byte that a key sends while Control is held: `control(b'C')` is 3.
pub const fn control(key: u8) -> u8 {
    key & 0x1f
}

impl Settings {
    /// Returns these settings as cfmakeraw(3) changes them: each byte as it is typed and written, without echo and signals.
    #[must_use]
    pub fn raw(mut self) -> Self {
        use flag::*;
        // 0o1, 0o2: IGNBRK and BRKINT.
        self.input &= !(0o1 | 0o2 | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
        self.output &= !OPOST;
        self.local &= !(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
        self.characters[at::VMIN] = 1;
        self.characters[at::VTIME] = 0;
        self.on_a_pseudo_terminal()
    }

    /// Returns these settings as a pseudo-terminal keeps them: eight bits, no parity, and a receiver that is on.
    #[must_use]
    pub(super) fn on_a_pseudo_terminal(mut self) -> Self {
        self.control = (self.control & !flag::PARENB) | flag::CS8 | flag::CREAD;
        self
    }

    pub(super) fn input_has(&self, bits: u32) -> bool {
        self.input & bits != 0
    }

    pub(super) fn output_has(&self, bits: u32) -> bool {
        self.output & bits != 0
    }

    /// Returns whether a flag of `local` is set.
    pub fn local_has(&self, bits: u32) -> bool {
        self.local & bits != 0
    }

    /// Returns whether input comes in lines.
    pub fn canonical(&self) -> bool {
        self.local_has(flag::ICANON)
    }

    /// Returns whether `byte` is the control character at `place`, and that is not switched off.
    pub(super) fn is(&self, byte: u8, place: usize) -> bool {
        self.characters[place] == byte && byte != DISABLED
    }
}

/// The size of a terminal (struct winsize). All are 0 where it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// Lines of text.
    pub rows: u16,
    /// Characters of a line.
    pub columns: u16,
    /// Its width in pixels; 0 if not known.
    pub width: u16,
    /// Its height in pixels; 0 if not known.
    pub height: u16,
}

impl Size {
    /// Creates a size in characters.
    pub fn new(rows: u16, columns: u16) -> Self {
        Self { rows, columns, width: 0, height: 0 }
    }
}

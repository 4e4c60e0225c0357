//! The names of a terminal's settings, with Linux's numbers.

use crate::sys::terminal::Settings;

/// A word of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Input,
    Output,
    Control,
    Local,
}

/// A flag.
pub(super) struct Flag {
    pub name: &'static str,
    /// Another name; empty if there is none.
    pub alias: &'static str,
    pub word: Word,
    pub bits: u32,
}

const fn flag(word: Word, name: &'static str, bits: u32) -> Flag {
    Flag { name, alias: "", word, bits }
}

/// The flags, in the order in which they are printed.
pub(super) const FLAGS: &[Flag] = &[
    flag(Word::Control, "parenb", 0o400),
    flag(Word::Control, "parodd", 0o1000),
    flag(Word::Control, "cs8", 0o60),
    flag(Word::Control, "hupcl", 0o2000),
    flag(Word::Control, "cstopb", 0o100),
    flag(Word::Control, "cread", 0o200),
    flag(Word::Control, "clocal", 0o4000),
    flag(Word::Input, "ignbrk", 0o1),
    flag(Word::Input, "brkint", 0o2),
    flag(Word::Input, "ignpar", 0o4),
    flag(Word::Input, "parmrk", 0o10),
    flag(Word::Input, "inpck", 0o20),
    flag(Word::Input, "istrip", 0o40),
    flag(Word::Input, "inlcr", 0o100),
    flag(Word::Input, "igncr", 0o200),
    flag(Word::Input, "icrnl", 0o400),
    flag(Word::Input, "ixon", 0o2000),
    Flag { name: "ixoff", alias: "tandem", word: Word::Input, bits: 0o10000 },
    flag(Word::Input, "iuclc", 0o1000),
    flag(Word::Input, "ixany", 0o4000),
    flag(Word::Input, "imaxbel", 0o20000),
    flag(Word::Input, "iutf8", 0o40000),
    flag(Word::Output, "opost", 0o1),
    flag(Word::Output, "olcuc", 0o2),
    flag(Word::Output, "ocrnl", 0o10),
    flag(Word::Output, "onlcr", 0o4),
    flag(Word::Output, "onocr", 0o20),
    flag(Word::Output, "onlret", 0o40),
    flag(Word::Output, "ofill", 0o100),
    flag(Word::Output, "ofdel", 0o200),
    flag(Word::Local, "isig", 0o1),
    flag(Word::Local, "icanon", ICANON),
    flag(Word::Local, "iexten", 0o100000),
    flag(Word::Local, "echo", 0o10),
    Flag { name: "echoe", alias: "crterase", word: Word::Local, bits: 0o20 },
    flag(Word::Local, "echok", 0o40),
    flag(Word::Local, "echonl", 0o100),
    flag(Word::Local, "noflsh", 0o200),
    flag(Word::Local, "xcase", 0o4),
    flag(Word::Local, "tostop", 0o400),
    Flag { name: "echoprt", alias: "prterase", word: Word::Local, bits: 0o2000 },
    Flag { name: "echoctl", alias: "ctlecho", word: Word::Local, bits: 0o1000 },
    Flag { name: "echoke", alias: "crtkill", word: Word::Local, bits: 0o4000 },
    flag(Word::Local, "flusho", 0o10000),
    flag(Word::Local, "extproc", 0o200000),
];

pub(super) const ICANON: u32 = 0o2;

/// The two bits that say what becomes of a tab, and the names of their four values.
pub(super) const TABS: u32 = 0o14000;
pub(super) const TAB_NAMES: [&str; 4] = ["tab0", "tab1", "tab2", "tab3"];

pub(super) const VERASE: usize = 2;
pub(super) const VKILL: usize = 3;
pub(super) const VEOF: usize = 4;
pub(super) const VTIME: usize = 5;
pub(super) const VMIN: usize = 6;
pub(super) const VEOL: usize = 11;

/// The control characters: name, place, and whether it is listed.
pub(super) const CHARACTERS: &[(&str, usize, bool)] = &[
    ("intr", 0, true),
    ("quit", 1, true),
    ("erase", VERASE, true),
    ("kill", VKILL, true),
    ("eof", VEOF, true),
    ("eol", VEOL, true),
    ("eol2", 16, true),
    ("swtch", 7, true),
    ("start", 8, true),
    ("stop", 9, true),
    ("susp", 10, true),
    ("rprnt", 12, true),
    ("werase", 14, true),
    ("lnext", 15, true),
    ("discard", 13, true),
    // Other names of the same keys.
    ("reprint", 12, false),
    ("flush", 13, false),
    ("brk", VEOL, false),
];

/// The settings of a new terminal.
pub(super) const SANE: Settings = Settings {
    input: 0o42400,
    output: 0o5,
    control: 0o277,
    local: 0o105073,
    characters: [3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22, 0, 0, 0],
};

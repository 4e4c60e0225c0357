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

/// The flags of each word, in the order in which they are printed: name and bits.
pub(super) const FLAGS: [(Word, &[(&str, u32)]); 4] = [
    (
        Word::Control,
        &[("parenb", 0o400), ("parodd", 0o1000), ("cs8", 0o60), ("hupcl", 0o2000), ("cstopb", 0o100), ("cread", 0o200), ("clocal", 0o4000)],
    ),
    (
        Word::Input,
        &[
            ("ignbrk", 0o1),
            ("brkint", 0o2),
            ("ignpar", 0o4),
            ("parmrk", 0o10),
            ("inpck", 0o20),
            ("istrip", 0o40),
            ("inlcr", 0o100),
            ("igncr", 0o200),
            ("icrnl", 0o400),
            ("ixon", 0o2000),
            ("ixoff", 0o10000),
            ("iuclc", 0o1000),
            ("ixany", 0o4000),
            ("imaxbel", 0o20000),
            ("iutf8", 0o40000),
        ],
    ),
    (
        Word::Output,
        &[
            ("opost", 0o1),
            ("olcuc", 0o2),
            ("ocrnl", 0o10),
            ("onlcr", 0o4),
            ("onocr", 0o20),
            ("onlret", 0o40),
            ("ofill", 0o100),
            ("ofdel", 0o200),
        ],
    ),
    (
        Word::Local,
        &[
            ("isig", 0o1),
            ("icanon", ICANON),
            ("iexten", 0o100000),
            ("echo", 0o10),
            ("echoe", 0o20),
            ("echok", 0o40),
            ("echonl", 0o100),
            ("noflsh", 0o200),
            ("xcase", 0o4),
            ("tostop", 0o400),
            ("echoprt", 0o2000),
            ("echoctl", 0o1000),
            ("echoke", 0o4000),
            ("flusho", 0o10000),
            ("extproc", 0o200000),
        ],
    ),
];

/// Other names of flags, each with the name that is printed.
pub(super) const ALIASES: &[(&str, &str)] =
    &[("tandem", "ixoff"), ("crterase", "echoe"), ("prterase", "echoprt"), ("ctlecho", "echoctl"), ("crtkill", "echoke")];

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

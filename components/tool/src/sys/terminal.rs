//! The settings and the size of a terminal (termios(3)), with Linux's numbers.

use std::io::{Error, Result};

/// The number of control characters.
pub const CHARACTERS: usize = 19;

/// The settings of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What happens to typed bytes (c_iflag).
    pub input: u32,
    /// What happens to written bytes (c_oflag).
    pub output: u32,
    /// The line (c_cflag).
    pub control: u32,
    /// Editing, echo and signals (c_lflag).
    pub local: u32,
    /// The control characters (c_cc).
    pub characters: [u8; CHARACTERS],
}

/// Flags of the settings, with Linux's numbers.
mod flag {
    /// Input: newlines and carriage returns become each other; CR is what Enter sends.
    pub(super) const INLCR: u32 = 0o100;
    pub(super) const IGNCR: u32 = 0o200;
    pub(super) const ICRNL: u32 = 0o400;
    /// Output is processed; a newline also returns to the first column.
    pub(super) const OPOST: u32 = 0o1;
    pub(super) const ONLCR: u32 = 0o4;
    /// Keys send signals; input comes by lines; it is echoed; there are keys for more than that.
    pub(super) const ISIG: u32 = 0o1;
    pub(super) const ICANON: u32 = 0o2;
    pub(super) const ECHO: u32 = 0o10;
    pub(super) const IEXTEN: u32 = 0o100000;
}

/// Places of control characters.
const VEOF: usize = 4;
const VTIME: usize = 5;
const VMIN: usize = 6;

impl Settings {
    /// Returns the settings for a program that reads single keys: they come as they are pressed, and are not echoed. Ctrl-C stays a signal.
    #[must_use]
    pub fn by_key(mut self) -> Self {
        self.local &= !(flag::ICANON | flag::ECHO);
        (self.characters[VMIN], self.characters[VTIME]) = (1, 0);
        self
    }

    /// Returns the settings for a line editor: as with [`Settings::by_key`], Enter is a carriage return, and a newline is shown as a new
    /// line.
    #[must_use]
    pub fn for_editor(mut self) -> Self {
        self = self.by_key();
        self.input &= !(flag::INLCR | flag::IGNCR | flag::ICRNL);
        self.output |= flag::OPOST | flag::ONLCR;
        self.local &= !flag::IEXTEN;
        self.local |= flag::ISIG;
        self
    }

    /// Lets bytes pass in both directions as they are (cfmakeraw).
    #[must_use]
    pub fn raw(mut self) -> Self {
        self = self.by_key();
        self.input = 0;
        self.output &= !flag::OPOST;
        self.local &= !(flag::ISIG | flag::IEXTEN);
        self
    }

    /// Returns the settings with the echo of what is typed, or without.
    #[must_use]
    pub fn with_echo(mut self, echo: bool) -> Self {
        self.local = if echo { self.local | flag::ECHO } else { self.local & !flag::ECHO };
        self
    }

    /// Returns whether what is typed is echoed.
    pub fn echoes(&self) -> bool {
        self.local & flag::ECHO != 0
    }

    /// Returns the key that ends the input, if it comes by lines.
    pub fn end_key(&self) -> Option<u8> {
        Some(self.characters[VEOF]).filter(|key| self.local & flag::ICANON != 0 && *key != 0)
    }
}

/// Returns the error of a file that is not a terminal.
#[cfg(target_family = "wasm")]
fn error(code: wisp_guest::files::ErrorCode) -> Error {
    match code {
        wisp_guest::files::ErrorCode::Unsupported => Error::from_raw_os_error(libc::ENOTTY),
        code => super::error(code),
    }
}

#[cfg(target_family = "wasm")]
mod imp {
    use super::{Result, Settings, error};
    use wisp_guest::files::OpenFile;
    use wisp_guest::{process, terminal};

    fn file(number: u32) -> Result<OpenFile> {
        process::inherited(number).map_err(error)
    }

    pub(super) fn settings(number: u32) -> Result<Settings> {
        let terminal::Settings { input, output, control, local, characters } = terminal::get_settings(&file(number)?).map_err(error)?;
        let characters = characters.try_into().map_err(|_| std::io::Error::from_raw_os_error(libc::EIO))?;
        Ok(Settings { input, output, control, local, characters })
    }

    pub(super) fn set_settings(number: u32, settings: &Settings, drain: bool) -> Result<()> {
        let Settings { input, output, control, local, characters } = *settings;
        let file = file(number)?;
        if drain {
            terminal::drain(&file).map_err(error)?;
        }
        let settings = terminal::Settings { input, output, control, local, characters: characters.to_vec() };
        terminal::set_settings(&file, &settings).map_err(error)
    }

    pub(super) fn size(number: u32) -> Result<(u16, u16)> {
        let size = terminal::get_size(&file(number)?).map_err(error)?;
        Ok((size.rows, size.columns))
    }

    pub(super) fn set_size(number: u32, rows: u16, columns: u16) -> Result<()> {
        let file = file(number)?;
        let size = terminal::get_size(&file).map_err(error)?;
        terminal::set_size(&file, terminal::Size { rows, columns, ..size }).map_err(error)
    }
}

#[cfg(not(target_family = "wasm"))]
mod imp {
    use super::{CHARACTERS, Error, Result, Settings};

    fn checked(status: libc::c_int) -> Result<()> {
        if status == 0 { Ok(()) } else { Err(Error::last_os_error()) }
    }

    fn get(number: u32) -> Result<libc::termios> {
        // SAFETY: the structure is plain data, and the call fills it.
        unsafe {
            let mut settings: libc::termios = std::mem::zeroed();
            checked(libc::tcgetattr(number as i32, &mut settings))?;
            Ok(settings)
        }
    }

    pub(super) fn settings(number: u32) -> Result<Settings> {
        let there = get(number)?;
        let mut characters = [0; CHARACTERS];
        characters.copy_from_slice(&there.c_cc[..CHARACTERS]);
        Ok(Settings { input: there.c_iflag, output: there.c_oflag, control: there.c_cflag, local: there.c_lflag, characters })
    }

    pub(super) fn set_settings(number: u32, settings: &Settings, drain: bool) -> Result<()> {
        let mut there = get(number)?;
        (there.c_iflag, there.c_oflag, there.c_cflag, there.c_lflag) = (settings.input, settings.output, settings.control, settings.local);
        there.c_cc[..CHARACTERS].copy_from_slice(&settings.characters);
        // SAFETY: the call only reads the structure.
        checked(unsafe { libc::tcsetattr(number as i32, if drain { libc::TCSADRAIN } else { libc::TCSANOW }, &there) })
    }

    fn window(number: u32) -> Result<libc::winsize> {
        // SAFETY: the structure is plain data, and the call fills it.
        unsafe {
            let mut size: libc::winsize = std::mem::zeroed();
            checked(libc::ioctl(number as i32, libc::TIOCGWINSZ, &mut size))?;
            Ok(size)
        }
    }

    pub(super) fn size(number: u32) -> Result<(u16, u16)> {
        window(number).map(|size| (size.ws_row, size.ws_col))
    }

    pub(super) fn set_size(number: u32, rows: u16, columns: u16) -> Result<()> {
        let size = libc::winsize { ws_row: rows, ws_col: columns, ..window(number)? };
        // SAFETY: the call only reads the structure.
        checked(unsafe { libc::ioctl(number as i32, libc::TIOCSWINSZ, &size) })
    }
}

/// Returns the settings of the terminal that is an initial descriptor.
///
/// # Errors
/// ENOTTY if it is no terminal.
pub fn settings(number: u32) -> Result<Settings> {
    imp::settings(number)
}

/// Sets them; with `drain`, when everything that was written has been shown.
///
/// # Errors
/// Those of [`settings`].
pub fn set_settings(number: u32, settings: &Settings, drain: bool) -> Result<()> {
    imp::set_settings(number, settings, drain)
}

/// Returns its lines and columns.
///
/// # Errors
/// Those of [`settings`].
pub fn size(number: u32) -> Result<(u16, u16)> {
    imp::size(number)
}

/// Sets its lines and columns.
///
/// # Errors
/// Those of [`settings`].
pub fn set_size(number: u32, rows: u16, columns: u16) -> Result<()> {
    imp::set_size(number, rows, columns)
}

/// Returns the lines and columns that a tool may fill: those in `LINES` and `COLUMNS`, else those of the terminal that is standard
/// output, error or input, else 24 and 80.
pub fn window() -> (usize, usize) {
    let (rows, columns) = [1, 2, 0].into_iter().find_map(|number| size(number).ok()).unwrap_or_default();
    let or = |variable: &str, there: u16, usual: usize| {
        let set = std::env::var(variable).ok().and_then(|text| text.parse().ok());
        set.into_iter().chain([usize::from(there)]).find(|size| *size > 0).unwrap_or(usual)
    };
    (or("LINES", rows, 24), or("COLUMNS", columns, 80))
}

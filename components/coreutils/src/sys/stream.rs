//! Open files, terminals and children that a tool waits for together, and terminals that it makes.

use super::{Child, Ready, Start, Waits};
use std::io::{Error, Result};
use wisp_guest::{files, monotonic_clock, poll, process, terminal};
use wisp_tool::sys::error;
use wisp_tool::sys::terminal::Settings;

/// Bytes read at a time.
const PART: u32 = 1 << 16;

/// An open file, a pipe's end or a terminal's end.
pub struct Stream(files::OpenFile);

impl Stream {
    /// Returns one of the descriptors with which this process was started.
    pub fn inherited(number: u32) -> Result<Self> {
        process::inherited(number).map(Self).map_err(error)
    }

    /// Reads some bytes; none at the end. Waits for the first.
    pub fn read(&self) -> Result<Vec<u8>> {
        self.0.read(PART).map_err(error)
    }

    /// Writes what fits without waiting, and removes it from `bytes`.
    pub fn write_some(&self, bytes: &mut Vec<u8>) -> Result<()> {
        let count = self.0.write_some(bytes).map_err(error)?;
        bytes.drain(..bytes.len().min(count as usize));
        Ok(())
    }

    /// Returns the settings of the terminal.
    pub fn settings(&self) -> Result<Settings> {
        let terminal::Settings { input, output, control, local, characters } = terminal::get_settings(&self.0).map_err(error)?;
        let characters = characters.try_into().map_err(|_| Error::from_raw_os_error(libc::EIO))?;
        Ok(Settings { input, output, control, local, characters })
    }

    /// Sets them.
    pub fn set_settings(&self, settings: &Settings) -> Result<()> {
        let Settings { input, output, control, local, characters } = *settings;
        let settings = terminal::Settings { input, output, control, local, characters: characters.to_vec() };
        terminal::set_settings(&self.0, &settings).map_err(error)
    }

    /// Sets the terminal's lines and columns.
    pub fn set_size(&self, rows: u16, columns: u16) -> Result<()> {
        terminal::set_size(&self.0, terminal::Size { rows, columns, width: 0, height: 0 }).map_err(error)
    }
}

/// Creates a new terminal of so many lines and columns: the end at which keys are typed, and the end of its programs.
pub fn new_terminal(rows: u16, columns: u16) -> Result<(Stream, Stream)> {
    let (keys, programs) = terminal::make(terminal::Size { rows, columns, width: 0, height: 0 }).map_err(error)?;
    Ok((Stream(keys), Stream(programs)))
}

/// Starts a program at the terminal whose end this is: it has no other descriptors.
pub fn spawn_at(start: &Start<'_>, programs: &Stream) -> Result<Child> {
    let given = (0..3).map(|number| process::Descriptor { number, file: &programs.0 }).collect();
    let attributes = process::Attributes { ignored_signals: None, umask: None, group: None };
    let child = terminal::spawn_controlled(&super::imp::command(start, given), attributes, 0);
    child.map(Child::of).map_err(error)
}

/// Starts a program with `/dev/null` as its input and a pipe as its output and error.
pub fn spawn_reading(start: &Start<'_>) -> Result<(Child, Stream)> {
    let (read, write) = process::pipe().map_err(error)?;
    let null = files::open("/dev/null", files::OpenFlags::READ, 0).map_err(error)?;
    let given = [(0, &null), (1, &write), (2, &write)].map(|(number, file)| process::Descriptor { number, file });
    let child = process::spawn(&super::imp::command(start, given.into())).map_err(error)?;
    Ok((Child::of(child), Stream(read)))
}

impl Waits<'_> {
    /// Waits until something is there, the time is over, or a signal arrives that is handled.
    pub fn wait(&self) -> Ready {
        // What each pollable means, in the order of `all`.
        let mut all = vec![process::signals_pollable()];
        let mut place = |pollable: Option<_>| {
            pollable.map(|pollable| {
                all.push(pollable);
                all.len() as u32 - 1
            })
        };
        let ended = place(self.child.map(Child::ended));
        let read = self.read.map(|stream| place(stream.map(|stream| stream.0.subscribe_read())));
        let write = place(self.write.map(|stream| stream.0.subscribe_write()));
        place(self.time.map(|time| monotonic_clock::subscribe_duration(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))));
        let ready = poll(&all.iter().collect::<Vec<_>>());
        let is = |place: Option<u32>| place.is_some_and(|place| ready.contains(&place));
        Ready { ended: is(ended), read: read.map(is), write: is(write), signals: process::take_signals() }
    }
}

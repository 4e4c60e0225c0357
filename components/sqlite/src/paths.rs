//! Paths as SQLite wants them: absolute, without links, so that a database has one name.

use core::ffi::CStr;

use crate::libc;
use crate::opened::PATH;

/// More links in one path are a circle.
const LINKS: u32 = 40;

/// A path that is put together, with its NUL.
struct Path {
    bytes: [u8; PATH],
    length: usize,
}

impl Path {
    /// Appends `/` and a name; `None` if there is no room.
    fn push(&mut self, name: &[u8]) -> Option<()> {
        let end = self.length + 1 + name.len();
        if end >= PATH {
            return None;
        }
        self.bytes[self.length] = b'/';
        self.bytes[self.length + 1..end].copy_from_slice(name);
        self.bytes[end] = 0;
        self.length = end;
        Some(())
    }

    /// Removes the last name.
    fn pop(&mut self) {
        self.length = self.bytes[..self.length].iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        self.bytes[self.length] = 0;
    }

    /// Appends the names of a path. A link among them is followed; returns whether there was one.
    fn follow(&mut self, path: &[u8], links: &mut u32) -> Option<()> {
        for name in path.split(|byte| *byte == b'/') {
            match name {
                b"" | b"." => {}
                b".." => self.pop(),
                name => {
                    self.push(name)?;
                    let mut target = [0; PATH];
                    let Some(length) = libc::link_target(CStr::from_bytes_until_nul(&self.bytes).ok()?, &mut target) else { continue };
                    *links += 1;
                    if *links > LINKS || length == PATH {
                        return None;
                    }
                    self.pop();
                    if target[0] == b'/' {
                        self.length = 0;
                    }
                    self.follow(&target[..length], links)?;
                }
            }
        }
        Some(())
    }
}

/// Writes the absolute path without links into `out`, with a NUL behind it; returns whether there were links, `None` if that fails.
pub(crate) fn resolve(path: &[u8], out: &mut [u8]) -> Option<bool> {
    let mut whole = Path { bytes: [0; PATH], length: 0 };
    let mut links = 0;
    if !path.starts_with(b"/") {
        let mut here = [0; PATH];
        let here = libc::working_directory(&mut here)?;
        whole.follow(here.to_bytes(), &mut links)?;
        links = 0;
    }
    whole.follow(path, &mut links)?;
    if whole.length == 0 {
        whole.bytes[..2].copy_from_slice(b"/\0");
        whole.length = 1;
    }
    out.get_mut(..=whole.length)?.copy_from_slice(&whole.bytes[..=whole.length]);
    Some(links > 0)
}

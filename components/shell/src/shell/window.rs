//! `LINES` and `COLUMNS`: the size of the terminal, as bash keeps it.

use super::Shell;
use crate::fds::Fd;
use crate::sym;

impl Shell {
    /// Returns the lines and columns of the terminal that is standard error, or at which commands are entered. `None` if there is none, or
    /// it does not know them.
    fn window(&self) -> Option<(u16, u16)> {
        let size = |number| match self.fds.get(number) {
            Some(Fd::File(file)) => file.handle().size().ok(),
            _ => None,
        };
        let found = size(2).or_else(|| if self.invocation.interactive { size(0) } else { None });
        found.filter(|(lines, columns)| *lines > 0 && *columns > 0)
    }

    /// Sets the variables after a command that was a process of its own, unless `shopt -u checkwinsize` says otherwise.
    pub(crate) fn check_window(&mut self) {
        if self.opts.shopt("checkwinsize")
            && let Some(size) = self.window()
        {
            self.set_window(size);
        }
    }

    /// Sets the variables at a prompt, if the terminal's size is another than at the last one. A person may have set them to something
    /// else in the meantime.
    pub(super) fn follow_window(&mut self) {
        if let Some(size) = self.window()
            && self.entry.prompting.window.replace(Some(size)) != Some(size)
        {
            self.set_window(size);
        }
    }

    fn set_window(&mut self, (lines, columns): (u16, u16)) {
        for (name, size) in [(sym::LINES, lines), (sym::COLUMNS, columns)] {
            // That one is read-only has been reported.
            let _ = self.set_int(name, i64::from(size));
        }
    }
}

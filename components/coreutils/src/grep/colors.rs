//! GREP_COLORS: how what `grep` prints is marked.

use std::io::{Result, Write};

/// The marks, each the numbers of an SGR sequence; an empty one marks nothing.
#[derive(Debug, Clone)]
pub(super) struct Colors {
    /// What matches in selected lines.
    pub selected: String,
    /// What matches in context lines.
    pub context: String,
    /// Selected lines as a whole.
    pub selected_line: String,
    /// Context lines as a whole.
    pub context_line: String,
    /// Names of files.
    pub name: String,
    /// Numbers of lines.
    pub line_number: String,
    /// Offsets.
    pub offset: String,
    /// Separators.
    pub separator: String,
    /// With `-v` the two kinds of lines are marked the other way round.
    pub reverse: bool,
    /// Nothing is erased to the end of the line.
    pub no_erase: bool,
}

impl Colors {
    /// Reads the colors that the environment asks for.
    pub(super) fn read() -> Self {
        let mut colors = Self {
            selected: "01;31".into(),
            context: "01;31".into(),
            selected_line: String::new(),
            context_line: String::new(),
            name: "35".into(),
            line_number: "32".into(),
            offset: "32".into(),
            separator: "36".into(),
            reverse: false,
            no_erase: false,
        };
        if let Some(old) = std::env::var("GREP_COLOR").ok().filter(|c| !c.is_empty()) {
            crate::text::complain("grep", format!("warning: GREP_COLOR='{old}' is deprecated; use GREP_COLORS='mt={old}'"));
            (colors.selected, colors.context) = (old.clone(), old);
        }
        colors.set(&std::env::var("GREP_COLORS").unwrap_or_default());
        colors
    }

    /// Reads `mt=1;31:ne`; what comes after a mistake is ignored.
    fn set(&mut self, text: &str) {
        for item in text.split(':') {
            let (key, value) = item.split_once('=').map_or((item, None), |(k, v)| (k, Some(v)));
            if value.is_some_and(|v| !v.bytes().all(|b| b.is_ascii_digit() || b == b';')) {
                return;
            }
            let Some(value) = value.map(str::to_owned) else {
                match key {
                    "rv" => self.reverse = true,
                    "ne" => self.no_erase = true,
                    _ => {}
                }
                continue;
            };
            match key {
                "mt" => (self.selected, self.context) = (value.clone(), value),
                "ms" => self.selected = value,
                "mc" => self.context = value,
                "sl" => self.selected_line = value,
                "cx" => self.context_line = value,
                "fn" => self.name = value,
                "ln" => self.line_number = value,
                "bn" => self.offset = value,
                "se" => self.separator = value,
                _ => {}
            }
        }
    }

    /// Begins a mark.
    pub(super) fn start(&self, mark: &str, out: &mut impl Write) -> Result<()> {
        match mark {
            "" => Ok(()),
            mark => write!(out, "\x1b[{mark}m{}", if self.no_erase { "" } else { "\x1b[K" }),
        }
    }

    /// Ends it.
    pub(super) fn end(&self, mark: &str, out: &mut impl Write) -> Result<()> {
        if mark.is_empty() { Ok(()) } else { out.write_all(if self.no_erase { b"\x1b[m" } else { b"\x1b[m\x1b[K" }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_up_to_a_mistake() {
        let mut colors = Colors::read();
        colors.set("mt=7:xx=1:fn=34:ne:ln=a:se=1");
        assert_eq!((&*colors.selected, &*colors.context, &*colors.name, &*colors.separator), ("7", "7", "34", "36"));
        assert!(colors.no_erase && !colors.reverse);
    }
}

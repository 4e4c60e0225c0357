//! The rendering of findings on this terminal.

use wisp::policy::{Palette, PolicyErrors, render};

use crate::outputs::Standard;

/// Returns the findings for standard error: with carets, and with colour if that is a terminal and NO_COLOR is not set.
pub(crate) fn findings(errors: &PolicyErrors) -> String {
    render(errors, of(Standard::Error))
}

/// Returns whether what is written there is coloured.
pub(crate) fn colours(to: Standard) -> bool {
    of(to) == Palette::Colour
}

fn of(to: Standard) -> Palette {
    palette(to.is_terminal(), std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty()))
}

/// Returns the colours of an output. NO_COLOR counts if it is set and not empty, as its specification requires.
fn palette(terminal: bool, no_colour: bool) -> Palette {
    if terminal && !no_colour { Palette::Colour } else { Palette::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_is_for_terminals_that_want_it() {
        assert_eq!(palette(true, false), Palette::Colour);
        assert_eq!(palette(true, true), Palette::Plain);
        assert_eq!(palette(false, false), Palette::Plain);
    }
}

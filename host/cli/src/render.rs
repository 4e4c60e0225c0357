//! The rendering of findings on this terminal.

use wisp::policy::{Palette, PolicyErrors, render};

use crate::messages;

/// Returns the findings for standard error: with carets, and with colour if that is a terminal and NO_COLOR is not set.
pub(crate) fn findings(errors: &PolicyErrors) -> String {
    render(errors, for_messages())
}

/// Returns whether messages are coloured.
pub(crate) fn colours() -> bool {
    for_messages() == Palette::Colour
}

fn for_messages() -> Palette {
    palette(messages::at_terminal(), std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty()))
}

/// Returns the colours of messages. NO_COLOR counts if it is set and not empty, as its specification requires.
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

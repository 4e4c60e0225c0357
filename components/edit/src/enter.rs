//! The loop that reads keys until a line is complete.

use crate::completion::Completion;
use crate::editor::{Editor, Step};
use std::rc::Rc;

/// Tells the terminal to mark what is pasted, and no longer to.
const MARK_PASTES: &[u8] = b"\x1b[?2004h";
const MARK_NO_PASTES: &[u8] = b"\x1b[?2004l";

/// What a person entered.
#[derive(Debug, PartialEq, Eq)]
pub enum Entered {
    /// A line, or several that were pasted, without the last newline.
    Line(Vec<u8>),
    /// The terminal reported that the line is no longer wanted; this was typed of it.
    Stopped(Vec<u8>),
    /// Ctrl-D on an empty line, or the end of the input.
    End,
}

/// What came from the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressed {
    /// A byte.
    Byte(u8),
    /// The line is no longer wanted: a signal came, or the time is up.
    Stop,
    /// The input ended.
    End,
}

/// A terminal that passes each key on as it is pressed, and shows a newline as a new line.
pub trait Terminal {
    /// Returns its columns now.
    fn columns(&self) -> usize;
    /// Shows bytes. Returns false if it cannot, which ends the reading.
    fn show(&mut self, bytes: &[u8]) -> bool;
    /// Waits for the next byte.
    fn next(&mut self) -> Pressed;
    /// Returns the candidates for the line up to the cursor.
    fn complete(&mut self, _before: &[u8]) -> Completion {
        Completion::default()
    }
}

/// What a line begins with.
#[derive(Debug, Clone, Default)]
pub struct Beginning {
    /// What is shown before it.
    pub prompt: Vec<u8>,
    /// Its text, which can be edited.
    pub text: Vec<u8>,
    /// The lines that Up goes to.
    pub history: Rc<[Vec<u8>]>,
    /// What Ctrl-Y puts in.
    pub killed: Vec<char>,
    /// The number of characters that complete it, without Enter.
    pub most: Option<usize>,
}

/// Lets a person edit a line. Returns what was entered, and what Ctrl-Y puts in next.
pub fn enter(terminal: &mut impl Terminal, line: Beginning) -> (Entered, Vec<char>) {
    let Beginning { prompt, text, history, killed, most } = line;
    let mut editor = Editor::new(&prompt, &text, terminal.columns(), history, killed);
    let entered = keys(terminal, &mut editor, most);
    if entered != Entered::End {
        editor.leave();
    }
    terminal.show(&[&editor.take_output(), MARK_NO_PASTES].concat());
    (entered, editor.killed())
}

fn keys(terminal: &mut impl Terminal, editor: &mut Editor, most: Option<usize>) -> Entered {
    let mut shown = MARK_PASTES.to_vec();
    loop {
        shown.extend(editor.take_output());
        if !terminal.show(&std::mem::take(&mut shown)) {
            return Entered::End;
        }
        if most.is_some_and(|most| editor.len() >= most) {
            return Entered::Line(editor.line());
        }
        let byte = match terminal.next() {
            Pressed::Byte(byte) => byte,
            Pressed::End => return Entered::End,
            Pressed::Stop => return Entered::Stopped(editor.line()),
        };
        editor.resize(terminal.columns());
        match editor.byte(byte) {
            Step::Continue => {}
            Step::Done => return Entered::Line(editor.line()),
            Step::End => return Entered::End,
            Step::Complete => {
                let found = terminal.complete(&editor.before());
                editor.offer(found);
            }
        }
    }
}

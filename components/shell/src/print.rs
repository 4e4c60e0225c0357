//! Converts commands back to text, in the layout of bash's `declare -f`: for that builtin and for shells in other
//! processes.

mod compound;
mod parts;

use crate::ast::*;

struct Printer {
    out: Vec<u8>,
    indent: usize,
    pending: Vec<u8>,
    /// For a shell to read: the line reached so far, kept in step with the commands' own lines.
    compact: Option<u32>,
    /// Not within a function: lists stay on their line.
    inline: bool,
    /// A here-document was just shown: bash leaves out the next `;`.
    after_here: bool,
    /// Within `$( )`: lines that end there have no `;`.
    substitution: bool,
}

/// Returns the text of a command.
pub fn command_text(command: &Command) -> Vec<u8> {
    finish(true, |printer| printer.command(command))
}

/// Returns the text of a command for a shell that starts to count lines at `line`: every command is on its own line again.
pub fn command_script(command: &Command, line: u32) -> Vec<u8> {
    script(line, |printer| printer.command(command))
}

/// Works like `command_script`, for a function's definition; it begins in the line of the function's body.
pub fn function_script(function: &Function) -> Vec<u8> {
    let head = [b"function ", &function.name[..], b" () "].concat();
    [head, command_script(&function.body, function.body.line)].concat()
}

/// Works like `command_script`, for a list.
pub fn list_script(list: &List, line: u32) -> Vec<u8> {
    script(line, |printer| printer.list(list))
}

fn script(line: u32, print: impl FnOnce(&mut Printer)) -> Vec<u8> {
    let mut printer = Printer {
        out: Vec::new(),
        indent: 0,
        pending: Vec::new(),
        compact: Some(line),
        inline: false,
        after_here: false,
        substitution: false,
    };
    print(&mut printer);
    printer.flush();
    printer.out
}

/// Returns the text of a list.
pub fn list_text(list: &List) -> Vec<u8> {
    finish(true, |printer| printer.list(list))
}

/// Returns the list of `$( )`, as bash shows it.
fn substitution_text(list: &List) -> Vec<u8> {
    finish(true, |printer| {
        printer.substitution = true;
        printer.list(list);
    })
}

/// Returns the text of an and-or list.
pub fn and_or_text(and_or: &AndOr) -> Vec<u8> {
    finish(true, |printer| printer.and_or(and_or))
}

/// Returns the text of a pipeline.
pub fn pipeline_text(pipeline: &Pipeline) -> Vec<u8> {
    finish(true, |printer| printer.pipeline(pipeline))
}

/// Returns the text of redirections.
pub fn redirects_text(redirects: &[Redirect]) -> Vec<u8> {
    finish(true, |printer| printer.redirects(redirects))
}

/// Returns a function as `declare -f` shows it.
pub fn function_text(function: &Function) -> Vec<u8> {
    let mut text = function.name.to_vec();
    text.extend_from_slice(b" () \n");
    text.extend_from_slice(&function_body_text(function));
    text
}

/// Returns a function's body.
pub fn function_body_text(function: &Function) -> Vec<u8> {
    finish(false, |printer| match &function.body.kind {
        Kind::Brace(list) => {
            printer.text(b"{ \n");
            printer.block(list);
            printer.line();
            printer.text(b"}");
            printer.redirects(&function.body.redirects);
        }
        _ => {
            printer.text(b"{ \n");
            printer.indent = 1;
            printer.spaces();
            printer.command(&function.body);
            printer.indent = 0;
            printer.line();
            printer.text(b"}");
        }
    })
}

fn finish(inline: bool, print: impl FnOnce(&mut Printer)) -> Vec<u8> {
    let mut printer =
        Printer { out: Vec::new(), indent: 0, pending: Vec::new(), compact: None, inline, after_here: false, substitution: false };
    print(&mut printer);
    printer.flush();
    printer.out
}

impl Printer {
    fn text(&mut self, text: &[u8]) {
        if let Some(line) = &mut self.compact {
            *line += text.iter().filter(|b| **b == b'\n').count() as u32;
        }
        self.out.extend_from_slice(text);
    }
    /// Advances to the line of a command.
    fn catch_up(&mut self, wanted: u32) {
        let Some(line) = self.compact else { return };
        if wanted > line
            && self.pending.is_empty()
            && !self.out.ends_with(b"! ")
            && !self.out.ends_with(b"time ")
            && !self.out.ends_with(b"time -p ")
        {
            for _ in line..wanted {
                self.text(b"\n");
            }
        }
    }
    /// Puts here-documents after the line that announces them.
    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.text(b"\n");
            self.text(&pending);
            self.after_here = self.compact.is_none();
        }
    }
    fn spaces(&mut self) {
        self.out.extend(std::iter::repeat_n(b' ', self.indent * 4));
    }
    fn line(&mut self) {
        if self.compact.is_some() {
            let here = !self.pending.is_empty();
            self.flush();
            if !here {
                self.text(b" ");
            }
            return;
        }
        self.flush();
        self.text(b"\n");
        self.spaces();
    }
    fn block(&mut self, list: &List) {
        self.indent += 1;
        self.spaces();
        self.list(list);
        self.indent -= 1;
    }
    fn nested(&mut self, list: &List) {
        self.indent += 1;
        self.line();
        self.list(list);
        self.indent -= 1;
    }

    fn list(&mut self, list: &List) {
        // A here-document before the list belongs to the construct that contains the list.
        let outer = std::mem::take(&mut self.after_here);
        for (number, item) in list.items.iter().enumerate() {
            let before = std::mem::take(&mut self.after_here) && number == 1;
            self.and_or(&item.and_or);
            let last = number + 1 == list.items.len();
            let here = std::mem::take(&mut self.after_here) || before;
            if item.background {
                self.text(b" &");
            } else if self.substitution && item.line_end && !last && self.pending.is_empty() {
                self.text(b"\n");
                continue;
            } else if !last && self.pending.is_empty() && !here {
                self.text(b";");
            }
            if last {
                continue;
            }
            if self.pending.is_empty() && (item.background || self.inline) {
                self.text(b" ");
            } else {
                self.line();
            }
        }
        self.after_here |= outer;
    }

    fn and_or(&mut self, and_or: &AndOr) {
        self.pipeline(&and_or.first);
        for (and, pipeline) in &and_or.rest {
            self.text(if *and { b" && " } else { b" || " });
            if self.compact.is_none() && !self.pending.is_empty() {
                self.flush();
                self.text(b" ");
            }
            self.pipeline(pipeline);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        match pipeline.timed {
            Some(true) => self.text(b"time -p "),
            Some(false) => self.text(b"time "),
            None => {}
        }
        if pipeline.negated {
            self.text(b"! ");
        }
        for (number, command) in pipeline.commands.iter().enumerate() {
            if number > 0 {
                self.text(b" |");
                if self.compact.is_none() && !self.pending.is_empty() {
                    self.flush();
                    self.text(b" ");
                }
                self.text(b" ");
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        self.catch_up(command.line);
        match &command.kind {
            Kind::Simple(simple) => {
                let before = self.out.len();
                for assign in &simple.assigns {
                    self.separate(before);
                    self.assign(assign);
                }
                for arg in &simple.words {
                    self.separate(before);
                    match arg {
                        Arg::Word(word) => self.word(word),
                        Arg::Assign(assign, _) => self.assign(assign),
                    }
                }
                if self.out.len() == before && !command.redirects.is_empty() {
                    self.redirects(&command.redirects);
                    if self.out.get(before) == Some(&b' ') {
                        self.out.remove(before);
                    }
                    return;
                }
            }
            kind => self.compound(kind),
        }
        self.redirects(&command.redirects);
    }

    fn separate(&mut self, before: usize) {
        if self.out.len() > before {
            self.out.push(b' ');
        }
    }
}

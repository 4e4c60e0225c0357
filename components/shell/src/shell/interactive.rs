//! What a person's shell does beyond a script's: its start file, its prompt, its history.

use super::{Flow, Shell};
use crate::sym::{self, intern};
use crate::vars::Value;

impl Shell {
    /// Set the options and read the start file. The status if that ended the shell.
    pub(crate) fn begin_interactive(&mut self, rc: bool, rcfile: Option<Vec<u8>>) -> Option<i32> {
        for option in ["history", "histexpand"] {
            self.opts.set_long(option, true);
        }
        self.opts.set_shopt("expand_aliases", true);
        for (name, value) in
            [(sym::PS1, &b"\\s-\\v\\$ "[..]), (sym::PS2, b"> "), (sym::HISTSIZE, b"500"), (intern(b"HISTFILESIZE"), b"500")]
        {
            if self.vars.get(name).is_none() {
                self.vars.make(name).value = Value::Str(value.to_vec());
            }
        }
        let home = self.get(sym::HOME).unwrap_or_default();
        let file = intern(b"HISTFILE");
        if self.vars.get(file).is_none() {
            self.vars.make(file).value = Value::Str([&home[..], b"/.bash_history"].concat());
        }
        if rc {
            let start = rcfile.unwrap_or_else(|| [&home[..], b"/.bashrc"].concat());
            let how = crate::sys::OpenHow { read: true, ..Default::default() };
            if let Ok(text) = self.open_file(&start, how).and_then(|fd| fd.file()?.read_all()) {
                let outer = std::mem::replace(&mut self.source, start.into());
                let remembers = self.opts.long("history") == Some(true);
                self.opts.set_long("history", false);
                let line = self.line;
                let parser = self.parser(text, 1);
                let result = self.run_parser(parser, "");
                self.source = outer;
                self.line = line;
                self.opts.set_long("history", remembers);
                if let Err(Flow::Exit(status)) = result {
                    return Some(self.end(Err(Flow::Exit(status))));
                }
            }
        }
        if let Some(name) = self.get(file) {
            // Without a file the history begins empty.
            self.read_history(&name, 0);
        }
        None
    }

    /// Run `PROMPT_COMMAND` and show the prompt.
    pub(crate) fn before_prompt(&mut self) {
        let status = self.status;
        for command in self.elements(intern(b"PROMPT_COMMAND")) {
            let line = self.line;
            // A failing command does not keep the prompt away.
            let _ = self.run_text(command, line);
            self.status = status;
        }
        let prompt = self.get(sym::PS1).unwrap_or_default();
        if let Ok(shown) = self.prompt(&prompt) {
            self.warn_raw(&shown);
        }
    }

    /// Save the history.
    pub(crate) fn end_interactive(&mut self) {
        if let Some(name) = self.get(intern(b"HISTFILE")) {
            let append = self.opts.shopt("histappend");
            // The shell ends all the same when the file cannot be written.
            self.write_history(&name, append);
            self.cut_history_file();
        }
    }
}

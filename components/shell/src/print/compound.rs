//! Compound commands.

use super::Printer;
use crate::arith::ArithText;
use crate::ast::*;

impl Printer {
    pub(super) fn compound(&mut self, kind: &Kind) {
        match kind {
            Kind::Simple(_) => {}
            Kind::Brace(list) => self.braces(list),
            Kind::Subshell(list) => self.parentheses(list),
            Kind::If(branches, otherwise) => self.branches(branches, otherwise.as_ref()),
            Kind::For(name, words, body) => {
                self.text(b"for ");
                self.loop_head(&name.name(), words.as_deref());
                self.do_body(body);
            }
            Kind::Select(name, words, body) => {
                self.text(b"select ");
                self.loop_head(&name.name(), words.as_deref());
                self.do_body(body);
            }
            Kind::ForArith(sections, body) => {
                self.sections(&sections[..]);
                self.do_body(body);
            }
            Kind::While(until, condition, body) => {
                self.text(if *until { b"until " } else { b"while " });
                self.list(condition);
                self.opens(b"do");
                self.nested(body);
                self.end_body();
                self.text(b"done");
            }
            Kind::Case(subject, items) => self.case(subject, items),
            Kind::Function(function) => self.function(function),
            Kind::Cond(cond) => {
                self.text(b"[[ ");
                self.cond(cond);
                self.text(b" ]]");
                self.after_here = false;
            }
            Kind::Arith(text) => {
                self.text(b"((");
                self.word(&text.word);
                self.text(b"))");
            }
            Kind::Coproc(name, command) => {
                self.text(b"coproc ");
                let compact = self.compact.take();
                if compact.is_none() || !matches!(command.kind, Kind::Simple(_)) {
                    self.text(name);
                    self.text(b" ");
                }
                self.command(command);
                self.compact = compact;
            }
        }
    }

    fn braces(&mut self, list: &List) {
        self.text(b"{ ");
        if !self.inline {
            self.nested(list);
            self.close_brace();
            return;
        }
        self.list(list);
        if self.pending.is_empty() {
            self.text(if self.out.ends_with(b" &") { b" }" } else { b"; }" });
        } else {
            self.line();
            self.text(b"}");
        }
    }

    fn parentheses(&mut self, list: &List) {
        self.text(b"( ");
        self.list(list);
        if self.pending.is_empty() {
            self.text(b" )");
        } else {
            self.line();
            self.text(b")");
        }
    }

    /// Writes the head of `for ((…;…;…))`.
    fn sections(&mut self, sections: &[Option<ArithText>]) {
        self.text(b"for ((");
        for (number, section) in sections.iter().enumerate() {
            if number > 0 {
                self.text(b"; ");
            }
            match section {
                Some(section) => self.text(section.word.raw.trim_ascii_start()),
                None => self.text(b"1"),
            }
        }
        self.text(b"))");
        self.line();
    }

    fn case(&mut self, subject: &Word, items: &[CaseItem]) {
        self.text(b"case ");
        self.word(subject);
        self.text(b" in ");
        self.indent += 1;
        for item in items {
            self.line();
            for (number, pattern) in item.patterns.iter().enumerate() {
                if number > 0 {
                    self.text(b" | ");
                }
                self.word(pattern);
            }
            self.text(b")");
            if !item.body.items.is_empty() {
                self.nested(&item.body);
            } else if self.compact.is_none() {
                self.text(b"\n");
            }
            self.line();
            self.text(match item.end {
                CaseEnd::Break => b";;",
                CaseEnd::FallThrough => b";&",
                CaseEnd::Continue => b";;&",
            });
        }
        self.indent -= 1;
        self.line();
        self.text(b"esac");
    }

    fn function(&mut self, function: &Function) {
        let inline = std::mem::take(&mut self.inline);
        self.text(b"function ");
        self.text(&function.name);
        self.text(b" () ");
        self.line();
        match &function.body.kind {
            Kind::Brace(list) => {
                self.text(b"{ ");
                self.nested(list);
                self.close_brace();
                self.redirects(&function.body.redirects);
            }
            _ => self.command(&function.body),
        }
        self.inline = inline;
    }

    /// Writes `; do` or `; then`, or on a line of its own after here-documents.
    fn opens(&mut self, word: &[u8]) {
        if self.pending.is_empty() {
            self.text(b"; ");
        } else if self.compact.is_some() {
            self.line();
        } else {
            self.flush();
            self.text(b" ");
        }
        self.text(word);
    }

    /// Writes `if` with its branches; bash keeps `elif` as an `if` inside `else`.
    fn branches(&mut self, branches: &[(List, List)], otherwise: Option<&List>) {
        let Some(((condition, body), rest)) = branches.split_first() else { return };
        self.text(b"if ");
        self.list(condition);
        self.opens(b"then");
        self.nested(body);
        if rest.is_empty() {
            if let Some(body) = otherwise {
                self.end_body();
                self.text(b"else");
                self.nested(body);
            }
        } else if self.compact.is_some() {
            self.text(b";");
            self.line();
            self.text(b"el");
            return self.branches(rest, otherwise);
        } else {
            self.end_body();
            self.text(b"else");
            self.indent += 1;
            self.line();
            self.branches(rest, otherwise);
            self.indent -= 1;
        }
        self.end_body();
        self.text(b"fi");
    }

    /// Writes `}`, which on the same line needs a `;` before it.
    fn close_brace(&mut self) {
        if self.compact.is_some() {
            self.end_body();
        } else {
            self.line();
        }
        self.text(b"}");
    }

    /// Writes the `;` and the line's end after a body.
    fn end_body(&mut self) {
        if self.pending.is_empty() && !self.out.ends_with(b" &") {
            self.text(b";");
        }
        self.line();
    }

    fn loop_head(&mut self, name: &[u8], words: Option<&[Word]>) {
        self.text(name);
        if words.is_none() && self.compact.is_none() {
            self.text(b" in \"$@\"");
        }
        if let Some(words) = words {
            self.text(b" in");
            for word in words {
                self.text(b" ");
                self.word(word);
            }
        }
        self.text(b";");
        self.line();
    }

    fn do_body(&mut self, body: &List) {
        self.text(b"do");
        self.nested(body);
        self.end_body();
        self.text(b"done");
    }
}

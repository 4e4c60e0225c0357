//! The language: text to tokens, to a tree, to nodes that the machine runs.

mod compile;
mod lex;
mod modules;
mod node;
mod parse;
mod patterns;
mod prelude;
mod terms;
mod tree;

pub(crate) use compile::{Program, compile};
pub(crate) use modules::Library;
pub(crate) use node::{Def, Node, NodeKind, Op, Part};

/// A mistake in a program.
#[derive(Debug, Clone)]
pub(crate) struct Mistake {
    /// What is wrong.
    pub message: String,
    /// Where: the byte in the text; nothing for mistakes without a place.
    pub at: Option<usize>,
    /// Something else that may be wrong, and where.
    pub note: Option<(String, usize)>,
}

impl Mistake {
    /// Creates a mistake at a place.
    pub(crate) fn new(message: impl Into<String>, at: usize) -> Self {
        Self { message: message.into(), at: Some(at), note: None }
    }

    /// Returns the message as jq prints it: the place, and the line with it.
    pub(crate) fn show(&self, file: &str, text: &str) -> String {
        let Some(at) = self.at else { return format!("jq: error: {}", self.message) };
        let at = at.min(text.len());
        let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let line = text[..at].matches('\n').count() + 1;
        let shown = text[start..].lines().next().unwrap_or_default();
        format!("jq: error: {} at {file}, line {line}:\n{shown}{}", self.message, " ".repeat(at - start))
    }
}

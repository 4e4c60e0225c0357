//! What the machine runs: the tree with every name resolved. Programs live as long as the process, so nodes are leaked.

pub(crate) use super::tree::Op;
use crate::json::Val;
use crate::run::Native;
use std::cell::OnceCell;

/// A node, and whether it gives exactly one value (or an error) without need of the machine.
pub(crate) struct Node {
    pub kind: NodeKind,
    pub simple: bool,
}

/// A part of a string.
pub(crate) enum Part {
    Text(String),
    Code(&'static Node),
}

/// A function.
pub(crate) struct Def {
    /// How many filters it takes.
    pub params: usize,
    /// Set once its text has been resolved; it may call itself.
    pub body: OnceCell<&'static Node>,
}

/// The kinds. Variables and parameters are counted from the innermost binding.
pub(crate) enum NodeKind {
    Identity,
    Const(Val),
    Var(usize),
    /// The flag of these three says that their own errors are no errors.
    Index(&'static Node, &'static Node, bool),
    Slice(&'static Node, Option<&'static Node>, Option<&'static Node>, bool),
    Iterate(&'static Node, bool),
    Text(Option<String>, Vec<Part>),
    Try(&'static Node, Option<&'static Node>),
    Negate(&'static Node),
    Pipe(&'static Node, &'static Node),
    Comma(&'static Node, &'static Node),
    Binary(Op, &'static Node, &'static Node),
    And(&'static Node, &'static Node),
    Or(&'static Node, &'static Node),
    Alternative(&'static Node, &'static Node),
    /// Set all these paths to the innermost variable.
    SetAll(&'static Node),
    Modify(&'static Node, &'static Node),
    If(&'static Node, &'static Node, &'static Node),
    /// Source, start, and the update, in which the item is the innermost variable.
    Reduce(&'static Node, &'static Node, &'static Node),
    /// The same, with the state as a binding around the item; the update ends with `Store`.
    Foreach(&'static Node, &'static Node, &'static Node),
    /// A function, how many bindings to leave to get to where it was defined, its arguments.
    Call(&'static Def, usize, Vec<&'static Node>),
    Param(usize),
    Native(Native, Vec<&'static Node>),
    Bind(&'static Node, &'static Node),
    /// Bodies for the patterns of `?//`, tried in turn.
    Patterns(Vec<&'static Node>),
    Label(&'static Node),
    Break(usize),
    Array(&'static Node),
    Object(Vec<(&'static Node, &'static Node)>),
    Empty,
    Path(&'static Node),
    GetPath(&'static Node),
    Range(&'static Node, &'static Node),
    /// Store the value as the state at this place of the environment, then run what is given out, if that is not the state.
    Store(usize, Option<&'static Node>),
}

impl NodeKind {
    /// Keeps it for ever.
    pub(crate) fn leak(self) -> &'static Node {
        let simple = self.simple();
        Box::leak(Box::new(Node { kind: self, simple }))
    }

    fn simple(&self) -> bool {
        match self {
            Self::Identity | Self::Const(_) | Self::Var(_) => true,
            Self::Index(a, b, false) | Self::Pipe(a, b) | Self::Binary(_, a, b) | Self::And(a, b) | Self::Or(a, b) => a.simple && b.simple,
            Self::Slice(a, b, c, false) => a.simple && b.is_none_or(|b| b.simple) && c.is_none_or(|c| c.simple),
            Self::Text(_, parts) => parts.iter().all(|part| match part {
                Part::Text(_) => true,
                Part::Code(code) => code.simple,
            }),
            Self::Negate(a) | Self::GetPath(a) => a.simple,
            Self::If(a, b, c) => a.simple && b.simple && c.simple,
            Self::Native(_, args) => args.iter().all(|a| a.simple),
            Self::Object(pairs) => pairs.iter().all(|(k, v)| k.simple && v.simple),
            _ => false,
        }
    }
}
